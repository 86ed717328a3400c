import ArchiveFormat
import Foundation
import MirrorArchive
import Testing

/// Bytes may say what they like about values: they are read, or refused, and neither the stack nor the memory overflows.
@Suite("Values of hostile archives")
struct ValueHostileTests {
  /// An archive whose root is of the type in entry 0.
  private static func archive(_ types: [TypeEntry], _ bytes: [UInt8]) -> Data {
    var table = ByteWriter()
    TypeTable(entries: types).encode(into: &table)
    let root = [0, 1, 4] + Array("root".utf8) + [64] + Forgery.varint(UInt64(bytes.count)) + bytes
    return unsafe Forgery(flags: 8, body: Array(table.bytes) + root).sealed()
  }

  enum Nesting: String, CaseIterable, Codable {
    case arrays, dictionaries, payloads, optionals, anything

    var types: [TypeEntry] {
      let own = TypeID(entry: 0)
      return switch self {
      case .arrays: [.array(own)]
      case .dictionaries: [.dictionary(key: .bool, value: own)]
      case .payloads:
        [
          .enumeration(name: "Chain", version: 0, cases: [EnumCase(name: "end"), EnumCase(name: "link", payload: TypeID(entry: 1))]),
          .tuple([Property(key: "", type: .bool), Property(key: "", type: own)]),
        ]
      case .optionals: [.optional(own)]
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
        case .anything: [2, 1, 64, 0]
        }
      return Array(repeatElement(level, count: levels).joined()) + [0]
    }
  }

