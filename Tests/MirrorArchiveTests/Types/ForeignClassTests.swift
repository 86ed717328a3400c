import ArchiveFixtures
import Foundation
import MirrorArchive
import Testing

/// CASES row R6, classes with a base of their own, and classes that cannot be made by `init()`.
@Suite("Classes of other modules, with other bases and without init()")
struct ForeignClassTests {
  final class LocalShelf: RemoteShelf {
    private var id = "local"
    private var secret = 2.5
    var crates: [RemoteCrate] = []
    var state: String { "\(id) \(secret)" }

    func set(_ id: String, _ secret: Double) {
      self.id = id
      self.secret = secret
    }
  }

  @Test("A subclass of a class from another module keeps both levels, also under equal private names") func otherModule() throws {
    let written = LocalShelf()
    written.configure(id: 42, secret: "theirs")
    written.set("mine", -1)
    written.label = "l"
    let crate = RemoteCrate()
    crate.kind = .mixed(names: ["a", "b"], weight: 1.5)
    crate.size = RemoteSize(width: 3, height: 4)
    let shelf = RemoteShelf()
    shelf.configure(id: 5, secret: "s")
    crate.shelf = shelf
    written.crates = [crate]
    let read = try roundTrip(written)
    #expect(read.remoteState == "42 theirs" && read.state == "mine -1.0" && read.label == "l")
    #expect(read.opened == Date(timeIntervalSinceReferenceDate: 0))
    let readCrate = try #require(read.crates.first)
    #expect(readCrate.kind == .mixed(names: ["a", "b"], weight: 1.5) && readCrate.size == RemoteSize(width: 3, height: 4))
    #expect(readCrate.size.remoteHeight == 4 && readCrate.shelf?.remoteState == "5 s")
  }

  @Test("A class of another module without init() comes back") func remoteWithoutInit() throws {
    let read = try roundTrip([RemoteTag(text: "t", weight: 1.25), RemoteTag(text: "", weight: -0.0)])
    #expect(read.map(\.text) == ["t", ""] && read.map(\.remoteWeight) == [1.25, 0])
  }

  /// Made only by an initializer that counts and that needs arguments.
  class Ticket: MirrorCodable {
    static let made = Tally()
    static let live = Tally()
    let code: String
    private var uses: Int
    weak var owner: Ticket?
    var next: Ticket?
    init(code: String, uses: Int) {
      self.code = code
      self.uses = uses
      Self.made.add(1)
      Self.live.add(1)
    }
    deinit { Self.live.add(-1) }
    var state: String { "\(code) \(uses)" }
  }
  final class SeasonTicket: Ticket {
    var months: [Int]
    lazy var label: String = "\(code)!"
    init(months: [Int]) {
      self.months = months
      super.init(code: "season", uses: 99)
    }
  }

  @Test("A class without init() is made without running an initializer, every property filled") func withoutInit() throws {
    let data: Data
    do {
      let written = SeasonTicket(months: [1, 2])
      let other = Ticket(code: "other", uses: 1)
      other.owner = written
      written.next = other
      data = try KeyedArchiver.archivedData(withRootObject: written)
    }
    let before = Ticket.made.value
    let read = try KeyedUnarchiver.unarchivedObject(of: SeasonTicket.self, from: data)
    #expect(Ticket.made.value == before)
    #expect(read.state == "season 99" && read.months == [1, 2] && read.label == "season!")
    #expect(read.next?.state == "other 1" && read.next?.owner === read)
  }

  final class Native: NSObject, MirrorCodable {
    var name = ""
    private var number = 1
    var friend: Native?
    var list: [String] = []
    func set(_ number: Int) { self.number = number }
    var state: String { "\(name) \(number) \(list)" }
  }
  class NativeBase: NSObject, MirrorCodable {
    private var id = 3
    func set(id: Int) { self.id = id }
    var baseState: Int { id }
  }
  final class NativeHeir: NativeBase { var id = "heir" }

  #if !canImport(ObjectiveC)
    @Test("A subclass of NSObject that conforms to MirrorCodable comes back") func nsObject() throws {
      let written = Native()
      written.name = "n"
      written.set(7)
      written.list = ["a"]
      written.friend = written
      let read = try roundTrip(written)
      #expect(read.state == #"n 7 ["a"]"# && read.friend === read)
      #expect(read.isEqual(read) && !read.isEqual(written))
      written.friend = nil
      read.friend = nil
      let heir = NativeHeir()
      heir.set(id: 8)
      heir.id = "own"
      let readHeir = try roundTrip(heir)
      #expect(readHeir.baseState == 8 && readHeir.id == "own")
    }
  #endif

  final class Initialised: MirrorCodable, MirrorInitializable {
    static let made = Tally()
    var name = "default"
    @Transient var fresh = [1, 2, 3]
    init() { Self.made.add(1) }
  }

  @Test("A MirrorCodable class with init() is made by it") func withInit() throws {
    let written = Initialised()
    written.name = "w"
    written.fresh = []
    let data = try KeyedArchiver.archivedData(withRootObject: [written, written])
    let read = try KeyedUnarchiver.unarchivedObject(of: [Initialised].self, from: data)
    #expect(read.count == 2 && read[0] === read[1] && read[0].name == "w" && read[0].fresh == [1, 2, 3])
  }
}
