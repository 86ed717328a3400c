import ArchiveFormat
import Testing

enum SampleFrames {
  static let point = TypeEntry.object(
    name: "Point", version: 0, superclass: nil, properties: [Property(key: "x", type: .int), Property(key: "y", type: .int)])

  /// One object that is the root.
  static let simple = assemble(
    TypeTable(entries: [point]), roots: [("root", .reference, [0])], blocks: [(TypeID(entry: 0), 1, [2, 4])])

  static let types = TypeTable(entries: [
    point, .array(.string),
    .object(name: "Named", version: 2, superclass: TypeID(entry: 0), properties: [Property(key: "name", type: .string)]),
  ])

  /// Two roots, two blocks and a string pool.
  static let full = twoOfEach(segmentedAbove: ArchiveSeal.segmentedAbove)
  /// The same in segments.
  static let segmented = twoOfEach(segmentedAbove: 0)

  private static func twoOfEach(segmentedAbove: Int) -> [UInt8] {
    assemble(
      types, pools: pools, roots: [("list", TypeID(entry: 1), [2, 1, 1, 0x61, 0x62]), ("n", .int, [0x7F])],
      blocks: [
        (TypeID(entry: 0), 10, Integers.encode(Array(0..<10)) + Integers.encode((0..<10).map { $0 * $0 })),
        (TypeID(entry: 2), 1, [2, 4, 1, 0x7A]),
      ], segmentedAbove: segmentedAbove)
  }

  static let pools = poolSection([(7, ["one", "two", "", "threethree"]), (9, (0..<2500).map { "s\($0)" })])

  static func poolSection(_ pools: [(UInt64, [String])]) -> [UInt8] {
    written { w in
      StringPoolSection.encodeCount(pools.count, into: &w)
      for (id, strings) in pools {
        let bytes = strings.flatMap { [UInt8]($0.utf8) }
        let lengths = strings.map { Int64($0.utf8.count) }
        unsafe lengths.withUnsafeBufferPointer { lengths in
          unsafe bytes.withUnsafeBytes { unsafe StringPoolSection.encode(id: id, lengths: lengths, bytes: $0, into: &w) }
        }
      }
    }
  }
}

@Suite("Archive frames")
struct ArchiveFrameTests {
  @Test("a simple archive has no object table and no root record")
  func simple() throws {
    let bytes = SampleFrames.simple
    // Magic, version, flags, length; a table of one entry with names of 5, 1 and 1 bytes; two values; checksum.
    #expect(bytes.count == 3 + 1 + 1 + 1 + (1 + 1 + 1 + 5 + 2 + 2) + 2 + 8)
    #expect([UInt8](bytes[..<6]) == [0x4D, 0x41, 0x9E, 0x11, 9, 14])
    try parsing(bytes) { layout in
      #expect(layout.formatVersion == 1)
      #expect(layout.minimumReaderVersion == 1)
      #expect(layout.types == TypeTable(entries: [SampleFrames.point]))
      #expect(layout.pools == nil)
      #expect(layout.roots == [RootKey(key: "root", type: .reference, byteCount: 1)])
      #expect(layout.blocks == [BlockHeader(type: TypeID(entry: 0), count: 1, byteCount: 2)])
      let contents = (try layout.rootReaders.map(rest), try layout.blockReaders.map(rest))
      #expect(contents == ([[0]], [[2, 4]]))
      #expect(layout.blockReaders[0].offset == bytes.count - 10)
    }
  }

