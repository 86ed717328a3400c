import ArchiveFormat

/// Makes a value of an archived type of one that means the same: `5` of an `Int32`, `["x": 1, "y": 2]` of a struct.
///
/// Lists stand in for recursion: values may be nested deeply.
struct ValueFitting {
  enum Task {
    case fit(ArchiveValue, ArchiveType, at: Location)
    case make(Composition)
  }

  /// How a value is made of those on top of `results`.
  enum Composition {
    case optional
    case any(ArchiveType)
    case array(Int)
    case set(Int, at: Location)
    case inlineArray(Int)
    /// Keys and values by turns.
    case dictionary(Int, at: Location)
    case tuple([String])
    case structure(ArchiveValue.Structure)
    case payload(ArchiveValue.Enumeration)
    case container([ArchiveValue.Member])
  }

  /// Where a value is to stand: a step below another place. -1 is the place that everything goes to.
  struct Location {
    var parent = -1
    var component: ArchivePath.Component?
  }

  let document: ArchiveDocument
  let path: ArchivePath
  private var tasks: [Task] = []
  private var results: [ArchiveValue] = []
  /// The places of values that are made of others.
  private var locations: [Location] = []

  /// - Parameter path: Where the value is to stand, for errors.
  init(_ document: ArchiveDocument, at path: ArchivePath) {
    self.document = document
    self.path = path
  }

  /// The value as one of the type.
  ///
  /// - Throws: `typeMismatch`, `missingValue`, `invalidValue` or `nestingTooDeep`, with the path.
  mutating func fit(_ value: ArchiveValue, to type: ArchiveType, below key: String? = nil) throws -> ArchiveValue {
    tasks = [.fit(value, type, at: Location(component: key.map { .key($0) }))]
    results = []
    locations = []
    while let task = tasks.popLast() {
      switch task {
      case .fit(let value, let type, let location): try fit(value, type, location)
      case .make(let composition): results.append(try make(composition))
      }
    }
    return results.popLast() ?? .void
  }

  // MARK: Places

  func path(of location: Location) -> ArchivePath {
    var components: [ArchivePath.Component] = []
    var location = location
    while true {
      if let component = location.component { components.append(component) }
      if location.parent < 0 { break }
      location = locations[location.parent]
    }
    return ArchivePath(path.start, path.components + components.reversed())
  }

  func fail(_ code: ArchiveError.Code, _ location: Location, _ message: String) -> ArchiveError {
    ArchiveError(code, path: "\(path(of: location))", message: message)
  }

  func mismatch(_ value: ArchiveValue, _ type: ArchiveType, _ location: Location) -> ArchiveError {
    fail(.typeMismatch, location, "the archive has the type \(type) here, which \(value) is no value of")
  }

  // MARK: One value

  private mutating func fit(_ value: ArchiveValue, _ type: ArchiveType, _ location: Location) throws {
    if type.id == .any { return try fitAny(value, location) }
    // What stands in Any brings its type along, which is of no use elsewhere.
    if case .any(let typed) = value { return tasks.append(.fit(typed.value, type, at: location)) }
    if type.isLetForm {
      if case .constant = value { return results.append(value) }
      guard let wrapped = type.wrapped else { throw mismatch(value, type, location) }
      return tasks.append(.fit(value, wrapped, at: location))
    }
    if let wrapped = type.wrapped {
      switch value {
      case .null: return results.append(value)
      case .present(let inner):
        tasks.append(.make(.optional))
        return tasks.append(.fit(inner, wrapped, at: location))
      default:
        tasks.append(.make(.optional))
        return tasks.append(.fit(value, wrapped, at: location))
      }
    }
    if type.id == .record { return try fitContainer(value, type, location) }
    if case .reference(let number) = value {
      guard type.id == .reference || type.table.types[type.id]?.isObject == true else { throw mismatch(value, type, location) }
      guard let object = document.object(number) else { throw fail(.missingValue, location, "there is no object \(number)") }
      if !object.kind.type.inherits(from: type) {
        throw fail(.typeMismatch, location, "an object of class \(object.className) is no \(type)")
      }
      return results.append(value)
    }
    if type.id.isScalar {
      guard let fitting = value.fitting(type.id) else { throw mismatch(value, type, location) }
      return results.append(fitting)
    }
    try fitParts(value, type, location)
  }

