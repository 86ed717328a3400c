import ArchiveFormat
import Foundation
import MirrorArchive
import Testing

/// CASES rows 14, 15 and 33 for archives with hand-coded objects.
@Suite("Damaged archives of hand-coded objects")
struct KeyedDamageTests {
  /// Everything that a hand-coded object can hold, in few bytes.
  final class Item: KeyedCoding {
    let name: String
    let numbers: [Int]
    let date: Date?
    let tag: Either<String, Int>
    let bytes: [UInt8]
    let inner: [String: Double]
    let unkeyed: [Int]
    var peer: Item?
    var fruit: Models.Fruit?
    private(set) weak var owner: Shelf?

    init(_ number: Int, owner: Shelf?) {
      name = "item \(number)"
      numbers = Array(0..<number)
      date = number.isMultiple(of: 2) ? Date(timeIntervalSinceReferenceDate: Double(number)) : nil
      tag = number.isMultiple(of: 3) ? .left("tag") : .right(number)
      bytes = [1, 2, UInt8(number)]
      inner = ["x": Double(number) / 2]
      unkeyed = [number, -number]
      self.owner = owner
    }
    init(coder: KeyedUnarchiver) throws {
      name = try coder.decodeString(forKey: "name")
      numbers = try coder.decode([Int].self, forKey: "numbers")
      date = try coder.decodeDateIfPresent(forKey: "date")
      tag = try coder.decode(Either<String, Int>.self, forKey: "tag")
      bytes = try coder.decodeBytes(forKey: "bytes")
      inner = try coder.decodeContainer(forKey: "inner") { try $0.decode([String: Double].self, forKey: "d") }
      var values: [Int] = []
      while !coder.isAtEnd { values.append(try coder.decode(Int.self)) }
      unkeyed = values
      fruit = try coder.decodeObjectIfPresent(of: Models.Fruit.self, forKey: "fruit")
      try coder.decodeObjectIfPresent(of: Item.self, forKey: "peer") { self.peer = $0 }
      try coder.decodeObjectIfPresent(of: Shelf.self, forKey: "owner") { self.owner = $0 }
      for key in coder.allKeys { _ = coder.storedType(forKey: key)?.description }
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(name, forKey: "name")
      try coder.encode(numbers, forKey: "numbers")
      if let date { try coder.encode(date, forKey: "date") }
      try coder.encode(tag, forKey: "tag")
      unsafe try bytes.withUnsafeBytes { unsafe try coder.encodeBytes($0, forKey: "bytes") }
      try coder.encodeContainer(forKey: "inner") { try $0.encode(inner, forKey: "d") }
      for value in unkeyed { try coder.encode(value) }
      try coder.encode(peer, forKey: "peer")
      try coder.encode(fruit, forKey: "fruit")
      try coder.encodeConditionalObject(owner, forKey: "owner")
    }
  }
  final class Shelf: MirrorCoding, KeyedExtras {
    var label = "shelf"
    var items: [Item] = []
    var best: Item?
    @Transient var note = "note"
    func encodeExtras(with coder: KeyedArchiver) throws {
      try coder.encode(note, forKey: "note")
      try coder.encode(items.count, forKey: "count")
    }
    func decodeExtras(with coder: KeyedUnarchiver) throws {
      note = try coder.decodeString(forKey: "note")
      _ = try coder.decodeIntIfPresent(forKey: "count")
    }
  }

  static func shelf(_ count: Int) -> Shelf {
    let shelf = Shelf()
    shelf.items = (0..<count).map { Item($0, owner: shelf) }
    let fruit = Models.Fruit(3)
    for (index, item) in shelf.items.enumerated() {
      item.peer = index + 1 < count ? shelf.items[index + 1] : nil
      item.fruit = index.isMultiple(of: 2) ? fruit : nil
    }
    shelf.best = shelf.items.last
    return shelf
  }

  static func untie(_ shelf: Shelf) {
    for item in shelf.items + [shelf.best].compactMap({ $0 }) {
      var next = item.peer
      item.peer = nil
      while let current = next {
        next = current.peer
        current.peer = nil
      }
    }
    (shelf.items, shelf.best) = ([], nil)
  }

  static let counts = [1, 4, 9]

  /// Decodes and archives what came out, so that all of it is touched.
  static func read(_ data: Data, verifying: Bool) throws {
    let shelf = try KeyedUnarchiver.unarchivedObject(of: Shelf.self, from: data, verifyingChecksum: verifying)
    defer { untie(shelf) }
    _ = try KeyedArchiver.archivedData(withRootObject: shelf)
  }

  static func readByKeys(_ data: Data) throws {
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    for key in coder.allKeys { _ = coder.storedType(forKey: key)?.description }
    let number = try? coder.decodeInt(forKey: "number")
    let shelf = Result { try coder.decodeObject(of: Shelf.self, forKey: "shelf") }
    let items = Result { try coder.decode([Item].self, forKey: "items") }
    if case .success(let shelf) = shelf { untie(shelf) }
    if case .success(let items) = items { for item in items { item.peer = nil } }
    _ = try coder.decodeContainer(forKey: "box") { try $0.decode([Int].self, forKey: "list").count + (number ?? 0) }
    _ = try shelf.get()
    _ = try items.get()
  }

