import Foundation
import MirrorArchive
import Testing

@propertyWrapper struct Clamped {
  private var stored: Int
  private let range: ClosedRange<Int>
  var wrappedValue: Int {
    get { stored }
    set { stored = min(max(newValue, range.lowerBound), range.upperBound) }
  }
  init(wrappedValue: Int, _ range: ClosedRange<Int> = 0...10) {
    self.range = range
    stored = min(max(wrappedValue, range.lowerBound), range.upperBound)
  }
}

@propertyWrapper struct Traced<Value> {
  var wrappedValue: Value
  var projectedValue: Int = 0
  init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

@propertyWrapper final class Boxed<Value>: MirrorCodable {
  var wrappedValue: Value
  init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// CASES rows R1, R5, R7 and the kinds of properties that are not simply stored.
@Suite("Wrappers, constants, observers and computed properties")
struct WrapperTests {
  final class Wrapped: MirrorCoding {
    @Clamped var x = 3
    @Clamped(5...6) var y = 100
    @Traced var name = "n"
    @Traced var list: [Int?] = []
    @Traced var friend: Wrapped? = nil
    @Boxed var boxed = 1.5
    var plain = 1

    func trace(_ number: Int) { $name = number }
    var traced: Int { $name }
  }

  @Test("A property wrapper is archived through its storage, projections included") func storage() throws {
    let written = Wrapped()
    written.x = 7
    written.name = "traced"
    written.trace(9)
    written.list = [1, nil]
    written.friend = written
    written.boxed = -0.0
    let read = try roundTrip(written)
    #expect(read.x == 7 && read.y == 6 && read.name == "traced" && read.traced == 9 && read.list == [1, nil] && read.plain == 1)
    #expect(read.friend === read && read.boxed.sign == .minus)
    read.x = 99
    read.y = -4
    #expect(read.x == 10 && read.y == 5)
    read.friend = nil
    written.friend = nil
  }

  @Test("The key of a wrapped property is its name as written") func key() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Wrapped())
    #expect(data.range(of: Data("_name".utf8)) == nil)
    #expect(data.range(of: Data("name".utf8)) != nil)
    #expect(data.range(of: Data("lazy_storage".utf8)) == nil)
  }

  final class Constants: MirrorCodable {
    let id: UUID
    let kind = 5
    let names: [String]
    let friend: Constants?
    init(id: UUID, names: [String], friend: Constants?) {
      self.id = id
      self.names = names
      self.friend = friend
    }
  }

  final class InitialisedConstants: MirrorCoding {
    let id: UUID
    let note: String
    var count = 0
    required init() {
      id = UUID()
      note = "from \(id)"
      super.init()
    }
    init(note: String) {
      id = UUID()
      self.note = note
      super.init()
    }
  }

  @Test("A let that init set comes back; one that the program fixes stays what the program says") func constants() throws {
    let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    let friend = Constants(id: UUID(), names: ["a name that is longer than inline"], friend: nil)
    let read = try roundTrip(Constants(id: id, names: ["a", ""], friend: friend))
    #expect(read.id == id && read.kind == 5 && read.names == ["a", ""])
    #expect(read.friend?.id == friend.id && read.friend?.names == friend.names && read.friend?.kind == 5)
  }

  @Test("A let of a class with init() comes back, not what init() gave the new object") func initialisedConstants() throws {
    let written = InitialisedConstants(note: "by hand")
    written.count = 3
    let read = try roundTrip(written)
    #expect(read.id == written.id && read.note == "by hand" && read.count == 3)
    let many = (0..<50).map { InitialisedConstants(note: "\($0)") }
    let readMany = try roundTrip(many)
    #expect(readMany.map(\.id) == many.map(\.id) && readMany.map(\.note) == many.map(\.note))
  }

  final class Observed: MirrorCoding {
    static let calls = Tally()
    @MainActor static let shared = Observed()
    static let constant = 3
    var value = 1 {
      willSet { Self.calls.add(1) }
      didSet { Self.calls.add(1) }
    }
    var doubled: Int {
      get { value * 2 }
      set { value = newValue / 2 }
    }
    class var kind: String { "observed" }
  }

  @Test("Observers don't run while decoding, computed and static properties are not archived") func observers() throws {
    let written = Observed()
    written.value = 21
    let data = try KeyedArchiver.archivedData(withRootObject: written)
    let before = Observed.calls.value
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Observed.self, from: data)
    #expect(Observed.calls.value == before)
    #expect(read.value == 21 && read.doubled == 42)
    for name in ["doubled", "calls", "shared", "kind", "constant"] {
      #expect(data.range(of: Data(name.utf8)) == nil, "\(name) is in the archive")
    }
    read.value = 3
    #expect(Observed.calls.value == before + 2)
  }

  final class Caller: MirrorCoding {
    @Transient var callback: () -> Int = { 17 }
    @Transient var cache: [String: Int] = ["fresh": 1]
    @Transient var lock = NSLock()
    @Transient var type: Int.Type = Int.self
    @Transient var stranger = Stranger()
    var name = ""
  }

  /// A class that knows nothing of the archiver.
  final class Stranger { var number = 1 }

  @Test("A transient property is never archived and keeps what init() gave it") func transient() throws {
    let written = Caller()
    written.name = "caller"
    written.callback = { 99 }
    written.cache = ["a text that would be found": 5]
    written.stranger.number = 8
    let data = try KeyedArchiver.archivedData(withRootObject: written)
    #expect(data.range(of: Data("cache".utf8)) == nil && data.range(of: Data("would be found".utf8)) == nil)
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Caller.self, from: data)
    #expect(read.name == "caller" && read.callback() == 17 && read.cache == ["fresh": 1] && read.stranger.number == 1)
    #expect(read.lock.try())
    read.lock.unlock()
  }
}
