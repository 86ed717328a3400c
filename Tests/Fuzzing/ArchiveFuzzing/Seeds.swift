import ArchiveFormat
package import Foundation
import MirrorArchive

/// Inputs to begin with: something of everything that the targets read.
package enum Seeds {
  package struct Seed: Sendable {
    package let name: String
    package let bytes: Data
  }

  /// - Parameter golden: gives the bytes of the golden archive of a name.
  package static func make(for target: FuzzTarget, golden: (String) throws -> Data) throws -> [Seed] {
    switch target {
    case .columns: try columns(golden)
    case .unarchiver, .structure: try archives(golden)
    case .graphs: graphs()
    }
  }

  // MARK: Archives

  private static func archives(_ golden: (String) throws -> Data) throws -> [Seed] {
    let models = ["scalars", "columns", "collections", "enums", "graph", "anything", "library", "records", "small", "evolved", "roots"]
    var seeds: [Seed] = []
    func add(_ name: String, _ model: Int, _ bits: UInt8, _ archive: Data) {
      seeds.append(Seed(name: name, bytes: Data([UInt8(model), bits]) + archive))
    }
    for (model, name) in models.enumerated() { add(name, model, 0, try golden(name)) }
    add("scalars-keyed", 0, 16, try golden("scalars"))
    add("anything-insecure", 5, 1, try golden("anything"))
    add("records-insecure", 7, 1, try golden("records"))
    add("evolved-lenient", 9, 8, try golden("evolved"))
    add("graph-small", 4, 0, try sorted(smallGraph()))
    add("graph-on-demand", 4, 48, segmented(try sorted(smallGraph())))
    let zoo = Zoo.Yesterday.make()
    let zooArchive = try sorted(zoo)
    Untying.untie(zoo)
    for (name, bits) in [("reject", 0), ("skip", 2), ("keep", 4), ("keep-keyed", 20), ("lenient", 12)] as [(String, UInt8)] {
      add("zoo-\(name)", 11, bits, zooArchive)
    }
    for name in ["anything", "enums", "library"] { add("contents-\(name)", 12, 0, try golden(name)) }
    add("contents-zoo", 12, 0, zooArchive)
    add("any", 13, 0, try sorted([1, 2, 3]))
    add("any-structure", 13, 1, try sorted(Golden.Size(width: 3, height: 0.5)))
    let mixed = Mixed.make()
    let mixedArchive = try sorted(mixed)
    Untying.untie(mixed)
    for bits: UInt8 in [0, 16, 9] { add("mixed-\(bits)", 14, bits, mixedArchive) }
    add("mixed-segmented", 14, 48, segmented(mixedArchive))
    add("one-of-dictionary", 15, 0, try sorted(["a": 1, "b": 2]))
    add("one-of-tree", 15, 0, try sorted(Golden.Tree.node(.leaf(1), .leaf(2))))
    add("one-of-object", 15, 0, try sorted(Golden.Constant(9)))
    let hashed = Hashed.make()
    let hashedArchive = try sorted(hashed)
    Untying.untie(hashed)
    for bits: UInt8 in [0, 17] { add("hashed-\(bits)", 17, bits, hashedArchive) }
    let proxied = Proxied.make()
    add("proxied", 16, 0, try sorted(proxied))
    Untying.untie(proxied)
    return seeds
  }

  private static func smallGraph() -> Golden.Graph {
    let graph = Golden.Graph()
    graph.nodes = (0..<9).map { number in
      let node = Golden.Node()
      (node.baseID, node.nodeID, node.label) = (number, "node \(number)", number % 2 == 0 ? "even" : "odd")
      return node
    }
    for (number, node) in graph.nodes.enumerated() {
      node.first = graph.nodes[0]
      node.next = number + 1 < 9 ? graph.nodes[number + 1] : nil
      node.previous = number > 0 ? graph.nodes[number - 1] : nil
    }
    graph.tickets = [Golden.Ticket(code: "code", holder: graph.nodes[4], seat: (1, "a"))]
    graph.constants = [Golden.Constant(7), Golden.Constant(0)]
    graph.byName = ["first": graph.nodes[0]]
    return graph
  }

  private static func sorted<Root>(_ root: Root) throws -> Data {
    let archiver = KeyedArchiver(requiringSecureCoding: false)
    archiver.outputFormatting = .sortedKeys
    try archiver.encode(root, forKey: "root")
    return try archiver.encodedData
  }

  private static func segmented(_ archive: Data) -> Data {
    guard var parts = unsafe archive.withUnsafeBytes({ bytes in unsafe ArchiveParts(bytes) }) else { return archive }
    parts.isSegmented = true
    return Data(parts.assembled())
  }

  // MARK: Columns

  private static func columns(_ golden: (String) throws -> Data) throws -> [Seed] {
    var seeds: [Seed] = []
    func add(_ name: String, _ kind: Int, _ rows: Int, _ column: [UInt8]) {
      seeds.append(Seed(name: name, bytes: Data([UInt8(kind), UInt8(rows & 255), UInt8(rows >> 8)] + column)))
    }
    let shapes: [(String, (Int) -> Int64)] = [
      ("constant", { _ in 7 }), ("byte", { Int64($0 * 37 % 251) }), ("short", { Int64($0 * 7_919 % 65_521) }),
      ("word", { Int64($0 * 1_000_003) % 4_294_967_291 }), ("raw", { Int64(truncatingIfNeeded: UInt64($0 + 1) &* 0x9E37_79B9_7F4A_7C15) }),
      ("packed", { Int64($0 % 7) }), ("deltas", { Int64($0 * 1_000 + $0 % 3) }), ("runs", { Int64($0 / 20 * 1_000_000) }),
    ]
    for (name, shape) in shapes {
      for rows in [5, 40] {
        let values = (0..<rows).map(shape)
        let encoded = Integers.encode(values)
        add("integers-\(name)-\(rows)", 1, rows, encoded)
        if rows == 40 { add("narrow-\(name)", 2, rows, encoded) }
        let doubles = values.map { Double($0 % 100_000) / 100 }
        let column = written { w in unsafe doubles.withUnsafeBufferPointer { unsafe DoubleColumn.encode($0, into: &w) } }
        add("doubles-\(name)-\(rows)", 3, rows, column)
      }
    }
    for rows in [7, 30] {
      add("truth-\(rows)", 0, rows, TruthValues.encode((0..<rows).map { UInt8($0 % 3 == 0 ? 1 : 0) }))
      let floats = (0..<rows).map { Float($0).squareRoot() }
      add("floats-\(rows)", 4, rows, written { w in unsafe floats.withUnsafeBufferPointer { unsafe FloatColumn.encode($0, into: &w) } })
      let texts = (0..<rows).map { Array("\(["é", "🍎", "a"][$0 % 3])\($0)".utf8) }
      let strings = ByteStrings.encode(texts.map { Int64($0.count) }, texts.flatMap(\.self))
      add("strings-\(rows)", 6, rows, strings)
      add("column-strings-\(rows)", 13 + 3, rows, strings)
      add("column-integers-\(rows)", 13 + 1, rows, Integers.encode((0..<rows).map { Int64($0) }))
      let fixed = (0..<(rows * 16)).map { UInt8(truncatingIfNeeded: $0) }
      add(
        "fixed-\(rows)", 5, rows,
        [16] + written { w in unsafe fixed.withUnsafeBytes { unsafe FixedColumn.encode($0, width: 16, into: &w) } })
    }
    add("numbered", 7, 10, [1, 0x61, 1, 0x2E, 0, 6, 0x0E, 2, 0])
    add("records", 8, 2, [0xA0, 1, 0xA0, 1, 1, 1, 0, 0])
    add("text", 12, 0, Array("ASCII, é, 苹果 and 🍎 together".utf8))
    add("column-optionals", 13 + 33, 3, [1, 0, 1, 2, 4])
    add("column-any", 13 + 23, 3, [2, 1, 3, 0, 2, 0, 8, 10, 1, 0x61])
    for (index, entry) in [(0, [4, 2, 6, 2, 4]), (2, [2, 2, 4, 4, 2, 6]), (4, [2, 2, 1, 1, 0x61, 0x62, 1, 1, 0, 0, 2, 4])]
      as [(Int, [UInt8])]
    {
      add("column-entry-\(index)", 13 + 64 + index, 2, entry)
    }
    add("column-tree", 13 + 64 + 12, 2, [2, 0, 0, 0, 2, 4, 6])
    for name in ["scalars", "enums", "anything", "records", "evolved", "roots", "small"] {
      let archive = try golden(name)
      add("archive-\(name)", 11, 0, Array(archive))
      let layout = try reading(Array(archive)) { reader in
        let layout = unsafe try ArchiveLayout(parsing: reader.rest)
        return (types: layout.types, pools: layout.pools.map { unsafe [UInt8]($0.rest) })
      }
      add("types-\(name)", 10, 0, written { layout.types.encode(into: &$0) })
      if let pools = layout.pools, pools.count < 1_000 { add("pools-\(name)", 9, 0, pools) }
    }
    return seeds
  }

  // MARK: Graphs

  private static func graphs() -> [Seed] {
    (0..<24).map { number in
      var generator = SeededGenerator(seed: UInt64(number))
      let bytes = (0..<(8 + number * 12)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
      return Seed(name: "random-\(number)", bytes: Data([UInt8(number % 8), UInt8(number % 10)] + bytes))
    }
  }
}
