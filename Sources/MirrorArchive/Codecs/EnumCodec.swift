import ArchiveFormat
import ArchiveReflection

/// Enums of every kind: a column of cases, then for each case with a payload the column of its payloads.
final class EnumCodec: ValueCodec, @unchecked Sendable {
  struct Case {
    let name: String
    let payload: ValueCodec?
    /// The payload lies at offset 0 of the value as it is: a lone, direct payload case.
    let isInPlace: Bool
    /// Only indirect cases can nest without end; they are counted.
    let isIndirect: Bool
  }

  let access: EnumAccess
  let isByte: Bool
  private(set) var cases: [Case] = []
  private let name: Result<String, ArchiveError>
  private let rawValues: RawValues

  init(_ type: Any.Type, shape: EnumShape, name: Result<String, ArchiveError>) {
    access = EnumAccess(shape)
    rawValues = RawValues(access)
    isByte = shape.isTrivialByte
    self.name = name
    super.init(type)
  }

  func resolve(_ cases: [Case]) { self.cases = cases }

  override var children: [ValueCodec] { cases.compactMap(\.payload) }

  override func describe(_ types: inout TypeTableBuilder) throws -> TypeID {
    try types.id(for: self) { types in
      let name = try self.name.get()
      let described: [EnumCase] = try types.byDeclaration { types in
        let rawValues = rawValues.values
        return try cases.enumerated().map { tag, one in
          EnumCase(name: one.name, payload: try one.payload?.describe(&types), rawValue: rawValues?[tag])
        }
      }
      return .enumeration(name: name, version: 0, cases: described)
    }
  }

  private func tags(_ rows: Rows, into tags: UnsafeMutablePointer<Int64>) {
    // SAFETY: every row holds a value of this enum.
    if isByte {
      unsafe rows.gather(UInt8.self, into: tags) { Int64($0) }
    } else {
      unsafe rows.visit { i, p in unsafe tags[i] = Int64(access.tag(of: UnsafeRawPointer(p))) }
    }
  }

  /// Calls `body` with the payloads of each case that has rows here, in the order of the cases.
  private func forEachPayload(
    _ rows: Rows, _ tags: UnsafeMutablePointer<Int64>, _ e: inout EncodingState, _ onlyReferences: Bool,
    _ body: (ValueCodec, Rows, inout EncodingState) throws -> Void
  ) throws {
    for (tag, one) in cases.enumerated() {
      guard let payload = one.payload, !onlyReferences || payload.traits.hasReferences else { continue }
      let mark = e.scratch.mark()
      defer { e.scratch.release(mark) }
      // SAFETY: `pointers` has room for every row; copies of payloads are destroyed before their memory is given back.
      let pointers = unsafe e.scratch.allocate(UnsafeMutableRawPointer.self, rows.count)
      var count = 0
      unsafe rows.visit { i, p in
        unsafe pointers[count] = p
        if unsafe tags[i] == Int64(tag) { count &+= 1 }
      }
      if count == 0 { continue }
      if one.isIndirect { try e.enter() }
      defer { if one.isIndirect { e.leave() } }
      do {
        if one.isInPlace {
          try body(payload, unsafe Rows(pointers: pointers, count: count).exclusive(rows.isExclusive), &e)
        } else {
          let witnesses = payload.witnesses
          let copies = unsafe e.scratch.bytes(count &* witnesses.stride, alignmentMask: witnesses.alignmentMask)
          let values = unsafe Rows(base: copies, stride: witnesses.stride, count: count)
          for i in 0..<count { unsafe access.copyPayload(of: pointers[i], tag: tag, to: values[i]) }
          defer { payload.destroy(values) }
          try body(payload, values, &e)
        }
      } catch let error as LocatedError {
        var seen = -1
        for i in 0..<rows.count where unsafe tags[i] == Int64(tag) {
          seen += 1
          if seen == error.row { throw error.moved(to: i, below: "." + one.name) }
        }
        throw error
      }
    }
  }

