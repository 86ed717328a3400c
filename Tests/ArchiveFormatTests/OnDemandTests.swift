import ArchiveFormat
import Testing

@Suite("Segments are verified when they are needed")
struct OnDemandTests {
  private static let segment = 65_536

  /// Damages every byte of all segments but those in `kept`.
  private static func damaged(_ bytes: [UInt8], covering: Int, but kept: Set<Int>) -> [UInt8] {
    var damaged = bytes
    for place in 0..<covering where !kept.contains(place / segment) { damaged[place] ^= 0xA5 }
    return damaged
  }

  /// Ten segments: pools, a few roots and blocks of about a segment each.
  private static let sample: [UInt8] = assemble(
    SampleFrames.types, pools: [UInt8](repeating: 7, count: 3 * segment),
    roots: [("a", .data, [UInt8](repeating: 1, count: 70_000)), ("b", .int, [2]), ("c", .data, [UInt8](repeating: 3, count: 70_000))],
    blocks: [
      (TypeID(entry: 0), 1000, [UInt8](repeating: 4, count: 90_000)), (TypeID(entry: 2), 1000, [UInt8](repeating: 5, count: 110_000)),
      (TypeID(entry: 0), 3, [UInt8](repeating: 6, count: 90_000)),
    ])
  private static let covered = sample.count - 8 * 11

  private static func segments(of r: ByteReader) -> Set<Int> { Set(r.offset / segment...(r.offset + r.remaining - 1) / segment) }

