import Foundation
import MirrorArchive
import Testing

/// Coders of their own on many threads, while nothing has been planned yet.
@Suite("Threads with coders of their own")
struct KeyedThreadTests {
  final class Part: KeyedCoding {
    let name: String
    let pieces: [Piece]
    var peer: Part?
    init(_ name: String) {
      self.name = name
      pieces = (0..<3).map { number in
        let piece = Piece()
        piece.number = number
        return piece
      }
    }
    init(coder: KeyedUnarchiver) throws {
      name = try coder.decodeString(forKey: "name")
      pieces = try coder.decodeArrayOfObjects(ofClass: Piece.self, forKey: "pieces")
      peer = try coder.decodeObjectIfPresent(of: Part.self, forKey: "peer")
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(name, forKey: "name")
      try coder.encode(pieces, forKey: "pieces")
      try coder.encode(peer, forKey: "peer")
    }
  }
  final class Piece: MirrorCoding, KeyedExtras {
    var number = 0
    @Transient var square = 0
    func encodeExtras(with coder: KeyedArchiver) throws { try coder.encode(number * number, forKey: "square") }
    func decodeExtras(with coder: KeyedUnarchiver) throws { square = try coder.decodeInt(forKey: "square") }
  }
  final class Whole: MirrorCoding {
    var parts: [Part] = []
    var any: [Any] = []
  }

  static func work(_ number: Int) throws -> Bool {
    let part = Part("part \(number)")
    part.peer = Part("peer")
    switch number % 4 {
    case 0:
      return try roundTrip(part).pieces.map(\.square) == [0, 1, 4]
    case 1:
      let whole = Whole()
      whole.parts = [part, part]
      let read = try roundTrip(whole)
      return read.parts[0] === read.parts[1] && read.parts[0].peer?.name == "peer"
    case 2:
      let data = try keyedArchive {
        $0.setClassName("Part\(number)", for: Part.self)
        try $0.encode(part, forKey: "a")
        try $0.encode([part, Part("b")], forKey: "b")
      }
      let coder = try KeyedUnarchiver(forReadingFrom: data)
      coder.setClass(Part.self, forClassName: "Part\(number)")
      let a = try coder.decodeObject(of: Part.self, forKey: "a")
      return try coder.decode([Part].self, forKey: "b")[0] === a && a.name == "part \(number)"
    default:
      let whole = Whole()
      whole.any = [Part("c"), 1]
      let read = try roundTrip(whole, allowing: [Part.self])
      return (read.any[0] as? Part)?.pieces.count == 3
    }
  }

  @Test("Eight threads use the same classes for the first time at once", arguments: 0..<4) func sameWork(number: Int) async {
    await #expect(processExitsWith: .success) { [number = number as Int] in
      reported {
        let failures = ThreadTests.race { _ in try KeyedThreadTests.work(number) }
        #expect(failures.isEmpty, "\(failures)")
      }
    }
  }

  @Test("Eight threads do different things at once") func differentWork() async {
    await #expect(processExitsWith: .success) {
      reported {
        let failures = ThreadTests.race { try KeyedThreadTests.work($0) }
        #expect(failures.isEmpty, "\(failures)")
      }
    }
  }

  @Test("Eight threads read the same archive and write the same bytes") func sameArchive() async {
    await #expect(processExitsWith: .success) {
      reported {
        let part = Part("shared")
        part.peer = Part("peer")
        let data = try KeyedArchiver.archivedData(withRootObject: [part, part])
        let failures = ThreadTests.race { _ in
          let read = try KeyedUnarchiver.unarchivedObject(of: [Part].self, from: data)
          return try KeyedArchiver.archivedData(withRootObject: read) == data
        }
        #expect(failures.isEmpty, "\(failures)")
      }
    }
  }

  @Test("Global names change while others archive") func globalNames() async {
    await #expect(processExitsWith: .success) {
      reported {
        let failures = ThreadTests.race { number in
          if number == 0 { KeyedArchiver.setClassName("Renamed", for: ThreadTests.Fourth.self) }
          if number == 1 { KeyedUnarchiver.setClass(ThreadTests.Fourth.self, forClassName: "Renamed") }
          if number == 2 { KeyedUnarchiver.setModule("MirrorArchiveTests", forModuleName: "Elsewhere") }
          return try KeyedThreadTests.work(number)
        }
        #expect(failures.isEmpty, "\(failures)")
      }
    }
  }
}
