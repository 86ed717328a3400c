/// Why a cache could not do what it was asked to.
///
/// A value that is missing, damaged or of another version is none of these: it is a miss. What cannot be archived throws the archiver's own
/// `ArchiveError`.
public struct ArchiveCacheError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure. New kinds may be added in any release: compare, or switch with a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String
    private init(_ name: String) { self.name = name }
    /// The name of the kind as it is written in code, such as `unavailable`.
    public var description: String { name }

    /// The disk cannot be used at the moment: no permission, a failing device, no file descriptors left. Nothing is known about the value,
    /// which is no reason to make it anew.
    public static let unavailable = Code("unavailable")
    /// No room is left for the value. What was stored before is untouched.
    public static let noSpace = Code("noSpace")
    /// The directory cannot be one of a cache's.
    public static let invalidDirectory = Code("invalidDirectory")
    /// A closure that makes a value has asked, directly or through others, for the value that it is to make: it would wait for itself.
    public static let reentrant = Code("reentrant")
  }

  /// The kind of failure.
  public let code: Code
  /// What happened, for people. The wording may change in any release.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { "\(code): \(message)" }
}
