import ArchiveFormat
import Testing

/// One layout for archive after archive against a new one for each.
@Suite("Layouts that are used again")
struct LayoutReuseTests {
  private static let simple = SampleFrames.simple
  /// Of the same type, with other values.
  private static let other = assemble(
    TypeTable(entries: [SampleFrames.point]), roots: [("root", .reference, [0])], blocks: [(TypeID(entry: 0), 1, [0x80, 1, 6])])
  /// Of another type.
  private static let named = assemble(
    TypeTable(entries: [.object(name: "Named", version: 2, superclass: nil, properties: [Property(key: "name", type: .string)])]),
    roots: [("root", .reference, [0])], blocks: [(TypeID(entry: 0), 1, [1, 0x7A])])
  /// The same type with two objects, so that there are tables of blocks and roots.
  private static let pair = assemble(
    TypeTable(entries: [SampleFrames.point]), roots: [("root", .reference, [0]), ("other", .reference, [2])],
    blocks: [(TypeID(entry: 0), 2, [2, 4, 6, 8])])
  private static let all = [simple, other, named, pair, SampleFrames.full, SampleFrames.segmented]

  /// Everything that a layout says, with the bytes that its readers hold.
  private struct Account: Equatable {
    var versions: [UInt8]
    var types: TypeTable
    var tableBytes: [UInt8]
    var isSimple: Bool
    var hasRecords: Bool
    var roots: [RootKey]
    var blocks: [BlockHeader]
    var contents: [[UInt8]]
    var pools: [UInt8]?
    var verifies: Bool

    init(_ layout: ArchiveLayout) throws {
      versions = [layout.formatVersion, layout.minimumReaderVersion]
      types = layout.types
      tableBytes = unsafe [UInt8](layout.typeTableBytes)
      isSimple = layout.isSimple
      hasRecords = layout.hasRecords
      roots = layout.roots
      blocks = layout.blocks
      contents = try (layout.rootReaders + layout.blockReaders).map { try rest($0) }
      pools = try layout.pools.map { try rest($0) }
      verifies = layout.verifier != nil
    }
  }

  private func account(_ bytes: [UInt8], _ layout: ArchiveLayout, _ expected: KnownTypes? = nil) throws -> Account {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { unsafe copy.deallocate() }
    unsafe copy.copyBytes(from: bytes)
    unsafe try layout.parse(UnsafeRawBufferPointer(copy), verification: .whole, expecting: expected)
    return try Account(layout)
  }

  @Test("Every archive says the same as to a new layout", arguments: 0..<4) func anyOrder(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let layout = ArchiveLayout()
    let fresh = try Self.all.map { try account($0, ArchiveLayout()) }
    let known = try Self.all.map { bytes in
      try parsing(bytes) { layout in unsafe KnownTypes(layout.types, layout.typeTableBytes) }
    }
    for round in 0..<400 {
      let index = Int.random(in: Self.all.indices, using: &generator)
      // Its own types, those of another archive, or none.
      let expected = [known[index], known.randomElement(using: &generator), nil].randomElement(using: &generator) ?? nil
      #expect(try account(Self.all[index], layout, expected) == fresh[index], "seed \(seed), round \(round)")
      #expect(layout.hasExpectedTypes == (expected.map { $0.hasBytes(of: known[index]) } ?? false))
    }
  }

  @Test("What is damaged or cut off behind a head that is known is refused as ever, and the next archive is read") func damage() throws {
    let layout = ArchiveLayout()
    let known = try parsing(Self.simple) { layout in unsafe KnownTypes(layout.types, layout.typeTableBytes) }
    let fresh = try account(Self.simple, ArchiveLayout())
    for bytes in [Self.simple, Self.pair] {
      for place in bytes.indices {
        for bit in 0..<8 {
          var bad = bytes
          bad[place] ^= 1 << UInt8(bit)
          let expected = formatError { _ = try account(bad, ArchiveLayout()) }
          let error = formatError { _ = try account(bad, layout, known) }
          #expect(error?.code == expected?.code && error?.offset == expected?.offset && error != nil, "bit \(bit) of byte \(place)")
          #expect(try account(Self.simple, layout, known) == fresh)
        }
        let cut = Array(bytes[..<place])
        #expect(formatError { _ = try account(cut, layout, known) }?.code == formatError { _ = try account(cut, ArchiveLayout()) }?.code)
        #expect(try account(Self.simple, layout, known) == fresh)
      }
    }
  }

  @Test("Types with objects of no class, or fewer bytes than columns, are refused behind a head that is known") func simpleBlocks() throws {
    let layout = ArchiveLayout()
    let known = try parsing(Self.simple) { layout in unsafe KnownTypes(layout.types, layout.typeTableBytes) }
    let short = assemble(
      TypeTable(entries: [SampleFrames.point]), roots: [("root", .reference, [0])], blocks: [(TypeID(entry: 0), 1, [2])])
    for _ in 0..<2 {
      _ = try account(Self.simple, layout, known)
      #expect(formatError { _ = try account(short, layout, known) }?.code == .truncated)
    }
  }
}
