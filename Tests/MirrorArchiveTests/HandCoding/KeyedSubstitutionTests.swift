import Foundation
import MirrorArchive
import Testing

/// Objects that replace themselves.
@Suite("Substitution")
struct KeyedSubstitutionTests {
  /// One instance for a whole program: a proxy with a name is archived for it.
  final class Registry: KeyedCoding, ArchiveSubstitution, @unchecked Sendable {
    static let shared = Registry("shared")
    static let other = Registry("other")
    let name: String
    private init(_ name: String) { self.name = name }
    init(coder: KeyedUnarchiver) throws { throw CancellationError() }
    func encode(with coder: KeyedArchiver) throws { throw CancellationError() }
    func replacementObject(for coder: KeyedArchiver) throws -> AnyObject? { RegistryProxy(name) }
  }
  final class RegistryProxy: KeyedCoding, ArchiveSubstitution {
    let name: String
    init(_ name: String) { self.name = name }
    init(coder: KeyedUnarchiver) throws { name = try coder.decodeString(forKey: "name") }
    func encode(with coder: KeyedArchiver) throws { try coder.encode(name, forKey: "name") }
    func awakeAfter(using coder: KeyedUnarchiver) throws -> AnyObject? {
      switch name {
      case "shared": Registry.shared
      case "other": Registry.other
      case "nil": nil
      default: throw CancellationError()
      }
    }
  }

  /// The singleton pattern with one class: found by its key when it is read.
  final class Currency: KeyedCoding, ArchiveSubstitution {
    static let made = Tally()
    nonisolated(unsafe) static let all = [Currency("EUR"), Currency("CNY")]
    let code: String
    private init(_ code: String) { self.code = code }
    init(coder: KeyedUnarchiver) throws {
      code = try coder.decodeString(forKey: "code")
      Self.made.add(1)
    }
    func encode(with coder: KeyedArchiver) throws { try coder.encode(code, forKey: "code") }
    func awakeAfter(using coder: KeyedUnarchiver) throws -> AnyObject? { unsafe Self.all.first { $0.code == code } ?? self }
    static func named(_ code: String) -> Currency { unsafe all.first { $0.code == code } ?? Currency(code) }
  }
  final class Price: MirrorCoding {
    var amount = 0
    var currency: Currency?
    var accepted: [Currency] = []
    var rates: [String: Currency] = [:]
    var pair = Pair<Currency?, Int>(first: nil, second: 0)
    @Transient var atDidDecode = false
    override func didDecode(_ context: DecodingContext) throws {
      atDidDecode = currency === Currency.named("EUR")
    }
  }
  final class Account: KeyedCoding {
    let currency: Currency
    let history: [Currency]
    init(_ currency: Currency, _ history: [Currency]) { (self.currency, self.history) = (currency, history) }
    init(coder: KeyedUnarchiver) throws {
      currency = try coder.decodeObject(of: Currency.self, forKey: "currency")
      history = try coder.decode([Currency].self, forKey: "history")
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(currency, forKey: "currency")
      try coder.encode(history, forKey: "history")
    }
  }

  @Test("awakeAfter: the program's own instance stands in reflected properties, arrays, dictionaries, structs and keys")
  func awake() throws {
    let euro = Currency.named("EUR")
    let yuan = Currency.named("CNY")
    let price = Price()
    (price.amount, price.currency, price.accepted, price.rates) = (5, euro, [euro, yuan, euro], ["c": yuan])
    price.pair = Pair(first: yuan, second: 3)
    let read = try roundTrip(price)
    #expect(read.amount == 5 && read.currency === euro && read.accepted.count == 3)
    #expect(read.accepted[0] === euro && read.accepted[1] === yuan && read.accepted[2] === euro && read.rates["c"] === yuan)
    #expect(read.pair.first === yuan && read.pair.second == 3 && read.atDidDecode)
    let account = try roundTrip(Account(yuan, [yuan, euro]))
    #expect(account.currency === yuan && account.history.count == 2 && account.history[0] === yuan && account.history[1] === euro)
    #expect(try roundTrip(euro) === euro)
    let list = try roundTrip([euro, euro])
    #expect(list.count == 2 && list.allSatisfy { $0 === euro })
  }

  @Test("awakeAfter by keys: the same key twice, and keys that share the object") func awakeByKey() throws {
    let euro = Currency.named("EUR")
    let data = try keyedArchive {
      try $0.encode(euro, forKey: "a")
      try $0.encode([euro, Currency.named("CNY")], forKey: "b")
      try $0.encode(Hand(euro), forKey: "c")
    }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    for _ in 0..<2 {
      #expect(try coder.decodeObject(of: Currency.self, forKey: "a") === euro)
      #expect(try coder.decode([Currency].self, forKey: "b")[0] === euro)
      #expect(try coder.decodeObject(of: Hand<Currency>.self, forKey: "c").value === euro)
    }
  }

  @Test("A proxy is archived for an object, and hands it out again") func proxy() throws {
    let data = try keyedArchive(allowing: [RegistryProxy.self]) {
      try $0.encode([Registry.shared, Registry.other, Registry.shared], forKey: "list")
      try $0.encode(Registry.other, forKey: "one")
    }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    // What is in the archive is the proxy; the reader names it together with what it becomes.
    let one = try coder.decodeObject(ofClasses: [RegistryProxy.self, Registry.self], forKey: "one")
    #expect(one as AnyObject === Registry.other)
    let list = try coder.decodeArrayOfObjects(ofClasses: [RegistryProxy.self, Registry.self], forKey: "list")
    #expect(list.count == 3 && list.map { ($0 as? Registry)?.name } == ["shared", "other", "shared"])
  }

