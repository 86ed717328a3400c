import ArchiveFormat

extension ArchiveDocument {
  /// The value at a place; references on the way are followed.
  ///
  /// ```swift
  /// let name = try document.value(at: "root.fruits[3].name").stringValue
  /// ```
  ///
  /// - Parameter path: The place, as errors and `archivist` print it; see ``ArchivePath``.
  /// - Returns: The value. A reference at the end is not followed; see ``object(_:)-(ArchiveValue?)``.
  /// - Throws: ``ArchiveError`` with the code `missingValue` if there is nothing at the place, `invalidValue` if the text is no path.
  /// - Complexity: O(size of what the path goes through), without recursion.
  public func value(at path: String) throws -> ArchiveValue { try value(at: try ArchivePath(path)) }

  /// The value at a place; see ``value(at:)-(String)``.
  public func value(at path: ArchivePath) throws -> ArchiveValue {
    let place = try place(path)
    guard case .object(let index)? = place.owner else { return place.value }
    return .reference(objects[index].number)
  }

  /// The type that the archive gives the value at a place: that of the declaration, or in `Any` the value's own.
  ///
  /// - Throws: The same as ``value(at:)-(String)``.
  public func type(at path: String) throws -> ArchiveType { try type(at: try ArchivePath(path)) }

  /// The type of the value at a place; see ``type(at:)-(String)``.
  public func type(at path: ArchivePath) throws -> ArchiveType { try place(path).type }

  /// A place in the document.
  struct Place {
    enum Owner {
      case root(Int)
      case property(object: Int, column: Int)
      /// An object itself.
      case object(Int)
    }

    /// Nil while nothing is found.
    var owner: Owner?
    /// From the value of the owner.
    var steps: [ArchiveValue.Step] = []
    var type: ArchiveType
    var value: ArchiveValue
    /// How much of the path leads here.
    var length = 0
  }

  /// Finds a place.
  func place(_ path: ArchivePath) throws -> Place {
    var place = try start(path)
    for component in path.components { try advance(&place, component, path) }
    return place
  }

  private func start(_ path: ArchivePath) throws -> Place {
    switch path.start {
    case .root(let key):
      guard let index = rootIndices[key] else {
        throw Self.missing(ArchivePath(path.start), "there is no value with this key at the top level", roots.map(\.key))
      }
      return Place(owner: .root(index), type: roots[index].type, value: roots[index].value)
    case .object(let number):
      guard let index = index(ofObject: number) else { throw Self.missing(ArchivePath(path.start), "there is no object with this number") }
      return Place(owner: .object(index), type: objects[index].type, value: .reference(number))
    }
  }

  private static func missing(_ path: ArchivePath, _ message: String, _ keys: [String] = []) -> ArchiveError {
    let shown = keys.prefix(12).map { "'\($0)'" }.joined(separator: ", ") + (keys.count > 12 ? ", …" : "")
    return ArchiveError(.missingValue, path: "\(path)", message: message + (keys.isEmpty ? "" : "; there are \(shown)"))
  }

  /// Takes one step of a path.
  private func advance(_ place: inout Place, _ component: ArchivePath.Component, _ path: ArchivePath) throws {
    let length = place.length
    // Only errors need it: paths may be long.
    func here() -> ArchivePath { ArchivePath(path.start, Array(path.components.prefix(length))) }
    func fail(_ message: String, _ keys: [String] = []) -> ArchiveError { Self.missing(here().appending(component), message, keys) }
    place.length += 1
    while true {
      place.unwrap()
      switch place.value {
      case .reference(let number):
        guard let index = index(ofObject: number) else { throw fail("there is no object \(number)") }
        guard try enter(&place, index, component, fail) else { continue }
        return
      case .structure(let structure):
        guard let key = component.key, let index = structure.fields.firstIndex(where: { $0.key == key }) else {
          throw fail("the struct \(structure.name) has no such property", structure.fields.map(\.key))
        }
        return try place.enter(.field(index), structure.fields[index].value, place.type.members?[safe: index])
      case .tuple(let fields):
        guard let index = component.place(among: fields) else { throw fail("the tuple has no such element", fields.map(\.key)) }
        return try place.enter(.field(index), fields[index].value, place.type.members?[safe: index])
      case .container(let members):
        guard let index = component.place(among: members) else { throw fail("nothing is stored there", members.compactMap(\.key)) }
        return try place.enter(.member(index), members[index].value, members[index].type)
      case .array(let elements), .set(let elements), .inlineArray(let elements):
        guard case .index(let index) = component else { throw fail("an element has a number, such as [0]") }
        guard elements.indices.contains(index) else { throw fail("there are \(elements.count) elements") }
        return try place.enter(.element(index), elements[index], place.type.element)
      case .dictionary(let entries):
        guard let index = component.place(among: entries) else {
          throw fail("the dictionary has no such key", entries.prefix(13).map { $0.key.asKey })
        }
        return try place.enter(.entry(index), entries[index].value, place.type.entry?.value)
      case .enumeration(let one):
        guard let payload = one.payload else { throw fail("the case \(one.caseName) holds nothing") }
        try place.enter(.payload, payload, place.type.payload(ofCase: one.caseIndex))
        // Its name is a step, which may be left out.
        if component.key == one.caseName { return }
      case .null: throw fail("\(here()) is nil")
      default: throw fail("\(here()) has no parts: it is \(place.value)")
      }
    }
  }

