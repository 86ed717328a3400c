import MirrorArchive
import Testing

/// Combinations that meet two rules at once.
@Suite("Odd combinations")
struct OddTypeTests {
  struct Cache: Equatable { var number = 0 }
  final class LazyTwin: MirrorCoding {
    lazy var cache = 5
    var _cache = Cache()
  }

  @Test("A lazy property and a stored one with its name and an underscore are two properties", arguments: [false, true])
  func lazyTwin(isComputed: Bool) throws {
    let twin = LazyTwin()
    twin._cache = Cache(number: 9)
    if isComputed { twin.cache = 7 }
    let read = try roundTrip(twin)
    #expect(read._cache == Cache(number: 9))
    #expect(read.cache == (isComputed ? 7 : 5))
  }

  final class Inlines: MirrorCoding {
    var none: InlineArray<0, String> = []
    var voids: InlineArray<3, Void> = [(), (), ()]
    var nested: InlineArray<2, InlineArray<0, Int>> = [[], []]
    var any: Any = "waits for the others"
    var last = 3
  }

  @Test("Inline arrays of nothing take their place between other properties", arguments: [1, 8, 1_025]) func inline(count: Int) throws {
    let list = (0..<count).map { number in
      let inlines = Inlines()
      inlines.any = number
      inlines.last = number
      return inlines
    }
    let read = try roundTrip(list)
    #expect(read.map(\.last) == Array(0..<count) && read.compactMap { $0.any as? Int } == Array(0..<count))
  }

  /// A key whose hash needs a property that is itself filled late.
  final class Name: MirrorCoding, Hashable {
    var text: AnyHashable = ""
    convenience init(_ text: AnyHashable) {
      self.init()
      self.text = text
    }
    static func == (left: Name, right: Name) -> Bool { left.text == right.text }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }
  struct Failure: Error, Hashable {}
  final class Register: MirrorCoding {
    var names: Set<Name> = []
    var numbers: [Name: Int] = [:]
    var results: Set<Result<Name, Failure>> = []
  }

  @Test("Objects are found in sets by a hash of properties that are filled late") func lateHash() throws {
    let register = Register()
    register.names = [Name("a"), Name(1)]
    register.numbers = [Name("b"): 2, Name(3): 4]
    register.results = [.success(Name("c")), .success(Name(5)), .failure(Failure())]
    let read = try roundTrip(register)
    #expect(read.names.count == 2 && read.names.contains(Name("a")) && read.names.contains(Name(1)))
    #expect(read.numbers[Name("b")] == 2 && read.numbers[Name(3)] == 4)
    #expect(read.results.count == 3 && read.results.contains(.success(Name("c"))) && read.results.contains(.success(Name(5))))
  }
}
