import Foundation
import MirrorArchive
import Testing

@Suite("inspect --json")
struct InspectJSONTests {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test("Of each golden archive it is the committed JSON", arguments: Archives.golden) func golden(_ name: String) throws {
    let outcome = try ToolProcess.run(["inspect", "--json", Archives.path(golden: name)])
    try #require(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let committed = try Data(contentsOf: Self.tests.appendingPathComponent("IndependentReader/Golden/\(name).json"))
    let difference = OrderedJSON.difference(try OrderedJSON(Data(outcome.output.utf8)), try OrderedJSON(committed))
    #expect(difference == nil)
  }

  @Test("Of each test vector it is the vector's JSON, and an archive that is to be refused is refused") func vectors() throws {
    let file = Self.tests.appendingPathComponent("ArchivistTests/Fixtures/Vectors/vectors.json")
    let vectors = try OrderedJSON(Data(contentsOf: file)).elements
    #expect(vectors.count > 300)
    for vector in vectors {
      let name = vector["name"]?.string ?? ""
      let bytes = try #require(vector["hex"]?.string.flatMap(Self.bytes))
      // Each as a process of its own would take minutes.
      let outcome = Result { try Inspected.json(bytes) }
      if let json = vector["json"] {
        let found = try OrderedJSON(Data(try outcome.get().utf8))
        #expect(OrderedJSON.difference(found, json) == nil, "\(name)")
      } else {
        #expect(throws: (any Error).self, "\(name)") { try outcome.get() }
      }
    }
  }

  private static func bytes(_ hex: String) -> Data? {
    let digits = Array(hex.utf8)
    var data = Data()
    for place in stride(from: 0, to: digits.count - 1, by: 2) {
      guard let byte = UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16) else { return nil }
      data.append(byte)
    }
    return data
  }

  @Test("What is beyond depth and limit is counted") func bounds() throws {
    let path = Archives.path(golden: "collections")
    let whole = try Inspected.json(Archives.data(golden: "collections"))
    #expect(!whole.contains("$omitted"))
    let flat = try ToolProcess.run(["inspect", "--json", "--depth", "0", path])
    #expect(flat.output.contains("[\"numbers\", {\"$omitted\": 3}]") && flat.output.contains("[\"empty\", []]"), "\(flat.output)")
    let short = try ToolProcess.run(["inspect", "--json", "--limit", "2", path])
    #expect(short.output.contains("[\"numbers\", [3, 1, {\"$omitted\": 1}]]"), "\(short.output)")
    #expect(short.output.contains("[\"set\", {\"$set\": [7, 8, {\"$omitted\": 1}]}]"), "\(short.output)")
    #expect(short.output.contains("[\"long\", [0, 7, {\"$omitted\": 1498}]]"), "\(short.output)")
    let none = try ToolProcess.run(["inspect", "--json", "--limit", "0", path])
    #expect(
      none.output.contains("[\"numbers\", [{\"$omitted\": 3}]]") || none.output.contains("\"objects\": [\n    {\"$omitted\": 1}\n  ]"))
    for outcome in [flat, short, none] { _ = try OrderedJSON(Data(outcome.output.utf8)) }
  }

  @Test("A path gives one value, or the object that it leads to") func path() throws {
    func json(_ path: String, _ name: String) throws -> String {
      let outcome = try ToolProcess.run(["inspect", "--json", "--path", path, Archives.path(golden: name)])
      return outcome.output + outcome.errors
    }
    #expect(try json("root.numbers", "collections") == "[3, 1, 2]\n")
    #expect(try json("root.table[\"two\"][1]", "collections") == "2\n")
    #expect(try json("root.tuple.lat", "collections") == "31.5\n")
    #expect(try json("root.object.number", "anything") == "9\n")
    let object = try json("root.objects[1]", "anything")
    #expect(object.hasPrefix("{\"number\": 1025, \"class\": \"golden.Constant\"") && object.hasSuffix("}\n"))
    #expect(try json("#1025", "anything") == object)
  }
}