  /// Goes to a property of an object. False if the step is still to be taken, in what is coded by hand.
  private func enter(
    _ place: inout Place, _ index: Int, _ component: ArchivePath.Component, _ fail: (String, [String]) -> ArchiveError
  ) throws -> Bool {
    let object = objects[index]
    let column = component.key.flatMap { object.kind.column($0) }
    let recordKey = component.key == "$keys"
    guard let column = column ?? object.kind.record else {
      throw fail("the object of class \(object.className) has no such property", object.kind.columns.map(\.key))
    }
    let isRecord = object.kind.columns[column].type == .record
    place.owner = .property(object: index, column: column)
    place.steps = []
    place.type = ArchiveType(object.kind.columns[column].type, in: object.kind.type.table)
    place.value = object.values[column]
    return !isRecord || recordKey
  }

  /// Changes the value at a place, which has been found in this document as it is.
  mutating func change(_ owner: Place.Owner, _ steps: [ArchiveValue.Step], _ body: (inout ArchiveValue) -> Void) {
    isChanged = true
    switch owner {
    case .root(let index): roots[index].value.change(at: steps, body)
    case .property(let object, let column): objects[object].values[column].change(at: steps, body)
    case .object: break
    }
  }
}

extension ArchiveDocument.Place {
  /// Goes through Optionals and `Any`.
  mutating func unwrap() {
    while true {
      switch value {
      case .any(let typed):
        steps.append(.wrapped)
        type = typed.type
        value = typed.value
      case .present(let inner):
        steps.append(.wrapped)
        type = type.wrapped ?? type
        value = inner
      case .null, .constant: return
      default:
        guard let wrapped = type.wrapped else { return }
        type = wrapped
      }
    }
  }

  mutating func enter(_ step: ArchiveValue.Step, _ value: ArchiveValue, _ type: ArchiveType?) throws {
    guard let type else { throw ArchiveError(.typeMismatch, message: "the value is no \(self.type)") }
    steps.append(step)
    self.value = value
    self.type = type
  }
}

extension ArchivePath.Component {
  /// The key, however it is written.
  var key: String? {
    switch self {
    case .key(let key), .entry(let key): key
    case .index: nil
    }
  }

  fileprivate func place(among fields: [ArchiveValue.Field]) -> Int? {
    switch self {
    case .index(let index): fields.indices.contains(index) ? index : nil
    case .key(let key), .entry(let key): fields.firstIndex { $0.key == key || $0.key == ".\(key)" }
    }
  }

  /// Values without a key are counted by themselves.
  fileprivate func place(among members: [ArchiveValue.Member]) -> Int? {
    guard case .index(let index) = self else { return members.firstIndex { $0.key == key && $0.key != nil } }
    return members.indices.filter { members[$0].key == nil }[safe: index]
  }

  func place(among entries: [ArchiveValue.Entry]) -> Int? {
    switch self {
    case .key(let key), .entry(let key): entries.firstIndex { $0.key.asKey == key }
    case .index(let index):
      entries.firstIndex { $0.key.int64Value == Int64(index) || $0.key.uint64Value.map { Int(exactly: $0) == index } ?? false }
        ?? entries.firstIndex { $0.key.stringValue == "\(index)" } ?? (entries.indices.contains(index) ? index : nil)
    }
  }
}

extension ArchiveValue {
  /// The text that a path has for a key of a dictionary.
  package var asKey: String {
    if let text = stringValue { return text }
    if case .enumeration(let one) = unwrapped, one.payload == nil { return one.caseName }
    return "\(unwrapped)"
  }
}

extension Array {
  subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

extension ArchiveType {
  private func inner(_ id: TypeID) -> ArchiveType { ArchiveType(id, in: table) }

  /// What an Optional, or a `let` that may be a constant, is of.
  var wrapped: ArchiveType? {
    if let payload = table.types.optionalPayload(of: id) { return inner(payload) }
    if case .tuple(let members)? = table.types[id], table.types.isLetForm(members) { return inner(members[0].type).wrapped }
    return nil
  }

  /// Whether this is the type of objects of one class.
  var isClass: Bool { table.types[id]?.isObject == true }

  /// Whether this is that form of a `let`.
  var isLetForm: Bool {
    if case .tuple(let members)? = table.types[id] { table.types.isLetForm(members) } else { false }
  }

  /// The types of the fields of a structure or tuple.
  var members: [ArchiveType]? {
    switch table.types[id] {
    case .tuple(let members), .structure(_, _, let members): members.map { inner($0.type) }
    default: nil
    }
  }

  var element: ArchiveType? {
    switch table.types[id] {
    case .array(let element), .set(let element), .inlineArray(let element, _): inner(element)
    default: nil
    }
  }

  var entry: (key: ArchiveType, value: ArchiveType)? {
    if case .dictionary(let key, let value)? = table.types[id] { (inner(key), inner(value)) } else { nil }
  }

  func payload(ofCase index: Int) -> ArchiveType? {
    guard case .enumeration(_, _, let cases)? = table.types[id], let payload = cases[safe: index]?.payload else { return nil }
    return inner(payload)
  }
}
