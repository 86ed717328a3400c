import ArchiveFormat
import Foundation
import MirrorArchive
import Testing

/// A shared instance that goes by a token in archives.
final class SharedFont: ArchiveSubstitution {
  let name: String
  var calls = 0
  init(_ name: String) { self.name = name }
  func replacementObject(for coder: KeyedArchiver) throws -> AnyObject? {
    calls += 1
    return name.isEmpty ? nil : FontToken(name)
  }
}

final class FontToken: MirrorCodable, ArchiveSubstitution {
  var name: String
  init(_ name: String) { self.name = name }
  func awakeAfter(using coder: KeyedUnarchiver) throws -> AnyObject? { SharedFont(name) }
}

/// Hands out whatever it was given.
final class Relay: MirrorCodable, ArchiveSubstitution {
  var number = 0
  @Transient var next: AnyObject?
  @Transient var body: ((KeyedArchiver) throws -> Void)?
  init(_ number: Int, _ next: AnyObject? = nil) {
    self.number = number
    self.next = next
  }
  func replacementObject(for coder: KeyedArchiver) throws -> AnyObject? {
    try body?(coder)
    return next ?? self
  }
}

final class Label: MirrorCodable {
  var text: String
  var font: SharedFont?
  var others: [SharedFont?] = []
  init(_ text: String, _ font: SharedFont?) {
    self.text = text
    self.font = font
  }
}

final class StrictLabel: MirrorCodable {
  var font: SharedFont
  init(_ font: SharedFont) { self.font = font }
}

/// Writes down what it is told.
final class ArchiverWatcher: KeyedArchiverDelegate {
  var events: [String] = []
  var choose: (AnyObject) throws -> AnyObject? = { $0 }
  var body: (KeyedArchiver) throws -> Void = { _ in }

  private func name(_ object: AnyObject?) -> String { object.map { "\(type(of: $0))" } ?? "nil" }
  func archiver(_ archiver: KeyedArchiver, willEncode object: AnyObject) throws -> AnyObject? {
    events.append("will \(name(object))")
    try body(archiver)
    return try choose(object)
  }
  func archiver(_ archiver: KeyedArchiver, didEncode object: AnyObject) { events.append("did \(name(object))") }
  func archiver(_ archiver: KeyedArchiver, willReplace object: AnyObject, with replacement: AnyObject?) {
    events.append("replace \(name(object)) \(name(replacement))")
  }
  func archiverWillFinish(_ archiver: KeyedArchiver) { events.append("will finish") }
  func archiverDidFinish(_ archiver: KeyedArchiver) { events.append("did finish") }
}

@Suite("Objects archived for others") struct ReplacementTests {
  private func count(_ name: String, in data: Data) throws -> Int {
    try RecordDump(data).blocks.filter { $0.name == "MirrorArchiveTests.\(name)" }.map(\.count).reduce(0, +)
  }

  @Test func `all references to an object lead to its replacement, asked for once`() throws {
    let font = SharedFont("Times")
    let labels = (0..<5).map { Label("\($0)", font) }
    labels[1].others = [font, nil, font]
    let data = try KeyedArchiver.archivedData(withRootObject: labels, allowing: [FontToken.self])
    #expect(font.calls == 1)
    #expect(try count("FontToken", in: data) == 1)
    #expect(try count("Label", in: data) == 5)
    expectRefusal(.typeNotAllowed, at: "root[0].font", naming: ["FontToken"]) { try KeyedArchiver.archivedData(withRootObject: labels) }
  }

  @Test func `a replacement is a hand-coded object's matter, too`() throws {
    let font = SharedFont("Times")
    let (taken, dump) = try record {
      try $0.encode(font, forKey: "a")
      try $0.encode([font], forKey: "b")
      try $0.encodeConditionalObject(font, forKey: "c")
    }
    #expect(dump.blocks.map(\.name).contains("MirrorArchiveTests.FontToken"))
    #expect(taken["a"]?.bytes == taken["b"].map { Array($0.bytes.dropFirst()) })
    #expect(taken["c"]?.bytes == [1] + (taken["a"]?.bytes ?? []))
  }