  private mutating func fitParts(_ value: ArchiveValue, _ type: ArchiveType, _ location: Location) throws {
    switch (type.table.types[type.id], value) {
    case (.array(let element), .array(let elements)), (.array(let element), .set(let elements)):
      push(.array(elements.count), elements, ArchiveType(element, in: type.table), location)
    case (.set(let element), .set(let elements)), (.set(let element), .array(let elements)):
      push(.set(elements.count, at: location), elements, ArchiveType(element, in: type.table), location)
    case (.inlineArray(let element, let count), .inlineArray(let elements)), (.inlineArray(let element, let count), .array(let elements)):
      if elements.count != count { throw fail(.typeMismatch, location, "there have to be \(count) elements, not \(elements.count)") }
      push(.inlineArray(count), elements, ArchiveType(element, in: type.table), location)
    case (.dictionary(let key, let value), .dictionary(let entries)):
      tasks.append(.make(.dictionary(entries.count, at: location)))
      let parent = enter(location)
      for entry in entries.reversed() {
        let component = Location(parent: parent, component: .entry(entry.key.asKey))
        tasks.append(.fit(entry.value, ArchiveType(value, in: type.table), at: component))
        tasks.append(.fit(entry.key, ArchiveType(key, in: type.table), at: component))
      }
    case (.tuple(let members), _): try fitTuple(value, members, type, location)
    case (.structure(let name, let version, let fields), _):
      if case .structure(let own) = value, own.name != name { throw mismatch(value, type, location) }
      tasks.append(
        .make(.structure(ArchiveValue.Structure(name: name, version: version, fields: fields.map { ArchiveValue.Field($0.key, .void) }))))
      try pushMembers(fields, of: value, type, location)
    case (.enumeration(let name, let version, let cases), _): try fitCase(value, name, version, cases, type, location)
    default: throw mismatch(value, type, location)
    }
  }

  private mutating func enter(_ location: Location) -> Int {
    locations.append(location)
    return locations.count - 1
  }

  private mutating func push(_ composition: Composition, _ elements: [ArchiveValue], _ type: ArchiveType, _ location: Location) {
    tasks.append(.make(composition))
    let parent = enter(location)
    for index in elements.indices.reversed() {
      tasks.append(.fit(elements[index], type, at: Location(parent: parent, component: .index(index))))
    }
  }

  /// The values of fields by their keys. What is missing is nil where it may be.
  private mutating func pushMembers(_ members: [Property], of value: ArchiveValue, _ type: ArchiveType, _ location: Location) throws {
    guard let given = value.namedParts else { throw mismatch(value, type, location) }
    if let unknown = given.first(where: { part in !members.contains { $0.key == part.key } }) {
      throw fail(.typeMismatch, location, "\(type) has no property '\(unknown.key)'")
    }
    let parent = enter(location)
    for member in members.reversed() {
      let memberType = ArchiveType(member.type, in: type.table)
      let place = Location(parent: parent, component: .key(member.key))
      tasks.append(.fit(try part(member.key, of: given, memberType, place), memberType, at: place))
    }
  }

  private func part(_ key: String, of given: [ArchiveValue.Field], _ type: ArchiveType, _ place: Location) throws -> ArchiveValue {
    let found = given.filter { $0.key == key }
    if found.count > 1 { throw fail(.duplicateKey, place, "the key is there twice") }
    if let value = found.first?.value { return value }
    if type.isLetForm { return .constant }
    if type.wrapped != nil { return .null }
    throw fail(.missingValue, place, "a value of type \(type) is needed")
  }

  private mutating func fitTuple(_ value: ArchiveValue, _ members: [Property], _ type: ArchiveType, _ location: Location) throws {
    let values: [ArchiveValue]
    switch value {
    case .tuple(let fields) where fields.count == members.count:
      for (field, member) in zip(fields, members) where !field.key.isEmpty && field.key != member.key {
        throw mismatch(value, type, location)
      }
      values = fields.map(\.value)
    case .array(let elements) where elements.count == members.count: values = elements
    case .dictionary:
      tasks.append(.make(.tuple(members.map(\.key))))
      return try pushMembers(members, of: value, type, location)
    default: throw mismatch(value, type, location)
    }
    tasks.append(.make(.tuple(members.map(\.key))))
    let parent = enter(location)
    for index in members.indices.reversed() {
      let place = Location(parent: parent, component: .index(index))
      tasks.append(.fit(values[index], ArchiveType(members[index].type, in: type.table), at: place))
    }
  }

  private mutating func fitCase(
    _ value: ArchiveValue, _ name: String, _ version: UInt64, _ cases: [EnumCase], _ type: ArchiveType, _ location: Location
  ) throws {
    var payload: ArchiveValue?
    let index: Int?
    if case .enumeration(let one) = value {
      if one.name != name { throw mismatch(value, type, location) }
      payload = one.payload
      let fits = { (index: Int) in cases[index].name == one.caseName && (cases[index].payload == nil) == (one.payload == nil) }
      index = cases.indices.contains(one.caseIndex) && fits(one.caseIndex) ? one.caseIndex : cases.indices.first(where: fits)
    } else {
      let plain = cases.indices.filter { cases[$0].payload == nil }
      index =
        value.stringValue.flatMap { name in plain.first { cases[$0].name == name } }
        ?? plain.first { cases[$0].rawValue.map { ArchiveValue($0).meansTheSame(as: value) } ?? false }
    }
    guard let index else {
      throw fail(
        .typeMismatch, location, "\(type) has no case for \(value); there are \(cases.prefix(12).map(\.name).joined(separator: ", "))")
    }
    let one = ArchiveValue.Enumeration(
      name: name, version: version, caseName: cases[index].name, caseIndex: index, rawValue: cases[index].rawValue.map { ArchiveValue($0) })
    guard let payload, let payloadType = cases[index].payload else { return results.append(.enumeration(one)) }
    tasks.append(.make(.payload(one)))
    let place = Location(parent: enter(location), component: .key(one.caseName))
    tasks.append(.fit(payload, ArchiveType(payloadType, in: type.table), at: place))
  }

