import ArchiveFormat
import ArchiveReflection

/// Reads scalars of one type into values of another in lenient mode: the same number where there is one, else what comes nearest.
final class LenientReader: ValueReader, @unchecked Sendable {
  private let stored: ColumnReader
  private let source: any ExactScalar.Type
  private let target: any ExactScalar.Type
  private let storedName: String

  /// Nil if the archived type or the codec's is none that is converted.
  init?(from id: TypeID, to codec: ScalarCodec, _ binder: Binder) throws {
    guard let source = ScalarTypes.all[id], let target = ScalarTypes.all[codec.scalar],
      let stored = try PlanRegistry.shared.codec(for: source) as? ScalarCodec
    else { return nil }
    self.stored = id == .pooledString ? PooledStringReader(stored) : stored.reader()
    self.source = source
    self.target = target
    storedName = binder.types.describe(id)
    super.init(codec, isLenient: true, mismatch: source.family.converts(to: target.family) ? nil : binder.mismatch(id, codec.type))
  }

  override func readPartially(_ rows: Rows, _ present: UnsafeMutablePointer<UInt8>, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: room for every row's stored value, which is moved out of it.
    let witnesses = stored.codec.witnesses
    let memory = unsafe d.scratch.bytes(rows.count &* witnesses.stride, alignmentMask: witnesses.alignmentMask)
    let values = unsafe Rows(base: memory, stride: witnesses.stride, count: rows.count)
    try stored.read(values, &d)
    unsafe convert(source, target, values, rows, present, &d)
  }

  private func convert<Source: ExactScalar, Target: ExactScalar>(
    _: Source.Type, _: Target.Type, _ values: Rows, _ rows: Rows, _ present: UnsafeMutablePointer<UInt8>, _ d: inout DecodingState
  ) {
    let isExact = Source.family.converts(to: Target.family)
    for row in 0..<rows.count {
      // SAFETY: every row of `values` holds a value, every one of `rows` is uninitialised room for one.
      let value = unsafe values[row].assumingMemoryBound(to: Source.self).move()
      var made = isExact ? value.exact.flatMap { Target(exact: $0) } : nil
      if made == nil {
        made = Target(leniently: value)
        d.notices.add(
          made.map { made in
            Notice(.altered, row: row, "the archive holds the \(storedName) \(value.shown), which became the \(codec.type) \(made.shown)")
          }
            ?? Notice(
              .keptDefault, row: row, "the archive holds the \(storedName) \(value.shown), which cannot become a value of \(codec.type)"))
      }
      guard let made else { continue }
      unsafe rows[row].initializeMemory(as: Target.self, to: made)
      unsafe present[row] = 1
    }
  }
}

/// Passes over a column whose type does not fit at all.
final class AbsentReader: ValueReader, @unchecked Sendable {
  private let archived: TypeID
  private let message: String
  override var passesOver: Bool { true }

  init(_ codec: ValueCodec, _ archived: TypeID, _ mismatch: ArchiveError) {
    self.archived = archived
    message = mismatch.message
    super.init(codec, isLenient: true, mismatch: mismatch)
    switch codec {
    case let optional as OptionalCodec: unsafe fallback = { p in unsafe optional.initializeBlank(p) }
    case let reference as ConditionalReferenceCodec where reference.isOptional:
      // SAFETY: one row of uninitialised memory.
      unsafe fallback = { p in reference.initializeNone(unsafe Rows(base: p, stride: 0, count: 1)) }
    default: break
    }
  }

  override func readPartially(_ rows: Rows, _ present: UnsafeMutablePointer<UInt8>, _ d: inout DecodingState) throws {
    try d.skip(archived, count: rows.count)
    for row in 0..<rows.count { d.notices.add(Notice(.keptDefault, row: row, message)) }
  }
}

/// Optionals in lenient mode, on either side: nil where a value has to be is nothing, which leaves the default.
final class LenientOptionalReader: PartialReader, @unchecked Sendable {
  var wrapped: ColumnReader!
  private let wraps: Bool
  private let hasPresence: Bool
  override func unbind() { wrapped = nil }

  /// - Parameters:
  ///   - wraps: Whether `codec` is the Optional of what `wrapped` reads, and not the same.
  ///   - hasPresence: Whether the archived type is the Optional of what `wrapped` reads.
  init(_ codec: ValueCodec, wraps: Bool, hasPresence: Bool) {
    self.wraps = wraps
    self.hasPresence = hasPresence
    super.init(codec)
    if codec is OptionalCodec { unsafe fallback = { p in unsafe codec.initializeBlank(p) } }
  }

  private var message: String { "the archive holds nil where the program declares \(codec.type), which is not Optional" }

  override func readPartially(_ rows: Rows, _ present: UnsafeMutablePointer<UInt8>, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    let presence = try d.presence(rows.count, isStored: hasPresence)
    // SAFETY: one address and one flag for each row that holds a value. Payloads are read into the Optionals' own memory (offset 0).
    let pointers = unsafe d.scratch.allocate(UnsafeMutableRawPointer.self, rows.count)
    let isThere = unsafe d.scratch.allocate(UInt8.self, rows.count)
    var count = 0
    unsafe rows.visit { i, p in
      unsafe pointers[count] = p
      count &+= Int(unsafe presence.flags[i])
    }
    let notices = d.notices.count
    if count > 0 {
      do {
        unsafe try wrapped.readWherePossible(Rows(pointers: pointers, count: count), isThere, &d)
      } catch let error as LocatedError {
        throw presence.moved(error, rows: rows.count)
      }
    }
    presence.moveNotices(since: notices, rows: rows.count, &d)
    let witnesses = wrapped.codec.witnesses
    var next = 0
    unsafe rows.visit { i, p in
      if unsafe presence.flags[i] != 0 {
        if wraps, unsafe isThere[next] != 0 { unsafe witnesses.storeSome(p) }
        unsafe present[i] = isThere[next]
        next += 1
      } else if wraps {
        unsafe witnesses.storeNone(p)
        unsafe present[i] = 1
      } else {
        d.notices.add(Notice(.keptDefault, row: i, message))
      }
    }
  }

  override func absence(row: Int, _ d: inout DecodingState) -> LocatedError {
    let isNil = d.notices.last(ofRow: row)?.message == message
    if !isNil, let partial = wrapped as? PartialReader { return partial.absence(row: row, &d) }
    d.objects.holdAll()  // What was read so far is about to be given up.
    return LocatedError(.missingValue, row: row, offset: d.reader.offset, message)
  }
}
