import ArchiveFormat

/// Names that a coder was told for classes, and what came of them in one archive.
final class GivenNames {
  private var names: [ObjectIdentifier: String] = [:]
  /// The names that classes have in the type table, from the first one on that is asked for here.
  private var usedNames: Set<String>?
  /// Name in the table -> own name, where they differ.
  private var ownNames: [String: String] = [:]

  /// Holds for the classes that the archive does not have yet.
  func set(_ names: [ObjectIdentifier: String]) { self.names = names }

  func contains(_ type: AnyClass) -> Bool { names[ObjectIdentifier(type)] != nil }

  /// The name under which a class enters a table.
  func name(of type: AnyClass, own: String?, in table: TypeTable) throws -> String {
    var used = usedNames ?? Set(table.entries.compactMap { if case .object(let name, _, _, _) = $0 { name } else { nil } })
    usedNames = nil
    let name = names[ObjectIdentifier(type)] ?? own ?? ""
    let isNew = used.insert(name).inserted
    usedNames = used
    if !isNew {
      throw ArchiveError(.duplicateName, message: "'\(name)' names \(type) and another class of the archive; give one of them another name")
    }
    if let own, own != name { ownNames[name] = own }
    return name
  }

  /// A table with the names that the classes have by themselves.
  func withOwnNames(_ table: TypeTable) -> TypeTable {
    if ownNames.isEmpty { return table }
    var copy = table
    for index in copy.entries.indices {
      if case .object(let name, let version, let superclass, let properties) = copy.entries[index], let own = ownNames[name] {
        copy.entries[index] = .object(name: own, version: version, superclass: superclass, properties: properties)
      }
    }
    return copy
  }
}
