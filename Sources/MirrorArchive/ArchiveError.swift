import ArchiveFormat
import ArchiveReflection

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What went wrong, where, and what to do about it.
///
/// Every failure of the archiver is one of these; errors thrown by a user's own hooks pass through unchanged.
public struct ArchiveError: Error, Sendable {
  /// The kind of failure.
  public var code: Code
  /// The place in the object graph, such as `root.fruits[3].name`; empty when the failure is about the archive as a whole.
  public var path: String
  /// The byte offset in the archive at which the failure was noticed, if it was noticed in bytes.
  public var offset: Int?
  /// What happened and how to cure it, for people.
  public var message: String

  /// Makes an error; hooks may throw their own errors of this kind to reject an archive.
  public init(_ code: Code, path: String = "", offset: Int? = nil, message: String) {
    self.code = code
    self.path = path
    self.offset = offset
    self.message = message
  }

  /// The kind of a failure. New kinds may be added; compare, do not switch exhaustively.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case notAnArchive, newerFormat, truncated, trailingBytes, corrupt, malformed, limitExceeded
      case typeNotAllowed, unknownType, invalidAllowList, unsupportedType, notArchivable, unnamedType, duplicateName
      case typeMismatch, missingValue, invalidValue, missingUnownedTarget, nestingTooDeep, reentrant
    }

    private let kind: Kind
    private init(_ kind: Kind) { self.kind = kind }
    public var description: String { kind.rawValue }

    /// The bytes do not begin like an archive.
    public static let notAnArchive = Code(.notAnArchive)
    /// The archive needs a newer reader.
    public static let newerFormat = Code(.newerFormat)
    /// The archive ends too early.
    public static let truncated = Code(.truncated)
    /// There are bytes behind the archive's end.
    public static let trailingBytes = Code(.trailingBytes)
    /// The checksum does not fit the bytes.
    public static let corrupt = Code(.corrupt)
    /// The bytes contradict the format.
    public static let malformed = Code(.malformed)
    /// A limit on counts or sizes was passed.
    public static let limitExceeded = Code(.limitExceeded)
    /// A type that the caller, the rules or the declared properties do not admit at this place.
    public static let typeNotAllowed = Code(.typeNotAllowed)
    /// The archive names a type that this program does not know.
    public static let unknownType = Code(.unknownType)
    /// An allow-list that would switch the check off (`MirrorCoding`, `AnyObject`, an empty list).
    public static let invalidAllowList = Code(.invalidAllowList)
    /// A stored property that cannot be archived (closure, pointer, lock, ...); the message names the cure.
    public static let unsupportedType = Code(.unsupportedType)
    /// An object whose class neither inherits `MirrorCoding` nor conforms to `MirrorCodable`.
    public static let notArchivable = Code(.notArchivable)
    /// A private or local type without an archive name of its own.
    public static let unnamedType = Code(.unnamedType)
    /// Two types under one archive name.
    public static let duplicateName = Code(.duplicateName)
    /// A stored value of another type than the one asked for.
    public static let typeMismatch = Code(.typeMismatch)
    /// A value that the archive does not have and that has no default.
    public static let missingValue = Code(.missingValue)
    /// A value that its type does not admit (an unknown enum case, a repeated key, invalid UTF-8, ...).
    public static let invalidValue = Code(.invalidValue)
    /// An `unowned` reference to an object that is not in the archive.
    public static let missingUnownedTarget = Code(.missingUnownedTarget)
    /// Values nested more deeply than the limit.
    public static let nestingTooDeep = Code(.nestingTooDeep)
    /// A coder used while it was already at work.
    public static let reentrant = Code(.reentrant)
  }
}

extension ArchiveError: CustomStringConvertible, LocalizedError {
  public var description: String {
    var text = "\(code): \(message)"
    if !path.isEmpty { text += " (at \(path))" }
    if let offset { text += " (byte \(offset))" }
    return text
  }
  public var errorDescription: String? { description }
}

extension ArchiveError {
  init(_ error: FormatError, path: String = "") {
    let code: Code =
      switch error.code {
      case .notAnArchive: .notAnArchive
      case .newerFormat: .newerFormat
      case .truncated: .truncated
      case .trailingBytes: .trailingBytes
      case .checksumMismatch: .corrupt
      case .malformed: .malformed
      case .limitExceeded: .limitExceeded
      }
    self.init(code, path: path, offset: error.offset, message: error.message)
  }

  init(_ error: ReflectionError) {
    let place = error.property.map { "\(error.typeName).\($0)" } ?? error.typeName
    self.init(.unsupportedType, path: place, message: "\(place) cannot be archived: \(error.message)")
  }
}

/// An error on its way from a column to the entry point: which row of the column it concerns, and the path below that row.
///
/// Containers translate the row and put their own component in front as the error passes; successful work pays nothing for it.
struct LocatedError: Error {
  var error: ArchiveError
  var row: Int
  var suffix: String

  init(_ code: ArchiveError.Code, row: Int, offset: Int? = nil, _ message: String) {
    error = ArchiveError(code, offset: offset, message: message)
    self.row = row
    suffix = ""
  }

  /// The same error for the row `row` of the enclosing column, below `component`.
  func moved(to row: Int, below component: String) -> LocatedError {
    var copy = self
    copy.row = row
    copy.suffix = component + suffix
    return copy
  }
}
