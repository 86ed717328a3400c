import ArchiveFormat
import ArchiveReflection

/// Enums of every kind: a column of cases, then for each case with a payload the column of its payloads.
final class EnumCodec: ValueCodec, @unchecked Sendable {
  struct Case {
    /// The name in the program.
    let name: String
    /// The name in archives.
    let key: String
    /// Names in older archives.
    let formerKeys: [String]
    let payload: ValueCodec?
    /// The payload lies at offset 0 of the value as it is: a lone, direct payload case.
    let isInPlace: Bool
    /// Only indirect cases can nest without end; they are counted.
    let isIndirect: Bool
  }

  let access: EnumAccess
  let isByte: Bool
  private(set) var cases: [Case] = []
  private let rawValues: RawValues
  let name: ArchivedName
  let version: UInt64
  /// What stands for cases that the program does not have.
  let unknownCase: PropertyDefault?

  init(_ type: Any.Type, shape: EnumShape, name: ArchivedName, rules: EnumRules) {
    access = EnumAccess(shape)
    rawValues = RawValues(access)
    isByte = shape.isTrivialByte
    self.name = name
    version = rules.version
    unknownCase = rules.unknownCase
    super.init(type)
  }

  func resolve(_ cases: [Case]) { self.cases = cases }

  override var children: [ValueCodec] { cases.compactMap(\.payload) }

  override func describe(_ types: inout TypeTableBuilder) throws -> TypeID {
    try types.id(for: self) { types in
      let described: [EnumCase] = try types.byDeclaration { types in
        let rawValues = rawValues.values
        return try cases.enumerated().map { tag, one in
          EnumCase(name: one.key, payload: try one.payload?.describe(&types), rawValue: rawValues?[tag])
        }
      }
      return .enumeration(name: name.current, version: version, cases: described)
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
    _ body: (ValueCodec, _ isIndirect: Bool, Rows, inout EncodingState) throws -> Void
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
          try body(payload, one.isIndirect, unsafe Rows(pointers: pointers, count: count).exclusive(rows.isExclusive), &e)
        } else {
          let witnesses = payload.witnesses
          let copies = unsafe e.scratch.bytes(count &* witnesses.stride, alignmentMask: witnesses.alignmentMask)
          let values = unsafe Rows(base: copies, stride: witnesses.stride, count: count)
          for i in 0..<count { unsafe access.copyPayload(of: pointers[i], tag: tag, to: values[i]) }
          defer { payload.destroy(values) }
          try body(payload, one.isIndirect, values, &e)
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
    unsafe try forEachPayload(rows, tags, &e, true) { payload, _, values, e in try payload.discover(values, &e) }
  }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    let tags = unsafe e.scratch.allocate(Int64.self, rows.count)
    unsafe self.tags(rows, into: tags)
    unsafe IntegerColumn.encode(UnsafeBufferPointer(start: tags, count: rows.count), into: &e.writer)
    unsafe try forEachPayload(rows, tags, &e, false) { payload, isIndirect, values, e in
      if isIndirect { e.decodedByteCount &+= values.count &* DecodedSize.box(payload.witnesses.size) }
      try payload.encode(values, &e)
    }
  }

  override var hasBlank: Bool { cases.contains { $0.payload == nil } }
  override func initializeBlank(_ p: UnsafeMutableRawPointer) {
    guard let plain = cases.firstIndex(where: { $0.payload == nil }) else { return }
    // SAFETY: the caller hands over uninitialised memory of this type.
    unsafe access.initialize(p, tag: plain, takingPayload: nil)
  }