  @Test func `nil is archived where the place is Optional, and refused elsewhere`() throws {
    let nothing = SharedFont("")
    let label = Label("x", nothing)
    label.others = [nil, nothing, SharedFont("Times"), nothing]
    let data = try KeyedArchiver.archivedData(withRootObject: label, allowing: [FontToken.self])
    #expect(try count("FontToken", in: data) == 1)
    expectRefusal(.invalidValue, at: "root.font", naming: ["Optional"]) {
      try KeyedArchiver.archivedData(withRootObject: StrictLabel(nothing))
    }
    expectRefusal(.invalidValue, at: "root", naming: ["Optional"]) { try KeyedArchiver.archivedData(withRootObject: nothing) }
    expectRefusal(.invalidValue, at: "root.x[0]") { try record { try $0.encode([nothing], forKey: "x") } }
    let (taken, _) = try record { try $0.encode([nothing, nil] as [SharedFont?], forKey: "x") }
    #expect(taken[0].bytes == [4, 0, 0])
  }

  @Test func `a replacement may be replaced, and may be an object that is there already`() throws {
    let end = Relay(3)
    let middle = Relay(2, end)
    let start = Relay(1, middle)
    let data = try KeyedArchiver.archivedData(withRootObject: [start, end, middle, start])
    let dump = try RecordDump(data)
    #expect(dump.blocks.map(\.count) == [1])
    #expect(dump.roots[0].bytes == [8, 0, 0, 0, 0])
    let other = try KeyedArchiver.archivedData(withRootObject: [end, start])
    #expect(try RecordDump(other).roots[0].bytes == [4, 0, 0])
  }

  @Test func `replacements that go on without end are errors`() throws {
    let one = Relay(1)
    let two = Relay(2, one)
    one.next = two
    expectRefusal(.invalidValue, at: "root[0]", naming: ["circle"]) { try KeyedArchiver.archivedData(withRootObject: [one, two]) }
    one.next = nil
    func chain(_ length: Int) -> Relay { (0..<length).reduce(Relay(0)) { last, i in Relay(i, last) } }
    _ = try KeyedArchiver.archivedData(withRootObject: chain(16))
    expectRefusal(.invalidValue, naming: ["again"]) { try KeyedArchiver.archivedData(withRootObject: chain(40)) }
  }

  @Test func `nothing can be encoded while a replacement is asked for, but the coder may be asked`() throws {
    let relay = Relay(1)
    var secure: Bool?
    relay.body = { secure = $0.requiresSecureCoding }
    _ = try KeyedArchiver.archivedData(withRootObject: relay)
    #expect(secure == true)
    relay.body = { try $0.encode(1, forKey: "a") }
    expectRefusal(.reentrant) { try KeyedArchiver.archivedData(withRootObject: relay) }
    expectRefusal(.reentrant) { try record { try $0.encode(relay, forKey: "x") } }
    relay.body = { _ in throw OwnError(number: 9) }
    #expect(throws: OwnError(number: 9)) { try KeyedArchiver.archivedData(withRootObject: [relay]) }
  }

  @Test func `a replacement that no reader could put there is refused`() throws {
    let relay = Relay(1, HandFruit("apple", 1))
    let error = expectRefusal(.typeMismatch, naming: ["HandFruit", "Relay"]) {
      try KeyedArchiver.archivedData(withRootObject: [[relay]], allowing: [HandFruit.self])
    }
    #expect(error?.path == "root[0][0]")
    _ = try KeyedArchiver.archivedData(withRootObject: [relay as AnyObject], allowing: [HandFruit.self])
  }

  // MARK: Delegate

  @Test func `a delegate is told about every object once`() throws {
    let archiver = KeyedArchiver(allowing: [FontToken.self])
    let watcher = ArchiverWatcher()
    archiver.delegate = watcher
    let font = SharedFont("Times")
    try archiver.encode(Label("a", font), forKey: "a")
    #expect(watcher.events == ["will Label", "replace SharedFont FontToken", "will FontToken", "did Label", "did FontToken"])
    watcher.events = []
    try archiver.encode(Scripted { try $0.encode(font, forKey: "f") }, forKey: "b")
    try archiver.finishEncoding()
    #expect(watcher.events == ["will Scripted", "did Scripted", "will finish", "did finish"])
  }

