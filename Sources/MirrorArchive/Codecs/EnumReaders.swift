import ArchiveFormat
import ArchiveReflection

/// How the columns of one archived enum are read.
struct CaseColumns {
  enum Case {
    case plain(Int)
    case payload(Int, ColumnReader)
    /// Not a case of this program, or one whose payload was added or taken away.
    case unknown(String, payload: TypeID?, hasOtherPayload: Bool)
  }

  /// What becomes of values of unknown cases.
  @safe
  enum Unknown {
    case refused
    case replaced(PropertyDefault)
    /// The row is left as it is; the flags of the others are set.
    case left(present: UnsafeMutablePointer<UInt8>)
  }

  let enumeration: EnumCodec
  let cases: [Case]
  /// The cases whose payloads are read.
  private let payloadCases: [Int]
  private let hasUnknownCases: Bool

  init(enumeration: EnumCodec, cases: [Case]) {
    self.enumeration = enumeration
    self.cases = cases
    payloadCases = cases.indices.filter { if case .payload = cases[$0] { true } else { false } }
    hasUnknownCases = cases.contains { if case .unknown = $0 { true } else { false } }
  }

  func read(_ rows: Rows, _ unknown: Unknown, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    let indices = unsafe d.scratch.allocate(Int64.self, rows.count)
    unsafe try IntegerColumn.decode(count: rows.count, from: &d.reader, into: indices)
    // How many values there are of unknown cases with payloads: an archive may have any number of such cases.
    var skipped: [Int: Int] = [:]
    for i in 0..<rows.count {
      let index = unsafe indices[i]
      guard index >= 0, index < cases.count else {
        throw d.invalid("case \(index) of \(enumeration.type) does not exist in the archive", row: i)
      }
      if hasUnknownCases, case .unknown(let name, let payload, let hasOtherPayload) = cases[Int(index)] {
        if case .refused = unknown { throw refusal(name, hasOtherPayload, row: i, &d) }
        if payload != nil { skipped[Int(index), default: 0] += 1 }
        let addition = hasOtherPayload ? " with such a payload" : ""
        d.notices.add(Notice(.unknownCase, row: i, "\(enumeration.type) has no case '\(name)'\(addition)"))
      }
    }
    // Payloads of all cases are read before the first value is made, so that a failure has only payloads to destroy.
    var payloads: [(rows: Rows, codec: ValueCodec, index: Int, tag: Int)] = []
    do {
      for index in skipped.isEmpty ? payloadCases : (payloadCases + skipped.keys).sorted() {
        if let count = skipped[index] {
          if case .unknown(_, let type?, _) = cases[index] { try d.skip(type, count: count) }
          continue
        }
        guard case .payload(let tag, let reader) = cases[index] else { continue }
        var count = 0
        for i in 0..<rows.count where unsafe indices[i] == Int64(index) { count += 1 }
        if count == 0 { continue }
        // SAFETY: the memory is as large and aligned as `count` payloads ask; readers initialise all or none of it.
        let witnesses = reader.codec.witnesses
        let memory = unsafe d.scratch.bytes(count &* witnesses.stride, alignmentMask: witnesses.alignmentMask)
        let values = unsafe Rows(base: memory, stride: witnesses.stride, count: count)
        let notices = d.notices.count
        unsafe try read(values, reader, index, tag, rows.count, indices, &d)
        payloads.append((values, reader.codec, index, tag))
        if d.notices.count > notices {
          d.notices.move(since: notices) { notice in
            let row = unsafe row(of: notice.row, index, rows.count, indices)
            notice.move(to: row, below: "." + enumeration.cases[tag].name)
          }
        }
      }
    } catch {
      for payload in payloads { payload.codec.destroy(payload.rows) }
      throw error
    }
    for payload in payloads {
      var next = 0
      for i in 0..<rows.count where unsafe indices[i] == Int64(payload.index) {
        unsafe enumeration.access.initialize(rows[i], tag: payload.tag, takingPayload: payload.rows[next])
        next += 1
      }
    }
    // Values that are nothing but their bits are made once for each case, and copied.
    let isCopied = enumeration.witnesses.isTrivial && cases.count <= rows.count && payloads.isEmpty
    let made = unsafe d.scratch.allocate(UnsafeMutableRawPointer?.self, isCopied ? cases.count : 0)
    // SAFETY: there is a place for each case; what it points to is a row of the same type that has been made.
    if isCopied { unsafe made.update(repeating: nil, count: cases.count) }
    for i in 0..<rows.count {
      if isCopied, let value = unsafe made[Int(indices[i])] {
        unsafe rows[i].copyMemory(from: value, byteCount: enumeration.witnesses.size)
        continue
      }
      if isCopied, case .plain = unsafe cases[Int(indices[i])] { unsafe made[Int(indices[i])] = unsafe rows[i] }
      switch cases[Int(unsafe indices[i])] {
      case .plain(let tag): unsafe enumeration.access.initialize(rows[i], tag: tag, takingPayload: nil)
      case .unknown: if case .replaced(let value) = unknown { unsafe value.initialize(rows[i]) }
      case .payload: break
      }
    }
    guard case .left(let present) = unknown else { return }
    for i in 0..<rows.count {
      if case .unknown = cases[Int(unsafe indices[i])] { continue }
      unsafe present[i] = 1
    }
  }