  override func unlink(_ rows: Rows) {
    let plain = cases.firstIndex { $0.payload == nil }
    guard let tag = plain ?? cases.firstIndex(where: { $0.payload?.hasBlank ?? false }) else { return }
    let payload = cases[tag].payload
    let room = payload?.witnesses
    unsafe withUnsafeTemporaryAllocation(byteCount: max(room?.size ?? 0, 1), alignment: (room?.alignmentMask ?? 0) + 1) { memory in
      // SAFETY: every row holds a value of this enum, before and after; the memory is room for the payload, which the enum takes over.
      unsafe rows.visit { _, p in
        if let payload, let blank = memory.baseAddress { unsafe payload.initializeBlank(blank) }
        unsafe witnesses.destroy(p)
        unsafe access.initialize(p, tag: tag, takingPayload: memory.baseAddress)
      }
    }
  }

  override func makeReader(_ id: TypeID, _ binder: inout Binder) throws -> ColumnReader {
    guard case .enumeration(let found, let version, let archived) = binder.types[id], binder.isName(found, of: name) else {
      throw binder.mismatch(id, type)
    }
    let tags = tags(for: archived)
    let facts = ValueTypeFacts(archivedName: found, currentName: name.current, archivedVersion: version, currentVersion: self.version)
    let fits = zip(archived, tags).allSatisfy { one, tag in tag.map { (cases[$0].payload == nil) == (one.payload == nil) } ?? false }
    if !fits, unknownCase == nil, binder.options.conversionPolicy == .lenient {
      return try binder.reader(for: id, self) { (reader: PartialEnumReader, binder) in
        reader.columns = try columns(id, archived, tags, facts, &binder)
      } make: {
        PartialEnumReader(self)
      }
    }
    return try binder.reader(for: id, self) { (reader: EnumReader, binder) in
      reader.columns = try columns(id, archived, tags, facts, &binder)
    } make: {
      EnumReader(self)
    }
  }

  /// A reader of its own for a property that keeps its default where the case is unknown; nil if this enum was not archived.
  func makePartialReader(_ id: TypeID, _ binder: inout Binder) throws -> PartialEnumReader? {
    guard case .enumeration(let found, let version, let archived) = binder.types[id], binder.isName(found, of: name) else { return nil }
    // Entered as what it is like everywhere else, so that the type counts as read and may contain itself.
    _ = try binder.reader(self, id)
    let reader = PartialEnumReader(self)
    let facts = ValueTypeFacts(archivedName: found, currentName: name.current, archivedVersion: version, currentVersion: self.version)
    reader.columns = try columns(id, archived, tags(for: archived), facts, &binder)
    return reader
  }

  /// The case of today for each archived one.
  private func tags(for archived: [EnumCase]) -> [Int?] {
    // Cases may share a name and differ by their labels, which are not archived: then they go by their order.
    var tags = Dictionary(grouping: cases.indices.reversed(), by: { cases[$0].key })
    var former: [String: Int] = [:]
    for (tag, one) in cases.enumerated() { for key in one.formerKeys where tags[key] == nil { former[key] = tag } }
    return archived.map { tags[$0.name]?.popLast() ?? former[$0.name] }
  }

  private func columns(
    _ id: TypeID, _ archived: [EnumCase], _ tags: [Int?], _ known: ValueTypeFacts, _ binder: inout Binder
  ) throws -> CaseColumns {
    var facts = known
    let columns = try zip(archived, tags).map { one, tag -> CaseColumns.Case in
      if let tag {
        switch (cases[tag].payload, one.payload) {
        case (nil, nil): return .plain(tag)
        case (let codec?, let type?):
          if let converted = binder.conversion(of: type, to: codec) {
            facts.convertedKeys.append((key: one.name, archived: converted.archived, declared: converted.declared))
          }
          return .payload(tag, try binder.reader(codec, type, below: cases[tag].name))
        default: break
        }
      }
      one.payload.map { binder.skip($0) }
      facts.unknownKeys.append(one.name)
      return .unknown(one.name, payload: one.payload, hasOtherPayload: tag != nil)
    }
    binder.note(facts, id)
    return CaseColumns(enumeration: self, cases: columns)
  }
}
