import ArchiveCache
import Foundation
import MirrorArchive

/// The code of the documentation comments, which a test compares with it line by line. It is compiled and not run: the pages have the
/// examples that are.
private enum DocCommentExamples {
  // MARK: What the examples speak of

  class Shop: MirrorCoding {
    var name = ""
    var fruits: [Fruit] = []
  }

  class Shape: MirrorCoding {}
  final class Circle: Shape {}
  final class Drawing: MirrorCoding { var shapes: [Shape] = [] }
  final class PrivateState: MirrorCoding {}
  final class Market: MirrorCoding {}
  final class Report: MirrorCoding {}
  final class Settings: MirrorCoding {}
  final class Document: MirrorCoding { var parts: [Any] = [] }
  final class Order: MirrorCoding {}
  struct Reading { var value = 0.0 }
  final class Employee: Person {}

  struct Image {
    init?(_ data: Data) {}
    func pngData() -> Data { Data() }
  }

  private static func move(to x: Double?, _ y: Double?) {}
  private static func use(_ values: Any...) {}
  private static func makeReport(year: Int) throws -> Report { Report() }
  private static func log(_ text: String, _ more: String? = nil) {}

  @resultBuilder private enum Rules {
    static func buildBlock(_ rules: PropertyRule...) -> [PropertyRule] { rules }
  }

  // MARK: The cache

  static func caching(cache: ArchiveCache<String, Report>) async throws {
    let report = try await cache.background.value(forKey: "2024")
    use(report as Any)
  }

  static func single() throws {
    let cache = try ArchiveCache<String, Report>(name: "reports")
    let report = try cache.value(forKey: "2024", timeToLive: 3_600) {
      try makeReport(year: 2024)  // runs once, however many ask at the same time
    }
    use(report)
  }

  static func configured() throws {
    var configuration = ArchiveCacheConfiguration()
    configuration.limits.diskByteCount = 64 << 20
    configuration.limits.maximumAge = 7 * 86_400
    let cache = try ArchiveCache<String, Report>(name: "reports", configuration: configuration)
    use(cache)
  }

  struct Tile: ArchiveCacheKey {
    var zoom: Int
    var x: Int
    var y: Int
  }

  // MARK: The store

  static func storing(market: inout Market) throws {
    let store = try ModelStore(name: "com.example.Market")
    try store.save(market, dated: .now, as: "market", keeping: 10)
    if let newest = try store.snapshots(of: "market").first {
      market = try store.load(Market.self, as: "market", snapshot: newest)
    }
  }

  static func backing(market: Market) throws {
    func run(_: Void) throws {
      let store = try ModelStore(name: "com.example.Market")
      try store.save(market, as: "market", keepingBackup: true)
      let market = try store.loadIfPresent(Market.self, as: "market") ?? Market()
      use(market)
    }
    try run(())
  }

  static func listing(store: ModelStore, apple: Fruit, pear: Fruit) throws {
    try store.save([apple, pear], as: "fruits")
    let fruits = try store.load([Fruit].self, as: "fruits")
    use(fruits)
  }

  static func recovering(store: ModelStore, document: inout Document) throws {
    do {
      document = try store.load(Document.self, as: "document")
    } catch let error where error.code == .notFound {
      document = Document()
    } catch let error where error.code == .corrupt {
      document = try store.loadBackup(Document.self, as: "document")
    }
  }

  static func defaults(settings: Settings) throws {
    func run(_: Void) throws {
      try UserDefaults.standard.setArchive(settings, forKey: "settings")
      let settings = try UserDefaults.standard.archive(of: Settings.self, forKey: "settings") ?? Settings()
      use(settings)
    }
    try run(())
  }

  // MARK: Errors

  static func newer(data: Data) throws {
    var settings = Settings()
    do {
      settings = try KeyedUnarchiver.unarchivedObject(ofClass: Settings.self, from: data)
    } catch let error as ArchiveError where error.code == .newerFormat {
      // Written by a newer release: leave the file alone.
    }
    use(settings)
  }

