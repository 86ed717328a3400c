import Foundation
import MirrorArchive
import Testing

/// Values that are copied from many objects at a time are the ones that the objects hold.
@Suite("Gathered columns")
struct GatheredColumnTests {
  /// Values of every size that is copied, and of some that are not, next to each other.
  class Neighbours: MirrorCoding {
    var flag = false
    var tiny: Int8 = 0
    var small: UInt16 = 0
    var mediumOrNone: Int32?
    var medium: UInt32 = 0
    var text = ""
    var wideOrNone: Int?
    var wide = 0
    var textOrNone: String?
    var smallOrNone: Int16?
    var single: Float = 0
    var singleOrNone: Float?
    var flagOrNone: Bool?
    var number = 0.0
    var numberOrNone: Double?
    var twice: Int??

    func fill(_ row: Int, _ generator: inout SeededGenerator) {
      flag = Bool.random(using: &generator)
      tiny = Int8.random(in: .min ... .max, using: &generator)
      small = UInt16.random(in: .min ... .max, using: &generator)
      mediumOrNone = row % 3 == 0 ? nil : Int32.random(in: .min ... .max, using: &generator)
      medium = UInt32.random(in: .min ... .max, using: &generator)
      text = row % 2 == 0 ? "no \(row % 70)" : "a name that is longer than two words, with number \(row % 50)"
      wideOrNone = row % 5 == 0 ? nil : Int.random(in: .min ... .max, using: &generator)
      wide = Int.random(in: -40_000...40_000, using: &generator)
      textOrNone = row % 7 == 0 ? nil : "\(generator.next() % 40)"
      smallOrNone = row % 4 == 0 ? nil : Int16.random(in: .min ... .max, using: &generator)
      single = Float.random(in: -1...1, using: &generator)
      singleOrNone = row % 6 == 0 ? nil : Float(row)
      flagOrNone = row % 3 == 0 ? nil : row % 3 == 1
      number = Double(Int.random(in: 1...20_000, using: &generator)) / 100
      numberOrNone = row % 8 == 0 ? nil : Double.random(in: -1e300...1e300, using: &generator)
      let inner: Int? = row % 3 == 1 ? nil : row
      twice = row % 3 == 0 ? nil : .some(inner)
    }

    var all: [AnyHashable?] {
      [
        flag, tiny, small, mediumOrNone, medium, text, wideOrNone, wide, textOrNone, smallOrNone, single, singleOrNone, flagOrNone, number,
        numberOrNone, twice == nil ? "none" : "some", twice ?? nil,
      ]
    }
  }

  /// More of them, with others in between that are read where they lie.
  final class Mixed: Neighbours {
    var list: [Int] = []
    var first = 0
    var second = ""
    var next: Mixed?
    var third = 0.0
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var fourth = false
    var fifth = ""

    override func fill(_ row: Int, _ generator: inout SeededGenerator) {
      super.fill(row, &generator)
      list = Array(0..<row % 4)
      first = row
      second = "second \(row / 9)"
      third = Double(row) / 8
      date = Date(timeIntervalSinceReferenceDate: Double(row))
      fourth = row % 5 < 2
      fifth = row % 5 < 2 ? "" : "fifth"
    }

    override var all: [AnyHashable?] { super.all + [list, first, second, third, date, fourth, fifth] }
  }

  /// Up to 255 rows every column is read where it lies; from 256 on neighbours are copied.
  private static let counts = [255, 256, 257, 383, 384, 385, 1_023, 1_024, 1_025, 1_280, 2_500]

  private static func check<Object: Neighbours>(_: Object.Type, _ count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    let objects = (0..<count).map { row in
      let object = Object()
      var values = SeededGenerator(seed: UInt64(row))
      object.fill(row, &values)
      return object
    }
    // Objects that are met in another order than they lie in.
    let order = objects.indices.shuffled(using: &generator)
    let data = try KeyedArchiver.archivedData(withRootObject: order.map { objects[$0] })
    let read = try KeyedUnarchiver.unarchivedObject(of: [Object].self, from: data)
    try #require(read.count == count)
    for (row, place) in order.enumerated() { #expect(read[row].all == objects[place].all, "\(count) objects, row \(row)") }

    // The same values in other objects, which lie in the order in which they are met, make the same bytes.
    let copies = order.map { place in
      let object = Object()
      var again = SeededGenerator(seed: UInt64(place))
      object.fill(place, &again)
      return object
    }
    #expect(try KeyedArchiver.archivedData(withRootObject: copies) == data, "\(count) objects")
  }

  @Test("Neighbouring values of every size come back", arguments: counts) func neighbours(count: Int) throws {
    try Self.check(Neighbours.self, count)
  }

  @Test("Values between others come back", arguments: counts) func mixed(count: Int) throws { try Self.check(Mixed.self, count) }
}