  @Test("only head, tables and keys are looked at to begin with") func tables() throws {
    #expect(Self.sample[4] == 14)
    #expect((Self.covered + Self.segment - 1) / Self.segment == 10)
    // The type table stands in the first segment, the object and root tables behind the pools.
    let index = try parsing(Self.sample) { $0.rootReaders[0].offset - 1 } / Self.segment
    #expect(index == 3)
    let damaged = Self.damaged(Self.sample, covering: Self.covered, but: [0, index])
    try parsing(damaged, verification: .onDemand) { layout in
      let verifier = try #require(layout.verifier)
      #expect(verifier.verifiedCount == 2)
      #expect(layout.roots.map(\.key) == ["a", "b", "c"])
      #expect(layout.types == SampleFrames.types)
      #expect(layout.blocks.map(\.count) == [1000, 1000, 3])
      for reader in layout.rootReaders + layout.blockReaders + [try #require(layout.pools)] where Self.segments(of: reader) != [index] {
        for _ in 0..<2 { #expect(formatError { try verifier.verify(reader) }?.code == .checksumMismatch) }
      }
      #expect(verifier.verifiedCount == 2)
    }
    #expect(formatError { try parsing(damaged) { _ in } }?.code == .checksumMismatch)
  }

  @Test("each reader needs the segments that it lies in, and no others") func readers() throws {
    let wholes = try parsing(Self.sample) { layout in
      (layout.rootReaders + layout.blockReaders + [try #require(layout.pools)]).map(Self.segments)
    }
    for (number, needed) in wholes.enumerated() {
      for bad in 1...9 where bad != 3 {
        let damaged = Self.damaged(Self.sample, covering: Self.covered, but: Set(0...9).subtracting([bad]))
        try parsing(damaged, verification: .onDemand) { layout in
          let verifier = try #require(layout.verifier)
          let reader = (layout.rootReaders + layout.blockReaders + [try #require(layout.pools)])[number]
          for _ in 0..<2 {
            let error = formatError { try verifier.verify(reader) }
            #expect(error?.code == (needed.contains(bad) ? .checksumMismatch : nil), "reader \(number), segment \(bad)")
            if needed.contains(bad) { #expect(error?.offset == bad * Self.segment) }
          }
          if !needed.contains(bad) { #expect(verifier.verifiedCount == needed.union([0, 3]).count) }
        }
      }
    }
  }

  @Test("what was verified is not looked at again") func once() throws {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.sample.count, alignment: 1)
    defer { unsafe copy.deallocate() }
    unsafe copy.copyBytes(from: Self.sample)
    let layout = unsafe try ArchiveLayout(parsing: UnsafeRawBufferPointer(copy), verification: .onDemand)
    let verifier = try #require(layout.verifier)
    try verifier.verify(layout.blockReaders[1])
    unsafe copy[layout.blockReaders[1].offset + 70_000] ^= 1
    try verifier.verify(layout.blockReaders[1])
    unsafe copy[layout.blockReaders[2].offset + 89_999] ^= 1
    #expect(formatError { try verifier.verify(layout.blockReaders[2]) }?.code == .checksumMismatch)
    unsafe copy[layout.blockReaders[2].offset + 89_999] ^= 1
    try verifier.verify(layout.blockReaders[2])
  }

  @Test("more segments than a word has bits") func many() throws {
    let bytes = assemble(
      TypeTable(entries: [SampleFrames.point]), roots: [],
      blocks: [
        (TypeID(entry: 0), 1, [UInt8](repeating: 1, count: 70 * Self.segment)), (TypeID(entry: 0), 1, [1, 2]),
        (TypeID(entry: 0), 1, [UInt8](repeating: 2, count: 130 * Self.segment)),
      ])
    try parsing(bytes, verification: .onDemand) { layout in
      let verifier = try #require(layout.verifier)
      #expect(verifier.verifiedCount == 1)
      try verifier.verify(layout.blockReaders[1])
      #expect(verifier.verifiedCount == 2)
      try verifier.verify(layout.blockReaders[0])
      #expect(verifier.verifiedCount == 71)
      try verifier.verify(layout.blockReaders[2])
      #expect(verifier.verifiedCount == 201)
      #expect(layout.blockReaders[2].offset / Self.segment == 70)
    }
    // The last segment of the long block.
    var damaged = bytes
    damaged[200 * Self.segment] ^= 1
    try parsing(damaged, verification: .onDemand) { layout in
      let verifier = try #require(layout.verifier)
      try verifier.verify(layout.blockReaders[0])
      #expect(formatError { try verifier.verify(layout.blockReaders[2]) }?.offset == 200 * Self.segment)
      #expect(verifier.verifiedCount == 200)
    }
  }

  /// Tables that take several segments themselves.
  private static let wide: [UInt8] = assemble(
    TypeTable(entries: [SampleFrames.point] + (0..<12_000).map { .structure(name: "Structure\($0)", version: 0, fields: []) }),
    roots: (0..<20_000).map { ("key\($0)", .int, [0]) }, blocks: (0..<20_000).map { _ in (TypeID(entry: 0), 1, [0, 0, 0, 0]) })

  @Test("tables of several segments are verified as far as they go") func wideTables() throws {
    let bytes = Self.wide
    let (tables, covered) = try parsing(bytes) { ($0.rootReaders[0].offset, $0.blockReaders.last.map { $0.offset + $0.remaining } ?? 0) }
    let needed = (tables - 1) / Self.segment + 1
    #expect(needed > 5)
    let all = (covered + Self.segment - 1) / Self.segment
    #expect(all > needed)
    let damaged = Self.damaged(bytes, covering: covered, but: Set(0..<needed))
    try parsing(damaged, verification: .onDemand) { #expect($0.verifier?.verifiedCount == needed) }
    for bad in 0..<needed {
      let damaged = Self.damaged(bytes, covering: covered, but: Set(0..<needed).subtracting([bad]))
      let error = formatError { try parsing(damaged, verification: .onDemand) { _ in } }
      // The head itself is told apart before any checksum.
      #expect(error?.code == (bad == 0 ? .notAnArchive : .checksumMismatch), "segment \(bad)")
    }
  }

  @Test("damage to the tables is damage, whatever the tables then say", arguments: 0..<20) func damagedTables(seed: UInt64) throws {
    let bytes = Self.wide
    let tables = try parsing(bytes) { $0.rootReaders[0].offset }
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5 {
      var damaged = bytes
      let place = Int.random(in: 10..<tables, using: &generator)
      damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      let error = formatError { try parsing(damaged, verification: .onDemand) { _ in } }
      #expect(error?.code == .checksumMismatch, "seed \(seed), byte \(place)")
    }
  }

  @Test("a contradiction in tables that are not damaged is one") func contradictions() {
    let types = TypeTable(entries: [SampleFrames.point])
    func code(_ roots: [(String, TypeID, [UInt8])], _ blocks: [(TypeID, Int, [UInt8])]) -> FormatError.Code? {
      formatError { try parsing(assemble(types, roots: roots, blocks: blocks, segmentedAbove: 0), verification: .onDemand) { _ in } }?.code
    }
    #expect(code([("a", .int, [0]), ("b", .int, [2])], []) == nil)
    #expect(code([("a", .int, [0]), ("a", .int, [2])], []) == .malformed)
    #expect(code([("a", TypeID(entry: 2), [0])], []) == .malformed)
    #expect(code([], [(.int, 1, [0])]) == .malformed)
    #expect(code([], [(TypeID(entry: 0), 1, [])]) == .malformed)
  }

  @Test("an archive without segments is verified whole") func unsegmented() throws {
    try parsing(SampleFrames.full, verification: .onDemand) { #expect($0.verifier == nil) }
    var damaged = SampleFrames.full
    damaged[damaged.count - 9] ^= 1
    #expect(formatError { try parsing(damaged, verification: .onDemand) { _ in } }?.code == .checksumMismatch)
  }
}
