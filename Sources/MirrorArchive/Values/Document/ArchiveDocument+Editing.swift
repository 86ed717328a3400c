import ArchiveFormat

extension ArchiveDocument {
  /// Puts a value in the place of another one, or under a new key of a dictionary or of hand-written coding.
  ///
  /// The value becomes one of the archived type: `5` an `Int32` that has it or a `Double`, `"north"` a `Substring` or a case of an enum
  /// without contents, `["x": 1, "y": 2]` a struct, an array a set or tuple; nil is there for Optionals alone. A number that the archived
  /// type does not have is refused; a binary fraction becomes the nearest `Float`. In `Any` a value keeps the type that stands there if it
  /// fits, and otherwise gets the type that it has by itself.
  ///
  /// ```swift
  /// try document.set(12, at: "root.fruits[3].count")
  /// try document.set(.reference(number), at: "root.stalls[\"north\"]")
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - path: The place; see ``ArchivePath``.
  /// - Throws: ``ArchiveError`` with the path and the code `typeMismatch`, `missingValue` (nothing is at the place, or a struct lacks a
  ///   property), `duplicateKey` (an element of a set or a key is there twice) or `nestingTooDeep`; then the document is as it was.
  /// - Complexity: O(length of the path + size of the value + size of the dictionaries on the way), if no copy of the document exists.
  public mutating func set(_ value: ArchiveValue, at path: String) throws { try set(value, at: try ArchivePath(path)) }

  /// Puts a value in the place of another one; see ``set(_:at:)-(_,String)``.
  public mutating func set(_ value: ArchiveValue, at path: ArchivePath) throws {
    if try insertEntry(value, at: path, isNew: false) { return }
    let found = try place(path)
    let fitting = try fit(value, found, path)
    guard let owner = found.owner, !owner.isObject else {
      throw ArchiveError(.typeMismatch, path: "\(path)", message: "an object can't be replaced; set its properties, or what refers to it")
    }
    try checkUnique(fitting, found, path)
    let steps = found.steps
    _ = consume found
    change(owner, steps) { $0 = fitting }
  }

  /// Adds an element at the end of an array or set.
  ///
  /// - Parameters:
  ///   - value: The element, which becomes one of the archived type as in ``set(_:at:)-(_,String)``.
  ///   - path: The place of the array or set.
  /// - Throws: ``ArchiveError`` with the path and the code `typeMismatch`, `missingValue`, `duplicateKey` or `nestingTooDeep`.
  /// - Complexity: O(length of the path + size of the element) for arrays, O(size of the set) for sets.
  public mutating func append(_ value: ArchiveValue, to path: String) throws {
    let path = try ArchivePath(path)
    let list = try self.list(path)
    try insert(value, list, list.count, path.appending(.index(list.count)))
  }

  /// Adds an element in front of another one of an array or set, or an entry to a dictionary.
  ///
  /// ```swift
  /// try document.insert("pear", at: "root.names[0]")
  /// try document.insert(3, at: "root.prices[\"pear\"]")
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value, which becomes one of the archived type as in ``set(_:at:)-(_,String)``.
  ///   - path: The place that the value will have. The number of elements as an index is the end.
  /// - Throws: ``ArchiveError`` with the path and the code `typeMismatch`, `missingValue`, `duplicateKey` (the dictionary has the key) or
  ///   `nestingTooDeep`.
  /// - Complexity: O(size of the collection).
  public mutating func insert(_ value: ArchiveValue, at path: String) throws {
    let path = try ArchivePath(path)
    if try insertEntry(value, at: path, isNew: true) { return }
    guard case .index(let index)? = path.components.last else {
      throw ArchiveError(
        .missingValue, path: "\(path)", message: "elements are added to arrays, sets and dictionaries, at a place such as [0]")
    }
    let list = try self.list(ArchivePath(path.start, path.components.dropLast()))
    guard index >= 0, index <= list.count else {
      throw ArchiveError(.missingValue, path: "\(path)", message: "there are \(list.count) elements")
    }
    try insert(value, list, index, path)
  }

  /// Takes an element out of an array or set, an entry out of a dictionary, what hand-written coding has stored under a key, or a value at the
  /// top level.
  ///
  /// Objects that nothing refers to any more are left out when the document is encoded.
  ///
  /// - Parameter path: The place.
  /// - Returns: What was there.
  /// - Throws: ``ArchiveError`` with the code `missingValue` if there is nothing, `typeMismatch` if nothing can be taken away: a property can be
  ///   set to nil if it is Optional.
  /// - Complexity: O(size of the collection).
  @discardableResult
  public mutating func remove(at path: String) throws -> ArchiveValue {
    let path = try ArchivePath(path)
    let found = try place(path)
    guard let owner = found.owner, !owner.isObject else {
      throw ArchiveError(.typeMismatch, path: "\(path)", message: "an object goes when nothing refers to it any more")
    }
    if case .root(let index) = owner, path.components.isEmpty {
      isChanged = true
      removeRoot(at: index)
      return found.value
    }
    // A value in Any or an Optional is taken away with it.
    var steps = found.steps
    while case .wrapped? = steps.last { steps.removeLast() }
    let value = found.value
    guard let last = steps.popLast(), last.isRemovable, try !isInlineArray(around: path) else {
      throw ArchiveError(
        .typeMismatch, path: "\(path)", message: "elements and entries can be removed; a property can be set to nil if it is Optional")
    }
    _ = consume found
    change(owner, steps) { $0.remove(last) }
    return value
  }

  // MARK: Steps

  /// Whether a path leads to an element of an array that has as many as its type says.
  private func isInlineArray(around path: ArchivePath) throws -> Bool {
    var around = try place(ArchivePath(path.start, path.components.dropLast()))
    around.unwrap()
    if case .inlineArray = around.value { return true }
    return false
  }

