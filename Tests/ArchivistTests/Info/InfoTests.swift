import Foundation
import Testing
import archivist

@Suite("info")
struct InfoTests {
  /// What `info --json` says.
  private struct Info: Decodable {
    struct Format: Decodable {
      var version: Int
      var flags: [String]
    }
    struct Root: Decodable {
      var key: String
      var type: String
    }
    struct TypeEntry: Decodable {
      var number: Int
      var kind: String
      var name: String
      var version: UInt64?
      var superclass: String?
      var properties: [[String]]?
      var cases: [[String]]?
      var objectCount: Int?
      var byteCount: Int?
    }
    struct Storage: Decodable {
      var part: String
      var encoding: String
      var chunkCount: Int
      var byteCount: Int
    }
    struct Column: Decodable {
      var root: String?
      var `class`: String?
      var property: String?
      var type: String
      var byteCount: Int
      var rowCount: Int
      var storage: [Storage]
    }

    var format: Format
    var byteCount: Int
    var objectCount: Int
    var blockCount: Int
    var roots: [Root]
    var types: [TypeEntry]
    var parts: [String: Int]
    var columns: [Column]
  }

  private func info(_ data: Data) throws -> Info {
    let outcome = try ToolProcess.run(["info", "--json", "-"], input: data)
    try #require(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return try JSONDecoder().decode(Info.self, from: Data(outcome.output.utf8))
  }

  @Test("The bytes of parts, types and properties add up", arguments: Archives.golden) func sums(_ name: String) throws {
    let data = try Archives.data(golden: name)
    let info = try info(data)
    #expect(info.byteCount == data.count && info.format.version == 1)
    #expect(info.parts.values.reduce(0, +) == data.count)
    #expect(info.types.compactMap(\.byteCount).reduce(0, +) == info.parts["blocks"] ?? 0)
    #expect(info.types.compactMap(\.objectCount).reduce(0, +) == info.objectCount)
    let ofRoots = info.columns.filter { $0.root != nil }.map(\.byteCount).reduce(0, +)
    #expect(ofRoots == info.parts["roots"] ?? 0)
    let ofObjects = info.columns.filter { $0.root == nil }.map(\.byteCount).reduce(0, +)
    #expect(ofObjects <= info.parts["blocks"] ?? 0)
    for column in info.columns { #expect(column.storage.map(\.byteCount).reduce(0, +) <= column.byteCount) }
    #expect(info.columns.map(\.byteCount) == info.columns.map(\.byteCount).sorted(by: >))
  }

  @Test("Each property is shown with the encoding that it has") func encodings() throws {
    let info = try info(Archives.data(golden: "columns"))
    func storage(_ property: String) -> [String] {
      info.columns.first { $0.property == property }?.storage.map { "\($0.part): \($0.encoding) \($0.chunkCount)" } ?? []
    }
    for (property, encoding) in [
      ("constant", "constant"), ("offset8", "8-bit offsets"), ("offset16", "16-bit offsets"), ("offset32", "32-bit offsets"),
      ("raw", "raw"), ("packed", "packed"), ("delta", "deltas"), ("runs", "runs"), ("never", "all false"), ("always", "all true"),
      ("bits", "bits"), ("sameDouble", "constant"), ("rawDouble", "raw"), ("sameFloat", "constant"), ("rawFloat", "raw"),
      ("sameID", "constant"), ("id", "raw"), ("amount", "raw"), ("text", "plain"), ("repeated", "pooled"), ("data", "plain"),
    ] { #expect(storage(property) == [": \(encoding) 1"], "\(property)") }
    #expect(storage("price").contains("numbers: packed 1"))
    #expect(storage("optional") == [": deltas 1", "present: bits 1"])
    #expect(storage("wide") == ["high 64 bits: raw 1", "low 64 bits: raw 1"])
    let packed = try #require(info.columns.first { $0.property == "packed" })
    #expect(packed.rowCount == 60 && packed.type == "Int" && packed.byteCount == 27 && packed.class == "golden.Row")
  }

  @Test("Types are told as inspect tells them", arguments: Archives.golden) func types(_ name: String) throws {
    func types(_ command: String) throws -> [[String: Any]] {
      let text = try ToolProcess.run([command, "--json", Archives.path(golden: name)]).output
      let whole = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      return whole?["types"] as? [[String: Any]] ?? []
    }
    let (own, other) = try (types("info"), types("inspect"))
    #expect(own.count == other.count && (!own.isEmpty || other.isEmpty))
    for (one, inspected) in zip(own, other) {
      // What only info says.
      let shared = one.filter { $0.key != "objectCount" && $0.key != "byteCount" }
      #expect(NSDictionary(dictionary: shared) == NSDictionary(dictionary: inspected))
    }
  }

  @Test("Chunks of many blocks are counted together") func blocks() throws {
    let info = try info(Archives.segmented(count: 5_000))
    #expect(info.objectCount == 5_000 && info.blockCount == 5 && info.format.flags.contains("xxh3"))
    let name = try #require(info.columns.first { $0.property == "name" })
    #expect(name.rowCount == 5_000 && name.storage.map(\.chunkCount) == [5] && name.storage[0].encoding == "plain")
    let root = try #require(info.columns.first { $0.root == "samples" })
    #expect(root.rowCount == 1 && root.storage.map(\.chunkCount).reduce(0, +) == 6)
  }

  @Test("People see versions, superclasses, keys and where the bytes are") func text() throws {
    let outcome = try ToolProcess.run(["info", Archives.path(golden: "collections")])
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    for line in [
      "format   version 1, for readers of version 1; flags: simple", "size     2,234 bytes", "objects  1 in 1 block",
      "  class golden.Collections - 1 object, 2,036 bytes", "    nested: [[String?]?]", "  struct golden.Size (version 2)",
      "  2,036 91.1 %  objects",
      "  1,883 84.2 %    1   1,883.0  golden.Collections.long: [Int16]                 [] packed ×2; counts plain",
    ] { #expect(outcome.output.contains("\(line)\n"), "\(line)") }
    let all = try ToolProcess.run(["info", "--all", Archives.path(golden: "graph")])
    #expect(all.code == 0 && !all.output.contains("more: --all"))
    #expect(try ToolProcess.run(["info", Archives.path(golden: "evolved")]).output.contains(" (version "))
  }
}
