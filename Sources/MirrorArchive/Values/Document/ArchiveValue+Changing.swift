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

  /// Changes the elements of an array, set or inline array; nothing happens to anything else. So it is below.
  mutating func changeElements(_ body: (inout [ArchiveValue]) -> Void) {
    switch self {
    case .array(var elements):
      self = .void
      body(&elements)
      self = .array(elements)
    case .set(var elements):
      self = .void
      body(&elements)
      self = .set(elements)
    case .inlineArray(var elements):
      self = .void
      body(&elements)
      self = .inlineArray(elements)
    default: break
    }
  }

  /// Changes the entries of a dictionary.
  mutating func changeEntries(_ body: (inout [Entry]) -> Void) {
    guard case .dictionary(var entries) = self else { return }
    self = .void
    body(&entries)
    self = .dictionary(entries)
  }

  /// Changes the fields of a struct or tuple.
  mutating func changeFields(_ body: (inout [Field]) -> Void) {
    switch self {
    case .structure(var structure):
      self = .void
      body(&structure.fields)
      self = .structure(structure)
    case .tuple(var fields):
      self = .void
      body(&fields)
      self = .tuple(fields)
    default: break
    }
  }

  /// Changes what hand-written coding has stored.
  mutating func changeMembers(_ body: (inout [Member]) -> Void) {
    guard case .container(var members) = self else { return }
    self = .void
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
      guard case .enumeration(var one) = self, var payload = one.payload else { return }
      self = .void
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
    switch self {
    case .present(var inner):
      self = .void
      swap(&inner, &other)
      self = .present(inner)
    case .any(var typed):
      self = .void
      swap(&typed.value, &other)
      self = .any(typed)
    default: break
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
