import Foundation
import MirrorArchive
import Testing

/// What an archive costs. The names are counted as their UTF-8 bytes, a value as its plain encoding: an integer as a zigzag
/// varint, a Double as 8 bytes, a Bool as one, a string as a length byte and its bytes, an optional as a presence byte and its value.
@Suite("Sizes")
struct SizeTests {
  final class Fruit: MirrorCoding {
    var name = ""
    var count = 0
    var price = 0.0
    var onSale = false
    var tag: String?
  }
  final class Numbers: MirrorCoding {
    var a = 1
    var b = 2
    var c = 3
    var d = 4
    var e = 5
  }
  final class Place: MirrorCoding {
    var city = "上海"
    var position = 31.23
    var visited = Date(timeIntervalSinceReferenceDate: 1)
    var identifier = UUID()
    var note: Int? = 300
  }

  private static let prefix = "MirrorArchiveTests.SizeTests."

  private func text(_ strings: String...) -> Int { strings.map(\.utf8.count).reduce(0, +) }

  @Test("A small object of five properties costs its values, its names and at most 24 bytes") func fiveProperties() throws {
    let fruit = Fruit()
    fruit.name = "火龙果"
    fruit.count = 2_000
    fruit.price = 56.23
    fruit.onSale = true
    fruit.tag = "red"
    let values = (1 + 9) + 2 + 8 + 1 + (1 + 1 + 3)
    let names = text(Self.prefix, "Fruit", "name", "count", "price", "onSale", "tag")
    #expect(try KeyedArchiver.archivedData(withRootObject: fruit).count <= values + names + 24)
    fruit.tag = nil
    #expect(try KeyedArchiver.archivedData(withRootObject: fruit).count <= values - 4 + names + 24)
  }

  @Test("So do five numbers, and five values of Foundation") func otherFive() throws {
    let numbers = text(Self.prefix, "Numbers", "abcde")
    #expect(try KeyedArchiver.archivedData(withRootObject: Numbers()).count <= 5 + numbers + 24)
    let place = text(Self.prefix, "Place", "city", "position", "visited", "identifier", "note")
    #expect(try KeyedArchiver.archivedData(withRootObject: Place()).count <= (1 + 6) + 8 + 8 + 16 + (1 + 2) + place + 24)
  }

  @Test("Names are written once, however many objects there are") func namesOnce() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: (0..<3_000).map { _ in Fruit() })
    #expect(data.ranges(of: Data("onSale".utf8)).count == 1)
    #expect(data.ranges(of: Data("SizeTests.Fruit".utf8)).count == 1)
  }

  @Test("10,000 fruits take at most 0.6 of what a row-by-row coder without names writes") func shop() throws {
    var generator = SeededGenerator(seed: 0x5EED_0005)
    let letters = Array("abcdefghijklmnopqrstuvwxyz ")
    let names = (0..<500).map { _ in
      String((0..<Int.random(in: 8...24, using: &generator)).map { _ in letters.randomElement(using: &generator) ?? "x" })
    }
    let tags = (0..<20).map { "tag \($0)" }
    var rowBytes = 0
    let fruits = (0..<10_000).map { _ in
      let fruit = Fruit()
      fruit.name = names.randomElement(using: &generator) ?? ""
      fruit.count = Int.random(in: 0..<10_000, using: &generator)
      fruit.price = Double(Int.random(in: 0..<10_000, using: &generator)) / 100
      fruit.onSale = Bool.random(using: &generator)
      fruit.tag = Bool.random(using: &generator) ? tags.randomElement(using: &generator) : nil
      rowBytes +=
        1 + fruit.name.utf8.count + (fruit.count < 64 ? 1 : fruit.count < 8_192 ? 2 : 3) + 8 + 1 + 1
        + (fruit.tag.map { 1 + $0.utf8.count } ?? 0)
      return fruit
    }
    let data = try KeyedArchiver.archivedData(withRootObject: fruits)
    #expect(Double(data.count) <= 0.6 * Double(rowBytes), "\(data.count) of \(rowBytes) bytes")
    let read = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Fruit.self, from: data)
    #expect(read.map(\.name) == fruits.map(\.name) && read.map(\.count) == fruits.map(\.count) && read.map(\.price) == fruits.map(\.price))
    #expect(read.map(\.onSale) == fruits.map(\.onSale) && read.map(\.tag) == fruits.map(\.tag))
  }

  @Test("Bulk numbers cost their raw bytes and one per cent") func bulk() throws {
    var generator = SeededGenerator(seed: 0x5EED_0006)
    let doubles = (0..<100_000).map { _ in Double.random(in: -1e9...1e9, using: &generator) }
    #expect(try KeyedArchiver.archivedData(withRootObject: doubles).count <= 808_000)
    let narrow = (0..<100_000).map { _ in Int32.random(in: .min ... .max, using: &generator) }
    #expect(try KeyedArchiver.archivedData(withRootObject: narrow).count <= 404_000)
    let bytes = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    #expect(try KeyedArchiver.archivedData(withRootObject: bytes).count <= 101_000)
    let flags = (0..<100_000).map { _ in Bool.random(using: &generator) }
    #expect(try KeyedArchiver.archivedData(withRootObject: flags).count <= 13_000)
  }

  @Test("A property that is the same in all objects costs nearly nothing") func constants() throws {
    let few = try KeyedArchiver.archivedData(withRootObject: (0..<1_024).map { _ in Numbers() }).count
    let many = try KeyedArchiver.archivedData(withRootObject: (0..<10_240).map { _ in Numbers() }).count
    #expect(many - few <= 9 * 64)
  }
}
