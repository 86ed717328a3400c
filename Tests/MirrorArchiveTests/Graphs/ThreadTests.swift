import Foundation
import MirrorArchive
import Testing

/// The one-shot calls on many threads, while nothing has been planned yet.
@Suite("Threads")
struct ThreadTests {
  final class First: MirrorCoding {
    var name = "first"
    var second: Second? = Second()
  }
  final class Second: MirrorCoding {
    var numbers = [1, 2, 3]
    var shape = Enums.Shape.circle(r: 2)
  }
  /// Registered under another name while the others are at work, which nobody can do to a class that is being archived.
  final class Fourth: MirrorCoding {}
  final class Third: MirrorCodable {
    let code: String
    var first: [First]
    init(code: String) {
      self.code = code
      first = [First(), First()]
    }
  }

  /// Starts the work on eight threads at once and answers the failures.
  static func race(_ work: @escaping @Sendable (Int) throws -> Bool) -> [String] {
    let failures = Failures()
    let start = DispatchSemaphore(value: 0)
    let end = DispatchGroup()
    for number in 0..<8 {
      end.enter()
      let thread = Thread {
        start.wait()
        do {
          for round in 0..<30 where try !work(number) {
            failures.add("thread \(number), round \(round): another value came back")
          }
        } catch {
          failures.add("thread \(number): \(error)")
        }
        end.leave()
      }
      thread.stackSize = 1 << 20
      thread.start()
    }
    for _ in 0..<8 { start.signal() }
    end.wait()
    return failures.all
  }

  /// Archives and reads something else for each number, all of it sharing some types.
  static func work(_ number: Int) throws -> Bool {
    switch number {
    case 0: return try roundTrip(First()).second?.numbers == [1, 2, 3]
    case 1: return try roundTrip(Second()).shape == .circle(r: 2)
    case 2: return try roundTrip(Third(code: "c")).first.map(\.name) == ["first", "first"]
    case 3: return try roundTrip(Box(Box(["a": First()]))).value?.value?["a"]?.second != nil
    case 4: return try roundTrip([Pair(first: Second(), second: UUID?.none)]).first?.first.numbers.count == 3
    case 5: return try roundTrip(AnyBox(list: [1, "two", [3.0]])).list.count == 3
    case 6: return try roundTrip(Either<First, Third>.right(Third(code: "d"))).isRight
    default: return try roundTrip(["k": Slot(Enums.Tree.node(.leaf(1), .nothing))])["k"]?.value == .node(.leaf(1), .nothing)
    }
  }

  @Test("Eight threads use eight models for the first time at once") func differentTypes() async {
    await #expect(processExitsWith: .success) {
      reported {
        let failures = ThreadTests.race { try ThreadTests.work($0) }
        #expect(failures.isEmpty, "\(failures)")
      }
    }
  }

  @Test("Eight threads use the same model for the first time at once", arguments: 0..<8) func sameType(number: Int) async {
    await #expect(processExitsWith: .success) { [number = number as Int] in
      reported {
        let failures = ThreadTests.race { _ in try ThreadTests.work(number) }
        #expect(failures.isEmpty, "\(failures)")
      }
    }
  }

  @Test("Eight threads read the same archive and write the same bytes") func sameArchive() async {
    await #expect(processExitsWith: .success) {
      reported {
        let data = try KeyedArchiver.archivedData(withRootObject: Third(code: "shared"))
        let failures = ThreadTests.race { _ in
          let read = try KeyedUnarchiver.unarchivedObject(of: Third.self, from: data)
          return try KeyedArchiver.archivedData(withRootObject: read) == data
        }
        #expect(failures.isEmpty, "\(failures)")
      }
    }
  }

  @Test("Registering while others archive is safe") func registering() async {
    await #expect(processExitsWith: .success) {
      reported {
        let failures = ThreadTests.race { number in
          if number == 0 { try KeyedArchiver.register(Fourth.self, as: "thread-fourth") }
          if number == 1 { try KeyedArchiver.register(Allowed.self) }
          return try ThreadTests.work(number % 4 + 3)
        }
        #expect(failures.isEmpty, "\(failures)")
      }
    }
  }
}

/// Texts collected from many threads.
private final class Failures: @unchecked Sendable {
  private let lock = NSLock()
  private var texts: [String] = []

  func add(_ text: String) { lock.withLock { texts.append(text) } }
  var all: [String] { lock.withLock { texts } }
}

extension Either {
  var isRight: Bool { if case .right = self { true } else { false } }
}
