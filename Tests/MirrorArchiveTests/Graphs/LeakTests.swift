import Foundation
import MirrorArchive
import Testing

/// CASES row R10: what was decoded and let go is gone.
@Suite("Leaks")
struct LeakTests {
  final class Token: MirrorCodable {
    static let live = Tally()
    let text: String
    @Transient var counter: LiveMark? = LiveMark()
    init(_ text: String) { self.text = text }
  }

  /// Counts itself, whether it was made by an initializer or not: only what was made is let go.
  final class LiveMark {
    init() { Token.live.add(1) }
    deinit { Token.live.add(-1) }
  }

  struct Payload {
    var leaf: Leaf?
    var text = ""
  }
  enum Choice {
    case none
    case leaf(Leaf)
    indirect case deep(Choice, [Leaf])
  }

  final class Leaf: MirrorCoding, Hashable {
    static let live = Tally()
    var name = "a name that is longer than fifteen bytes"
    weak var root: Root?
    required init() {
      super.init()
      Self.live.add(1)
    }
    deinit { Self.live.add(-1) }
    static func == (left: Leaf, right: Leaf) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  final class Root: MirrorCoding {
    static let live = Tally()
    var leaf: Leaf?
    var list: [Leaf] = []
    var table: [String: Leaf] = [:]
    var keys: [Leaf: String] = [:]
    var payload = Payload()
    var payloads: [Payload?] = []
    var choice = Choice.none
    var any: Any = 0
    var anyList: [Any] = []
    var tuple: (Leaf?, String) = (nil, "")
    var double: Leaf??
    lazy var slow: Leaf = Leaf()
    let fixed: [String]
    var data = Data()
    var inline: InlineArray<2, Leaf?> = [nil, nil]
    required init() {
      fixed = ["one text that is longer than fifteen bytes"]
      super.init()
      Self.live.add(1)
    }
    deinit { Self.live.add(-1) }
  }

  static func graph() -> Root {
    let root = Root()
    let leaf = Leaf()
    leaf.root = root
    root.leaf = leaf
    root.list = [leaf, Leaf(), Leaf()]
    root.table = ["a": leaf, "b": Leaf()]
    root.keys = [leaf: "a value that is longer than fifteen bytes", Leaf(): ""]
    root.payload = Payload(leaf: Leaf(), text: "payload text longer than fifteen bytes")
    root.payloads = [Payload(leaf: leaf), nil, Payload(leaf: Leaf())]
    root.choice = .deep(.leaf(leaf), [Leaf()])
    root.any = ["k": [leaf, "s"] as [Any]] as [String: Any]
    root.anyList = [leaf, 1, "text that is longer than fifteen bytes", [Leaf()] as [Leaf]]
    root.tuple = (Leaf(), "tuple text that is longer than fifteen bytes")
    root.double = .some(.some(Leaf()))
    root.slow.name = "computed"
    root.data = Data(repeating: 3, count: 100)
    root.inline = [leaf, Leaf()]
    return root
  }

  static var live: [Int] { [Root.live.value, Leaf.live.value] }

  @Test("1,000 decodes of the same graph leave nothing alive") func thousandDecodes() async {
    await #expect(processExitsWith: .success) {
      let data = try KeyedArchiver.archivedData(withRootObject: LeakTests.graph())
      let before = LeakTests.live
      for _ in 0..<1_000 {
        let read = try KeyedUnarchiver.unarchivedObject(ofClass: Root.self, from: data)
        #expect(read.list.count == 3 && read.leaf === read.list[0] && read.leaf?.root === read && read.keys.count == 2)
      }
      #expect(LeakTests.live == before)
    }
  }

  @Test("Encoding keeps nothing alive and releases nothing twice") func encoding() async {
    await #expect(processExitsWith: .success) {
      _ = try KeyedArchiver.archivedData(withRootObject: LeakTests.graph())
      let before = LeakTests.live
      do {
        let root = LeakTests.graph()
        for _ in 0..<100 { _ = try KeyedArchiver.archivedData(withRootObject: root) }
        #expect(root.list.count == 3 && root.double != nil && root.choice.isDeep)
        #expect(LeakTests.live != before)
      }
      #expect(LeakTests.live == before)
    }
  }

  @Test("An archive of a class without init() leaves nothing alive") func withoutInit() async {
    await #expect(processExitsWith: .success) {
      let data: Data
      let before = Token.live.value
      do {
        data = try KeyedArchiver.archivedData(withRootObject: (0..<20).map { Token("token \($0) with a text that is longer than inline") })
      }
      for _ in 0..<200 {
        let read = try KeyedUnarchiver.unarchivedObject(of: [Token].self, from: data)
        #expect(read.count == 20 && read[7].text.hasPrefix("token 7 ") && read[7].counter == nil)
      }
      #expect(Token.live.value == before)
    }
  }

  @Test("Decoding that fails at any byte of the bare structure leaves nothing alive", .timeLimit(.minutes(5))) func failingHalfWay() async {
    await #expect(processExitsWith: .success) {
      let data = try KeyedArchiver.archivedData(withRootObject: [LeakTests.graph(), LeakTests.graph()])
      let before = LeakTests.live
      var failures = 0
      for position in data.indices {
        for bit in [0, 3, 7] {
          var damaged = data
          damaged[position] ^= 1 << UInt8(bit)
          do {
            _ = try KeyedUnarchiver.unarchivedObject(of: [Root].self, from: damaged, verifyingChecksum: false)
          } catch {
            failures += 1
          }
          if LeakTests.live != before {
            Issue.record("alive after bit \(bit) of byte \(position): \(LeakTests.live), before: \(before)")
            return
          }
        }
      }
      #expect(failures > data.count / 2)
    }
  }
}

extension LeakTests.Choice {
  var isDeep: Bool { if case .deep = self { true } else { false } }
}
