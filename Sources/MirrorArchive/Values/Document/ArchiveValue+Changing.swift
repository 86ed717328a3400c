/// Values are changed where they are: while a list is changed nothing but a local variable holds it, so that nothing is copied that nobody
/// else holds.
extension ArchiveValue {
  /// The way from a value to one that it is made of.
  enum Step {
    /// What stands in an `Any` or in an Optional of an Optional.
    case wrapped
    /// What a case of an enum holds.
    case payload
    case element(Int)
    /// The value of an entry of a dictionary.
    case entry(Int)
    /// A field of a structure or tuple.
    case field(Int)
    /// What hand-written coding has stored under a key.
    case member(Int)
  }

  // MARK: Lists

  // What is taken out of a value is returned by a function of its own, behind which nothing else can hold it.

  private enum Kind { case array, set, inline }

  private mutating func takeElements() -> (kind: Kind, list: [ArchiveValue])? {
    let taken: (Kind, [ArchiveValue])
    switch self {
    case .array(let elements): taken = (.array, elements)
    case .set(let elements): taken = (.set, elements)
    case .inlineArray(let elements): taken = (.inline, elements)
    default: return nil
    }
    self = .void
    return taken
  }

  private mutating func takeEntries() -> [Entry]? {
    guard case .dictionary(let entries) = self else { return nil }
    self = .void
    return entries
  }

  private mutating func takeStructure() -> Structure? {
    guard case .structure(let structure) = self else { return nil }
    self = .void
    return structure
  }

  private mutating func takeTuple() -> [Field]? {
    guard case .tuple(let fields) = self else { return nil }
    self = .void
    return fields
  }

  private mutating func takeMembers() -> [Member]? {
    guard case .container(let members) = self else { return nil }
    self = .void
    return members
  }

  private mutating func takeEnumeration() -> Enumeration? {
    guard case .enumeration(let one) = self, one.payload != nil else { return nil }
    self = .void
    return one
  }

  private mutating func takePresent() -> ArchiveValue? {
    guard case .present(let inner) = self else { return nil }
    self = .void
    return inner
  }

  private mutating func takeTyped() -> Typed? {
    guard case .any(let typed) = self else { return nil }
    self = .void
    return typed
  }

  /// Changes the elements of an array, set or inline array; nothing happens to anything else. So it is below.
  mutating func changeElements(_ body: (inout [ArchiveValue]) -> Void) {
    guard var taken = takeElements() else { return }
    body(&taken.list)
    self =
      switch taken.kind {
      case .array: .array(taken.list)
      case .set: .set(taken.list)
      case .inline: .inlineArray(taken.list)
      }
  }

  /// Changes the entries of a dictionary.
  mutating func changeEntries(_ body: (inout [Entry]) -> Void) {
    guard var entries = takeEntries() else { return }
    body(&entries)
    self = .dictionary(entries)
  }

  /// Changes the fields of a struct or tuple.
  mutating func changeFields(_ body: (inout [Field]) -> Void) {
    if var structure = takeStructure() {
      body(&structure.fields)
      self = .structure(structure)
    } else if var fields = takeTuple() {
      body(&fields)
      self = .tuple(fields)
    }
  }

  /// Changes what hand-written coding has stored.
  mutating func changeMembers(_ body: (inout [Member]) -> Void) {
    guard var members = takeMembers() else { return }
    body(&members)
    self = .container(members)
  }

  // MARK: Parts

  /// Exchanges a part of the value with another value. Nothing happens where there is no such part.
  ///
  /// - Complexity: O(1) if nobody else holds the value.
  mutating func exchange(_ other: inout ArchiveValue, at step: Step) {
    switch step {
    case .wrapped: exchangeWrapped(&other)
    case .payload:
      guard var one = takeEnumeration(), var payload = one.payload else { return }
      one.payload = nil
      swap(&payload, &other)
      one.payload = payload
      self = .enumeration(one)
    case .element(let index): changeElements { if $0.indices.contains(index) { swap(&$0[index], &other) } }
    case .entry(let index): changeEntries { if $0.indices.contains(index) { swap(&$0[index].value, &other) } }
    case .field(let index): changeFields { if $0.indices.contains(index) { swap(&$0[index].value, &other) } }
    case .member(let index): changeMembers { if $0.indices.contains(index) { swap(&$0[index].value, &other) } }
    }
  }

  private mutating func exchangeWrapped(_ other: inout ArchiveValue) {
    if var inner = takePresent() {
      swap(&inner, &other)
      self = .present(inner)
    } else if var typed = takeTyped() {
      swap(&typed.value, &other)
      self = .any(typed)
    }
  }

  /// Takes a part of a list away.
  mutating func remove(_ step: Step) {
    switch step {
    case .element(let index): changeElements { if $0.indices.contains(index) { $0.remove(at: index) } }
    case .entry(let index): changeEntries { if $0.indices.contains(index) { $0.remove(at: index) } }
    case .member(let index): changeMembers { if $0.indices.contains(index) { $0.remove(at: index) } }
    case .wrapped, .payload, .field: break
    }
  }

  /// Changes what stands at the end of a way.
  ///
  /// What is on the way is taken out, and put back behind the change. A list stands in for recursion: values may be nested deeply.
  ///
  /// - Complexity: O(length of the way), besides what `body` does.
  mutating func change(at steps: [Step], _ body: (inout ArchiveValue) -> Void) {
    var current = ArchiveValue.void
    swap(&self, &current)
    var around: [ArchiveValue] = []
    for step in steps {
      var part = ArchiveValue.void
      current.exchange(&part, at: step)
      swap(&current, &part)
      around.append(part)
    }
    body(&current)
    for step in steps.reversed() {
      guard var outer = around.popLast() else { break }
      outer.exchange(&current, at: step)
      swap(&current, &outer)
    }
    swap(&self, &current)
  }
}