  @Test("everything a full archive holds is found again")
  func full() throws {
    try parsing(SampleFrames.full) { layout in
      #expect(layout.types == SampleFrames.types)
      #expect(layout.roots.map(\.key) == ["list", "n"])
      #expect(layout.roots.map(\.type) == [TypeID(entry: 1), .int])
      #expect(try layout.rootReaders.map(rest) == [[2, 1, 1, 0x61, 0x62], [0x7F]])
      #expect(layout.blocks.map(\.count) == [10, 1])
      #expect(layout.blocks.map(\.type) == [TypeID(entry: 0), TypeID(entry: 2)])
      #expect(try rest(layout.blockReaders[1]) == [2, 4, 1, 0x7A])
      #expect(unsafe [UInt8](layout.typeTableBytes) == written { SampleFrames.types.encode(into: &$0) })
      var reader = try #require(layout.pools)
      let section = try StringPoolSection(parsing: &reader)
      #expect(section.pools.map(\.id) == [7, 9])
      #expect(section.pools.map(\.count) == [4, 2500])
      var second = section.pools[1].reader
      var strings: [String] = []
      for rows in [1024, 1024, 452] { strings += try Strings.decode(rows, &second).map { String(decoding: $0, as: UTF8.self) } }
      #expect(strings == (0..<2500).map { "s\($0)" })
      #expect(second.remaining == 0)
    }
  }

  @Test("a cached type table replaces parsing")
  func cachedTypes() throws {
    let bytes = SampleFrames.full
    var asked: [UInt8] = []
    unsafe try bytes.withUnsafeBytes { bytes in
      let layout = unsafe try ArchiveLayout(parsing: bytes) { table in
        asked = unsafe [UInt8](table)
        return SampleFrames.types
      }
      #expect(layout.types == SampleFrames.types)
    }
    #expect(asked == written { SampleFrames.types.encode(into: &$0) })
  }

  @Test("an archive may be appended to other bytes and may be empty")
  func appended() throws {
    let empty = assemble(TypeTable(), roots: [], blocks: [])
    #expect(empty.count == 3 + 1 + 1 + 1 + 3 + 8)
    try parsing(empty) { layout in
      #expect(layout.roots.isEmpty)
      #expect(layout.blocks.isEmpty)
    }
    let appended = written { w in
      w.appendLE64(1)
      let none = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
      unsafe ArchiveFrame.assemble(types: TypeTable(), pools: none, roots: [], rootBytes: none, blocks: [], blockBytes: none, into: &w)
    }
    #expect([UInt8](appended[8...]) == empty)
  }