  private func fit(_ value: ArchiveValue, _ place: Place, _ path: ArchivePath) throws -> ArchiveValue {
    var fitting = ValueFitting(self, at: path)
    // What stands in Any stays of its type if that is possible.
    if case .any(let typed) = place.value, place.type.id == .any || place.type.wrapped?.id == .any {
      var isTyped = false
      if case .any = value { isTyped = true }
      if case .null = value, place.type.wrapped != nil { isTyped = true }
      if !isTyped, let kept = try? fitting.fit(value, to: typed.type) { return .any(ArchiveValue.Typed(kept, typed.type)) }
    }
    return try fitting.fit(value, to: place.type)
  }

  /// An array or set that elements are added to.
  private struct List {
    let owner: Place.Owner
    let steps: [ArchiveValue.Step]
    let element: ArchiveType
    let count: Int
    let isSet: Bool
  }

  private func list(_ path: ArchivePath) throws -> List {
    var place = try place(path)
    place.unwrap()
    guard let owner = place.owner, let element = place.type.element else { throw Self.noList(path) }
    switch place.value {
    case .array(let elements): return List(owner: owner, steps: place.steps, element: element, count: elements.count, isSet: false)
    case .set(let elements): return List(owner: owner, steps: place.steps, element: element, count: elements.count, isSet: true)
    default: throw Self.noList(path)
    }
  }

  private static func noList(_ path: ArchivePath) -> ArchiveError {
    ArchiveError(.typeMismatch, path: "\(path)", message: "elements are added to arrays and sets, and there is none here")
  }

  private mutating func insert(_ value: ArchiveValue, _ list: List, _ index: Int, _ path: ArchivePath) throws {
    var fitting = ValueFitting(self, at: path)
    let element = try fitting.fit(value, to: list.element)
    if list.isSet, try self.value(at: ArchivePath(path.start, path.components.dropLast())).arrayValue?.contains(element) == true {
      throw ArchiveError(.duplicateKey, path: "\(path)", message: "\(element) is there already")
    }
    _ = consume fitting
    change(list.owner, list.steps) { $0.changeElements { $0.insert(element, at: index) } }
  }

  /// An element of a set must not become equal to another one.
  private func checkUnique(_ value: ArchiveValue, _ place: Place, _ path: ArchivePath) throws {
    guard case .index(let index)? = path.components.last else { return }
    let list = try self.value(at: ArchivePath(path.start, path.components.dropLast()))
    guard case .set(let elements) = list.unwrapped else { return }
    for (other, element) in elements.enumerated() where other != index && element == value {
      throw ArchiveError(.duplicateKey, path: "\(path)", message: "\(value) is there already")
    }
  }

  /// Adds an entry to a dictionary, or a key to what is coded by hand. False if the path leads to neither, or the key is there and may be.
  private mutating func insertEntry(_ value: ArchiveValue, at path: ArchivePath, isNew: Bool) throws -> Bool {
    guard let last = path.components.last else { return false }
    var around = try place(ArchivePath(path.start, path.components.dropLast()))
    around.unwrap()
    if case .reference(let number) = around.value, let index = index(ofObject: number), let key = last.key,
      objects[index].kind.column(key) == nil, let record = objects[index].kind.record, key != "$keys"
    {
      around.owner = .property(object: index, column: record)
      around.steps = []
      around.value = objects[index].values[record]
    }
    guard let owner = around.owner else { return false }
    let steps = around.steps
    var fitting = ValueFitting(self, at: path)
    switch around.value {
    case .dictionary(let entries):
      guard let types = around.type.entry else { return false }
      if let found = last.place(among: entries) {
        // A number may be the place of an entry with another key.
        let isKey = last.isKey(entries[found].key)
        if isKey && isNew { throw ArchiveError(.duplicateKey, path: "\(path)", message: "the dictionary has this key") }
        if isKey || !isNew { return false }
      }
      let keyValue: ArchiveValue =
        switch last {
        case .index(let index): types.key.id == .string || types.key.id == .substring ? .string("\(index)") : .int(Int64(index))
        case .key(let key), .entry(let key): .string(key)
        }
      let key = try fitting.fit(keyValue, to: types.key)
      if entries.contains(where: { $0.key == key }) {
        throw ArchiveError(.duplicateKey, path: "\(path)", message: "the dictionary has the key \(key)")
      }
      let entry = ArchiveValue.Entry(key, try fitting.fit(value, to: types.value))
      around.value = .void
      _ = consume fitting
      change(owner, steps) { $0.changeEntries { $0.append(entry) } }
    case .container(let members):
      guard let key = last.key, !members.contains(where: { $0.key == key }) else {
        if isNew { throw ArchiveError(.duplicateKey, path: "\(path)", message: "the key is there already") }
        return false
      }
      guard case .any(let typed) = try fitting.fit(value, to: .any) else { return false }
      around.value = .void
      _ = consume fitting
      change(owner, steps) { $0.changeMembers { $0.append(ArchiveValue.Member(key, typed.value, typed.type)) } }
    default: return false
    }
    return true
  }
}

extension ArchiveDocument.Place.Owner {
  fileprivate var isObject: Bool { if case .object = self { true } else { false } }
}

extension ArchivePath.Component {
  fileprivate func isKey(_ key: ArchiveValue) -> Bool {
    switch self {
    case .key(let text), .entry(let text): key.asKey == text
    case .index(let index): key.int64Value == Int64(index) || key.asKey == "\(index)"
    }
  }
}

extension ArchiveValue.Step {
  fileprivate var isRemovable: Bool {
    switch self {
    case .element, .entry, .member: true
    case .wrapped, .payload, .field: false
    }
  }
}
