import ArchiveFormat
import ArchiveReflection

/// A reader that makes one value of one value and may have to refuse some: an error, or in lenient mode a row that gets nothing.
class ValueReader: PartialReader, @unchecked Sendable {
  let isLenient: Bool
  /// What the exact mode says, if these types don't fit each other there.
  private let mismatch: ArchiveError?

  init(_ codec: ValueCodec, isLenient: Bool, mismatch: ArchiveError? = nil) {
    self.isLenient = isLenient
    self.mismatch = mismatch
    super.init(codec)
  }

  /// Notes that a row gets nothing, or throws.
  final func refuse(row: Int, _ message: @autoclosure () -> String, as kind: Notice.Kind = .keptDefault, _ d: inout DecodingState) throws {
    if !isLenient { throw d.invalid(message(), row: row) }
    d.notices.add(Notice(kind, row: row, message()))
  }

  override func absence(row: Int, _ d: inout DecodingState) -> LocatedError {
    if let mismatch {
      d.objects.holdAll()  // As in `invalid`.
      return LocatedError(mismatch.code, row: row, offset: d.reader.offset, mismatch.message)
    }
    // What was noted about the row last is why.
    guard let notice = d.notices.last(ofRow: row) else { return super.absence(row: row, &d) }
    var error = d.invalid(notice.message, row: row)
    error.suffix = notice.suffix
    return error
  }
}

/// How values of one type become values of another, one by one, without their types.
protocol ValueMapping: Sendable {
  /// Takes the stored value out of its memory and initialises `target`. If there is no value for it the target stays as it is, and the result is
  /// the stored value as messages show it.
  func map(taking stored: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer) -> String?
  /// The stored value as messages show it.
  func shown(_ stored: UnsafeRawPointer) -> String
}

/// A mapping in the program's words.
struct Mapping<Stored, Value>: ValueMapping {
  let make: @Sendable (Stored) -> Value?

  func map(taking stored: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer) -> String? {
    // SAFETY: the caller hands over a value of the stored type and uninitialised memory of the other one.
    let value = unsafe stored.assumingMemoryBound(to: Stored.self).move()
    guard let made = make(value) else { return Self.shown(value) }
    unsafe target.initializeMemory(as: Value.self, to: made)
    return nil
  }

  // SAFETY: the caller hands over a value of the stored type.
  func shown(_ stored: UnsafeRawPointer) -> String { unsafe Self.shown(stored.assumingMemoryBound(to: Stored.self).pointee) }

  static func shown(_ value: Stored) -> String { (value as? any ExactScalar)?.shown ?? "\(value)".shown }
}

/// Reads values of one type and makes others of them.
final class MappingReader: ValueReader, @unchecked Sendable {
  private let stored: ColumnReader
  private let mapping: any ValueMapping
  private let storedName: String
  private let refusal: String
  /// Whether every value that is made is an alteration, which the report tells.
  private let isAlteration: Bool
  /// What is made of a value that is refused otherwise.
  private let substitute: PropertyDefault?

  /// - Parameter refusal: What is wrong with a value that is refused, behind its type and the value itself.
  init(
    _ codec: ValueCodec, _ stored: ColumnReader, _ mapping: any ValueMapping, named storedName: String, refusal: String,
    substitute: PropertyDefault? = nil, isAlteration: Bool = false, isLenient: Bool, mismatch: ArchiveError? = nil
  ) {
    self.stored = stored
    self.mapping = mapping
    self.storedName = storedName
    self.refusal = refusal
    self.isAlteration = isAlteration
    self.substitute = substitute
    super.init(codec, isLenient: isLenient, mismatch: mismatch)
  }

  override func readPartially(_ rows: Rows, _ present: UnsafeMutablePointer<UInt8>, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    let witnesses = stored.codec.witnesses
    // SAFETY: room for a stored value per row, and a flag that says whether it is there; each is moved out once or destroyed.
    let memory = unsafe d.scratch.bytes(rows.count &* witnesses.stride, alignmentMask: witnesses.alignmentMask)
    let values = unsafe Rows(base: memory, stride: witnesses.stride, count: rows.count)
    let isThere = unsafe d.scratch.allocate(UInt8.self, rows.count)
    unsafe try stored.readWherePossible(values, isThere, &d)
    // The mapping may be code of the program.
    d.objects.holdAll()
    for row in 0..<rows.count where unsafe isThere[row] != 0 {
      let name = unsafe isAlteration ? "\(storedName) \(mapping.shown(values[row]))" : ""
      guard let shown = unsafe mapping.map(taking: values[row], to: rows[row]) else {
        unsafe present[row] = 1
        if isAlteration {
          d.notices.add(Notice(.altered, row: row, "the archive holds the \(name) where the program declares \(codec.type)"))
        }
        continue
      }
      let message = "the archive holds the \(storedName) \(shown), which is \(refusal)"
      if let substitute {
        unsafe substitute.initialize(rows[row])
        unsafe present[row] = 1
        d.notices.add(Notice(.unknownCase, row: row, message))
        continue
      }
      do {
        try refuse(row: row, message, as: codec is EnumCodec ? .unknownCase : .keptDefault, &d)
      } catch {
        for rest in (row + 1)..<rows.count where unsafe isThere[rest] != 0 { unsafe witnesses.destroy(values[rest]) }
        unsafe destroy(rows, present, &d)
        throw error
      }
    }
  }
}
