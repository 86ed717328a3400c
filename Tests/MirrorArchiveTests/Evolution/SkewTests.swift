import ArchiveFuzzing
import Foundation
import MirrorArchive
import Synchronization
import Testing

/// Hierarchies that were turned upside down, and properties that two classes lay claim to.
private enum Before {
  class A: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "skew.A", subclasses: [B.self]) }
    var a = "a"
    private var id = 1
    var aID: Int {
      get { id }
      set { id = newValue }
    }
  }
  class B: A {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "skew.B") }
    var b = "b"
  }
}
private enum After {
  class B: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "skew.B", subclasses: [A.self]) }
    var b = "default b"
  }
  class A: B {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "skew.A") }
    var a = "default a"
    private var id = -1
    var aID: Int { id }
  }
}
/// Both levels have an `id`, and the lower one says that its own stood in the upper one.
private enum Contested {
  class A: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "skew.A") }
    private var id = -1
    var aID: Int { id }
  }
  final class B: A {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(name: "skew.B", properties: [PropertyRule("id", of: B.self, formerClasses: ["skew.A"])])
    }
    private var id = -2
    var bID: Int { id }
  }
}
/// Only the last class has rules, for all of its levels.
private enum FromBelow {
  class A: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "skew.A", subclasses: [B.self]) }
    var a = "default a"
    private var id = -1
    var aID: Int { id }
  }
  final class B: A {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(
        name: "skew.B",
        properties: [PropertyRule("a", key: "alpha", formerKeys: ["a"]), PropertyRule("id", of: A.self, key: "number", formerKeys: ["id"])])
    }
    var b = "default b"
  }
}

@Suite("Programs and archives that are far apart")
struct SkewTests {
  @Test("A hierarchy that was turned upside down finds each level by its name") func upsideDown() throws {
    let (a, b) = (Before.A(), Before.B())
    (a.a, a.aID, b.a, b.b, b.aID) = ("one", 11, "two", "three", 22)
    let newB = try converted(b, to: After.B.self)
    #expect(newB.b == "three" && type(of: newB) == After.B.self)
    let newA = try converted(a, to: After.A.self)
    #expect(newA.a == "one" && newA.aID == 11 && newA.b == "default b")
    let mixed = try KeyedUnarchiver.unarchivedObject(of: [After.B].self, from: KeyedArchiver.archivedData(withRootObject: [a, b, a]))
    #expect(mixed.map(\.b) == ["default b", "three", "default b"] && mixed[0] === mixed[2] && (mixed[0] as? After.A)?.a == "one")
    let oldA = try converted(newA, to: Before.A.self)
    #expect(oldA.a == "one" && oldA.aID == 11)
    expectRefusal(.typeNotAllowed, naming: ["class A"]) {
      try KeyedUnarchiver.unarchivedObject(of: Before.B?.self, from: KeyedArchiver.archivedData(withRootObject: newA))
    }
  }

  @Test("A property that still stands where it stood is not taken away by one that claims to have stood there") func contested() throws {
    let b = Before.B()
    b.aID = 22
    let read = try converted(b, to: Contested.B.self)
    #expect(read.aID == 22 && read.bID == -2)
    let again = try roundTrip(read)
    #expect(again.aID == 22 && again.bID == -2)
  }

  @Test("Rules of a subclass for inherited properties change nothing for other objects of the superclass") func fromBelow() throws {
    let (a, b) = (Before.A(), Before.B())
    (a.a, a.aID, b.a, b.b, b.aID) = ("one", 11, "two", "three", 22)
    let read = try KeyedUnarchiver.unarchivedObject(of: [FromBelow.A].self, from: KeyedArchiver.archivedData(withRootObject: [a, b, a, b]))
    #expect(read.map(\.a) == ["one", "two", "one", "two"] && read.map(\.aID) == [11, 22, 11, 22])
    #expect((read[1] as? FromBelow.B)?.b == "three" && read[0] === read[2] && read[1] === read[3])
    let again = try roundTrip(read)
    #expect(again.map(\.a) == ["one", "two", "one", "two"] && again.map(\.aID) == [11, 22, 11, 22])
    // The older program knows none of the new keys, and all of the old ones.
    let data = try KeyedArchiver.archivedData(withRootObject: read)
    let old = try KeyedUnarchiver.unarchivedObject(of: [Before.A].self, from: data)
    #expect(old.map(\.a) == ["one", "a", "one", "a"] && old.map(\.aID) == [11, 1, 11, 1] && (old[1] as? Before.B)?.b == "three")
  }

