import ArchiveFormat
import ArchiveReflection

/// `Any`, `any P`, `AnyHashable`: which types occur, which row has which, then one column per type.
///
/// The only values that pass through `Any` on their way are those that are declared so.
final class AnyCodec: ValueCodec, @unchecked Sendable {
  override var ownTraits: Traits { Traits(hasReferences: true, needsCompleteGraph: true, describesValues: true) }

  override func describe(_ types: inout TypeTableBuilder) throws -> TypeID { .any }

  /// The rows of one concrete type.
  private struct Group {
    let type: Any.Type
    /// Nil for class instances.
    let codec: ValueCodec?
    var rows: [Int] = []
    var values: [Any] = []
  }

  private func groups(_ rows: Rows, _ e: inout EncodingState, isDiscovery: Bool) throws -> (groups: [Group], index: [Int64]) {
    var groups: [Group] = []
    var known: [ObjectIdentifier: Int] = [:]
    var index = [Int64](repeating: 0, count: rows.count)
    for i in 0..<rows.count {
      // SAFETY: every row holds a value of this existential type.
      let value = unsafe load(rows[i])
      let dynamicType = Swift.type(of: value)
      let key = dynamicType is AnyClass ? ObjectIdentifier(AnyObject.self) : ObjectIdentifier(dynamicType)
      let group: Int
      if let found = known[key] {
        group = found
      } else {
        group = groups.count
        known[key] = group
        let codec = try located(i) { dynamicType is AnyClass ? nil : try PlanRegistry.shared.codec(for: dynamicType) }
        if isDiscovery, let codec {
          try located(i) { try e.admission.admitInOpenPlace(codec) }
          if codec.traits.hasConditional { e.hasMetConditional = true }
        }
        groups.append(Group(type: dynamicType, codec: codec))
      }
      if isDiscovery, dynamicType is AnyClass {
        try located(i) { try e.admission.admitInOpenPlace(value as AnyObject, replacesAll: e.graph.replacesAll) }
      }
      groups[group].rows.append(i)
      groups[group].values.append(value)
      index[i] = Int64(group)
    }
    return (groups, index)
  }

  private func load(_ p: UnsafeMutableRawPointer) -> Any {
    if type == AnyHashable.self { return unsafe p.assumingMemoryBound(to: AnyHashable.self).pointee.base }
    return unsafe ExistentialAccess.load(p, as: type)
  }

  private func located<T>(_ row: Int, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as ArchiveError {
      throw LocatedError(error.code, row: row, error.message)
    }
  }

  /// Calls `body` with rows that hold the group's values as they are.
  private func withValues(
    of group: Group, _ e: inout EncodingState, _ body: (ValueCodec, Rows, inout EncodingState) throws -> Void
  ) throws {
    let codec = group.codec ?? Self.object
    let witnesses = codec.witnesses
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    // SAFETY: the memory is as large and aligned as the concrete type asks; copies are destroyed before it is given back.
    let memory = unsafe e.scratch.bytes(group.values.count &* witnesses.stride, alignmentMask: witnesses.alignmentMask)
    let rows = unsafe Rows(base: memory, stride: witnesses.stride, count: group.values.count)
    for (i, value) in group.values.enumerated() {
      if group.codec == nil {
        unsafe rows[i].initializeMemory(as: AnyObject.self, to: value as AnyObject)
      } else {
        unsafe ExistentialAccess.copyValue(value, to: rows[i])
      }
    }
    defer { codec.destroy(rows) }
    do {
      try body(codec, rows, &e)
    } catch let error as LocatedError {
      throw error.moved(to: group.rows[min(error.row, group.rows.count - 1)], below: "")
    }
  }

  /// Class instances of any class; each was admitted by its own class.
  private static let object = ReferenceCodec(AnyObject.self, declared: .anyObject)

  override func discover(_ rows: Rows, _ e: inout EncodingState) throws {
    try e.enter()
    defer { e.leave() }
    for group in try groups(rows, &e, isDiscovery: true).groups where group.codec?.traits.hasReferences ?? true {
      try withValues(of: group, &e) { codec, values, e in try codec.discover(values, &e) }
    }
  }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    if rows.count == 0 { return }
    try e.enter()
    defer { e.leave() }
    let (groups, index) = try groups(rows, &e, isDiscovery: false)
    e.writer.appendVarint(UInt64(groups.count))
    for group in groups {
      let id = try group.codec.map { codec in try e.types.exactly { try codec.describe(&$0) } } ?? .reference
      if group.codec != nil { try located(group.rows[0]) { try e.requireReadable(group.type, as: id) } }
      e.writer.appendVarint(UInt64(id.rawValue))
    }
    unsafe index.withUnsafeBufferPointer { unsafe IntegerColumn.encode($0, into: &e.writer) }
    for group in groups {
      try withValues(of: group, &e) { codec, values, e in
        e.decodedByteCount &+= values.count &* DecodedSize.box(codec.witnesses.size)
        try codec.encode(values, &e)
      }
    }
  }

  override var hasBlank: Bool { type == Any.self || type == AnyHashable.self }
  override func initializeBlank(_ p: UnsafeMutableRawPointer) {
    // SAFETY: the caller hands over uninitialised memory of this type, which is one of the two.
    if type == Any.self { unsafe p.initializeMemory(as: Any.self, to: ()) } else { unsafe p.initializeMemory(as: AnyHashable.self, to: 0) }
  }

  override func unlink(_ rows: Rows) {
    if !hasBlank { return }
    // SAFETY: every row holds an `Any` or an `AnyHashable`, before and after.
    unsafe rows.visit { _, p in
      unsafe witnesses.destroy(p)
      unsafe initializeBlank(p)
    }
  }

  override func makeReader(_ id: TypeID, _ binder: inout Binder) throws -> ColumnReader {
    guard id == .any else { throw binder.mismatch(id, type) }
    if binder.options.unknownClasses == .skip {
      return SkippingAnyReader(self, isLenient: binder.options.conversionPolicy == .lenient)
    }
    return AnyReader(self)
  }
}