  override func discover(_ rows: Rows, _ e: inout EncodingState) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    let tags = unsafe e.scratch.allocate(Int64.self, rows.count)
    unsafe self.tags(rows, into: tags)
    unsafe try forEachPayload(rows, tags, &e, true) { payload, values, e in try payload.discover(values, &e) }
  }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    let tags = unsafe e.scratch.allocate(Int64.self, rows.count)
    unsafe self.tags(rows, into: tags)
    unsafe IntegerColumn.encode(UnsafeBufferPointer(start: tags, count: rows.count), into: &e.writer)
    unsafe try forEachPayload(rows, tags, &e, false) { payload, values, e in try payload.encode(values, &e) }
  }

  override var hasBlank: Bool { cases.contains { $0.payload == nil } }
  override func initializeBlank(_ p: UnsafeMutableRawPointer) {
    guard let plain = cases.firstIndex(where: { $0.payload == nil }) else { return }
    // SAFETY: the caller hands over uninitialised memory of this type.
    unsafe access.initialize(p, tag: plain, takingPayload: nil)
  }

  override func unlink(_ rows: Rows) {
    guard let plain = cases.firstIndex(where: { $0.payload == nil }) else { return }
    // SAFETY: every row holds a value of this enum, before and after.
    unsafe rows.visit { _, p in
      unsafe witnesses.destroy(p)
      unsafe access.initialize(p, tag: plain, takingPayload: nil)
    }
  }

  override func makeReader(_ id: TypeID, _ binder: inout Binder) throws -> ColumnReader {
    guard case .enumeration(let found, _, let archived) = binder.types[id], case .success(let name) = name,
      binder.currentName(of: found) == name
    else { throw binder.mismatch(id, type) }
    return try binder.reader(for: id, self) { reader, binder in
      // Cases may share a name and differ by their labels, which are not archived: then they go by their order.
      var tags = Dictionary(grouping: cases.indices.reversed(), by: { cases[$0].name })
      reader.cases = try archived.map { one in
        guard let tag = tags[one.name]?.popLast() else {
          one.payload.map { binder.skip($0) }
          return .unknown(one.name)
        }
        switch (cases[tag].payload, one.payload) {
        case (nil, nil): return .plain(tag)
        case (let codec?, let type?): return .payload(tag, try binder.reader(codec, type, below: one.name))
        default:
          throw ArchiveError(
            .typeMismatch, path: "\(type).\(one.name)", message: "the case has a payload in only one of the archive and the program")
        }
      }
    } make: {
      EnumReader(self)
    }
  }
}

private final class EnumReader: ColumnReader, @unchecked Sendable {
  enum Case {
    case plain(Int)
    case payload(Int, ColumnReader)
    case unknown(String)
  }

  var cases: [Case] = []
  override func unbind() { cases = [] }
  private let enumeration: EnumCodec

  init(_ codec: EnumCodec) {
    enumeration = codec
    super.init(codec)
  }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    let indices = unsafe d.scratch.allocate(Int64.self, rows.count)
    unsafe try IntegerColumn.decode(count: rows.count, from: &d.reader, into: indices)
    for i in 0..<rows.count {
      let index = unsafe indices[i]
      guard index >= 0, index < cases.count else { throw d.invalid("case \(index) of \(codec.type) does not exist in the archive", row: i) }
      if case .unknown(let name) = cases[Int(index)] {
        throw d.invalid("\(codec.type) has no case '\(name)' in this program", row: i)
      }
    }
    // Payloads of all cases are read before the first value is made, so that a failure has only payloads to destroy.
    var payloads: [(rows: Rows, codec: ValueCodec, index: Int, tag: Int)] = []
    do {
      for (index, one) in cases.enumerated() {
        guard case .payload(let tag, let reader) = one else { continue }
        var count = 0
        for i in 0..<rows.count where unsafe indices[i] == Int64(index) { count += 1 }
        if count == 0 { continue }
        // SAFETY: the memory is as large and aligned as `count` payloads ask; readers initialise all or none of it.
        let witnesses = reader.codec.witnesses
        let memory = unsafe d.scratch.bytes(count &* witnesses.stride, alignmentMask: witnesses.alignmentMask)
        let values = unsafe Rows(base: memory, stride: witnesses.stride, count: count)
        let isIndirect = enumeration.cases[tag].isIndirect
        if isIndirect { try d.enter() }
        defer { if isIndirect { d.leave() } }
        do {
          try reader.read(values, &d)
        } catch let error as LocatedError {
          var seen = -1
          for i in 0..<rows.count where unsafe indices[i] == Int64(index) {
            seen += 1
            if seen == error.row { throw error.moved(to: i, below: "." + enumeration.cases[tag].name) }
          }
          throw error
        }
        payloads.append((values, reader.codec, index, tag))
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
    for i in 0..<rows.count {
      if case .plain(let tag) = cases[Int(unsafe indices[i])] {
        unsafe enumeration.access.initialize(rows[i], tag: tag, takingPayload: nil)
      }
    }
  }
}
