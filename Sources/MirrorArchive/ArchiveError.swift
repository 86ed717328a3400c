import ArchiveFormat
import ArchiveReflection

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What went wrong, where, and what to do about it.
///
/// Every failure of the archiver is one of these, never a trap; errors thrown by a user's own hooks pass through unchanged. Compare
/// ``code`` to decide, show the error itself to people.
///
/// ```swift
/// do {
///   settings = try KeyedUnarchiver.unarchivedObject(ofClass: Settings.self, from: data)
/// } catch let error as ArchiveError where error.code == .newerFormat {
///   // Written by a newer release: leave the file alone.
/// }
/// ```
public struct ArchiveError: Error, Sendable {
  /// The kind of failure.
  public var code: Code
  /// The place in the object graph; empty when the failure is about the archive as a whole.
  ///
  /// `root.tags[3]` is below the root. Any other object is given by its class and its number in the archive (`Fruit#12.name`), because it
  /// may be reached on several ways. Where a declaration is refused, the path has the type and the property only (`Fruit.onTap`).
  public var path: String
  /// The offset in the archive, in bytes from its beginning, at which the failure was noticed; nil if it was not noticed in bytes.
  public var offset: Int?
  /// What happened and how to cure it, for people. The wording may change in any release.
  public var message: String

  /// Makes an error, for hooks that reject an archive or an object in the archiver's own words.
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - path: The place in the object graph; empty for the archive as a whole.
  ///   - offset: The place in the archive, in bytes; nil if there is none.
  ///   - message: What happened and how to cure it.
  public init(_ code: Code, path: String = "", offset: Int? = nil, message: String) {
    self.code = code
    self.path = path
    self.offset = offset
    self.message = message
  }

  /// The kind of a failure.
  ///
  /// New kinds may be added in any release: compare, or switch with a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case notAnArchive, newerFormat, truncated, trailingBytes, corrupt, malformed, limitExceeded
      case typeNotAllowed, unknownType, invalidAllowList, unsupportedType, notArchivable, unnamedType, duplicateName
      case typeMismatch, missingValue, invalidValue, missingUnownedTarget, nestingTooDeep
      case invalidRules
      case duplicateKey, cycle, finished, reentrant
      case fileError
    }

    private let kind: Kind
    private init(_ kind: Kind) { self.kind = kind }
    /// The name of the kind as it is written in code, such as `typeNotAllowed`.
    public var description: String { kind.rawValue }

    // MARK: The archive as a whole

    /// The bytes do not begin like an archive: another kind of file, or none.
    public static let notAnArchive = Code(.notAnArchive)
    /// The archive needs a newer reader. Reported before anything else is read.
    public static let newerFormat = Code(.newerFormat)
    /// The archive ends too early, as after a download that was interrupted.
    public static let truncated = Code(.truncated)
    /// There are bytes behind the archive's end.
    public static let trailingBytes = Code(.trailingBytes)
    /// The checksum does not fit the bytes: the archive was damaged after it was written.
    public static let corrupt = Code(.corrupt)
    /// The checksum fits but the bytes contradict the format: no archiver wrote them.
    public static let malformed = Code(.malformed)
    /// A limit on counts or sizes was passed.
    public static let limitExceeded = Code(.limitExceeded)

    // MARK: What may be archived and decoded

    /// A type that the caller, the rules or the declared properties do not admit at this place; the message names the cures.
    public static let typeNotAllowed = Code(.typeNotAllowed)
    /// The archive names a type that this program does not know. Only where any class is allowed; otherwise the type is not allowed.
    public static let unknownType = Code(.unknownType)
    /// An allow-list that would switch the check off: `MirrorCoding`, `AnyObject`, `Any`, a protocol, an empty list.
    public static let invalidAllowList = Code(.invalidAllowList)
    /// A stored property that cannot be archived (closure, pointer, lock, ...); the message names the cure.
    public static let unsupportedType = Code(.unsupportedType)
    /// An object whose class neither inherits from `MirrorCoding` nor conforms to `MirrorCodable`.
    public static let notArchivable = Code(.notArchivable)
    /// A private or local type without an archive name of its own.
    public static let unnamedType = Code(.unnamedType)
    /// Two types under one archive name.
    public static let duplicateName = Code(.duplicateName)
    /// Rules that name a property or case which the type does not have, or contradict each other; see ``ArchiveRules``.
    public static let invalidRules = Code(.invalidRules)

    // MARK: Values

    /// A stored value of another type than the one asked for.
    public static let typeMismatch = Code(.typeMismatch)
    /// A value that the archive does not have and that has no default.
    public static let missingValue = Code(.missingValue)
    /// A value that its type does not admit (an unknown enum case, a repeated key, invalid UTF-8, ...).
    public static let invalidValue = Code(.invalidValue)
    /// An `unowned` reference to an object that no strong reference brings into the archive.
    public static let missingUnownedTarget = Code(.missingUnownedTarget)
    /// Values nested more than 512 deep. References between objects do not count: lists and trees of objects may have any depth.
    public static let nestingTooDeep = Code(.nestingTooDeep)

    // MARK: Coders

    /// A key that was encoded twice in one object or container.
    public static let duplicateKey = Code(.duplicateKey)
    /// An object that its own `init(coder:)` asks for, directly or through others: it does not exist yet. Ask for it with `whenReady:`.
    public static let cycle = Code(.cycle)
    /// A coder used after it has finished.
    public static let finished = Code(.finished)
    /// A coder used while it was already at work, as from inside `replacementObject(for:)`.
    public static let reentrant = Code(.reentrant)

    // MARK: Files

    /// A file that could not be read or written; the message has its path and the system's reason.
    public static let fileError = Code(.fileError)
  }
}

