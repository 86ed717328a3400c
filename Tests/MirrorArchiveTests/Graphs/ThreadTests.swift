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
    /// Starts a thread, then the others, and waits for it when all have been let go.
    func startThreads(from number: Int) {
      if number == 8 {
        for _ in 0..<8 { start.signal() }
        return
      }
      let thread = JoinedThread(stackSize: 1 << 20) {
        start.wait()
        do {
          for round in 0..<30 where try !work(number) {
            failures.add("thread \(number), round \(round): another value came back")
          }
        } catch {
          failures.add("thread \(number): \(error)")
        }
      }
      startThreads(from: number + 1)
      thread.join()
    }
    startThreads(from: 0)
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

  final class Stock: MirrorCoding {
    var amount: Any = 1
    var fruits: [Fifth] = []
    var texts: [String] = []
  }
  class Fifth: MirrorCoding { var number = 5 }
  final class FifthHeir: Fifth { var text = "heir" }

  /// Archives and reads the same classes, with other settings for each number. Each gets what its own settings say.
  static func workWithSettings(_ number: Int) throws -> Bool {
    func code(_ body: () throws -> Void) -> ArchiveError.Code? {
      do {
        try body()
        return nil
      } catch { return (error as? ArchiveError)?.code }
    }
    let stock = Stock()
    stock.texts = (0..<20).map { "text \($0 % 3)" }
    var options = DecodingOptions()
    switch number {
    case 0:
      return try roundTrip(stock).amount as? Int == 1
    case 1:
      stock.fruits = [FifthHeir()]
      let data = try KeyedArchiver.archivedData(withRootObject: stock, allowing: [FifthHeir.self])
      return try KeyedUnarchiver.unarchivedObject(of: Stock.self, from: data, allowing: [FifthHeir.self]).fruits.first is FifthHeir
    case 2:
      stock.fruits = [FifthHeir()]
      let data = try KeyedArchiver.archivedData(withRootObject: stock, requiringSecureCoding: false)
      return code { _ = try KeyedArchiver.archivedData(withRootObject: stock) } == .typeNotAllowed
        && code { _ = try KeyedUnarchiver.unarchivedObject(of: Stock.self, from: data) } == .typeNotAllowed
    case 3:
      options.limits.maximumObjectCount = 2
      stock.fruits = [Fifth(), Fifth()]
      let data = try KeyedArchiver.archivedData(withRootObject: stock)
      return code { _ = try KeyedUnarchiver.unarchivedObject(of: Stock.self, from: data, options: options) } == .limitExceeded
    case 4:
      options.limits.maximumStringLength = 3
      let data = try KeyedArchiver.archivedData(withRootObject: stock)
      return code { _ = try KeyedUnarchiver.unarchivedObject(of: Stock.self, from: data, options: options) } == .limitExceeded
    case 5:
      options.conversionPolicy = .lenient
      let coder = try KeyedUnarchiver(forReadingFrom: KeyedArchiver.archivedData(withRootObject: Slot(12)), options: options)
      coder.setClass(Slot<String>.self, forClassName: "MirrorArchiveTests.Slot<Swift.Int>")
      return try coder.decodeObject(of: Slot<String>.self, forKey: "root").value == "12"
    case 6:
      return code { _ = try KeyedArchiver.archivedData(withRootObject: stock, maximumByteCount: 20) } == .limitExceeded
    default:
      let archiver = KeyedArchiver()
      archiver.outputFormatting = .sortedKeys
      archiver.setClassName("other.Stock", for: Stock.self)
      try archiver.encode(stock, forKey: "root")
      let coder = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
      coder.setClass(Stock.self, forClassName: "other.Stock")
      return try coder.decodeObject(of: Stock.self, forKey: "root").texts == stock.texts
    }
  }

  @Test("Eight threads with eight kinds of settings get what their own settings say, while plans are dropped", arguments: [true, false])
  func settings(registers: Bool) async {
    await #expect(processExitsWith: .success) { [registers = registers as Bool] in
      reported {
        let rounds = Tally()
        let failures = ThreadTests.race { number in
          let isGood = try ThreadTests.workWithSettings(number)
          // Whatever is registered discards all plans.
          if registers, number == 0 {
            let round = rounds.add(1)
            if round < ThreadTests.registered.count { try KeyedArchiver.register(ThreadTests.registered[round]) }
          }
          return isGood
        }
        #expect(failures.isEmpty, "\(failures)")
      }
    }
  }

  static let registered: [Any.Type] = [
    Box<Int8>.self, Box<Int16>.self, Box<Int32>.self, Box<UInt8>.self, Box<UInt16>.self, Box<Float>.self,
  ]

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
