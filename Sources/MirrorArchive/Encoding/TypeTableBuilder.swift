import ArchiveFormat

/// Puts the type table together while the graph is walked: each codec and each class once.
struct TypeTableBuilder {
  private(set) var table = TypeTable()
  private var ids: [ObjectIdentifier: TypeID] = [:]
  private var exactIDs: [ObjectIdentifier: TypeID] = [:]
  /// Whether references are described with their declared class: inside `Any` nothing else tells an array's exact type.
  private(set) var isExact = false

  /// What the coder calls classes instead of their own names.
  var classNames: [ObjectIdentifier: String] = [:]
  /// The names that classes have in the table, once some have other names than their own.
  private var usedNames: Set<String>?
  /// Name in the table -> own name, where they differ.
  private var ownNames: [String: String] = [:]

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
  mutating func name(of type: AnyClass, own: String?) throws -> String {
    if classNames.isEmpty && usedNames == nil { return own ?? "" }
    var used = usedNames ?? Set(table.entries.compactMap { if case .object(let name, _, _, _) = $0 { name } else { nil } })
    let name = classNames[ObjectIdentifier(type)] ?? own ?? ""
    if !used.insert(name).inserted {
      throw ArchiveError(.duplicateName, message: "'\(name)' names \(type) and another class of the archive; give one of them another name")
    }
    usedNames = used
    if let own, own != name { ownNames[name] = own }
    return name
  }

  /// The table with the names that the classes have by themselves.
  var ownNamesTable: TypeTable {
    if ownNames.isEmpty { return table }
    var copy = table
    for index in copy.entries.indices {
      if case .object(let name, let version, let superclass, let properties) = copy.entries[index], let own = ownNames[name] {
        copy.entries[index] = .object(name: own, version: version, superclass: superclass, properties: properties)
      }
    }
    return copy
  }

  /// A further entry, which nobody else shares.
  mutating func add(_ entry: TypeEntry) -> TypeID {
    table.entries.append(entry)
    return TypeID(entry: table.entries.count - 1)
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