extension ArchiveError: CustomStringConvertible, LocalizedError {
  /// Code, message, path and offset in one line.
  public var description: String {
    var text = "\(code): \(message)"
    if !path.isEmpty { text += " (at \(shownPath))" }
    if let offset { text += " (byte \(offset))" }
    return text
  }
  /// The path, without the middle if it is very long.
  private var shownPath: String {
    path.utf8.count <= 320 ? path : "\(path.prefix(160)) … \(path.suffix(160))"
  }
  /// The same as ``description``: what `localizedDescription` shows.
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

extension ArchiveError {
  /// Whether the gate refuses a class: it may still stand in an archive in which nothing refers to its objects.
  var isUnknownClass: Bool { code == .typeNotAllowed || code == .unknownType }
}

/// An error on its way from a column to the entry point: which row of the column it concerns, and the path below that row.
///
/// Containers translate the row and put their own component in front as the error passes; successful work pays nothing for it.
struct LocatedError: Error {
  var error: ArchiveError
  var row: Int
  var suffix: String
  private(set) var isFind = false

  init(_ code: ArchiveError.Code, row: Int, offset: Int? = nil, _ message: String) {
    error = ArchiveError(code, offset: offset, message: message)
    self.row = row
    suffix = ""
  }

  /// Not a failure: the object that is searched for is referred to by this row.
  static func find(row: Int) -> LocatedError {
    var find = LocatedError(.invalidValue, row: row, "")
    find.isFind = true
    return find
  }

  /// The same error for the row `row` of the enclosing column, below `component`.
  func moved(to row: Int, below component: String) -> LocatedError {
    var copy = self
    copy.row = row
    copy.suffix = component + suffix
    return copy
  }

  /// The same error for the row of the enclosing column that the `row`-th one with a 1 in `presence` is.
  func moved(toRowAmong presence: UnsafePointer<UInt8>, count: Int) -> LocatedError {
    var seen = -1
    for i in 0..<count where unsafe presence[i] != 0 {
      seen += 1
      if seen == row { return moved(to: i, below: "") }
    }
    return self
  }
}
