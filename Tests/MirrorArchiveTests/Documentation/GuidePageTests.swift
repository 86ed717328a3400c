import Foundation
import MirrorArchive
import Testing

/// The code of the pages that introduce the library, as it stands there.
@Suite("The pages that introduce the library")
struct GuidePageTests {
  @Test(
    "Every Swift block is compiled here",
    arguments: ["MirrorArchive", "GettingStarted", "HowPropertiesAreFound", "Performance", "ComingFromCodable", "Security"])
  func isCompiled(page: String) throws {
    let blocks = try PageBlocks("Sources/MirrorArchive/MirrorArchive.docc/\(page).md")
    #expect(!blocks.paragraphs.isEmpty)
    #expect(try blocks.missing(in: #filePath).map(\.description) == [])
  }

  // MARK: The first page

  enum First {
    final class Fruit: MirrorCoding {
      var name = ""
      var price = 0.0
      private var tag: String?
      weak var shop: Shop?
    }

    final class Shop: MirrorCoding {
      var fruits: [Fruit] = []
      var stalls: [String: Fruit] = [:]
    }
  }

  @Test("The shop of the first page comes back as it was") func shop() throws {
    typealias Shop = First.Shop
    let apple = First.Fruit()
    let shop = Shop()
    (apple.name, apple.price, apple.shop) = ("apple", 1.5, shop)
    (shop.fruits, shop.stalls) = ([apple], ["north": apple])
    let data = try KeyedArchiver.archivedData(withRootObject: shop)
    let copy = try KeyedUnarchiver.unarchivedObject(ofClass: Shop.self, from: data)
    #expect(copy.fruits.map(\.name) == ["apple"] && copy.fruits[0].price == 1.5)
    #expect(copy.stalls["north"] === copy.fruits[0] && copy.fruits[0].shop === copy)
  }

  // MARK: Getting started

  enum Priority {
    case low
    case high(reason: String)
  }

  struct Address {
    var street = ""
    var city = ""
  }

  class Person: MirrorCoding {
    var name = ""
    var address: Address?
    private(set) var joined = Date()
  }

  final class Team: MirrorCoding {
    var title = ""
    var members: [Person] = []
    var lead: Person?
    var tasks: [String: Priority] = [:]
  }

  final class Ticket: MirrorCoding {
    let code: String
    var isUsed = false

    required init() { code = "" }
    init(code: String) { self.code = code }
  }

  final class Player: MirrorCoding {
    var volume = 0.5
    @Transient var onEnd: () -> Void = {}
  }