  static func byKeys() throws -> Data {
    let shelf = shelf(3)
    defer { untie(shelf) }
    return try keyedArchive {
      try $0.encode(5, forKey: "number")
      try $0.encode(shelf, forKey: "shelf")
      try $0.encodeContainer(forKey: "box") { try $0.encode([1, 2], forKey: "list") }
      try $0.encode(shelf.items, forKey: "items")
    }
  }

  static func make(_ count: Int) throws -> Data {
    let shelf = shelf(count)
    defer { untie(shelf) }
    return try KeyedArchiver.archivedData(withRootObject: shelf)
  }

  @Test("Undamaged archives are read with and without the checksum", arguments: counts) func intact(count: Int) throws {
    let data = try Self.make(count)
    try Self.read(data, verifying: true)
    try Self.read(data, verifying: false)
    try Self.readByKeys(Self.byKeys())
    #expect(Forgery(data)?.sealed() == data)
  }

  @Test("Every prefix throws", arguments: counts) func prefixes(count: Int) throws {
    let data = try Self.make(count)
    for length in 0..<data.count {
      #expect(throws: ArchiveError.self, "\(length) bytes") { try Self.read(data.prefix(length), verifying: true) }
      #expect(throws: ArchiveError.self, "\(length) bytes") { try Self.read(data.prefix(length), verifying: false) }
    }
    let keys = try Self.byKeys()
    for length in 0..<keys.count {
      #expect(throws: ArchiveError.self, "\(length) bytes") { try Self.readByKeys(keys.prefix(length)) }
    }
  }

  @Test("Every bit flip is noticed", .timeLimit(.minutes(5)), arguments: counts) func bitFlips(count: Int) throws {
    let data = try Self.make(count)
    for bit in 0..<data.count * 8 {
      var damaged = data
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: ArchiveError.self, "bit \(bit)") { try Self.read(damaged, verifying: true) }
    }
    let keys = try Self.byKeys()
    for bit in 0..<keys.count * 8 {
      var damaged = keys
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: ArchiveError.self, "bit \(bit)") { try KeyedUnarchiver(forReadingFrom: damaged) }
    }
  }

  @Test("Without the checksum a flipped bit decodes or throws an ArchiveError", .timeLimit(.minutes(5)), arguments: counts)
  func unchecked(count: Int) async {
    await #expect(processExitsWith: .success) { [count = count as Int] in
      reported {
        let data = try KeyedDamageTests.make(count)
        for bit in stride(from: 0, to: data.count * 8, by: Resources.damageStride) {
          var damaged = data
          damaged[bit / 8] ^= 1 << UInt8(bit % 8)
          do { try KeyedDamageTests.read(damaged, verifying: false) } catch is ArchiveError {} catch { Issue.record(error, "bit \(bit)") }
        }
      }
    }
  }

  @Test("Sealed again after the damage, by keys of an instance coder", .timeLimit(.minutes(5))) func sealed() async {
    await #expect(processExitsWith: .success) {
      reported {
        let forgery = try #require(Forgery(KeyedDamageTests.byKeys()))
        var failures = 0
        for bit in stride(from: 0, to: forgery.body.count * 8, by: Resources.damageStride) {
          var damaged = forgery
          damaged.body[bit / 8] ^= 1 << UInt8(bit % 8)
          do { try KeyedDamageTests.readByKeys(damaged.sealed()) } catch is ArchiveError { failures += 1 } catch {
            Issue.record(error, "bit \(bit)")
          }
        }
        #expect(failures > forgery.body.count / Resources.damageStride)
      }
    }
  }

  @Test("Bytes overwritten, inserted and left out at random, sealed again", .timeLimit(.minutes(5)), arguments: [1, 9])
  func random(count: Int) async {
    await #expect(processExitsWith: .success) { [count = count as Int] in
      reported {
        let seed: UInt64 = 0x5EED_0012
        var generator = SeededGenerator(seed: seed)
        let forgery = try #require(Forgery(KeyedDamageTests.make(count)))
        for round in 0..<5_000 {
          var damaged = forgery
          for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let position = Int.random(in: 0..<damaged.body.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: damaged.body[position] = UInt8.random(in: 0...255, using: &generator)
            case 1: damaged.body.insert(UInt8.random(in: 0...255, using: &generator), at: position)
            case 2: damaged.body.remove(at: position)
            default:
              let end = min(position + 8, damaged.body.count)
              let from = Int.random(in: 0...(damaged.body.count - (end - position)), using: &generator)
              let piece = Array(damaged.body[from..<from + end - position])
              damaged.body.replaceSubrange(position..<end, with: piece)
            }
          }
          do {
            try KeyedDamageTests.read(damaged.sealed(), verifying: true)
          } catch is ArchiveError {
          } catch {
            Issue.record(error, "seed \(seed), round \(round)")
          }
        }
      }
    }
  }
}
