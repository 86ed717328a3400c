import Foundation
import MirrorArchive
import Testing

/// References that are followed directly have the same numbers as those that are looked through column by column.
@Suite("Following references")
struct FollowingTests {
  class Part: MirrorCoding {
    var id = 0
    var next: Part?
    var parts: [Part] = []
    var label: Label?
    var more: [Part?] = []
    var owned = Owned()

    func clear() {
      next = nil
      parts = []
      more = []
      owned = Owned()
    }
  }
  final class Special: Part {
    var twin: Part?
    override func clear() {
      super.clear()
      twin = nil
    }
  }
  final class Label: MirrorCoding {
    var text = ""
    var related: [Label] = []
  }
  struct Owned {
    var part: Part?
    var labels: [Label] = []
  }
  /// Has code that runs while the graph is looked through, so from it on nothing is followed directly.
  final class Watched: MirrorCoding {
    var id = 0
    var parts: [Part] = []
    var adds = false
    override func willEncode() throws {
      if adds { parts.append(Part()) }
    }
  }
  final class World: MirrorCoding {
    var parts: [Part] = []
    var again: [Part] = []
    var watched: [Watched] = []
    var anything: [MirrorCoding] = []
    /// A circle that parts may refer to or not.
    @Transient var circle: [Label] = []

    override class var archiveRules: ArchiveRules {
      ArchiveRules(subclasses: [Part.self, Special.self, Label.self, Watched.self])
    }
  }

