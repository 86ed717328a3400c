package import ArchiveFormat
import ArchiveReflection

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Turns archives back into object graphs: whole ones in one call, or key by key.
///
/// Nothing of the archive is believed before its checksum fits, and no object is made before its class is admitted: the types the caller
/// names, what is reachable from them through declared property types, and what rules and registration add. Any bytes either decode or throw,
/// in time and memory proportional to their number. Text from the archive is never used to look a type up, unless the caller says so.
///
/// ```swift
/// let market = try KeyedUnarchiver.unarchivedObject(ofClass: Market.self, from: data)  // in one call
///
/// let unarchiver = try KeyedUnarchiver(forReadingFrom: data)  // by root keys
/// let title = try unarchiver.decodeString(forKey: "title")
/// let shop = try unarchiver.decodeObject(of: Shop.self, forKey: "shop")
/// ```
/// Hand-coded classes get the unarchiver in ``KeyedCoding/init(coder:)`` and ask it for their own keys. The same object is the same object
/// under every key of one unarchiver. Keys that are equal as text (by Unicode's canonical equivalence) are the same key. A key that is not
/// there is never 0, false or nil: `decode…` throws, `decode…IfPresent` gives nil.
///
/// The one-shot calls may run on any number of threads at once; an unarchiver belongs to one task. A call that comes in while another thread is
/// in one throws `reentrant`. A look-up that fails (no such key, another
/// type) leaves it usable; after an error that left a graph in pieces every call throws that error again.
public final class KeyedUnarchiver {
  let session: GraphSession
  /// Who is in a call.
  let owner = CoderOwner()
  /// Kept from before the session to after it; the session does not own its coder.
  private var isFinished = false
  private var isFinishing = false
  private var names = ClassNames()
  private var hasNewSettings = false

  /// Whether only admitted types are made. True by default.
  ///
  /// With false any archivable class of the program may be made. Only for archives that this program wrote and nobody else could touch. That a
  /// reference fits the declared type of its place is checked all the same.
  public var requiresSecureCoding: Bool = true {
    didSet { settingsChanged() }
  }

  /// What happens where the archive does not fit the program. Set it before the first call that decodes.
  public var options = DecodingOptions() {
    didSet { settingsChanged() }
  }

  /// Who is told about unknown classes and decoded objects, and may put others in their place.
  ///
  /// With a delegate every object is shown to it as soon as it is filled, so set it before the first call that decodes.
  public weak var delegate: (any KeyedUnarchiverDelegate)? {
    didSet { session.hasDelegate = delegate != nil }
  }

  /// What happens to errors. By default they are thrown at once.
  public var decodingFailurePolicy = DecodingFailurePolicy.throwError {
    didSet { session.isRefusing = true }
  }

  /// The first error that a call has met; nil if there was none.
  public private(set) var error: (any Error)?

  /// Everything in which the archive did not fit the program, of what has been decoded so far.
  ///
  /// Ask before ``finishDecoding()``, which lets go of the archive: after it the report is empty.
  /// - Complexity: O(size of what has been decoded), each time.
  public var report: DecodingReport {
    owner.ifFree { isFinished ? DecodingReport() : session.makeReport() } ?? DecodingReport()
  }

  /// What an unarchiver does with an error.
  public enum DecodingFailurePolicy: Sendable {
    /// Throws it.
    case throwError
    /// Remembers the first one in ``KeyedUnarchiver/error``. From there on the calls that can give nil give nil; those that cannot throw it.
    case rememberError
  }

  /// Opens an archive for reading its root keys.
  ///
  /// - Parameters:
  ///   - data: The archive; a slice of a larger `Data` will do.
  ///   - options: What ``options`` are to begin with. Limits to the number of objects and of types hold here already.
  /// - Throws: ``ArchiveError`` with the code `notAnArchive`, `newerFormat`, `truncated`, `trailingBytes`, `corrupt`, `malformed` or
  ///   `limitExceeded`: header, checksum and tables are checked here.
  /// - Complexity: O(size of the archive) for the checksum.
  public convenience init(forReadingFrom data: Data, options: DecodingOptions = DecodingOptions()) throws {
    try self.init(ArchiveBytes(data), .whole, options)
  }

  /// Opens an archive in a file, which is mapped and read only as far as the keys that are asked for reach.
  ///
  /// Of a large archive the checksums of the parts that are read are verified when they are read. The file must not be shortened meanwhile;
  /// ``KeyedArchiver/archive(_:to:options:requiringSecureCoding:allowing:maximumByteCount:)`` replaces files as a whole, which does no harm.
  /// - Parameters:
  ///   - url: The URL of a file.
  ///   - options: As for data.
  /// - Throws: ``ArchiveError`` with the code `fileError`, and what ``init(forReadingFrom:options:)-(Data,_)`` throws.
  /// - Complexity: O(size of the tables).
  public convenience init(forReadingFrom url: URL, options: DecodingOptions = DecodingOptions()) throws {
    try self.init(ArchiveBytes(try MappedFile(url.path)), .onDemand, options)
  }

