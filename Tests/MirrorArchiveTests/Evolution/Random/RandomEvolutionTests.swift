import Foundation
import MirrorArchive
import Testing

/// A class whose renaming has every plan of the program made anew.
private final class Dropped: MirrorCoding {}

/// Random programs write, other random programs read: properties and cases added, removed, renamed, moved, reordered and widened.
@Suite("Random evolution", .serialized)
struct RandomEvolutionTests {
  static let seed: UInt64 = 0x5EED_0008
  /// Each has eight pairs of a writer and a reader, and each pair two graphs.
  static let changes = 625

  @Test("Every value is right, every default, and every unknown key is told, for 10,000 pairs of random programs") func pairs() {
    var failures = 0
    for number in 0..<Self.changes where failures < 5 {
      let change = Change(seed: Self.seed &+ UInt64(number))
      change.activate()
      KeyedArchiver.setClassName("random.dropped\(number % 2)", for: Dropped.self)
      for graph in 0..<2 {
        failures += write(Record<Int8, Writer>.self, change, graph)
        failures += write(Mirrored<UInt16, Writer>.self, change, graph)
      }
    }
  }

  /// How many readers got something else.
  private func write<Model: RandomModel>(_ model: Model.Type, _ change: Change, _ graph: Int) -> Int {
    var random = SeededGenerator(seed: change.seed &+ 0xA000_0000 &* UInt64(graph &+ 1))
    let count = [1, 2, 3, 7, 8, 12].randomElement(using: &random) ?? 1
    let numbers = (0..<count).map { _ in Int.random(in: 0..<38, using: &random) }
    let links = (0..<count).map { _ in (next: Int.random(in: 0..<count, using: &random), back: Int.random(in: 0..<count, using: &random)) }
    let records = numbers.map { number in
      let record = Model()
      record.fill(number, .identity, written: Model.ownerOfMoved)
      return record
    }
    for (record, link) in zip(records, links) { record.link(next: records[link.next], back: records[link.back]) }
    defer { untie(records) }
    let data: Data
    do {
      data = try KeyedArchiver.archivedData(withRootObject: records)
    } catch {
      Issue.record(error, "seed \(change.seed), \(Model.self) does not write")
      return 1
    }
    let original = Original(
      data: data, numbers: numbers, links: links, ownerOfMoved: Model.ownerOfMoved, writer: "\(Model.self), graph \(graph)")
    return read(Record<Int, Reader>.self, original, change) + read(Mirrored<String, Reader>.self, original, change)
      + read(Record<Double?, Reader>.self, original, change) + read(Mirrored<Decimal, Reader>.self, original, change)
  }

  private struct Original {
    let data: Data
    let numbers: [Int]
    let links: [(next: Int, back: Int)]
    let ownerOfMoved: Part
    let writer: String
  }

  private func read<Model: RandomModel>(_ model: Model.Type, _ original: Original, _ change: Change) -> Int {
    let title = "seed \(change.seed), \(original.writer) to \(Model.self), \(original.numbers.count) objects"
    var differences: [String] = []
    do {
      let records = try KeyedUnarchiver.unarchivedObject(of: [Model].self, from: original.data)
      defer { untie(records) }
      let strays = change.strays(writtenIn: original.ownerOfMoved, readIn: Model.ownerOfMoved)
      if records.count != original.numbers.count { differences.append("\(records.count) objects") }
      for (index, record) in records.enumerated() {
        let expected = Model()
        expected.fill(original.numbers[index], Lens(change: change), written: original.ownerOfMoved)
        let contents = record.contents
        for (name, value) in expected.contents.sorted(by: { $0.key < $1.key }) where contents[name] != value {
          differences.append("[\(index)].\(name) is \(contents[name] ?? "gone"), not \(value)")
        }
        func check(_ name: String, _ object: AnyObject?, _ target: Int) {
          let right: AnyObject? = change.finds(name, of: .derived, writtenIn: .derived) ? records[target] : nil
          if object !== right { differences.append("[\(index)].\(name) is another object") }
        }
        if record.unknownKeys.sorted() != strays.unknown {
          differences.append("[\(index)]: unknown keys \(record.unknownKeys), not \(strays.unknown)")
        }
        let defaulted = record.defaultedKeys.map { $0.replacing("\(Part.base.archiveName).", with: "") }.sorted()
        if defaulted != strays.defaulted {
          differences.append("[\(index)]: defaulted keys \(record.defaultedKeys), not \(strays.defaulted)")
        }
        check("next", record.nextRecord, original.links[index].next)
        check("back", record.backRecord, original.links[index].back)
      }
    } catch {
      differences.append("\(error)")
    }
    if differences.isEmpty { return 0 }
    Issue.record("\(title): \(differences.prefix(4).joined(separator: "; "))")
    return 1
  }

  /// Takes circles apart.
  private func untie<Model: RandomModel>(_ records: [Model]) {
    for record in records { record.unlink() }
  }
}