  class Shape: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(subclasses: [Circle.self, Square.self]) }
  }
  final class Circle: Shape { var radius = 1.0 }
  final class Square: Shape { var side = 1.0 }
  final class Drawing: MirrorCoding { var shapes: [Shape] = [] }

  private func team() -> Team {
    let (ada, alan) = (Person(), Person())
    (ada.name, ada.address, alan.name) = ("Ada", Address(street: "St James's Square", city: "London"), "Alan")
    let team = Team()
    (team.title, team.members, team.lead) = ("Engines", [ada, alan], ada)
    team.tasks = ["notes": .high(reason: "Bernoulli numbers"), "tea": .low]
    return team
  }

  @Test("The team comes back from memory and from a file") func teams() throws {
    let team = team()
    let directory = try TemporaryDirectory()
    let url = URL(fileURLWithPath: directory.file("team.archive"))
    let data = try KeyedArchiver.archivedData(withRootObject: team)
    let copy = try KeyedUnarchiver.unarchivedObject(ofClass: Team.self, from: data)
    #expect(copy.lead === copy.members[0] && copy.lead?.address?.city == "London" && copy.members[1].joined == team.members[1].joined)
    if case .high(let reason)? = copy.tasks["notes"] { #expect(reason == "Bernoulli numbers") } else { Issue.record("\(copy.tasks)") }
    try KeyedArchiver.archive(team, to: url, options: .durable)
    let loaded = try KeyedUnarchiver.unarchivedObject(of: Team.self, contentsOf: url)
    #expect(loaded.members.map(\.name) == ["Ada", "Alan"])
  }

  @Test("A dictionary is a root like any other") func scores() throws {
    let scores = try KeyedArchiver.archivedData(withRootObject: ["Ada": 3, "Alan": 5])
    let read = try KeyedUnarchiver.unarchivedObject(of: [String: Int].self, from: scores)
    #expect(read == ["Ada": 3, "Alan": 5])
  }

  @Test("Constants, transient properties and subclasses are what the page says") func kinds() throws {
    let used = Ticket(code: "A7")
    used.isUsed = true
    let ticket = try KeyedUnarchiver.unarchivedObject(of: Ticket.self, from: KeyedArchiver.archivedData(withRootObject: used))
    #expect(ticket.code == "A7" && ticket.isUsed)
    let player = Player()
    player.volume = 0.75
    player.onEnd = { Issue.record("the closure was archived") }
    let quiet = try KeyedUnarchiver.unarchivedObject(of: Player.self, from: KeyedArchiver.archivedData(withRootObject: player))
    quiet.onEnd()
    #expect(quiet.volume == 0.75)
    let drawing = Drawing()
    drawing.shapes = [Circle(), Square()]
    let drawn = try KeyedUnarchiver.unarchivedObject(of: Drawing.self, from: KeyedArchiver.archivedData(withRootObject: drawing))
    #expect(drawn.shapes[0] is Circle && drawn.shapes[1] is Square)
  }

  @Test("A damaged archive has the code of the page") func damage() throws {
    var data = try KeyedArchiver.archivedData(withRootObject: team())
    data[data.count / 2] ^= 1
    var team = Team()
    do {
      team = try KeyedUnarchiver.unarchivedObject(ofClass: Team.self, from: data)
    } catch let error as ArchiveError where error.code == .corrupt {
      // Damaged on the way.
    }
    #expect(team.members.isEmpty, "another error would have left the test")
  }

  // MARK: How properties are found

  class Vehicle: MirrorCoding {
    private var id = 1
    var wheels = 4
    @Key("max_speed", formerly: "speed") var maximumSpeed = 120.0
  }

  final class Truck: Vehicle {
    private var id = "T-1"
    lazy var label = "\(id) on \(wheels) wheels"
    var load: [String] = []
    weak var trailer: Truck?
    @Transient var onHorn: (() -> Void)?
  }

  @Test("The properties of the truck stand under the names that the page gives") func truck() throws {
    let truck = Truck()
    truck.wheels = 6
    let data = try KeyedArchiver.archivedData(withRootObject: truck)
    let types = try KeyedUnarchiver.header(of: data).types.filter { $0.kind == .class }
    #expect(
      types.map(\.propertyKeys).sorted { $0.count < $1.count } == [["id", "wheels", "max_speed"], ["id", "label", "load", "trailer"]])
    let copy = try KeyedUnarchiver.unarchivedObject(of: Truck.self, from: data)
    // Not computed by archiving, and so by the copy only now.
    copy.wheels = 8
    #expect(copy.label == "T-1 on 8 wheels")
  }

  // MARK: Performance

  struct Sample { var value = 0.0 }
  final class Settings: MirrorCoding { var volume = 0 }

  @Test("Archives in a message are read where they are") func message() throws {
    let samples = [Sample(value: 1.5), Sample(value: 2.5)]
    var lengths: [Int] = []
    var message = Data()
    message.reserveCapacity(1_024)
    for sample in samples {
      lengths.append(try KeyedArchiver.archive(sample, into: &message))
    }

    let first = unsafe try message.withUnsafeBytes { bytes in
      unsafe try KeyedUnarchiver.unarchivedObject(of: Sample.self, from: UnsafeRawBufferPointer(rebasing: bytes[..<lengths[0]]))
    }
    #expect(first.value == 1.5 && lengths.reduce(0, +) == message.count)
  }

  @Test("One key of a file is read alone") func key() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }
    let changed = Settings()
    changed.volume = 7
    func write(settings: Settings, history: [Int]) throws {
      let archiver = KeyedArchiver()
      try archiver.encode(settings, forKey: "settings")
      try archiver.encode(history, forKey: "history")
      try archiver.encodedData.write(to: url)
    }
    try write(settings: changed, history: [1, 2, 3])

    let settings = try KeyedUnarchiver.unarchivedObject(of: Settings.self, contentsOf: url, forKey: "settings")
    #expect(settings.volume == 7)
  }

  // MARK: Coming from Codable

  private enum WithCodable {
    // With Codable
    class Animal: Codable {
      var name = ""
    }
    final class Dog: Animal {
      var tricks: [String] = []
      private enum CodingKeys: String, CodingKey { case tricks }
      required init(from decoder: any Decoder) throws {
        tricks = try decoder.container(keyedBy: CodingKeys.self).decode([String].self, forKey: .tricks)
        try super.init(from: decoder)
      }
      override func encode(to encoder: any Encoder) throws {
        try super.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(tricks, forKey: .tricks)
      }
    }
  }

  enum Without {
    // Without
    class Animal: MirrorCoding {
      var name = ""
    }
    final class Dog: Animal {
      var tricks: [String] = []
    }
  }

  struct Quote: Codable {
    var symbol: String
    var price: Double
    enum CodingKeys: String, CodingKey {
      case symbol = "s"
      case price = "p"
    }
  }

  final class Portfolio: MirrorCoding {
    var quotes: [Quote] = []
  }

  @Test("A dog needs no code, and a Codable struct none that it does not have") func dog() throws {
    let coded = try JSONDecoder().decode(WithCodable.Dog.self, from: Data(#"{"name": "Rex", "tricks": ["sit"]}"#.utf8))
    let dog = Without.Dog()
    (dog.name, dog.tricks) = (coded.name, coded.tricks)
    let copy = try KeyedUnarchiver.unarchivedObject(of: Without.Dog.self, from: KeyedArchiver.archivedData(withRootObject: dog))
    #expect(copy.name == "Rex" && copy.tricks == ["sit"])

    let portfolio = Portfolio()
    portfolio.quotes = try JSONDecoder().decode([Quote].self, from: Data(#"[{"s": "ABC", "p": 12.5}]"#.utf8))
    let read = try KeyedUnarchiver.unarchivedObject(of: Portfolio.self, from: KeyedArchiver.archivedData(withRootObject: portfolio))
    #expect(read.quotes.map(\.symbol) == ["ABC"] && read.quotes[0].price == 12.5)
  }

  // MARK: Security

  final class Order: MirrorCoding { var note = "" }

  @Test("A text beyond the page's limit is refused") func limits() throws {
    func read(_ body: Data) throws -> Order {
      var options = DecodingOptions()
      options.limits.maximumDecodedByteCount = 4 << 20
      options.limits.maximumStringLength = 10_000
      let order = try KeyedUnarchiver.unarchivedObject(of: Order.self, from: body, options: options)
      return order
    }
    let order = Order()
    order.note = String(repeating: "x", count: 10_000)
    #expect(try read(KeyedArchiver.archivedData(withRootObject: order)).note.count == 10_000)
    order.note += "x"
    let tooLong = try KeyedArchiver.archivedData(withRootObject: order)
    expectRefusal(.limitExceeded) { try read(tooLong) }
  }
}
