public import Foundation

/// What went wrong with a stored model, and what to do about it.
///
/// Compare ``code`` to decide, show the error itself to people.
///
/// ```swift
/// do {
///   document = try store.load(Document.self, as: "document")
/// } catch let error where error.code == .notFound {
///   document = Document()
/// } catch let error where error.code == .corrupt {
///   document = try store.loadBackup(Document.self, as: "document")
/// }
/// ```
public struct ModelStoreError: Error, Sendable {
  /// The kind of failure.
  public var code: Code
  /// The name of the model, or the key of the user default; nil if the failure is about the store as a whole.
  public var name: String?
  /// What happened and how to cure it, for people. The wording may change in any release.
  public var message: String
  /// The error that this one is about, if there is one: an `ArchiveError` of the archiver, what a hook of the model has thrown, or a
  /// `POSIXError` of the system.
  public var underlying: (any Error)?

  init(_ code: Code, name: String?, message: String, underlying: (any Error)? = nil) {
    self.code = code
    self.name = name
    self.message = message
    self.underlying = underlying
  }

  /// The kind of a failure.
  ///
  /// New kinds may be added in any release: compare, or switch with a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case notFound, corrupt, decodingFailed, encodingFailed, unavailable, noSpace, tooLarge, invalidName, invalidDirectory
    }

    private let kind: Kind
    private init(_ kind: Kind) { self.kind = kind }
    /// The name of the kind as it is written in code, such as `notFound`.
    public var description: String { kind.rawValue }

    /// Nothing is stored under this name.
    public static let notFound = Code(.notFound)
    /// The stored bytes are damaged, or were never an archive.
    public static let corrupt = Code(.corrupt)
    /// The stored archive is whole but does not become the model: another type, a newer format, a class that is not admitted, or an error of
    /// one of the model's own hooks. See ``ModelStoreError/underlying``.
    public static let decodingFailed = Code(.decodingFailed)
    /// The model cannot be archived; nothing was written. See ``ModelStoreError/underlying``.
    public static let encodingFailed = Code(.encodingFailed)
    /// The system did not let the store at its files: no permission, a failing disk, files that are locked until the device is unlocked. It
    /// says nothing about whether the model is there. ``ModelStoreError/underlying`` is a `POSIXError`.
    public static let unavailable = Code(.unavailable)
    /// No room is left for the model. ``ModelStoreError/underlying`` is a `POSIXError`.
    public static let noSpace = Code(.noSpace)
    /// The archive has more bytes than user defaults should hold.
    public static let tooLarge = Code(.tooLarge)
    /// A name that nothing can be stored under: the empty one, and for a store itself what is no name of a directory.
    public static let invalidName = Code(.invalidName)
    /// A URL that is no file URL, or no default directory because the system does not say where the user's files are.
    public static let invalidDirectory = Code(.invalidDirectory)
  }
}

extension ModelStoreError: CustomStringConvertible, LocalizedError {
  /// Code, message and name in one line.
  public var description: String {
    guard let name else { return "\(code): \(message)" }
    let shown = name.utf8.count <= 320 ? name : "\(name.prefix(160)) … \(name.suffix(160))"
    return "\(code): \(message) ('\(shown)')"
  }
  /// The same as ``description``: what `localizedDescription` shows.
  public var errorDescription: String? { description }
}

extension ModelStoreError {
  /// A call of the system that failed.
  init(_ error: SystemError, name: String?) {
    let reason = POSIXErrorCode(rawValue: error.number).map { POSIXError($0) }
    self.init(
      [ENOSPC, EDQUOT, EFBIG].contains(error.number) ? .noSpace : .unavailable, name: name, message: error.description, underlying: reason)
  }

  static func notFound(_ what: String, name: String) -> ModelStoreError {
    ModelStoreError(.notFound, name: name, message: "the store has no \(what) of this name")
  }
}