  /// A graph of some hundred objects, of which some have one owner and some many; arrays of several thousand now and then.
  static func world(_ random: inout SeededGenerator) -> (World, all: [Part]) {
    let world = World()
    let labels = (0..<20).map { i in
      let label = Label()
      label.text = "label \(i)"
      return label
    }
    labels[0].related = labels
    world.circle = labels
    var all: [Part] = []
    for id in 0..<Int.random(in: 1...600, using: &random) {
      let part = Bool.random(using: &random) ? Part() : Special()
      part.id = id
      all.append(part)
    }
    let shared = (0..<7).map { _ in all.randomElement(using: &random) ?? Part() }
    for part in all {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: part.next = all.randomElement(using: &random)
      case 1: part.parts = (0..<Int.random(in: 0..<5, using: &random)).map { _ in Part() }
      case 2: part.parts = shared
      case 3: part.parts = (0..<40).compactMap { _ in all.randomElement(using: &random) }
      case 4: part.more = [nil, all.randomElement(using: &random), Special()]
      case 5: part.owned = Owned(part: Part(), labels: [Label(), labels[3]])
      case 6: (part as? Special)?.twin = all.randomElement(using: &random)
      default:
        part.next = Part()
        part.next?.next = Special()
        part.next?.next?.parts = [Part(), part]
      }
      if Int.random(in: 0..<3, using: &random) == 0 {
        part.label = Bool.random(using: &random) ? labels.randomElement(using: &random) : Label()
      }
    }
    world.parts = Array(all.prefix(all.count / 2))
    world.again = Int.random(in: 0..<4, using: &random) == 0 ? (0..<2_500).map { _ in Part() } + all : all
    return (world, all)
  }

  /// The names of the objects in the order in which they are met, each with what it refers to.
  static func shape(_ world: World) -> [String] {
    var numbers: [ObjectIdentifier: Int] = [:]
    var waiting: [AnyObject] = []
    func number(_ object: AnyObject?) -> String {
      guard let object else { return "-" }
      if let known = numbers[ObjectIdentifier(object)] { return "\(known)" }
      numbers[ObjectIdentifier(object)] = waiting.count
      waiting.append(object)
      return "\(waiting.count - 1)"
    }
    var lines: [String] = []
    lines.append("\(world.parts.map(number)) \(world.again.map(number)) \(world.watched.map(number)) \(world.anything.map(number))")
    var next = 0
    while next < waiting.count {
      let object = waiting[next]
      next += 1
      switch object {
      case let part as Part:
        let twin = number((part as? Special)?.twin)
        lines.append(
          "\(type(of: part)) \(part.id) \(number(part.next)) \(part.parts.map(number)) \(number(part.label)) \(part.more.map(number)) "
            + "\(number(part.owned.part)) \(part.owned.labels.map(number)) \(twin)")
      case let label as Label: lines.append("\(label.text) \(label.related.map(number))")
      case let watched as Watched: lines.append("watched \(watched.id) \(watched.parts.map(number))")
      default: lines.append("?")
      }
    }
    return lines
  }

  static func clear(_ world: World) {
    var waiting = world.parts + world.again + world.watched.flatMap(\.parts)
    world.parts = []
    world.again = []
    for label in world.circle { label.related = [] }
    while let part = waiting.popLast() {
      waiting += part.parts + [part.next, part.owned.part, (part as? Special)?.twin].compactMap { $0 } + part.more.compactMap { $0 }
      for label in part.owned.labels + [part.label].compactMap({ $0 }) { label.related = [] }
      part.clear()
    }
  }

  @Test("A graph comes back as it was, and has the same bytes as when every object is listed", arguments: 0..<24 as Range<UInt64>)
  func sameBytes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (world, all) = Self.world(&random)
    defer { Self.clear(world) }
    let data = try KeyedArchiver.archivedData(withRootObject: world)
    // An archiver that is given values one by one keeps the objects alive and lists each of them.
    let archiver = KeyedArchiver()
    try archiver.encode(world, forKey: "root")
    let listed = try archiver.encodedData
    #expect(listed == data, "seed \(seed)")
    let read = try KeyedUnarchiver.unarchivedObject(of: World.self, from: data)
    defer { Self.clear(read) }
    #expect(Self.shape(read) == Self.shape(world), "seed \(seed)")
    withExtendedLifetime(all) {}
  }

  @Test("A class with code that is met in the middle ends the direct way", arguments: 0..<12 as Range<UInt64>)
  func hooks(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 1_000)
    let (world, all) = Self.world(&random)
    defer { Self.clear(world) }
    let watched = (0..<9).map { id in
      let watched = Watched()
      watched.id = id
      watched.parts = [Part(), all[0], Part()]
      watched.adds = id == 4
      return watched
    }
    world.watched = watched
    world.anything = [Part(), all[0], Special(), watched[0], Part(), Label(), Watched(), all[0]]
    let data = try KeyedArchiver.archivedData(withRootObject: world)
    #expect(watched[4].parts.count == 4)
    let read = try KeyedUnarchiver.unarchivedObject(of: World.self, from: data)
    defer { Self.clear(read) }
    #expect(Self.shape(read) == Self.shape(world), "seed \(seed)")
  }

  final class Chain: MirrorCoding {
    var next: Chain?
    var payload: Label?
  }

  @Test("A chain through several blocks keeps its order, with and without something beside it", arguments: [1, 7, 8, 1_024, 1_025, 5_000])
  func chain(count: Int) throws {
    for hasPayload in [false, true] {
      let head = Chain()
      var last = head
      for i in 1..<max(count, 2) {
        let next = Chain()
        if hasPayload {
          next.payload = Label()
          next.payload?.text = "\(i)"
        }
        last.next = next
        last = next
      }
      if count % 2 == 1 { last.next = head }
      let read = try roundTrip(head)
      var node = read
      for i in 1..<max(count, 2) {
        let next = try #require(node.next, "node \(i)")
        if (next.payload?.text ?? "") != (hasPayload ? "\(i)" : "") { Issue.record("node \(i) has \(next.payload?.text ?? "nothing")") }
        node = next
      }
      #expect(count % 2 == 1 ? node.next === read : node.next == nil)
      for start in [head, read] {
        var node: Chain? = start
        while let current = node {
          node = current.next
          current.next = nil
        }
      }
    }
  }

  @Test("Two arrays that share one buffer, and one that appears twice, name each object once") func sharedBuffers() throws {
    let world = World()
    let parts = (0..<3_000).map { id in
      let part = Part()
      part.id = id
      return part
    }
    world.parts = parts
    world.again = parts
    let read = try roundTrip(world)
    #expect(read.parts.map(\.id) == Array(0..<3_000))
    #expect(zip(read.parts, read.again).allSatisfy { $0 === $1 })
    #expect(read.again.count == 3_000)
  }
}