  @Test("Five hundred levels on a small stack: read, compared, printed and let go", arguments: Nesting.allCases)
  func deep(nesting: Nesting) async {
    await #expect(processExitsWith: .success) { [name = nesting.rawValue as String] in
      reported {
        let nesting = try #require(Nesting(rawValue: name))
        let data = Self.archive(nesting.types, nesting.bytes(500))
        try onSmallStack {
          let first = try ArchiveDocument(of: data)
          let second = try ArchiveDocument(of: data)
          #expect(first == second)
          #expect("\(first.roots[0].value)".count < 1_000)
        }
      }
    }
  }

  @Test("A hundred thousand levels are too many", arguments: Nesting.allCases) func tooDeep(nesting: Nesting) async {
    await #expect(processExitsWith: .success) { [name = nesting.rawValue as String] in
      reported {
        let nesting = try #require(Nesting(rawValue: name))
        let data = Self.archive(nesting.types, nesting.bytes(100_000))
        try onSmallStack {
          for levels in [nesting.bytes(1_500), nesting.bytes(3_000)] {
            _ = try? ArchiveDocument(of: Self.archive(nesting.types, levels))
          }
          _ = expectRefusal(.limitExceeded) { try ArchiveDocument(of: data) }
        }
      }
    }
  }

  @Test("Counts that no bytes pay for are refused before anything is made") func counts() {
    let huge = Forgery.varint(UInt64(1) << 61)
    expectRefusal(.truncated) { try ArchiveDocument(of: Self.archive([.array(.int)], huge)) }
    expectRefusal(.truncated) { try ArchiveDocument(of: Self.archive([.dictionary(key: .int, value: .int)], huge)) }
    expectRefusal(.truncated) { try ArchiveDocument(of: Self.archive([.inlineArray(.int, count: 1 << 60)], [0])) }
    expectRefusal(.malformed) { try ArchiveDocument(of: Self.archive([.array(.int)], [1])) }
    let wide = TypeEntry.tuple((0..<5_000).map { Property(key: "\($0)", type: .int) })
    expectRefusal(.truncated) { try ArchiveDocument(of: Self.archive([wide], [0, 0])) }
  }

  @Test("Values that their types cannot hold are refused") func values() {
    func refuse(_ code: ArchiveError.Code, _ type: TypeID, _ bytes: [UInt8]) {
      expectRefusal(code) {
        try ArchiveDocument(of: Self.archive([.tuple([Property(key: "", type: type), Property(key: "", type: .bool)])], bytes + [0]))
      }
    }
    refuse(.invalidValue, .int8, Forgery.varint(600))
    refuse(.invalidValue, .unicodeScalar, Forgery.varint(0xD800 << 1))
    refuse(.invalidValue, .string, [1, 0xFF])
    refuse(.invalidValue, .character, [2, 0x61, 0x62])
    refuse(.malformed, .reference, [0])
    refuse(.malformed, .bool, [2])
    refuse(.invalidValue, .decimal, [0, 9, 0, 0] + [UInt8](repeating: 0, count: 16))
    refuse(.malformed, .pooledString, [0])
    refuse(.malformed, .any, [1, 0xE0, 0x07, 0])
    refuse(.malformed, .any, [0])
    refuse(.malformed, .record, [0, 0])
  }

  @Test("A type of a million columns by repetition costs no more than its bytes") func repetition() {
    // Each tuple holds the next one twice: 2 to the 40th columns, of which there are bytes for none.
    let tuples = (0..<40).map { level in
      TypeEntry.tuple([
        Property(key: "a", type: level == 39 ? .void : TypeID(entry: level + 1)),
        Property(key: "b", type: level == 39 ? .void : TypeID(entry: level + 1)),
      ])
    }
    expectRefusal(.truncated) { try ArchiveDocument(of: Self.archive(tuples, [UInt8](repeating: 0, count: 1_000))) }
  }

  @Test("Kept objects with deep values are archived again on a small stack, or refused", arguments: Nesting.allCases)
  func kept(nesting: Nesting) async {
    await #expect(processExitsWith: .success) { [name = nesting.rawValue as String] in
      reported {
        let nesting = try #require(Nesting(rawValue: name))
        for levels in [100, 500, 1_500] {
          let data = Self.kept(nesting, levels)
          try onSmallStack {
            var options = DecodingOptions()
            options.unknownClasses = .keep
            do {
              let holder = try KeyedUnarchiver.unarchivedObject(ofClass: UnknownHolder.self, from: data, options: options)
              #expect(holder.objects.first is UnknownObject)
              let again = try KeyedArchiver.archivedData(withRootObject: holder)
              #expect(again == data)
            } catch let error as ArchiveError {
              #expect(levels > 500 && [.nestingTooDeep, .limitExceeded].contains(error.code), "\(levels): \(error)")
            }
          }
        }
      }
    }
  }

  /// A holder of one object of an unknown class with one property.
  private static func kept(_ nesting: Nesting, _ levels: Int) -> Data {
    func moved(_ id: TypeID) -> TypeID { id.entryIndex.map { TypeID(entry: $0 + 4) } ?? id }
    let types: [TypeEntry] = nesting.types.map { entry in
      switch entry {
      case .array(let inner): .array(moved(inner))
      case .dictionary(let key, let value): .dictionary(key: moved(key), value: moved(value))
      case .optional(let inner): .optional(moved(inner))
      case .tuple(let members): .tuple(members.map { Property(key: $0.key, type: moved($0.type)) })
      case .enumeration(let name, let version, let cases):
        .enumeration(
          name: name, version: version, cases: cases.map { EnumCase(name: $0.name, payload: $0.payload.map(moved)) })
      default: entry
      }
    }
    let holder = TypeEntry.object(
      name: "MirrorArchiveTests.UnknownHolder", version: 0, superclass: nil,
      properties: [
        Property(key: "objects", type: TypeID(entry: 1)), Property(key: "any", type: TypeID(entry: 2)),
        Property(key: "title", type: .string),
      ])
    let gone = TypeEntry.object(name: "Gone", version: 3, superclass: nil, properties: [Property(key: "value", type: TypeID(entry: 4))])
    var table = ByteWriter()
    TypeTable(entries: [holder, .array(.reference), .array(.any), gone] + types).encode(into: &table)
    // One object of class Gone, number 1024; nothing in `any`; an empty title.
    let first: [UInt8] = [2] + Forgery.varint(1024 << 1) + [0, 0]
    var second = nesting.bytes(levels)
    if nesting == .anything { second = second.map { $0 == 64 ? 68 : $0 } }
    let blocks = [2] + [64, 1] + Forgery.varint(UInt64(first.count)) + [67, 1] + Forgery.varint(UInt64(second.count))
    let root: [UInt8] = [1, 4] + Array("root".utf8) + [4, 1, 0]
    return unsafe Forgery(flags: 8, body: Array(table.bytes) + blocks + root + first + second).sealed()
  }
}
