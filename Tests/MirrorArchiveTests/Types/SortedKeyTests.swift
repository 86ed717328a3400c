import Foundation
import MirrorArchive
import Testing

/// The order of iteration of a dictionary depends on how it came about; with sorted keys its archive does not.
@Suite("Dictionaries and sets in the order of their keys")
struct SortedKeyTests {
  struct Place: Hashable {
    var row: Int
    var name: String?
    var tags: [String] = []
  }

  enum Kind: Hashable {
    case plain
    case numbered(Int)
    case named(String, Place)
  }

  final class Item: MirrorCoding {
    var name = ""
    var parts: [String: Item] = [:]
    weak var owner: Item?
  }

  final class Store: MirrorCoding {
    var byName: [String: Item] = [:]
    var byPlace: [Place: [Item]] = [:]
    var byKind: [Kind: [Int: Item]] = [:]
    var open: [AnyHashable: Any] = [:]
    var words: Set<String> = []
    var groups: Set<Set<Int>> = []
    var texts: [[String]: Int] = [:]
    var tables: [[Int: String]: [String: Set<Double>]] = [:]
    var list: [[String: Item]] = []
    var first: Item?
  }

  /// The same dictionary, made in another order and with another capacity.
  private func remade<Key: Hashable, Value>(_ dictionary: [Key: Value], _ generator: inout SeededGenerator) -> [Key: Value] {
    var copy: [Key: Value] = [:]
    copy.reserveCapacity(Int.random(in: 0...(dictionary.count * 6 + 8), using: &generator))
    for (key, value) in dictionary.shuffled(using: &generator) { copy[key] = value }
    return copy
  }

  private func remade<Element: Hashable>(_ set: Set<Element>, _ generator: inout SeededGenerator) -> Set<Element> {
    var copy = Set<Element>(minimumCapacity: Int.random(in: 0...(set.count * 6 + 8), using: &generator))
    for element in set.shuffled(using: &generator) { copy.insert(element) }
    return copy
  }

