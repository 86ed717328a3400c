import MirrorArchive
import Testing

/// Dictionaries and sets are read where they lie, or copied to be sorted: the same comes back.
@Suite("Columns of dictionaries and sets")
struct DictionaryColumnTests {
  final class Item: MirrorCoding {
    var id = 0
    convenience init(_ id: Int) {
      self.init()
      self.id = id
    }
  }

  final class Shelf: MirrorCoding {
    var items: [String: Item] = [:]
    var again: [String: Item] = [:]
    var numbers: [Int: [String: Double]] = [:]
    var words: Set<String> = []
    var flags: [UInt8: Bool?] = [:]
  }

  private func shelf(_ count: Int) -> Shelf {
    let shelf = Shelf()
    for i in 0..<count {
      shelf.items["item \(i)"] = Item(i)
      shelf.numbers[i] = ["half": Double(i) / 2, "twice": Double(i) * 2]
      shelf.words.insert("word \(i * 3)")
      shelf.flags[UInt8(truncatingIfNeeded: i)] = i % 3 == 0 ? .some(nil) : i % 3 == 1
    }
    return shelf
  }

  private func expectSame(_ copies: [Shelf], _ shelves: [Shelf]) {
    #expect(copies.count == shelves.count)
    for (copy, shelf) in zip(copies, shelves) {
      #expect(copy.items.mapValues(\.id) == shelf.items.mapValues(\.id))
      #expect(copy.numbers == shelf.numbers && copy.words == shelf.words && copy.flags == shelf.flags)
    }
  }

  @Test("Empty, small and large ones of many objects come back, sorted or not", arguments: [false, true])
  func comeBack(sorted: Bool) throws {
    // More entries in all than a chunk holds, and one that holds more than a chunk alone.
    let shelves = [0, 1, 0, 5, 300, 0, 1_500, 48, 49, 2].map(shelf)
    let archiver = KeyedArchiver()
    if sorted { archiver.outputFormatting = .sortedKeys }
    try archiver.encode(shelves, forKey: "shelves")
    let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
    expectSame(try unarchiver.decode([Shelf].self, forKey: "shelves"), shelves)
    let data = try KeyedArchiver.archivedData(withRootObject: shelves)
    expectSame(try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Shelf.self, from: data), shelves)
  }

  @Test("One table in two properties is the same objects twice") func sharedTable() throws {
    let shelf = shelf(100)
    shelf.again = shelf.items
    let data = try KeyedArchiver.archivedData(withRootObject: shelf)
    let copy = try KeyedUnarchiver.unarchivedObject(ofClass: Shelf.self, from: data)
    #expect(copy.items.count == 100 && copy.again.count == 100)
    for (key, item) in copy.items { #expect(copy.again[key] === item) }
    expectSame([copy], [shelf])
  }

  @Test("One object in two tables is one object") func sharedObject() throws {
    let shelf = shelf(10)
    shelf.again = ["elsewhere": try #require(shelf.items["item 7"])]
    let data = try KeyedArchiver.archivedData(withRootObject: shelf)
    let copy = try KeyedUnarchiver.unarchivedObject(ofClass: Shelf.self, from: data)
    #expect(copy.again["elsewhere"] === copy.items["item 7"] && copy.again["elsewhere"]?.id == 7)
  }

  @Test("What cannot be archived is named by its key, sorted or not", arguments: [false, true]) func names(sorted: Bool) throws {
    final class Hidden {}
    let values: [[String: Any]] = [["a": 1], [:], ["b": 2, "secret": Hidden()]]
    let archiver = KeyedArchiver()
    if sorted { archiver.outputFormatting = .sortedKeys }
    let error = #expect(throws: ArchiveError.self) { try archiver.encode(values, forKey: "values") }
    #expect(error?.path.hasPrefix("values[2][secret]") == true, "\(error?.path ?? "")")
  }
}