  private mutating func fitAny(_ value: ArchiveValue, _ location: Location) throws {
    let typed: ArchiveValue.Typed
    if case .any(let given) = value {
      typed = given
    } else {
      do {
        typed = ArchiveValue.Typed(value, try ArchiveType(inferredFrom: value, in: document))
      } catch let error as ArchiveError {
        throw fail(error.code, location, error.message)
      }
    }
    tasks.append(.make(.any(typed.type)))
    tasks.append(.fit(typed.value, typed.type, at: location))
  }

  private mutating func fitContainer(_ value: ArchiveValue, _ type: ArchiveType, _ location: Location) throws {
    var members: [ArchiveValue.Member] = []
    if case .container(let given) = value {
      members = given
    } else {
      guard let given = value.namedParts else { throw mismatch(value, type, location) }
      for part in given {
        members.append(ArchiveValue.Member(part.key, part.value, try ArchiveType(inferredFrom: part.value, in: document)))
      }
    }
    var seen: Set<String> = []
    for member in members {
      if let key = member.key, !seen.insert(key).inserted { throw fail(.duplicateKey, location, "the key '\(key)' is there twice") }
    }
    tasks.append(.make(.container(members)))
    let parent = enter(location)
    for member in members.reversed() {
      tasks.append(.fit(member.value, member.type, at: Location(parent: parent, component: member.key.map { .key($0) })))
    }
  }

  // MARK: Putting together

  private mutating func take(_ count: Int) -> [ArchiveValue] {
    let taken = Array(results.suffix(count))
    results.removeLast(taken.count)
    return taken
  }

  private mutating func make(_ composition: Composition) throws -> ArchiveValue {
    switch composition {
    case .optional:
      let value = results.popLast() ?? .null
      switch value {
      case .null, .present: return .present(value)
      default: return value
      }
    case .any(let type): return .any(ArchiveValue.Typed(results.popLast() ?? .void, type))
    case .array(let count): return .array(take(count))
    case .inlineArray(let count): return .inlineArray(take(count))
    case .set(let count, let location):
      let elements = take(count)
      if let twice = ArchiveValue.duplicate(in: elements) { throw fail(.duplicateKey, location, "\(twice) is there twice") }
      return .set(elements)
    case .dictionary(let count, let location):
      let parts = take(2 * count)
      let entries = (0..<count).map { ArchiveValue.Entry(parts[2 * $0], parts[2 * $0 + 1]) }
      if let twice = ArchiveValue.duplicate(in: entries.map(\.key)) {
        throw fail(.duplicateKey, location, "the key \(twice) is there twice")
      }
      return .dictionary(entries)
    case .tuple(let keys): return .tuple(zip(keys, take(keys.count)).map { ArchiveValue.Field($0, $1) })
    case .structure(var structure):
      structure.fields = zip(structure.fields, take(structure.fields.count)).map { ArchiveValue.Field($0.key, $1) }
      return .structure(structure)
    case .payload(var one):
      one.payload = results.popLast()
      return .enumeration(one)
    case .container(let members):
      return .container(zip(members, take(members.count)).map { ArchiveValue.Member($0.key, $1, $0.type) })
    }
  }
}

extension ArchiveValue {
  /// The parts that have names, of whatever may stand for a struct.
  fileprivate var namedParts: [Field]? {
    switch self {
    case .structure(let structure): return structure.fields
    case .tuple(let fields): return fields.allSatisfy { !$0.key.isEmpty } ? fields : nil
    case .dictionary(let entries):
      var fields: [Field] = []
      for entry in entries {
        guard let key = entry.key.stringValue else { return nil }
        fields.append(Field(key, entry.value))
      }
      return fields
    default: return nil
    }
  }
}

extension ArchiveType {
  /// Whether the type of a class is, or inherits from, another one, which any class does from "an object".
  fileprivate func inherits(from base: ArchiveType) -> Bool {
    if base.id == .reference { return true }
    var next: TypeID? = id
    while let current = next, case .object(_, _, let superclass, _)? = table.types[current] {
      if ArchiveType(current, in: table) == base { return true }
      next = superclass
    }
    return false
  }
}