  @Test("Many threads read old archives for the first time, while plans are dropped") func threads() throws {
    let people = try KeyedArchiver.archivedData(withRootObject: Golden.Earlier.written())
    let days = try KeyedArchiver.archivedData(withRootObject: (0..<20).map { RetypedModels.Day(cents: $0) })
    let cars = try KeyedArchiver.archivedData(withRootObject: (0..<20).map { Cases.Car("\($0)", $0 % 2 == 0 ? Cases.V2.infrared : .red) })
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 48) { index in
      do {
        if index % 8 == 0 { PlanDropper.drop() }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: people)
        let read = try unarchiver.decode([Golden.Later.Person].self, forKey: "root")
        let unknown = unarchiver.report.entries.filter { $0.kind == .unknownKey }.count
        let areDays = try KeyedUnarchiver.unarchivedObject(of: [RetypedModels.RuledDay].self, from: days).map(\.price)
        let colors = try KeyedUnarchiver.unarchivedObject(of: [Cases.DefaultingCar].self, from: cars).map(\.color)
        let written = try KeyedArchiver.archivedData(withRootObject: read)
        let again = try KeyedUnarchiver.unarchivedObject(of: [Golden.Later.Person].self, from: written)
        if !Golden.Later.expected(read) || unknown != 9 || areDays != (0..<20).map({ Double($0) / 100 })
          || colors != (0..<20).map({ $0 % 2 == 0 ? .green : .red }) || again.map(\.fullName) != read.map(\.fullName)
        {
          failures.withLock { $0.append("\(index): other values") }
        }
      } catch {
        failures.withLock { $0.append("\(index): \(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
  }

  // MARK: Bytes that nobody wrote

  /// Reads the bytes in every way that a program might; only the archive's own errors and those of the rules may come.
  private func attempt(_ data: Data, _ title: @autoclosure () -> String) {
    for policy in [DecodingOptions.ConversionPolicy.exact, .lenient] {
      for unknown in [DecodingOptions.UnknownClassPolicy.reject, .skip, .keep] {
        do {
          let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
          unarchiver.options = DecodingOptions(conversionPolicy: policy, unknownClasses: unknown)
          _ = try unarchiver.decode([Golden.Later.Person].self, forKey: "root")
          _ = unarchiver.report
        } catch is ArchiveError {
        } catch {
          Issue.record(error, "\(title())")
        }
      }
    }
    _ = try? KeyedUnarchiver.header(of: data)
    _ = try? ArchiveDocument(of: data)
  }

  @Test("Every byte of an old archive may be another one", .timeLimit(.minutes(5)), arguments: [1, 9]) func bytes(count: Int) throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Array(Golden.Earlier.written().prefix(count)))
    let forgery = try #require(Forgery(data))
    attempt(forgery.sealed(), "untouched")
    for index in forgery.body.indices {
      for change: UInt8 in [0x01, 0x04, 0x40, 0x80] {
        var copy = forgery
        copy.body[index] ^= change
        attempt(copy.sealed(), "byte \(index) ^ \(change)")
      }
    }
  }

  @Test("Several bytes may be", .timeLimit(.minutes(5))) func manyBytes() throws {
    let seed: UInt64 = 0x5EED_0009
    var random = SeededGenerator(seed: seed)
    let data = try KeyedArchiver.archivedData(withRootObject: Golden.Earlier.written())
    let forgery = try #require(Forgery(data))
    for number in 0..<600 {
      var copy = forgery
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: copy.body.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: copy.body.remove(at: index)
        case 1: copy.body.insert(UInt8.random(in: 0...255, using: &random), at: index)
        case 2: copy.body[index] = forgery.body.randomElement(using: &random) ?? 0
        default: copy.body[index] = UInt8.random(in: 0...255, using: &random)
        }
      }
      attempt(copy.sealed(), "seed \(seed), number \(number)")
    }
  }
}
