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
/// The static calls may run on any number of threads at once. They read the caller's objects without locking them.
///
/// An archiver of one's own takes several values, each under a key, and has more to say about how:
///
/// ```swift
/// let archiver = KeyedArchiver()
/// try archiver.encode(market, forKey: "market")
/// try archiver.encode(Date(), forKey: "saved")
/// let data = try archiver.encodedData
/// ```
/// It makes one archive, belongs to one task, and after an error does nothing but throw that error again. A call that comes in while another
/// thread is in one throws `reentrant`. It is also what
/// ``KeyedCoding/encode(with:)`` and ``KeyedExtras/encodeExtras(with:)`` get to hand their values to.
@safe
public final class KeyedArchiver {
  /// How the bytes are laid out, where there is a choice.
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Dictionaries and sets are written in the order of their encoded keys and elements instead of their own: equal graphs give equal bytes.
    /// Those whose keys refer to objects keep their own order.
    public static let sortedKeys = OutputFormatting(rawValue: 1)
  }

  /// Whether whatever a reader would have to name, and could not know of, is refused; see ``archivedData(withRootObject:requiringSecureCoding:allowing:maximumByteCount:)``.
  public let requiresSecureCoding: Bool

  /// None by default. What is set before a value is encoded holds for it.
  public var outputFormatting: OutputFormatting = []

  /// Told about objects, and asked what to archive for them, if it was set before the first value is encoded.
  public weak var delegate: (any KeyedArchiverDelegate)?

  /// The most bytes the archive may have; nil for any number. It is checked as the bytes come into being: an archive that is too large ends
  /// with `limitExceeded` before anything of it is handed out.
  ///
  /// An archive is put together in memory, in about as many bytes as it has. Memory that the system cannot give ends the program, as anywhere in
  /// Swift: where the size of a graph is not known, this is what keeps that from happening.
  public var maximumByteCount: Int?

  /// What may be done with the archiver at the moment.
  enum Phase {
    /// Waits for values at the top level.
    case ready
    /// At work: hooks of the program run, which may not encode anything.
    case busy
    /// Takes the values of an object or a container.
    case recording
    case finished
  }

  /// Who is in a call.
  let owner = CoderOwner()
  var phase = Phase.ready
  /// The first error: whatever follows it is not an archive any more.
  var failure: (any Error)?
  /// The encoding this belongs to, while it may be used.
  var state: UnsafeMutablePointer<EncodingState>?
  /// Whether the state is this object's own.
  let isIndependent: Bool
  let allowedTypes: [Any.Type]
  var classNames: [ObjectIdentifier: String] = [:]
  var finishedData: Data?

  /// Makes an archiver for values that are encoded key by key.
  ///
  /// - Parameters:
  ///   - requiresSecureCoding: Refuse what a reader could not read back by naming the type of the value at each key; see
  ///     ``archivedData(withRootObject:requiringSecureCoding:allowing:maximumByteCount:)``.
  ///   - types: Further types that may occur behind base classes, protocols and `Any`; the reader has to name them too. Types that would
  ///     admit everything are refused by the first call that encodes.
  public init(requiringSecureCoding requiresSecureCoding: Bool = true, allowing types: [Any.Type] = []) {
    self.requiresSecureCoding = requiresSecureCoding
    allowedTypes = types
    isIndependent = true
  }

  /// Makes the archiver that the code of the program gets to see in a static call.
  ///
  /// The call's thread is at work with it until `retire`.
  init(servingOneCall requiresSecureCoding: Bool) {
    self.requiresSecureCoding = requiresSecureCoding
    allowedTypes = []
    isIndependent = false
    phase = .busy
    _ = try? owner.enter("archiver")
  }

  /// The static call is over: whoever has kept the coder can't use it any more.
  func retire() {
    phase = .finished
    owner.leave()
  }

  deinit { dropState() }

  /// Encodes a value and everything it refers to.
  ///
  /// The root may be any supported value: an object, an array, a dictionary, a struct, a scalar. Shared objects stay one object and cycles
  /// stay closed. The same graph gives the same bytes in every process, except that a dictionary or set is written in its own order of
  /// iteration. Nobody may change the objects meanwhile, other threads
  /// least of all; ``MirrorCodable/willEncode()`` may change its own object, which is looked through after it.
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
  ///   - maximumByteCount: The most bytes the archive may have; nil for any number. See ``maximumByteCount``.
  /// - Returns: The archive. It begins with its format version and ends with nothing left over, so it may be stored or sent as it is.
  /// - Throws: ``ArchiveError`` with the code `typeNotAllowed` (a class or a value in `Any` that the reader would refuse),
  ///   `unsupportedType` (a property that cannot be archived), `notArchivable` (a class without ``MirrorCodable``), `unnamedType` (a
  ///   private or local type), `duplicateName`, `missingUnownedTarget`, `nestingTooDeep`, `limitExceeded`, `invalidAllowList` or `invalidValue` (``MirrorCodable/willEncode()`` has
  ///   changed objects that were looked through already); and what
  ///   ``MirrorCodable/willEncode()`` throws.
  /// - Complexity: O(size of the graph), without recursion over references: a list of a million objects needs no deeper stack than one. The
  ///   first call for a type also builds its plan.
  public static func archivedData<Root>(
    withRootObject root: Root, requiringSecureCoding requiresSecureCoding: Bool = true, allowing types: [Any.Type] = [],
    maximumByteCount: Int? = nil
  ) throws -> Data {
    try withArchive(of: root, requiresSecureCoding, types, maximumByteCount) { writer, start in Data(archive: &writer, from: start) }
  }

  /// Encodes a value and everything it refers to, and appends the archive to data that the caller has.
  ///
  /// For archives that stand behind something: a header, or each other. An archive says how long it is but is read from exactly its own bytes,
  /// so whoever appends several keeps the counts. Where `Data` gives its memory back when it is emptied, as on Linux, emptying it for one
  /// archive after another saves nothing against new data.
  ///
  /// ```swift
  /// var message = header
  /// for reading in readings {
  ///   counts.append(try KeyedArchiver.archive(reading, into: &message))
  /// }
  /// send(message)
  /// ```
  ///
  /// - Parameters:
  ///   - root: What to encode: an object, an array, a dictionary, a struct, a scalar.
  ///   - data: What the archive is appended to. It stays as it was if an error is thrown.
  ///   - requiresSecureCoding: See ``archivedData(withRootObject:requiringSecureCoding:allowing:maximumByteCount:)``.
  ///   - types: Further types that may occur behind base classes, protocols and `Any`; the reader has to name them too.
  ///   - maximumByteCount: The most bytes the archive may have; nil for any number. See ``maximumByteCount``.
  /// - Returns: The number of bytes that were appended.
  /// - Throws: What ``archivedData(withRootObject:requiringSecureCoding:allowing:maximumByteCount:)`` throws.
  /// - Complexity: O(size of the graph).
  @discardableResult
  public static func archive<Root>(
    _ root: Root, into data: inout Data, requiringSecureCoding requiresSecureCoding: Bool = true, allowing types: [Any.Type] = [],
    maximumByteCount: Int? = nil
  ) throws -> Int {
    try withArchive(of: root, requiresSecureCoding, types, maximumByteCount) { writer, start in
      let bytes = unsafe writer.bytes[start...]
      // SAFETY: the bytes are copied before the writer is used again.
      if let address = unsafe UnsafeRawBufferPointer(rebasing: bytes).baseAddress {
        unsafe data.append(address.assumingMemoryBound(to: UInt8.self), count: bytes.count)
      }
      return unsafe bytes.count
    }
  }

  /// Encodes a root and calls `take` with a writer in which the archive begins at a position.
  private static func withArchive<Root, Result>(
    of root: Root, _ requiresSecureCoding: Bool, _ types: [Any.Type], _ maximumByteCount: Int?, _ take: (inout ByteWriter, Int) -> Result
  ) throws -> Result {
    if !types.isEmpty { try AllowList.check(types) }
    if Reflection.kind(of: Root.self) == .existential {
      // Archived as what it is, whatever it is declared as.
      func open<Concrete>(_ root: Concrete) throws -> Result {
        try EncodingWorkspace.archive(root, requiresSecureCoding, types, maximumByteCount: maximumByteCount, take)
      }
      // SAFETY: the copy is a value of the existential type and lives while it is read.
      let value = unsafe withUnsafePointer(to: root) { unsafe ExistentialAccess.load($0, as: Root.self) }
      return try _openExistential(value, do: open)
    }
    return try EncodingWorkspace.archive(root, requiresSecureCoding, types, maximumByteCount: maximumByteCount, take)
  }

  /// Names a type in archives and admits it wherever its declared type allows it, also behind `Any`, `AnyObject` and protocols.
  ///
  /// Program-wide and meant for start-up, on the writing and on the reading side: it discards the plans that were built so far. Needed for
  /// private and local types (which have no stable name of their own), and for subclasses and protocol conformers that no
  /// ``Archivable/archiveRules`` declares. Registering the same type under the same name again changes nothing.
  ///
  /// ```swift
  /// try KeyedArchiver.register(Circle.self)  // may stand behind Shape, any Drawable, Any
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
