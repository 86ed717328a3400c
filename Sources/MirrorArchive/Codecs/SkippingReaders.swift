import ArchiveFormat
import ArchiveReflection

/// References to objects some of which are not made, because the program does not know or admit their class.
final class SkippingReferenceReader: PartialReader, @unchecked Sendable {
  private let admitted: AdmittedObjects
  private let isLenient: Bool

  init(_ codec: ReferenceCodec, admitted: AdmittedObjects, isLenient: Bool) {
    self.admitted = admitted
    self.isLenient = isLenient
    super.init(codec)
  }

  override var keepsValues: Bool { isLenient }
  override var becomesNil: Bool { true }
  override func absence(row: Int, _ d: inout DecodingState) -> LocatedError { d.refusal(row: row) }

  override func readPartially(_ rows: Rows, _ present: UnsafeMutablePointer<UInt8>, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: `resolve` checks every number and every object's class before the first row is written.
    let places = unsafe d.scratch.allocate(Int64.self, rows.count)
    unsafe try d.resolve(count: rows.count, admitted: admitted, into: places, leavingOut: true)
    unsafe rows.visit { i, p in
      if unsafe places[i] < 0 { return }
      unsafe p.storeBytes(of: d.objects.retained(Int(truncatingIfNeeded: places[i])), as: UnsafeMutableRawPointer.self)
      unsafe present[i] = 1
    }
  }
}

/// Optionals of what may not be there: then they are nil.
final class SkippingOptionalReader: ColumnReader, @unchecked Sendable {
  private let wrapped: PartialReader
  /// Whether the archive has Optionals, too.
  private let hasPresence: Bool

  init(_ codec: OptionalCodec, _ wrapped: PartialReader, hasPresence: Bool) {
    self.wrapped = wrapped
    self.hasPresence = hasPresence
    super.init(codec)
  }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: payloads are read into the Optionals' own memory (offset 0), where they are there; then each row gets its tag.
    let presence = unsafe d.scratch.allocate(UInt8.self, rows.count)
    unsafe presence.initialize(repeating: 1, count: rows.count)
    if hasPresence { unsafe try BoolColumn.decode(count: rows.count, from: &d.reader, into: presence) }
    let pointers = unsafe d.scratch.allocate(UnsafeMutableRawPointer.self, rows.count)
    let numbers = unsafe d.scratch.allocate(Int.self, rows.count)
    var count = 0
    unsafe rows.visit { i, p in
      unsafe pointers[count] = p
      unsafe numbers[count] = i
      count &+= Int(unsafe presence[i])
    }
    if count > 0 {
      let found = unsafe d.scratch.allocate(UInt8.self, count)
      unsafe found.initialize(repeating: 0, count: count)
      let noticeCount = d.notices.count
      do {
        unsafe try wrapped.readPartially(Rows(pointers: pointers, count: count), found, &d)
      } catch let error as LocatedError {
        throw unsafe error.moved(toRowAmong: presence, count: rows.count)
      }
      d.notices.move(since: noticeCount) { notice in unsafe notice.move(to: numbers[notice.row], below: "") }
      for i in 0..<count where unsafe found[i] == 0 { unsafe presence[numbers[i]] = 0 }
    }
    let witnesses = wrapped.codec.witnesses
    unsafe rows.visit { i, p in
      if unsafe presence[i] != 0 { unsafe witnesses.storeSome(p) } else { unsafe witnesses.storeNone(p) }
    }
  }
}

extension OptionalCodec {
  /// The reader of an Optional of what may be left out, where the options say that it is; nil elsewhere.
  ///
  /// - Parameter inner: The archived type of what is in the Optional.
  func skippingReader(_ inner: TypeID, hasPresence: Bool, _ binder: inout Binder) throws -> ColumnReader? {
    guard binder.options.unknownClasses == .skip, wrapped is ReferenceCodec || wrapped is AnyCodec,
      let partial = try binder.reader(wrapped, inner) as? PartialReader, partial.becomesNil
    else { return nil }
    return SkippingOptionalReader(self, partial, hasPresence: hasPresence)
  }
}
