import ArchiveFormat
import ArchiveReflection

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Turns object graphs into archives.
///
/// ```swift
/// let data = try KeyedArchiver.archivedData(withRootObject: market)
/// ```
/// The calls may run on any number of threads at once. They read the caller's objects without locking them.
public final class KeyedArchiver {
  /// Encodes a value and everything it refers to.
  ///
  /// The root may be any supported value: an object, an array, a dictionary, a struct, a scalar. Shared objects stay one object and cycles
  /// stay closed. The same graph gives the same bytes in every process, except that a dictionary or set is written in its own order of
  /// iteration. Nobody may change the objects meanwhile.
  ///
  /// ```swift
  /// let data = try KeyedArchiver.archivedData(withRootObject: drawing, allowing: [Circle.self])
  /// let same = try KeyedUnarchiver.unarchivedObject(of: Drawing.self, from: data, allowing: [Circle.self])
  /// ```
  ///
  /// - Parameters:
  ///   - root: What to encode.
  ///   - requiresSecureCoding: Refuse at once what the default decoding call could not read back: objects of classes that cannot be reached
  ///     from the root's own type through declared property types, ``ArchiveRules/subclasses``, ``register(_:as:)`` or `types`. True by
  ///     default, so that nobody writes a file and finds out later that it can't be read.
  ///   - types: Further types that may occur behind base classes, protocols and `Any`; the reader has to name them too.
  /// - Returns: The archive. It begins with its format version and ends with nothing left over, so it may be stored or sent as it is.
  /// - Throws: ``ArchiveError`` with the code `typeNotAllowed` (a class or a value in `Any` that the reader would refuse),
  ///   `unsupportedType` (a property that cannot be archived), `notArchivable` (a class without ``MirrorCodable``), `unnamedType` (a
  ///   private or local type), `duplicateName`, `missingUnownedTarget`, `nestingTooDeep` or `invalidAllowList`; and what
  ///   ``MirrorCodable/willEncode()`` throws.
  /// - Complexity: O(size of the graph), without recursion over references: a list of a million objects needs no deeper stack than one. The
  ///   first call for a type also builds its plan.
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
    let start = state.archiveStart
    // SAFETY: the bytes from `start` on are the archive; a buffer that is handed over belongs to the data from here on.
    if output.count < 8_192 { return unsafe Data(UnsafeRawBufferPointer(rebasing: output.bytes[start...])) }
    let buffer = unsafe output.takeBuffer()
    guard let base = buffer.baseAddress else { return Data() }
    return unsafe Data(
      bytesNoCopy: base + start, count: buffer.count - start, deallocator: .custom { _, _ in unsafe ByteWriter.free(base) })
  }

  /// Names a type in archives and admits it wherever its declared type allows it, also behind `Any`, `AnyObject` and protocols.
  ///
  /// Program-wide and meant for start-up, on the writing and on the reading side: it discards the plans that were built so far. Needed for
  /// private and local types (which have no stable name of their own), and for subclasses and protocol conformers that no
  /// ``MirrorCodable/archiveRules`` declares. Registering the same type under the same name again changes nothing.
  ///
  /// ```swift
  /// try KeyedArchiver.register(Circle.self)                        // may stand behind Shape, any Drawable, Any
  /// try KeyedArchiver.register(PrivateState.self, as: "app.state")  // a private type needs a name
  /// ```
  ///
  /// - Parameters:
  ///   - type: A class, struct or enum.
  ///   - name: Its name in archives; nil for the name in its rules or its qualified Swift name.
  /// - Throws: ``ArchiveError`` with the code `invalidAllowList` for `MirrorCoding` and protocols, `duplicateName` if the name already
  ///   belongs to another registered type or the type was registered under another name.
  /// - Complexity: O(number of registrations).
  public static func register(_ type: Any.Type, as name: String? = nil) throws {
    try AllowList.check([type])
    try PlanRegistry.shared.register(type, as: name)
  }
}