private final class AnyReader: ColumnReader, @unchecked Sendable {
  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws { unsafe try AnyColumn(codec).read(rows, nil, &d) }
}

/// The same where objects of unknown classes are left out.
private final class SkippingAnyReader: PartialReader, @unchecked Sendable {
  private let isLenient: Bool

  init(_ codec: AnyCodec, isLenient: Bool) {
    self.isLenient = isLenient
    super.init(codec)
  }

  override var keepsValues: Bool { isLenient }
  override var becomesNil: Bool { true }
  override func absence(row: Int, _ d: inout DecodingState) -> LocatedError { d.refusal(row: row) }

  override func readPartially(_ rows: Rows, _ present: UnsafeMutablePointer<UInt8>, _ d: inout DecodingState) throws {
    unsafe try AnyColumn(codec).read(rows, present, &d)
  }
}

/// A column of values in `Any`.
private struct AnyColumn {
  let codec: ValueCodec
  init(_ codec: ValueCodec) { self.codec = codec }

  /// - Parameter present: Gets a 1 for every row that has a value; nil if every row needs one.
  func read(_ rows: Rows, _ present: UnsafeMutablePointer<UInt8>?, _ d: inout DecodingState) throws {
    if rows.count == 0 { return }
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    try d.enter()
    defer { d.leave() }
    let typeCount = try d.reader.readCount()
    guard typeCount >= 1, typeCount <= rows.count else { throw d.malformed("\(typeCount) types for \(rows.count) values", row: 0) }
    var readers: [ColumnReader] = []
    for _ in 0..<typeCount {
      let raw = try d.reader.readVarint()
      guard let id = UInt32(exactly: raw) else { throw d.malformed("type \(raw) does not exist", row: 0) }
      readers.append(try d.openReader(for: TypeID(rawValue: id)))
    }
    let index = unsafe d.scratch.allocate(Int64.self, rows.count)
    unsafe try IntegerColumn.decode(count: rows.count, from: &d.reader, into: index)
    var counts = [Int](repeating: 0, count: typeCount)
    for i in 0..<rows.count {
      let group = unsafe index[i]
      guard group >= 0, group < typeCount else { throw d.malformed("type \(group) of \(typeCount) does not exist", row: i) }
      counts[Int(group)] += 1
    }
    // All values are read, and moved into boxes, before the first row is stored.
    var boxes: [[Any?]] = []
    for (group, reader) in readers.enumerated() {
      let noticeCount = d.notices.count
      func own() -> [Int] { (0..<rows.count).filter { unsafe index[$0] == Int64(group) } }
      do {
        boxes.append(unsafe try values(counts[group], reader, isPartial: present != nil, &d))
      } catch let error as LocatedError {
        let own = own()
        throw own.indices.contains(error.row) ? error.moved(to: own[error.row], below: "") : error
      }
      if d.notices.count > noticeCount {
        let own = own()
        d.notices.move(since: noticeCount) { $0.move(to: own[$0.row], below: "") }
      }
    }
    var next = [Int](repeating: 0, count: typeCount)
    for i in 0..<rows.count {
      let group = Int(unsafe index[i])
      let box = boxes[group][next[group]]
      next[group] += 1
      guard let value = box else { continue }
      if unsafe !store(value, at: rows[i]) {
        for done in 0..<i where unsafe present == nil || present?[done] == 1 { codec.destroy(rows.slice(done, 1)) }
        if let present = unsafe present { unsafe present.update(repeating: 0, count: rows.count) }
        let unknown = (value as? UnknownObject).map { " kept of an object of class '\($0.className)'" } ?? ""
        throw LocatedError(.typeNotAllowed, row: i, "a \(Swift.type(of: value))\(unknown) is no \(codec.type)")
      }
      unsafe present?[i] = 1
    }
  }

  /// The values of one type, in boxes; nil for those that are not there.
  private func values(_ count: Int, _ reader: ColumnReader, isPartial: Bool, _ d: inout DecodingState) throws -> [Any?] {
    if count == 0 { return [] }
    let witnesses = reader.codec.witnesses
    try d.spend(count, each: DecodedSize.box(witnesses.size))
    // SAFETY: the memory is as large and aligned as `count` values ask; every value that is there is moved out of it.
    let memory = unsafe d.scratch.bytes(count &* witnesses.stride, alignmentMask: witnesses.alignmentMask)
    let values = unsafe Rows(base: memory, stride: witnesses.stride, count: count)
    guard isPartial, let partial = reader as? PartialReader else {
      try reader.read(values, &d)
      return (0..<count).map { i in unsafe ExistentialAccess.takeValue(values[i], of: reader.codec.type) }
    }
    let found = unsafe d.scratch.allocate(UInt8.self, count)
    unsafe found.initialize(repeating: 0, count: count)
    do {
      unsafe try partial.readPartially(values, found, &d)
    } catch {
      d.objects.holdAll()
      throw error
    }
    return (0..<count).map { i in unsafe found[i] == 0 ? nil : ExistentialAccess.takeValue(values[i], of: reader.codec.type) }
  }

  private func store(_ value: Any, at p: UnsafeMutableRawPointer) -> Bool {
    if codec.type == AnyHashable.self {
      guard let hashable = value as? any Hashable else { return false }
      unsafe p.initializeMemory(as: AnyHashable.self, to: AnyHashable(hashable))
      return true
    }
    return unsafe ExistentialAccess.store(value, at: p, as: codec.type)
  }
}