  @Test("almost simple archives are written in full")
  func almostSimple() throws {
    let types = TypeTable(entries: [SampleFrames.point, SampleFrames.point])
    let frames = [
      assemble(types, roots: [("toor", .reference, [0])], blocks: [(TypeID(entry: 0), 1, [2, 4])]),
      assemble(types, roots: [("root", .reference, [2])], blocks: [(TypeID(entry: 0), 1, [2, 4])]),
      assemble(types, roots: [("root", .int, [0])], blocks: [(TypeID(entry: 0), 1, [2, 4])]),
      assemble(types, roots: [("root", .reference, [0])], blocks: [(TypeID(entry: 1), 1, [2, 4])]),
      assemble(types, roots: [("root", .reference, [0])], blocks: [(TypeID(entry: 0), 2, [2, 4, 6, 8])]),
      assemble(types, roots: [("root", .reference, [0])], blocks: [(TypeID(entry: 0), 1, [2, 4]), (TypeID(entry: 0), 1, [2, 4])]),
      assemble(types, roots: [("root", .reference, [0]), ("b", .int, [0])], blocks: [(TypeID(entry: 0), 1, [2, 4])]),
    ]
    for frame in frames {
      #expect(frame[4] == 8)
      try parsing(frame) { layout in #expect(layout.rootReaders.allSatisfy { $0.remaining == 1 }) }
    }
  }

  @Test("whatever is wrong with the frame is told apart")
  func codes() {
    func code(_ bytes: [UInt8]) -> FormatError.Code? { formatError { try parsing(bytes) { _ in } }?.code }
    let good = SampleFrames.simple
    #expect(code(good) == nil)
    #expect(code([]) == .truncated)
    #expect(code([0x4D, 0x41]) == .truncated)
    #expect(code([0x4D, 0x42]) == .notAnArchive)
    #expect(code([UInt8]("bplist00".utf8)) == .notAnArchive)
    #expect(code(good + [0]) == .trailingBytes)
    #expect(code(good.dropLast()) == .truncated)
    var damaged = good
    damaged[8] ^= 1
    #expect(code(damaged) == .checksumMismatch)
    var newer = good
    newer[3] = 0x22
    let error = formatError { try parsing(newer) { _ in } }
    #expect(error?.code == .newerFormat)
    #expect(error?.message == "needs reader version 2")
    #expect(error?.offset == 3)
  }

  @Test("a newer format that this reader can read is read")
  func compatibleFormat() throws {
    var newer = SampleFrames.simple
    newer[3] = 0x21
    #expect(try parsing(newer, verification: .none) { $0.formatVersion } == 2)
  }

  @Test("structures that contradict themselves are refused")
  func contradictions() {
    let types = TypeTable(entries: [SampleFrames.point, .array(.int)])
    func code(_ roots: [(String, TypeID, [UInt8])], _ blocks: [(TypeID, Int, [UInt8])]) -> FormatError.Code? {
      formatError { try parsing(assemble(types, roots: roots, blocks: blocks)) { _ in } }?.code
    }
    #expect(code([("a", .int, [0]), ("b", .int, [2])], []) == nil)
    #expect(code([("a", .int, [0]), ("a", .int, [2])], []) == .malformed)
    #expect(code([("a", TypeID(entry: 2), [0])], []) == .malformed)
    #expect(code([], [(TypeID(entry: 1), 1, [0])]) == .malformed)
    #expect(code([], [(.int, 1, [0])]) == .malformed)
    #expect(code([], [(TypeID(entry: 0), 0, [0])]) == .malformed)
    #expect(code([], [(TypeID(entry: 0), 1025, [0])]) == .malformed)
    let columns: Int = if case .object(_, _, _, let properties) = SampleFrames.point { properties.count } else { 0 }
    #expect(columns > 1)
    #expect(code([], [(TypeID(entry: 0), 1024, Array(repeating: 0, count: columns))]) == nil)
    #expect(code([], [(TypeID(entry: 0), 1024, Array(repeating: 0, count: columns - 1))]) == .malformed)
    #expect(code([], [(TypeID(entry: 0), 1, [])]) == .malformed)
  }

  @Test("a section of pools is the number of them and each one")
  func poolList() throws {
    let lengths: [Int64] = [1, 2]
    let contents: [UInt8] = [0x61, 0x62, 0x63]
    let bytes = written { w in
      unsafe lengths.withUnsafeBufferPointer { lengths in
        unsafe contents.withUnsafeBytes { unsafe StringPoolSection.encode([(id: 7, lengths: lengths, bytes: $0)], into: &w) }
      }
    }
    #expect(bytes == SampleFrames.poolSection([(7, ["a", "bc"])]))
    #expect(bytes == [1, 7, 2, 1, 2, 0x61, 0x62, 0x63])
    #expect(SampleFrames.poolSection([]) == [0])
  }

  @Test("pools that contradict themselves are refused")
  func poolContradictions() {
    func code(_ bytes: [UInt8]) -> FormatError.Code? {
      formatError { _ = try reading(bytes) { try StringPoolSection(parsing: &$0) } }?.code
    }
    #expect(code([0]) == nil)
    #expect(code([0, 0]) == .trailingBytes)
    #expect(code([2, 1, 0, 1, 0]) == .malformed)
    #expect(code([1, 1, 0]) == nil)
    #expect(code([9, 1, 0]) == .truncated)
    #expect(code([1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0]) == .truncated)
    #expect(code([1, 1, 8, BytesColumn.pooledEncoding, 0, 0]) == .malformed)
    #expect(code([1, 1, 1, 3, 0x61]) == .truncated)
  }
}