  /// The same with another part of the archive verified, for tests that damage archives on purpose.
  package convenience init(
    forReadingFrom data: Data, verification: ArchiveLayout.Verification, options: DecodingOptions = DecodingOptions()
  ) throws {
    try self.init(ArchiveBytes(data), verification, options)
  }

  private convenience init(_ bytes: ArchiveBytes, _ verification: ArchiveLayout.Verification, _ options: DecodingOptions) throws {
    let layout: ArchiveLayout
    do {
      layout = unsafe try ArchiveLayout(
        parsing: bytes.bytes, verification: verification, maximumTypeTableLength: options.limits.maximumTypeTableLength)
    } catch {
      throw ArchiveError(error)
    }
    try self.init(bytes, layout, universe: PlanRegistry.shared.universe(of: []), allowsAnyClass: false, options)
  }

  init(_ bytes: ArchiveBytes, _ layout: ArchiveLayout, universe: Universe, allowsAnyClass: Bool, _ options: DecodingOptions) throws {
    session = try GraphSession(bytes, layout, universe: universe, allowsAnyClass: allowsAnyClass, options)
    session.setOwner(self)
    self.options = options
    requiresSecureCoding = !allowsAnyClass
    applySettings()
  }

  deinit { if !isFinished { session.close() } }

  // MARK: Names

  /// The names that this unarchiver was told; they win over the program's.
  func changeNames(_ change: (inout ClassNames) -> Void) {
    change(&names)
    settingsChanged()
  }
  var ownNames: ClassNames { names }

  /// Settings take effect with the next call: one that changes them may stand in code that runs while the session is at work.
  private func settingsChanged() {
    hasNewSettings = true
    session.isRefusing = true
  }

  private func applySettings() {
    hasNewSettings = false
    session.setAllowsAnyClass(!requiresSecureCoding)
    session.setOptions(options)
    let all = ClassNames.global.map { names.over($0) } ?? names
    session.setNames(all.isEmpty ? nil : all)
  }

  // MARK: Calls

  /// Ends the reading: from here on every call throws `finished`.
  ///
  /// Not needed before letting go of the unarchiver. Objects that were decoded stay what they are. Inside ``KeyedCoding/init(coder:)`` and the
  /// other calls that get the unarchiver it does nothing.
  public func finishDecoding() { _ = owner.ifFree { finish() } }

  private func finish() {
    if isFinished || isFinishing || session.isBusy || !session.isOutside { return }
    isFinishing = true
    delegate?.unarchiverWillFinish(self)
    isFinished = true
    session.isRefusing = true
    session.close()
    delegate?.unarchiverDidFinish(self)
  }

  /// Runs the body of a call. Calls from outside get a complete graph, or none of it.
  func call<R>(_ body: () throws -> R) throws -> R {
    let isOutermost = try owner.enter("unarchiver")
    defer { if isOutermost { owner.leave() } }
    if session.isRefusing || session.isBusy { try refuse() }
    if !session.isOutside { return try body() }
    do {
      try session.beginCall()
      let result = try body()
      // The body of a container may have caught it.
      if let failure = session.failure { throw failure }
      repeat {
        try session.complete()
        try session.deliver()
      } while session.hasMore
      return result
    } catch {
      let finished = session.finished(error)
      // What was reached and is not complete cannot be completed by anything else.
      if !session.wave.isEmpty { session.fail(finished) }
      if session.failure != nil { session.abandon() }
      remember(finished)
      throw finished
    }
  }

  /// Throws why no call may come in, if that is so.
  @inline(never)
  private func refuse() throws {
    if isFinished { throw ArchiveError(.finished, message: "the unarchiver has finished; make another one") }
    if let failure = session.failure { throw failure }
    if session.isBusy { throw ArchiveError(.reentrant, message: "the unarchiver is at work and cannot be asked from here") }
    if decodingFailurePolicy == .rememberError, let error { throw error }
    if hasNewSettings { applySettings() }
    session.isRefusing = false
  }

  private func remember(_ error: any Error) {
    if self.error == nil { self.error = error }
    session.isRefusing = true
  }

  /// The same for calls that may give nil.
  func callIfPresent<R>(_ body: () throws -> R?) throws -> R? {
    if decodingFailurePolicy == .throwError { return try call(body) }
    do {
      return try call(body)
    } catch {
      remember(error)
      return nil
    }
  }

  /// Decodes a root for a one-shot call, which has checked the type and may be told `AnyObject`.
  func decodeRoot<Root>(_ type: Root.Type, key: String) throws -> Root {
    try call { try session.value(type, at: requiredSlot(key), key: key) }
  }

  /// The slot of a key that has to be there.
  func requiredSlot(_ key: String) throws -> Int {
    if let slot = session.slot(of: key) { return slot }
    throw session.located(
      ArchiveError(.missingValue, message: "the archive has no value under the key '\(key)'"), key, in: session.cursor)
  }

  func requiredNextSlot() throws -> Int {
    if let slot = session.nextUnkeyedSlot { return slot }
    throw session.located(
      ArchiveError(.missingValue, message: "there are no more values without a key; \(session.cursor.taken) have been taken"), "",
      in: session.cursor)
  }
}
