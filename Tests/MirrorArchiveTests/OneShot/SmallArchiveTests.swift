import Foundation
import MirrorArchive
import Testing

/// Archives of one object are read with what the last one has left: what must not make a difference.
@Suite("Archives of one object, one after another")
struct SmallArchiveTests {
  final class Reading: MirrorCoding {
    var name = "probe"
    var count = 300
    var level = 1.5
    var isOn = true
    var tag: String? = "a tag of more than fifteen characters"
    var mark: UInt8?
    var part: Reading?
    var note = "späť"

    /// Breaks circles.
    func unlink() {
      var next: Reading? = self
      while let current = next {
        next = current.part
        current.part = nil
      }
    }

    var summary: String { "\(name) \(count) \(level) \(isOn) \(tag ?? "-") \(mark.map(String.init) ?? "-") \(note) \(part === self)" }
  }

  private enum Old {
    final class Amount: MirrorCoding {
      var value = "12.0"
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "SmallArchiveTests.Amount") }
    }
  }
  private enum New {
    final class Amount: MirrorCoding {
      var value = 0
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "SmallArchiveTests.Amount") }
    }
  }
  final class Open: MirrorCoding { var any: Any? }
  struct Place: Equatable { var x = 0 }

  private func outcome(_ data: Data, _ options: DecodingOptions = DecodingOptions()) -> String {
    do {
      let read = try KeyedUnarchiver.unarchivedObject(of: Reading.self, from: data, options: options)
      defer { read.unlink() }
      return read.summary
    } catch {
      return error is ArchiveError ? "refused" : "\(error)"
    }
  }

  private func samples() throws -> [Data] {
    let other = Reading()
    other.name = ""
    other.tag = nil
    other.mark = 255
    let circle = Reading()
    circle.part = circle
    let two = Reading()
    two.part = other
    defer { circle.part = nil }  // Nobody else would break it.
    return try [Reading(), other, circle, two].map { try KeyedArchiver.archivedData(withRootObject: $0) }
  }

  @Test("Damage behind a head that was read before is treated as ever") func damage() throws {
    let good = try samples()
    let expected = good.map { outcome($0) }
    #expect(expected[1] == " 300 1.5 true - 255 späť false")
    #expect(expected[2].hasSuffix("true"))
    // Read by an unarchiver, which keeps nothing, and may come upon another of several faults first.
    let gradual = DecodingOptions(unknownClasses: .keep)
    for index in [1, 3] {
      let data = good[index]
      let forgery = try #require(Forgery(data))
      for place in forgery.body.indices {
        for bit: UInt8 in [0, 3, 7] {
          var bad = forgery
          bad.body[place] ^= 1 << bit
          let sealed = bad.sealed()
          #expect(outcome(sealed) == outcome(sealed, gradual), "sample \(index), bit \(bit) of byte \(place)")
          #expect(outcome(good[index]) == expected[index])
        }
        var cut = forgery
        cut.body.removeSubrange(place...)
        #expect(outcome(cut.sealed()) == outcome(cut.sealed(), gradual), "sample \(index), \(place) bytes")
        #expect(outcome(good[(index + place) % good.count]) == expected[(index + place) % good.count])
      }
    }
  }

  @Test("A byte that is left over behind the object is an error") func leftOver() throws {
    let data = try samples()[0]
    var forgery = try #require(Forgery(data))
    forgery.body.append(0)
    for _ in 0..<3 {
      #expect(outcome(data) == Reading().summary)
      let code = #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(of: Reading.self, from: forgery.sealed()) }?.code
      #expect(code == .malformed)
    }
  }

  @Test("Options hold for their own call") func options() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Old.Amount())
    for _ in 0..<3 {
      #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(of: New.Amount.self, from: data) }
      let lenient = DecodingOptions(conversionPolicy: .lenient)
      #expect(try KeyedUnarchiver.unarchivedObject(of: New.Amount.self, from: data, options: lenient).value == 12)
      #expect(try KeyedUnarchiver.unarchivedObject(of: Old.Amount.self, from: data).value == "12.0")
    }
  }

  @Test("The types that one call allows are not allowed to the next") func allowList() throws {
    let open = Open()
    open.any = Place(x: 4)
    let data = try KeyedArchiver.archivedData(withRootObject: open, allowing: [Place.self])
    open.any = "text"
    let text = try KeyedArchiver.archivedData(withRootObject: open)
    for _ in 0..<3 {
      #expect(try KeyedUnarchiver.unarchivedObject(of: Open.self, from: data, allowing: [Place.self]).any as? Place == Place(x: 4))
      #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(of: Open.self, from: data) }
      #expect(try KeyedUnarchiver.unarchivedObject(of: Open.self, from: text).any as? String == "text")
    }
  }
}
