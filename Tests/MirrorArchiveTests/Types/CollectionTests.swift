import Foundation
import MirrorArchive
import Testing

@Suite("Arrays, sets and dictionaries")
struct CollectionTests {
  final class Lists: MirrorCoding {
    var empty: [Int] = [9]
    var bytes: [UInt8] = []
    var words: [String] = []
    var nested: [[[String]]] = []
    var sets: [Set<String>] = []
    var tables: [String: [String: [Int]]] = [:]
    var listOfTables: [[Int: [Bool]]] = []
    var setOfLists: Set<[Int]> = []
    var nothing: [String: Int] = ["default": 1]
    var slice: ArraySlice<Int> = []
    var contiguous: ContiguousArray<String> = []
  }

  @Test("Nested collections come back, empty ones included") func nested() throws {
    let written = Lists()
    written.empty = []
    written.bytes = Array(0...255)
    written.words = ["", "a", "", "a"]
    written.nested = [[], [[]], [["x"], [], ["y", "z"]]]
    written.sets = [[], ["a", "b"], ["b"]]
    written.tables = ["a": [:], "b": ["c": [], "d": [1, 2]], "": ["": [0]]]
    written.listOfTables = [[:], [1: [], 2: [true, false]], [:]]
    written.setOfLists = [[], [1], [1, 2]]
    written.nothing = [:]
    let read = try roundTrip(written)
    #expect(read.empty.isEmpty && read.bytes == written.bytes && read.words == written.words && read.nested == written.nested)
    #expect(read.sets == written.sets && read.tables == written.tables && read.listOfTables == written.listOfTables)
    #expect(read.setOfLists == written.setOfLists && read.nothing.isEmpty)
  }

  @Test("ArraySlice and ContiguousArray come back with their elements") func otherArrays() throws {
    let written = Lists()
    written.slice = [1, 2, 3, 4, 5][2..<4]
    written.contiguous = ["a", "b"]
    let read = try roundTrip(written)
    #expect(Array(read.slice) == [3, 4])
    #expect(Array(read.contiguous) == ["a", "b"])
  }

  @Test("Arrays of trivial elements come back across chunk borders", arguments: [0, 1, 7, 8, 1_024, 1_025, 65_536, 65_537, 200_000])
  func trivialArrays(count: Int) throws {
    let doubles = (0..<count).map { Double($0) / 3 }
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167) }
    let narrow = (0..<count).map { Int32(truncatingIfNeeded: $0 &* 1_000_003) }
    let flags = (0..<count).map { $0 % 3 == 0 }
    #expect(try roundTrip(Slot(doubles)).value == doubles)
    #expect(try roundTrip(Slot(bytes)).value == bytes)
    #expect(try roundTrip(Slot(narrow)).value == narrow)
    #expect(try roundTrip(Slot(flags)).value == flags)
  }

  @Test("Arrays of structs and strings come back across chunk borders", arguments: [0, 1, 1_024, 1_025, 10_000])
  func otherElements(count: Int) throws {
    let pairs = (0..<count).map { Pair(first: "text \($0 % 17)", second: $0) }
    #expect(try roundTrip(Slot(pairs)).value == pairs)
    #expect(try roundTrip(pairs) == pairs)
    let lists = (0..<count).map { Array(repeating: $0, count: $0 % 3) }
    #expect(try roundTrip(Slot(lists)).value == lists)
  }

  @Test("Two lists whose rows have very different lengths stay apart") func unevenRows() throws {
    let written = [Array(0..<5_000), [], [1], Array(0..<3_000), []].map { Slot($0) }
    #expect(try roundTrip(written).map(\.value) == written.map(\.value))
  }

  @Test("Large sets and dictionaries come back", arguments: [0, 1, 1_024, 1_025, 5_000]) func large(count: Int) throws {
    let set = Set((0..<count).map { $0 * 3 })
    let table = Dictionary(uniqueKeysWithValues: (0..<count).map { ("key \($0)", [$0]) })
    #expect(try roundTrip(Slot(set)).value == set)
    #expect(try roundTrip(Slot(table)).value == table)
    #expect(try roundTrip(table) == table)
  }

  @Test("The same array in two properties is two equal values") func values() throws {
    let shared = [1, 2, 3]
    let read = try roundTrip(Slot([shared, shared]))
    read.value[0].append(4)
    #expect(read.value == [[1, 2, 3, 4], [1, 2, 3]])
  }
}
