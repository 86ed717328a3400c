import ArchiveFormat

/// Puts the type table together while the graph is walked: each codec and each class once.
struct TypeTableBuilder {
  private(set) var table = TypeTable()
  private var ids: [ObjectIdentifier: TypeID] = [:]
  private var exactIDs: [ObjectIdentifier: TypeID] = [:]
  /// Whether references are described with their declared class: inside `Any` nothing else tells an array's exact type.
  private(set) var isExact = false

  /// What the coder calls classes, if it was told anything.
  var givenNames: GivenNames?

  func known(_ key: ObjectIdentifier) -> TypeID? { ids[key] }

  /// The id for `key`; on first use an entry is reserved (so that the type may contain itself) and then filled.
  mutating func id(for key: ObjectIdentifier, _ make: (inout TypeTableBuilder) throws -> TypeEntry) throws -> TypeID {
    if let id = isExact ? exactIDs[key] : ids[key] { return id }
    let index = table.entries.count
    let id = TypeID(entry: index)
    if isExact { exactIDs[key] = id } else { ids[key] = id }
    table.entries.append(.tuple([]))
    table.entries[index] = try make(&self)
    return id
  }

  mutating func id(for codec: ValueCodec, _ make: (inout TypeTableBuilder) throws -> TypeEntry) throws -> TypeID {
    // By the type and not by the codec: two threads that plan at once may each keep a codec of their own for one type.
    try id(for: ObjectIdentifier(codec.type), make)
  }

  /// The name of a class in the table, whose own archive name is `own`.
  ///
  /// - Throws: `duplicateName` if a name that the coder gave is, or becomes, that of two classes.
  func name(of type: AnyClass, own: String?) throws -> String {
    guard let givenNames else { return own ?? "" }
    return try givenNames.name(of: type, own: own, in: table)
  }

  /// The table with the names that the classes have by themselves.
  var ownNamesTable: TypeTable { givenNames?.withOwnNames(table) ?? table }

  /// A further entry, which nobody else shares.
  mutating func add(_ entry: TypeEntry) -> TypeID {
    table.entries.append(entry)
    return TypeID(entry: table.entries.count - 1)
  }

  /// The shapes of records of kept objects.
  private var shapes: [[ShapeMember]: TypeID] = [:]

  private struct ShapeMember: Hashable {
    let key: String
    let type: TypeID
  }

  /// The tuple of these members, which is there once.
  mutating func shape(_ members: [Property]) -> TypeID {
    let key = members.map { ShapeMember(key: $0.key, type: $0.type) }
    if let known = shapes[key] { return known }
    let id = add(.tuple(members))
    shapes[key] = id
    return id
  }

  /// Describes what stands in `Any`: exactly, down to the classes of references in collections.
  mutating func exactly<T>(_ describe: (inout TypeTableBuilder) throws -> T) rethrows -> T {
    let before = isExact
    isExact = true
    defer { isExact = before }
    return try describe(&self)
  }

  /// Describes what has a declared type of its own again, such as the properties of a class.
  mutating func byDeclaration<T>(_ describe: (inout TypeTableBuilder) throws -> T) rethrows -> T {
    let before = isExact
    isExact = false
    defer { isExact = before }
    return try describe(&self)
  }
}
