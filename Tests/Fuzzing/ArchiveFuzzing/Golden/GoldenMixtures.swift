import Foundation
import MirrorArchive

/// Values whose types stand beside them, and Optionals in one another.
enum GoldenMixtures {
  final class Thing: MirrorCodable, Hashable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Thing") }
    let number: Int
    init(_ number: Int) { self.number = number }
    static func == (a: Thing, b: Thing) -> Bool { a.number == b.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }
  struct Holder: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Holder") }
    var thing: Thing
    var things: [Thing?]
    var content: Any
  }
  enum Either: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Either") }
    case thing(Thing)
    case content(Any)
    case neither
  }
  protocol Marked: Archivable { var mark: Int { get } }
  struct Dot: MirrorCodable, Marked {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Dot") }
    var mark: Int
  }
  final class Flag: MirrorCoding, Marked {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Flag") }
    var mark = 0
  }

  final class Mixtures: MirrorCoding {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(name: "golden.Mixtures", subclasses: [Thing.self, Holder.self, Either.self, Dot.self, Flag.self])
    }
    // Which of its types each row has: one, in turns, one after another, by chance.
    var alike: [Any] = []
    var turns: [Any] = []
    var blocks: [Any] = []
    var chance: [Any] = []
    var objects: [Any] = []
    var many: Any = 0
    var pattern: Any = 0
    var nested: [Any] = []
    var byKey: [AnyHashable: Any] = [:]
    var optionals: [Any?] = []
    var existentials: [any Marked] = []
    var things: [AnyObject] = []
    var holder: Holder?
    var eithers: [Either] = []
    var deep: [Int??] = []
    var deeper: [[String?]??] = []
    var deepest: Bool???? = nil

    convenience init(written: Void) {
      self.init()
      let things = (0..<40).map { Thing($0) }
      alike = (0..<9).map { $0 * $0 }
      let kinds: [Any] = [1, "s", 0.5, true, Float(2), UInt8(3), Date(timeIntervalSinceReferenceDate: 4)]
      turns = (0..<9).map { kinds[$0 % 2] }
      blocks = (0..<32).map { kinds[$0 / 11] }
      chance = (0..<12).map { kinds[$0 * $0 % 7] }
      objects = [things[0], [things[1], things[2]], ["k": things[3]], Set([things[4]]), Thing?.some(things[5]) as Any]
      objects += [[[things[6]], []] as [[Thing]], [nil, things[7]] as [Thing?], Thing?.none as Any, [Thing]()]
      many = things
      pattern = (0..<30).map { things[$0 * $0 % 37] }
      nested = [[1, ["two", [3.0] as [Any]] as [Any]] as [Any], ["k": [nil, 5] as [Any?]] as [String: Any]]
      byKey = [AnyHashable(1): "int", AnyHashable("1"): things[8], AnyHashable(true): [Int?.none] as [Int?]]
      optionals = [1, nil, "x", nil, things[9]]
      let flag = Flag()
      flag.mark = 2
      existentials = [Dot(mark: 1), flag]
      self.things = [things[10], flag, things[10]]
      holder = Holder(thing: things[11], things: [nil, things[12]], content: things[13])
      eithers = [.thing(things[14]), .content(things[15]), .content([things[16]]), .neither, .content(Either.neither)]
      deep = (0..<10).map { $0 % 3 == 0 ? nil : $0 % 3 == 1 ? .some(nil) : .some($0) }
      (deeper, deepest) = ([nil, .some(nil), [nil, "a"]], .some(.some(nil)))
    }

    private static func words(_ value: Any) -> String {
      switch value {
      case let thing as Thing: "#\(thing.number)"
      case let flag as Flag: "flag \(flag.mark)"
      case let holder as Holder: "(\(words(holder.thing)) \(words(holder.things)) \(words(holder.content)))"
      case Either.thing(let thing): "thing \(words(thing))"
      case Either.content(let content): "content \(words(content))"
      case let table as [AnyHashable: Any]:
        table.map { "\(type(of: $0.key.base)) \($0.key): \(words($0.value))" }.sorted().joined(separator: ", ")
      case let set as Set<Thing>: "Set \(set.map(\.number).sorted())"
      case let list as [Any]: "\(type(of: value)) [\(list.map(words).joined(separator: ", "))]"
      case let optional as Any?: optional.map { "\(type(of: value)) \($0)" } ?? "\(type(of: value)) nil"
      }
    }
    var words: [String] {
      let lists: [[Any]] = [alike, turns, blocks, chance, objects, nested, existentials, things, eithers]
      return lists.map { Self.words($0) } + [Self.words(many), Self.words(pattern), Self.words(byKey), Self.words(optionals)]
        + ["\(holder.map { Self.words($0) } ?? "")", "\(deep) \(deeper) \(deepest as Any)"]
    }
    func expected() -> Bool {
      let list = pattern as? [Thing] ?? []
      return words == Mixtures(written: ()).words && things[0] === things[2] && things[1] === existentials[1] as? Flag
        && list.count == 30 && list[1] === list[1] && list[1] === (many as? [Thing])?[1]
    }
  }
}
