import ArchiveFormat
import ArchiveReflection

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Turns object graphs into archives.
public final class KeyedArchiver {
  /// Encodes a value and everything it refers to.
  ///
  /// The root may be any supported value: an object, an array, a dictionary, a struct, a scalar. References, cycles and shared objects
  /// are kept. The caller's objects are read without any lock: nobody may change them meanwhile.
  ///
  /// - Parameters:
  ///   - root: What to encode.
  ///   - requiresSecureCoding: Refuse at once what the default decoding call could not read back: objects of classes that cannot be reached
  ///     from the root's own type through declared property types, `archiveRules` or registration.
  ///   - types: Further types that may occur; the reader has to name them too.
  /// - Throws: ``ArchiveError``, such as `typeNotAllowed`, `unsupportedType`, `notArchivable`, `unnamedType`; what `willEncode` throws.
  /// - Complexity: O(size of the graph), without recursion over references.
  public static func archivedData<Root>(
    withRootObject root: Root, requiringSecureCoding requiresSecureCoding: Bool = true, allowing types: [Any.Type] = []
  ) throws -> Data {
    if !types.isEmpty { try AllowList.check(types) }
    if Reflection.kind(of: Root.self) == .existential {
      // Archived as what it is, whatever it is declared as.
      func open<Concrete>(_ root: Concrete) throws -> Data { try archive(root, requiresSecureCoding, types) }
      // SAFETY: the copy is a value of the existential type and lives while it is read.
      let value = unsafe withUnsafePointer(to: root) { unsafe ExistentialAccess.load($0, as: Root.self) }
      return try _openExistential(value, do: open)
    }
    return try archive(root, requiresSecureCoding, types)
  }

  private static func archive<Root>(_ root: Root, _ requiresSecureCoding: Bool, _ types: [Any.Type]) throws -> Data {
    let registry = PlanRegistry.shared
    let codec = try registry.codec(for: Root.self)
    var universe: Universe?
    if requiresSecureCoding {
      let dynamicType: Any.Type = type(of: root as Any)
      universe = try registry.universe(of: [dynamicType is AnyClass ? dynamicType : Root.self] + types)
    }
    var state = EncodingState(universe: universe)
    var output = ByteWriter()
    try state.archive(root, as: codec, into: &output)
    if output.count < 4096 { return unsafe Data(output.bytes) }
    // SAFETY: the buffer belongs to the data from here on.
    let buffer = unsafe output.takeBuffer()
    guard let start = buffer.baseAddress else { return Data() }
    return unsafe Data(bytesNoCopy: start, count: buffer.count, deallocator: .custom { pointer, _ in unsafe pointer.deallocate() })
  }

  /// Names a type in archives and admits it wherever its declared type allows it, also behind `Any`, `AnyObject` and protocols.
  ///
  /// Program-wide and meant for start-up. Needed for private and local types (which have no stable name of their own), and for subclasses
  /// and protocol conformers that no `archiveRules` declares.
  /// - Throws: `invalidAllowList` for `MirrorCoding` and protocols, `duplicateName` if the name or the type is taken.
  public static func register(_ type: Any.Type, as name: String? = nil) throws {
    try AllowList.check([type])
    try PlanRegistry.shared.register(type, as: name)
  }
}