  @Test("awakeAfter that gives nil or throws rejects the archive") func rejected() throws {
    let data = try keyedArchive { try $0.encode(RegistryProxy("nil"), forKey: "k") }
    #expect(throws: ArchiveError.self) { try KeyedUnarchiver(forReadingFrom: data).decodeObject(of: RegistryProxy.self, forKey: "k") }
    let throwing = try keyedArchive { try $0.encode(RegistryProxy("unknown"), forKey: "k") }
    #expect(throws: CancellationError.self) {
      try KeyedUnarchiver(forReadingFrom: throwing).decodeObject(of: RegistryProxy.self, forKey: "k")
    }
  }

  @Test("A substitute that the place doesn't admit throws") func wrongPlace() throws {
    let data = try keyedArchive { try $0.encode(RegistryProxy("shared"), forKey: "k") }
    let error = #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver(forReadingFrom: data).decodeObject(of: RegistryProxy.self, forKey: "k")
    }
    #expect(error.map { [.typeMismatch, .typeNotAllowed].contains($0.code) } == true, "\(String(describing: error))")
  }

  /// A reflected class that substitutes as well.
  final class Ring: MirrorCoding, ArchiveSubstitution {
    static let replaced = Tally()
    var name = ""
    var next: Ring?
    var list: [Ring] = []
    @Transient var isNew = false
    convenience init(_ name: String) {
      self.init()
      self.name = name
    }
    func awakeAfter(using coder: KeyedUnarchiver) throws -> AnyObject? {
      if !name.hasPrefix("replace") { return self }
      let new = Ring("new for \(name)")
      (new.next, new.list, new.isNew) = (next, list, true)
      return new
    }
    func replacementObject(for coder: KeyedArchiver) throws -> AnyObject? {
      switch name {
      case "veto": return nil
      case "endless": return Ring("endless")
      case "first": return Ring("second")
      case "second": return Ring("third")
      default: return self
      }
    }
  }

  @Test("Reflected objects replace themselves after decoding, in every property that holds them") func reflected() throws {
    let root = Ring("root")
    let inner = Ring("replace me")
    (root.next, root.list) = (inner, [Ring("kept"), inner])
    inner.list = [Ring("below")]
    let read = try roundTrip(root)
    let new = try #require(read.next)
    #expect(new.name == "new for replace me" && new.isNew && new.list.map(\.name) == ["below"])
    #expect(read.list[1] === new && read.list[0].name == "kept" && !read.isNew)
  }

  @Test(
    "An object that others already hold, because it is part of a cycle, is replaced everywhere or not at all",
    arguments: ["root", "replace"])
  func cycle(name: String) throws {
    let a = Ring(name)
    let b = Ring("b")
    (a.next, b.next) = (b, a)
    defer { a.next = nil }
    let data = try KeyedArchiver.archivedData(withRootObject: a)
    if name == "root" {
      let read = try KeyedUnarchiver.unarchivedObject(ofClass: Ring.self, from: data)
      #expect(read.next?.next === read)
      read.next = nil
    } else {
      // Never a graph in which some hold the old object and some the new one.
      do {
        let read = try KeyedUnarchiver.unarchivedObject(ofClass: Ring.self, from: data)
        #expect(read.isNew && read.next?.next === read)
        read.next = nil
      } catch let error as ArchiveError {
        #expect(error.code == .cycle, "\(error)")
      }
    }
  }

  @Test("Replacement at encode: chains end, endless ones throw, nil is a veto") func replacement() throws {
    let root = Ring("root")
    root.next = Ring("first")
    #expect(try roundTrip(root).next?.name == "third")
    root.next = Ring("veto")
    #expect(try roundTrip(root).next == nil)
    root.next = nil
    root.list = [Ring("kept"), Ring("veto")]
    expectRefusal(.invalidValue, at: "root.list[1]") { try KeyedArchiver.archivedData(withRootObject: root) }
    root.list = [Ring("endless")]
    expectRefusal(.invalidValue) { try KeyedArchiver.archivedData(withRootObject: root) }
  }

  @Test("Once per object: two references to one replaced object are references to one replacement") func once() throws {
    let first = Ring("first")
    let root = Ring("root")
    (root.next, root.list) = (first, [first, first])
    let read = try roundTrip(root)
    #expect(read.next?.name == "third" && read.list.count == 2 && read.list.allSatisfy { $0 === read.next })
  }

  @Test("Encoding or decoding from inside a substitution hook") func reentrant() throws {
    final class Greedy: MirrorCoding, ArchiveSubstitution {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "KeyedSubstitutionTests.Greedy") }
      var number = 1
      @Transient var code: ArchiveError.Code?
      func replacementObject(for coder: KeyedArchiver) throws -> AnyObject? {
        do { try coder.encode(1, forKey: "x") } catch let error as ArchiveError { code = error.code }
        return self
      }
    }
    let greedy = Greedy()
    _ = try? keyedArchive { try $0.encode(greedy, forKey: "g") }
    #expect(greedy.code == .reentrant)
  }
}