  @Test func `a delegate may choose another object, or none`() throws {
    let archiver = KeyedArchiver()
    let watcher = ArchiverWatcher()
    archiver.delegate = watcher
    let stand = HandFruit("stand-in", 1)
    watcher.choose = { object in
      guard let fruit = object as? HandFruit else { return object }
      return fruit.name == "gone" ? nil : fruit.name == "apple" ? stand : fruit
    }
    let apple = HandFruit("apple", 2)
    try archiver.encode([apple, nil, HandFruit("gone", 1), apple, HandFruit("pear", 3)] as [HandFruit?], forKey: "a")
    let dump = try RecordDump(archiver.encodedData)
    #expect(dump.records["MirrorArchiveTests.HandFruit"]?.map { $0[0].bytes.count } == [9, 5])
    #expect(dump.roots[0].bytes == [10, 1, 0, 0, 1, 1, 0, 0, 2])
    #expect(watcher.events.filter { $0.hasPrefix("replace") } == ["replace HandFruit HandFruit", "replace HandFruit nil"])
    #expect(watcher.events.filter { $0.hasPrefix("will H") }.count == 3)
  }

  @Test func `a delegate may not encode, and its errors reach the caller`() throws {
    let archiver = KeyedArchiver()
    let watcher = ArchiverWatcher()
    archiver.delegate = watcher
    watcher.body = { try $0.encode(1, forKey: "x") }
    expectRefusal(.reentrant) { try archiver.encode(HandFruit("a", 1), forKey: "a") }
    let other = KeyedArchiver()
    watcher.body = { _ in throw OwnError(number: 3) }
    other.delegate = watcher
    #expect(throws: OwnError(number: 3)) { try other.encode([HandFruit("a", 1)], forKey: "a") }
  }

  // MARK: Class names

  @Test func `an archiver calls classes as it is told`() throws {
    final class Hidden: MirrorCoding { var number = 3 }
    let archiver = KeyedArchiver()
    archiver.setClassName("app.Hidden", for: Hidden.self)
    archiver.setClassName("app.Fruit", for: HandFruit.self)
    archiver.setClassName("app.Base", for: ShelfItem.self)
    #expect(archiver.className(for: Hidden.self) == "app.Hidden")
    #expect(archiver.className(for: Box<Int>.self) == nil)
    try archiver.encode(Hidden(), forKey: "hidden")
    try archiver.encode(Scripted { try $0.encode([HandFruit("a", 1) as Any], forKey: "any") }, forKey: "fruit")
    try archiver.encode(OddShelfItem(), forKey: "item")
    let dump = try RecordDump(archiver.encodedData)
    #expect(dump.blocks.map(\.name) == ["app.Hidden", Scripted.archiveName, "app.Fruit", "MirrorArchiveTests.OddShelfItem"])
    #expect(dump.types.entries.contains { if case .object("app.Base", _, _, _) = $0 { true } else { false } })

    let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
    unarchiver.setClass(Hidden.self, forClassName: "app.Hidden")
    #expect(try unarchiver.decodeObject(of: Hidden.self, forKey: "hidden").number == 3)
  }

  @Test func `a class that is there keeps its name`() throws {
    let archiver = KeyedArchiver()
    try archiver.encode(HandFruit("a", 1), forKey: "a")
    archiver.setClassName("late.Fruit", for: HandFruit.self)
    try archiver.encode(HandFruit("b", 1), forKey: "b")
    #expect(Set(try RecordDump(archiver.encodedData).blocks.map(\.name)) == ["MirrorArchiveTests.HandFruit"])
  }

  @Test func `two classes under one name are an error`() throws {
    let archiver = KeyedArchiver()
    archiver.setClassName("MirrorArchiveTests.HandNode", for: HandFruit.self)
    try archiver.encode(HandNode("n"), forKey: "a")
    expectRefusal(.duplicateName, naming: ["HandNode"]) { try archiver.encode(HandFruit("b", 1), forKey: "b") }
  }
}
