import ArchiveFormat
import Testing

@Suite("Segmented archives")
struct SegmentedArchiveTests {
  private static let segment = 65_536

  private static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let hash = unsafe Array(bytes).withUnsafeBytes { unsafe XXH3.hash($0) }
    return (0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * UInt64($0))) }
  }

  /// The seal as it is written down, computed in another way than the library does.
  private static func seal(_ covered: [UInt8]) -> [UInt8] {
    let hashes = stride(from: 0, to: covered.count, by: segment).flatMap { hash(covered[$0..<min($0 + segment, covered.count)]) }
    return hashes + hash(hashes)
  }

  /// Seals what stands in front of a seal of the length that belongs to it again.
  private static func resealed(_ archive: [UInt8]) -> [UInt8] {
    var count = 1
    while (archive.count - 8 * (count + 1) + segment - 1) / segment > count { count += 1 }
    let covered = Array(archive.dropLast(8 * (count + 1)))
    return covered + seal(covered)
  }

  private static func code(_ bytes: [UInt8], _ verification: ArchiveLayout.Verification = .whole) -> FormatError.Code? {
    formatError { try parsing(bytes, verification: verification) { _ in } }?.code
  }

  /// Random bytes, which no column needs to be made of: what a layout hands out is not looked at.
  private static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  /// An archive with exactly `count` bytes in front of its seal.
  private static func archive(covering count: Int, segmentedAbove: Int = ArchiveSeal.segmentedAbove) -> [UInt8] {
    var length = count
    while true {
      let bytes = assemble(TypeTable(), roots: [("n", .data, noise(length))], blocks: [], segmentedAbove: .max)
      if bytes.count - 8 == count { break }
      length -= bytes.count - 8 - count
    }
    return assemble(TypeTable(), roots: [("n", .data, noise(length))], blocks: [], segmentedAbove: segmentedAbove)
  }

  @Test("a small one has one hash, and the hash of that")
  func small() throws {
    let plain = SampleFrames.full
    var covered = [UInt8](plain.dropLast(8))
    #expect(plain == covered + Self.hash(covered))
    covered[4] |= 4
    #expect(SampleFrames.segmented == covered + Self.hash(covered) + Self.hash(Self.hash(covered)))
    for verification in [ArchiveLayout.Verification.whole, .onDemand, .none] {
      try parsing(SampleFrames.segmented, verification: verification) { layout in
        #expect(layout.types == SampleFrames.types)
        #expect(layout.roots.map(\.key) == ["list", "n"])
        let block = try rest(layout.blockReaders[1])
        #expect(block == [2, 4, 1, 0x7A])
        #expect((layout.verifier == nil) == (verification != .onDemand))
      }
    }
    #expect(Self.code(assemble(TypeTable(), roots: [], blocks: [], segmentedAbove: 0)) == nil)
    let simple = assemble(
      TypeTable(entries: [SampleFrames.point]), roots: [("root", .reference, [0])], blocks: [(TypeID(entry: 0), 1, [2, 4])],
      segmentedAbove: 0)
    #expect(simple[4] == 13)
    try parsing(simple, verification: .onDemand) { layout in
      let verifier = try #require(layout.verifier)
      for reader in layout.rootReaders + layout.blockReaders { try verifier.verify(reader) }
    }
  }

  @Test("archives that are older than XXH3 have xxHash64, whole or in segments", arguments: [100, 3 * 65_536 + 9])
  func olderHash(count: Int) throws {
    func olderHash(_ bytes: some Collection<UInt8>) -> [UInt8] {
      let hash = unsafe Array(bytes).withUnsafeBytes { unsafe XXHash64.hash($0) }
      return (0..<8).map { UInt8(truncatingIfNeeded: hash >> (8 * UInt64($0))) }
    }
    var covered = Array(Self.archive(covering: count, segmentedAbove: .max).dropLast(8))
    covered[4] = 0
    var older = covered + olderHash(covered)
    covered[4] = 4
    let hashes = stride(from: 0, to: count, by: Self.segment).flatMap { olderHash(covered[$0..<min($0 + Self.segment, count)]) }
    var olderSegmented = covered + hashes + olderHash(hashes)
    for verification in [ArchiveLayout.Verification.whole, .onDemand] {
      #expect(Self.code(older, verification) == nil && Self.code(olderSegmented, verification) == nil)
    }
    for flags in [0, 4] as [UInt8] {
      // The right bytes under the other hash.
      var wrong = flags == 0 ? older : olderSegmented
      wrong[4] |= 8
      #expect(Self.code(wrong) == .checksumMismatch)
    }
    older[count - 1] ^= 1
    olderSegmented[count - 1] ^= 1
    #expect(Self.code(older) == .checksumMismatch && Self.code(olderSegmented) == .checksumMismatch)
  }

  @Test("each segment of 65,536 bytes has a hash, the last one may be shorter", arguments: [-1, 0, 1])
  func boundaries(extra: Int) throws {
    for segments in [1, 2, 3] {
      let bytes = Self.archive(covering: segments * Self.segment + extra, segmentedAbove: 0)
      let covered = Array(bytes[..<(segments * Self.segment + extra)])
      #expect(bytes == covered + Self.seal(covered))
      #expect(bytes.count == covered.count + 8 * (segments + (extra > 0 ? 2 : 1)))
      for verification in [ArchiveLayout.Verification.whole, .onDemand, .none] { #expect(Self.code(bytes, verification) == nil) }
    }
  }

  @Test("archives of more than 262,144 bytes are written segmented") func threshold() {
    let plain = Self.archive(covering: 262_144)
    #expect(plain[4] == 8)
    #expect(plain.count == 262_144 + 8)
    let segmented = Self.archive(covering: 262_145)
    #expect(segmented[4] == 12)
    #expect(segmented.count == 262_145 + 8 * 6)
    #expect(Self.code(plain) == nil)
    #expect(Self.code(segmented) == nil)
  }

  @Test("put together around blocks in place they have the same bytes", arguments: [0, ArchiveSeal.segmentedAbove])
  func inPlace(segmentedAbove: Int) throws {
    let blockBytes = Self.noise(200_000)
    let rootBytes: [UInt8] = [1, 2, 3]
    let roots = [RootKey(key: "n", type: .data, byteCount: 3)]
    let blocks = [BlockHeader(type: TypeID(entry: 0), count: 9, byteCount: blockBytes.count)]
    let table = TypeTable(entries: [SampleFrames.point])
    let whole = assemble(
      table, roots: [("n", .data, rootBytes)], blocks: [(TypeID(entry: 0), 9, blockBytes)], segmentedAbove: segmentedAbove)
    var w = ByteWriter()
    unsafe [UInt8](repeating: 0, count: 100).withUnsafeBytes { unsafe w.append(contentsOf: $0) }
    unsafe (blockBytes + rootBytes).withUnsafeBytes { unsafe w.append(contentsOf: $0) }
    var prefix = ByteWriter()
    let start = unsafe written { table.encode(into: &$0) }.withUnsafeBytes { typeBytes in
      unsafe ArchiveFrame.assembleInPlace(
        typeBytes: typeBytes, pools: UnsafeRawBufferPointer(start: nil, count: 0), roots: roots, blocks: blocks, blockStart: 100,
        blockEnd: 100 + blockBytes.count, segmentedAbove: segmentedAbove, prefix: &prefix, in: &w)
    }
    let first = try #require(start)
    #expect(unsafe [UInt8](w.bytes[first...]) == whole)
  }

  @Test("whatever is wrong with the frame is told apart")
  func codes() {
    for verification in [ArchiveLayout.Verification.whole, .onDemand] {
      func code(_ bytes: [UInt8]) -> FormatError.Code? { Self.code(bytes, verification) }
      let good = Self.archive(covering: 2 * Self.segment + 100, segmentedAbove: 0)
      #expect(code(good) == nil)
      #expect(code(good + [0]) == .trailingBytes)
      for missing in [1, 8, 9, 31, 32, 33, 1000, good.count] { #expect(code(good.dropLast(missing)) == .truncated) }
      func changing(_ place: Int, _ byte: UInt8) -> [UInt8] {
        var changed = good
        changed[place] = byte
        return changed
      }
      #expect(code(changing(0, 0x4E)) == .notAnArchive)
      #expect(code(changing(3, 0x22)) == .newerFormat)
      #expect(code(changing(3, 0)) == .checksumMismatch)
      #expect(code(changing(4, 12 | 32)) == .checksumMismatch)
      #expect(code(changing(4, 4)) == .checksumMismatch)
      #expect(code(changing(4, 8)) == .trailingBytes)
      // The lists of hashes: the first one, the last one, theirs.
      for place in [32, 16, 8, 1] { #expect(code(changing(good.count - place, good[good.count - place] ^ 1)) == .checksumMismatch) }
      // With the right hashes it is the structure.
      #expect(code(Self.resealed(good)) == nil)
      #expect(code(Self.resealed(changing(3, 0))) == .malformed)
      #expect(code(Self.resealed(changing(4, 12 | 32))) == .malformed)
      #expect(code(Self.resealed(changing(8, 7))) != nil)
    }
    var plain = SampleFrames.full
    plain[4] |= 4
    #expect(Self.code(plain) == .truncated)
    #expect(Self.code([0x4D, 0x41, 0x9E, 0x11, 4, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F] + Self.noise(64)) == .truncated)
  }

  @Test("every flipped bit of several segments is noticed", arguments: [ArchiveLayout.Verification.whole, .onDemand])
  func flips(verification: ArchiveLayout.Verification) {
    let bytes = Self.archive(covering: 2 * Self.segment + 100, segmentedAbove: 0)
    let edges = [0..<30, Self.segment - 3..<Self.segment + 3, 2 * Self.segment - 3..<2 * Self.segment + 3, bytes.count - 140..<bytes.count]
    for place in edges.joined() {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[place] ^= 1 << UInt8(bit)
        let error = formatError {
          try parsing(damaged, verification: verification) { layout in
            for reader in layout.rootReaders { try layout.verifier?.verify(reader) }
          }
        }
        #expect(error != nil, "byte \(place), bit \(bit)")
      }
    }
  }
}
