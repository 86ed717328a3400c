import ArchiveFormat
import ArchiveReflection

/// A number that tells whether two programs archive a type in the same way.
package enum SchemaFingerprint {
  /// A hash of what an archive would describe: the name, the version, the keys and the types of every stored property, of the type itself,
  /// of everything that it reaches through declared types, and of the subclasses that its rules name. It is the same in every process.
  ///
  /// What may stand behind `Any` is part of it only as far as the types or rules name it. A class that has become another one of the same
  /// archive name and the same properties has the same number.
  ///
  /// - Parameters:
  ///   - type: The type of the root.
  ///   - types: Further types that are allowed in the archive.
  /// - Throws: ``ArchiveError`` if one of the types cannot be archived.
  /// - Complexity: O(number of types and properties), as for the first archive.
  package static func fingerprint(of type: Any.Type, allowing types: [Any.Type]) throws -> UInt64 {
    let registry = PlanRegistry.shared
    let universe = try Universe(naming: [type] + types, registry: registry, includingRegistered: false)
    var builder = TypeTableBuilder()
    var writer = ByteWriter()
    writer.appendVarint(UInt64(try registry.codec(for: type).describe(&builder).rawValue))
    for (name, plan) in universe.classes.sorted(by: { $0.key < $1.key }) where plan.name == name {
      writer.appendVarint(UInt64(try plan.describe(&builder).rawValue))
    }
    for (_, type) in universe.openValues.sorted(by: { $0.key < $1.key }) {
      writer.appendVarint(UInt64(try registry.codec(for: type).describe(&builder).rawValue))
    }
    builder.table.encode(into: &writer)
    // SAFETY: the hash reads the writer's bytes and nothing else.
    return unsafe XXH3.hash(writer.bytes)
  }

  /// What a type is called: its archive name, or what it is in Swift.
  package static func name(of type: Any.Type) -> String {
    PlanRegistry.shared.archiveName(of: type) ?? Reflection.unqualifiedName(of: type)
  }
}