  /// Reads the payloads of one case.
  private func read(
    _ values: Rows, _ reader: ColumnReader, _ index: Int, _ tag: Int, _ count: Int, _ indices: UnsafePointer<Int64>,
    _ d: inout DecodingState
  ) throws {
    let isIndirect = enumeration.cases[tag].isIndirect
    if isIndirect {
      try d.spend(values.count, each: DecodedSize.box(reader.codec.witnesses.size))
      try d.enter()
    }
    defer { if isIndirect { d.leave() } }
    do {
      try reader.read(values, &d)
    } catch let error as LocatedError {
      throw unsafe error.moved(to: row(of: error.row, index, count, indices), below: "." + enumeration.cases[tag].name)
    }
  }

  /// The row whose payload is the `place`-th one of its case.
  private func row(of place: Int, _ index: Int, _ count: Int, _ indices: UnsafePointer<Int64>) -> Int {
    var seen = -1
    for i in 0..<count where unsafe indices[i] == Int64(index) {
      seen += 1
      if seen == place { return i }
    }
    return place
  }

  private func refusal(_ name: String, _ hasOtherPayload: Bool, row: Int, _ d: inout DecodingState) -> LocatedError {
    let type = enumeration.type
    if hasOtherPayload {
      d.objects.holdAll()  // What was read so far is about to be given up.
      return LocatedError(
        .typeMismatch, row: row, offset: d.reader.offset,
        "the case '\(name)' of \(type) has a payload in only one of the archive and the program")
    }
    return d.invalid(
      "\(type) has no case '\(name)' in this program; let its archiveRules name it (CaseRule(formerKeys:)) or what stands for it "
        + "(unknownCase:)", row: row)
  }
}

final class EnumReader: ColumnReader, @unchecked Sendable {
  var columns: CaseColumns
  private let unknown: CaseColumns.Unknown

  init(_ codec: EnumCodec) {
    columns = CaseColumns(enumeration: codec, cases: [])
    unknown = codec.unknownCase.map { .replaced($0) } ?? .refused
    super.init(codec)
  }

  override func unbind() { columns = CaseColumns(enumeration: columns.enumeration, cases: []) }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws { try columns.read(rows, unknown, &d) }
}

/// Has nothing for values of cases that the program does not have.
final class PartialEnumReader: PartialReader, @unchecked Sendable {
  var columns: CaseColumns

  init(_ codec: EnumCodec) {
    columns = CaseColumns(enumeration: codec, cases: [])
    super.init(codec)
  }

  override func unbind() { columns = CaseColumns(enumeration: columns.enumeration, cases: []) }

  override func readPartially(_ rows: Rows, _ present: UnsafeMutablePointer<UInt8>, _ d: inout DecodingState) throws {
    unsafe try columns.read(rows, .left(present: present), &d)
  }
}