  private func check<Key: Hashable, Value: Equatable>(_ dictionary: [Key: Value], seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let data = try sortedArchive(dictionary)
    for _ in 0..<4 { #expect(try sortedArchive(remade(dictionary, &generator)) == data, "\(Key.self), seed \(seed)") }
    #expect(try KeyedUnarchiver.unarchivedObject(of: [Key: Value].self, from: data) == dictionary, "\(Key.self), seed \(seed)")
    let set = Set(dictionary.keys)
    let setData = try sortedArchive(set)
    for _ in 0..<4 { #expect(try sortedArchive(remade(set, &generator)) == setData, "\(Key.self), seed \(seed)") }
    #expect(try KeyedUnarchiver.unarchivedObject(of: Set<Key>.self, from: setData) == set, "\(Key.self), seed \(seed)")
  }

  @Test("The same entries give the same bytes, whatever the type of the keys", arguments: 1...8 as ClosedRange<UInt64>)
  func scalars(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let numbers = Dictionary((0..<100).map { _ in (Int.random(in: .min ... .max, using: &generator) >> 40, "x") }) { first, _ in first }
    try check(numbers, seed: seed)
    try check(Dictionary(uniqueKeysWithValues: numbers.keys.map { ("key \($0)", $0) }), seed: seed)
    try check(Dictionary(uniqueKeysWithValues: numbers.keys.map { (Double($0) / 3, $0) }), seed: seed)
    try check(Dictionary(uniqueKeysWithValues: numbers.keys.map { (Int128($0) << 60, true) }), seed: seed)
    try check(Dictionary(uniqueKeysWithValues: numbers.keys.map { (Date(timeIntervalSince1970: Double($0)), $0) }), seed: seed)
    try check(Dictionary(uniqueKeysWithValues: numbers.keys.map { (Data("\($0)".utf8), $0) }), seed: seed)
    try check(Dictionary(uniqueKeysWithValues: numbers.keys.map { ($0 == 0 ? nil : $0, $0) }) as [Int?: Int], seed: seed)
    try check([true: 1, false: 0], seed: seed)
  }

  @Test("Structs, enums and collections are keys like any others", arguments: 1...8 as ClosedRange<UInt64>)
  func composed(seed: UInt64) throws {
    let numbers = Array(0..<60)
    let places = numbers.map { Place(row: $0 % 7, name: $0 % 3 == 0 ? nil : "name \($0)", tags: Array(repeating: "\($0)", count: $0 % 4)) }
    try check(Dictionary(zip(places, numbers)) { first, _ in first }, seed: seed)
    let kinds = numbers.map { $0 % 3 == 0 ? Kind.plain : $0 % 3 == 1 ? .numbered($0) : .named("\($0)", places[$0]) }
    try check(Dictionary(zip(kinds, numbers)) { first, _ in first }, seed: seed)
    // So many strings that repeat would go into a pool, where only their places would differ, or not even those.
    try check(Dictionary(uniqueKeysWithValues: numbers.map { (Array(repeating: "text \($0)", count: 20), $0) }), seed: seed)
    try check(Dictionary(uniqueKeysWithValues: numbers.map { (Set([$0, $0 * 2, -$0, 7]), $0) }), seed: seed)
    try check(Dictionary(uniqueKeysWithValues: numbers.map { ([$0: "a", -$0 - 1: "b", 1_000: "c"], [$0]) }), seed: seed)
  }

  @Test("Entries of several chunks are in one order") func large() throws {
    let table = Dictionary(uniqueKeysWithValues: (0..<1_500).map { ("key \($0 * 7_919 % 5_003)", $0) })
    try check(table, seed: 9)
  }

  @Test("The order is that of the encoded keys: shorter strings first, then byte by byte") func order() throws {
    let data = try sortedArchive(Set(["b", "", "ab", "aa", "a", "ba"]))
    let text = Data("abaaabba".utf8)
    #expect(data.range(of: text) != nil, "\(Array(data))")
  }

  private func store(seed: UInt64, remaking: Bool) -> Store {
    var generator = SeededGenerator(seed: seed)
    var order = SeededGenerator(seed: seed &+ 1_000)
    func arranged<Key: Hashable, Value>(_ dictionary: [Key: Value]) -> [Key: Value] { remaking ? remade(dictionary, &order) : dictionary }
    func arranged<Element: Hashable>(_ set: Set<Element>) -> Set<Element> { remaking ? remade(set, &order) : set }
    let items = (0..<80).map { number in
      let item = Item()
      item.name = "item \(number % 30)"
      return item
    }
    for (number, item) in items.enumerated() where number < 79 {
      // Never back: objects that own each other in a circle are never freed.
      let parts = (0..<Int.random(in: 0...3, using: &generator)).map { _ in items[Int.random(in: (number + 1)..<80, using: &generator)] }
      item.parts = arranged(Dictionary(uniqueKeysWithValues: parts.enumerated().map { ("part \($0)", $1) }))
      item.owner = items[Int.random(in: 0..<80, using: &generator)]
    }
    let store = Store()
    store.byName = arranged(Dictionary(uniqueKeysWithValues: items.enumerated().map { ("name \($0)", $1) }))
    store.byPlace = arranged(Dictionary(uniqueKeysWithValues: (0..<20).map { (Place(row: $0), [items[$0], items[79 - $0]]) }))
    store.byKind = arranged(
      Dictionary(uniqueKeysWithValues: (0..<20).map { (Kind.numbered($0), arranged([$0: items[$0], 50: items[$0 / 2]])) }))
    store.open = arranged([
      1: "one", "two": 2, 2.5: [1, 2], true: arranged(["a": items[3], "b": items[4], "c": items[5]]), [1, 2]: "list",
      UInt8(7): items[9], Date.distantPast: "then", Set([1, 2, 3]): arranged(["x": 1, "y": 2]),
    ])
    store.words = arranged(Set((0..<50).map { "word \($0)" }))
    store.groups = arranged(Set((0..<20).map { arranged(Set([$0, $0 + 1, $0 * 5])) }))
    store.texts = arranged(Dictionary(uniqueKeysWithValues: (0..<20).map { (Array(repeating: "t\($0)", count: 18), $0) }))
    store.tables = arranged(
      Dictionary(
        uniqueKeysWithValues: (0..<10).map { (arranged([$0: "a", 50: "b"]), arranged(["p": [0.5], "q": arranged([1.5, 2, 3])])) }))
    store.list = (0..<20).map { number in arranged(Dictionary(uniqueKeysWithValues: (0..<3).map { ("\($0)", items[number + $0 * 20]) })) }
    store.first = items[Int.random(in: 0..<80, using: &generator)]
    return store
  }

  @Test("Objects get the same numbers in whatever order a dictionary has them", arguments: 1...24 as ClosedRange<UInt64>)
  func objects(seed: UInt64) throws {
    let data = try sortedArchive(store(seed: seed, remaking: false))
    #expect(try sortedArchive(store(seed: seed, remaking: true)) == data, "seed \(seed)")
    let read = try KeyedUnarchiver.unarchivedObject(of: Store.self, from: data, allowing: [Item.self])
    let written = store(seed: seed, remaking: false)
    #expect(read.byName.mapValues(\.name) == written.byName.mapValues(\.name), "seed \(seed)")
    #expect(read.words == written.words && read.groups == written.groups && read.texts == written.texts, "seed \(seed)")
    #expect(read.tables == written.tables && Set(read.open.keys) == Set(written.open.keys), "seed \(seed)")
    #expect(try sortedArchive(read) == data, "seed \(seed)")
  }

  final class Shelf: KeyedCoding {
    let items: [String: Item]
    let words: Set<String>
    init(items: [String: Item], words: Set<String>) { (self.items, self.words) = (items, words) }
    required init(coder: KeyedUnarchiver) throws {
      items = try coder.decode([String: Item].self, forKey: "items")
      words = try coder.decode(Set<String>.self, forKey: "words")
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(items, forKey: "items")
      try coder.encode(words, forKey: "words")
    }
  }

  @Test("What a hand-coded object hands over is in the order of its keys too", arguments: 1...8 as ClosedRange<UInt64>)
  func handCoded(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let items = Dictionary(
      uniqueKeysWithValues: (0..<40).map { number in
        let item = Item()
        item.name = "item \(number)"
        return ("key \(number)", item)
      })
    let words = Set((0..<40).map { "word \($0)" })
    let data = try sortedArchive([Shelf(items: items, words: words), Shelf(items: [:], words: [])])
    let other = [
      Shelf(items: remade(items, &generator), words: remade(words, &generator)), Shelf(items: [:], words: []),
    ]
    #expect(try sortedArchive(other) == data, "seed \(seed)")
  }

  @Test("Without sorting, the order of iteration shows: the tests above test something") func unsorted() throws {
    var generator = SeededGenerator(seed: 5)
    let table = Dictionary(uniqueKeysWithValues: (0..<100).map { ("key \($0)", $0) })
    let archives = Set(try (0..<8).map { _ in try KeyedArchiver.archivedData(withRootObject: remade(table, &generator)) })
    #expect(archives.count > 1)
  }

  final class Badge: MirrorCoding, Hashable {
    var number = 0
    static func == (left: Badge, right: Badge) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  struct Observer: Hashable {
    var number: Int
    weak var badge: Badge?
  }

  @Test("Keys that refer to objects keep their order of iteration and come back") func references() throws {
    let badges = (0..<20).map { number in
      let badge = Badge()
      badge.number = number
      return badge
    }
    let table = Dictionary(uniqueKeysWithValues: badges.map { ($0, $0.number) })
    #expect(try KeyedUnarchiver.unarchivedObject(of: [Badge: Int].self, from: sortedArchive(table)) == table)
    let mixed: [AnyHashable: Int] = [badges[0]: 0, "text": 1, 5: 2, [badges[1]]: 3]
    let read = try KeyedUnarchiver.unarchivedObject(of: [AnyHashable: Int].self, from: sortedArchive(mixed), allowing: [Badge.self])
    #expect(read == mixed)
    let observers = Dictionary(uniqueKeysWithValues: badges.map { (Observer(number: $0.number, badge: $0), $0) })
    #expect(try KeyedUnarchiver.unarchivedObject(of: [Observer: Badge].self, from: sortedArchive(observers)) == observers)
  }
}