  // MARK: Archiving

  final class Stall: KeyedCoding {
    let name: String
    let fruits: [Fruit]
    var x = 0
    var y = 0
    var width = 0

    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(name, forKey: "name")
      try coder.encode(fruits, forKey: "fruits")
    }

    func encodePosition(with coder: KeyedArchiver) throws {
      try coder.encodeContainer(forKey: "position") { coder in
        try coder.encode(x, forKey: "x")
        try coder.encode(y, forKey: "y")
      }
    }

    init(coder: KeyedUnarchiver) throws {
      (name, fruits) = ("", [])
      let prices = try coder.decode([String: Double].self, forKey: "prices")
      let (width, height) = try coder.decodeContainer(forKey: "size") { size in
        try (size.decodeInt(forKey: "width"), size.decodeInt(forKey: "height"))
      }
      use(prices, width, height)
    }
  }

  static func archiving(market: Market, drawing: Drawing) throws {
    do {
      let data = try KeyedArchiver.archivedData(withRootObject: market)
      use(data)
    }
    do {
      let archiver = KeyedArchiver()
      try archiver.encode(market, forKey: "market")
      try archiver.encode(Date(), forKey: "saved")
      let data = try archiver.encodedData
      use(data)
    }
    let data = try KeyedArchiver.archivedData(withRootObject: drawing, allowing: [Circle.self])
    let same = try KeyedUnarchiver.unarchivedObject(of: Drawing.self, from: data, allowing: [Circle.self])
    use(same)
  }

  static func appending(readings: [Reading], header: Data, send: (Data) -> Void) throws {
    var counts: [Int] = []
    var message = header
    for reading in readings {
      counts.append(try KeyedArchiver.archive(reading, into: &message))
    }
    send(message)
  }

  static func registering() throws {
    try KeyedArchiver.register(Circle.self)  // may stand behind Shape, any Drawable, Any
    try KeyedArchiver.register(PrivateState.self, as: "app.state")  // a private type needs a name
  }

  static func file(market: Market, documents: URL, url: URL) throws {
    try KeyedArchiver.archive(market, to: documents.appending(path: "market.archive"), options: .durable)
    let settings = try KeyedUnarchiver.unarchivedObject(of: Settings.self, contentsOf: url)
    use(settings)
  }

  // MARK: Reading

  static func borrowing(message: Data, header: Int) throws {
    let reading = unsafe try message.withUnsafeBytes { bytes in
      unsafe try KeyedUnarchiver.unarchivedObject(of: Reading.self, from: UnsafeRawBufferPointer(rebasing: bytes[header...]))
    }
    use(reading)
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  static func span(message: Data, header: Int) throws {
    let reading = try KeyedUnarchiver.unarchivedObject(of: Reading.self, from: message.bytes.extracting(droppingFirst: header))
    use(reading)
  }

  final class Node: KeyedCoding {
    let children: [Node]
    weak var parent: Node?

    init(coder: KeyedUnarchiver) throws {
      children = try coder.decodeArrayOfObjects(ofClass: Node.self, forKey: "children")
      try coder.decodeObject(of: Node.self, forKey: "parent") { [unowned self] in parent = $0 }
    }

    func encode(with coder: KeyedArchiver) throws {}
  }

  static func reading(data: Data, open: (Market) -> Void, show: (Fruit) -> Void) throws {
    let prices = try KeyedUnarchiver.unarchivedObject(of: [String: Double].self, from: data)
    switch try KeyedUnarchiver.unarchivedObject(ofClasses: [Market.self, Fruit.self], from: data) {
    case let market as Market: open(market)
    case let fruit as Fruit: show(fruit)
    default: break
    }
    let fruits = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Fruit.self, from: data)
    let stalls = try KeyedUnarchiver.unarchivedDictionary(ofKeyClass: String.self, objectClass: Fruit.self, from: data)
    use(prices, fruits, stalls)
  }

  static func calls(data: Data) throws {
    do {
      let market = try KeyedUnarchiver.unarchivedObject(ofClass: Market.self, from: data)
      use(market)
    }
    let market = try KeyedUnarchiver.unarchivedObject(ofClass: Market.self, from: data)  // in one call

    let unarchiver = try KeyedUnarchiver(forReadingFrom: data)  // by root keys
    let title = try unarchiver.decodeString(forKey: "title")
    let shop = try unarchiver.decodeObject(of: Shop.self, forKey: "shop")
    use(market, title, shop)
  }

  static func reporting(data: Data) throws {
    let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
    let shop = try unarchiver.decodeObject(of: Shop.self, forKey: "root")
    for entry in unarchiver.report.entries { log("\(entry.path): \(entry.message)") }
    use(shop)
  }

  static func bounded(received: Data) throws {
    var options = DecodingOptions()
    options.limits.maximumObjectCount = 10_000
    options.limits.maximumStringLength = 4_096
    let order = try KeyedUnarchiver.unarchivedObject(of: Order.self, from: received, options: options)
    use(order)
  }

  static func lenient(data: Data) throws {
    var options = DecodingOptions()
    options.conversionPolicy = .lenient
    let settings = try KeyedUnarchiver.unarchivedObject(of: Settings.self, from: data, options: options)
    use(settings)
  }

  static func keeping(data: Data) throws {
    var options = DecodingOptions()
    options.unknownClasses = .keep
    let document = try KeyedUnarchiver.unarchivedObject(ofClass: Document.self, from: data, options: options)
    for case let plugin as UnknownObject in document.parts { log(plugin.className, plugin["title"]?.stringValue) }
  }

  static func asking(data: Data, askForUpdate: () -> Void) throws {
    let header = try KeyedUnarchiver.header(of: data)
    guard header.isReadable else { return askForUpdate() }
    let version = header.types.first { $0.name == "App.Document" }?.version
    use(version as Any)
  }

  static func values(value: ArchiveValue, show: (String) -> Void) {
    switch value {
    case .structure(let point) where point.name == "Geometry.Point": move(to: point["x"]?.doubleValue, point["y"]?.doubleValue)
    case .string(let text): show(text)
    default: break
    }
    let city = value["address"]?["city"]?.stringValue
    use(city as Any)
  }

  // MARK: Documents

  static func changing(url: URL) throws {
    var document = try ArchiveDocument(contentsOf: url)
    print(try document.value(at: "root.fruits[3].name"))
    try document.set("pear", at: "root.fruits[3].name")
    try document.encoded().write(to: url)
  }

  static func setting(data: Data, number: Int) throws {
    do {
      var document = try ArchiveDocument(data)
      try document.set(12, at: "root.fruits[3].count")
      let changed = try document.encoded()
      use(changed)
    }
    var document = ArchiveDocument()
    try document.set(12, at: "root.fruits[3].count")
    try document.set(.reference(number), at: "root.stalls[\"north\"]")
    try document.set(["x": 1, "y": 2.5], at: "root.origin")
    try document.set(nil, at: "root.parent")
    try document.insert("pear", at: "root.names[0]")
    try document.insert(3, at: "root.prices[\"pear\"]")
  }

  static func making() throws {
    var document = ArchiveDocument()
    let fruit = ArchiveType.class(name: "Shop.Fruit", properties: ["name": .string, "count": .int])
    let apple = try document.addObject(of: fruit, properties: ["name": "apple", "count": 3])
    try document.setRoot(.reference(apple))
    let data = try document.encoded()  // as if the program with the class had archived an apple
    use(data)
  }

  static func adding(document: inout ArchiveDocument) throws {
    let pear = try document.addObject(ofClass: "Shop.Fruit", properties: ["name": "pear", "count": 3])
    try document.append(.reference(pear), to: "root.fruits")
  }

  static func looking(document: ArchiveDocument) throws {
    do {
      let name = try document.value(at: "root.fruits[3].name").stringValue
      use(name as Any)
    }
    let path = try ArchivePath("root.stalls[\"north\"].name")
    let name = try document.value(at: path)
    use(name)
  }

  static func describing() {
    let point = ArchiveType.structure(name: "Geometry.Point", fields: ["x": .double, "y": .double])
    let shape = ArchiveType.class(name: "Geometry.Shape", properties: ["title": .string, "origin": point, "next": .optional(.object)])
    use(shape)
  }

  // MARK: Classes

  final class Fruit: MirrorCoding {
    var name = ""
    private var count = 0
    weak var shop: Shop?
  }

  enum ByHand {
    final class Fruit: KeyedCoding {
      let name: String
      let count: Int
      init(coder: KeyedUnarchiver) throws {
        name = try coder.decodeString(forKey: "name")
        count = try coder.decodeInt(forKey: "count")
      }
      func encode(with coder: KeyedArchiver) throws {
        try coder.encode(name, forKey: "name")
        try coder.encode(count, forKey: "count")
      }
    }
  }

  final class Note: KeyedCoding {
    let text: String

    init(coder: KeyedUnarchiver) throws {
      if coder.version(forClassName: "App.Note") ?? 0 < 2 {
        text = try coder.decodeString(forKey: "body")
      } else {
        text = try coder.decodeString(forKey: "text")
      }
    }

    func encode(with coder: KeyedArchiver) throws {}
  }

  final class Photo: MirrorCoding, KeyedExtras {
    var title = ""
    @Transient var image: Image?
    func encodeExtras(with coder: KeyedArchiver) throws { try coder.encode(image?.pngData(), forKey: "png") }
    func decodeExtras(with coder: KeyedUnarchiver) throws { image = try coder.decodeDataIfPresent(forKey: "png").flatMap(Image.init) }
  }

  final class Ticket: MirrorCodable {
    let code: String
    init(code: String) { self.code = code }
  }

  final class Article: MirrorCoding {
    var price = 0.0
    var checksum = 0

    private func makeChecksum() -> Int { 0 }

    override func didDecode(_ context: DecodingContext) throws {
      try super.didDecode(context)
      if context.typeVersion < 2, let cents = try context.unknownValues["priceInCents"]?.intValue { price = Double(cents) / 100 }
      if context.defaultedKeys.contains("checksum") { checksum = makeChecksum() }
    }
  }

  final class Button: MirrorCoding {
    var title = ""
    @Transient var onTap: () -> Void = {}
  }

  // MARK: Rules

  class Person: MirrorCoding {
    var fullName = ""
    var born = Date()
    var nick: String?
    override class var archiveRules: ArchiveRules {
      ArchiveRules(
        name: "Person", formerNames: ["App.User"], version: 2,
        properties: [
          PropertyRule("fullName", formerKeys: ["name"]),
          PropertyRule("born", conversions: [.secondsSince1970]),
        ],
        subclasses: [Employee.self])
    }
  }

  @Rules static var conversions: [PropertyRule] {
    PropertyRule("price", conversions: [ArchiveConversion { (cents: Int) in Double(cents) / 100 }])
    PropertyRule("created", conversions: [.secondsSince1970])
  }

  @Rules static var rules: [PropertyRule] {
    PropertyRule("fullName", key: "name", formerKeys: ["title", "label"])
    PropertyRule("level", default: .value(3))
    PropertyRule("age", conversions: [ArchiveConversion { (text: String) in Int(text) ?? 0 }])
  }

  final class User: MirrorCoding {
    @Key("user_name", formerly: "userName") var name = ""
    @Key(formerly: ["years", "age"]) var ageInYears = 0
    @Key("mail") var address: String?
  }
}
