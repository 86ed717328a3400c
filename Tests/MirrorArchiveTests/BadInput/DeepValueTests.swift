import ArchiveFormat
import Foundation
import MirrorArchive
import Testing

/// How deeply values are nested is for the bytes to say, so it must not decide how much stack is used.
@Suite("Deep values on a small stack")
struct DeepValueTests {
  /// An archive of one fruit with properties of types that the program does not have, in front of its own.
  private static func fruit(_ types: [TypeEntry], _ columns: [UInt8], _ more: [Property] = [], _ moreBytes: [UInt8] = []) -> Data {
    var table = ByteWriter()
    let fruit = TypeEntry.object(
      name: "MirrorArchiveTests.Models.Fruit", version: 0, superclass: nil,
      properties: [Property(key: "gone", type: TypeID(entry: 1))] + more)
    TypeTable(entries: [fruit] + types).encode(into: &table)
    return unsafe Forgery(flags: 9, body: Array(table.bytes) + columns + moreBytes).sealed()
  }

  /// What archives hold at each level, and the types they are of.
  enum Nesting: String, CaseIterable, Codable {
    case arrays, dictionaries, payloads, optionals, anything

    var types: [TypeEntry] {
      switch self {
      case .arrays: [.array(TypeID(entry: 1))]
      case .dictionaries: [.dictionary(key: .bool, value: TypeID(entry: 1))]
      case .payloads:
        [
          .enumeration(name: "Chain", version: 0, cases: [EnumCase(name: "end"), EnumCase(name: "link", payload: TypeID(entry: 2))]),
          .tuple([Property(key: "", type: .bool), Property(key: "", type: TypeID(entry: 1))]),
        ]
      case .optionals: [.optional(TypeID(entry: 1))]
      case .anything: [.array(.any)]
      }
    }

    func bytes(_ levels: Int) -> [UInt8] {
      let level: [UInt8] =
        switch self {
        case .arrays: [2]
        case .dictionaries: [2, 1]
        case .payloads: [2, 1]
        case .optionals: [1]
        case .anything: [2, 1, 65, 0]
        }
      return Array(repeatElement(level, count: levels).joined()) + [0]
    }
  }

  @Test("A property that is gone is skipped, however deep", arguments: Nesting.allCases, [1, 500, 700])
  func skipped(nesting: Nesting, levels: Int) async {
    await #expect(processExitsWith: .success) { [name = nesting.rawValue as String, levels = levels as Int] in
      reported {
        let nesting = try #require(Nesting(rawValue: name))
        let data = Self.fruit(nesting.types, nesting.bytes(levels))
        let count = try onSmallStack { try KeyedUnarchiver.unarchivedObject(ofClass: Models.Fruit.self, from: data).count }
        #expect(count == 8_855)
      }
    }
  }

  @Test("A hundred thousand levels are too many", arguments: Nesting.allCases) func tooDeep(nesting: Nesting) async {
    await #expect(processExitsWith: .success) { [name = nesting.rawValue as String] in
      reported {
        let nesting = try #require(Nesting(rawValue: name))
        let data = Self.fruit(nesting.types, nesting.bytes(100_000))
        try onSmallStack {
          _ = expectRefusal(.limitExceeded) { try KeyedUnarchiver.unarchivedObject(ofClass: Models.Fruit.self, from: data) }
        }
      }
    }
  }

  @Test("An error behind a deep property has a path or none, and is thrown", arguments: Nesting.allCases) func path(nesting: Nesting) async
  {
    await #expect(processExitsWith: .success) { [name = nesting.rawValue as String] in
      reported {
        let nesting = try #require(Nesting(rawValue: name))
        let data = Self.fruit(nesting.types, nesting.bytes(590), [Property(key: "name", type: .string)], [1, 0xFF])
        try onSmallStack {
          _ = expectRefusal(.invalidValue, at: "name") { try KeyedUnarchiver.unarchivedObject(ofClass: Models.Fruit.self, from: data) }
        }
      }
    }
  }

  @Test("Values nested 500 deep come back") func decoded() async {
    await #expect(processExitsWith: .success) {
      reported {
        // Without optimisation each level takes several times as much stack.
        try onSmallStack(bytes: isOptimized ? 512 << 10 : 8 << 20) {
          var list: [Any] = [7]
          var chain = Enums.Chain.end
          for number in 0..<499 {
            list = [list]
            chain = .link(number, chain)
          }
          var read = try roundTrip(AnyBox(list: list)).list
          var levels = 1
          while let inner = read.first as? [Any] {
            read = inner
            levels += 1
          }
          #expect(levels == 500 && read.first as? Int == 7)
          var links = try roundTrip(Slot(chain)).value
          var count = 0
          while case .link(_, let rest) = links {
            links = rest
            count += 1
          }
          #expect(count == 499)
        }
      }
    }
  }
}

private var isOptimized: Bool {
  var isDebug = false
  // The condition is evaluated in debug builds only.
  assert(
    {
      isDebug = true
      return true
    }())
  return !isDebug
}
