import Foundation
import MirrorArchive
import Testing

/// CASES row R10: what was decoded and let go is gone, whoever coded it.
@Suite("Leaks of hand-coded objects")
struct KeyedLeakTests {
  final class Hub: MirrorCoding, KeyedExtras {
    static let live = Tally()
    var name = "a name that is longer than fifteen bytes"
    var arms: [Arm] = []
    var table: [String: Arm] = [:]
    var payload = Pair<Arm?, String>(first: nil, second: "a text that is longer than fifteen bytes")
    weak var weakArm: Arm?
    @Transient var extra: Arm?
    required init() {
      super.init()
      Self.live.add(1)
    }
    deinit { Self.live.add(-1) }
    func encodeExtras(with coder: KeyedArchiver) throws { try coder.encode(extra, forKey: "extra") }
    func decodeExtras(with coder: KeyedUnarchiver) throws { extra = try coder.decodeObjectIfPresent(of: Arm.self, forKey: "extra") }
  }

  final class Arm: KeyedCoding {
    static let live = Tally()
    /// Keys that fail when they are asked for, by number; nil: none.
    static let failing = Tally()
    let name: String
    let hand: Hand<String>?
    let list: [Any]
    let data: Data
    private(set) weak var hub: Hub?
    weak var sibling: Arm?

    init(_ name: String, hub: Hub?) {
      self.name = name + " that is longer than fifteen bytes"
      hand = Hand("a hand with a text that is longer than fifteen bytes")
      list = [1, "a text in Any that is longer than fifteen bytes", Data([1, 2, 3])]
      data = Data(repeating: 7, count: 100)
      self.hub = hub
      Self.live.add(1)
    }
    init(coder: KeyedUnarchiver) throws {
      Self.live.add(1)
      var step = 0
      // Every property is set before anything can throw, so that deinit runs for the half-made object.
      name = (try? coder.decodeString(forKey: "name")) ?? ""
      hand = try? coder.decodeObjectIfPresent(of: Hand<String>.self, forKey: "hand")
      list = (try? coder.decode([Any].self, forKey: "list")) ?? []
      data = (try? coder.decodeData(forKey: "data")) ?? Data()
      func next() throws {
        step += 1
        if step == Self.failing.value { throw CancellationError() }
      }
      try next()
      _ = try coder.decode([String: [Double]].self, forKey: "table")
      try next()
      try coder.decodeObjectIfPresent(of: Hub.self, forKey: "hub") { [weak self] in
        self?.hub = $0
        if Self.failing.value == 4 { throw CancellationError() }
      }
      try next()
      try coder.decodeObjectIfPresent(of: Arm.self, forKey: "sibling") { [weak self] in self?.sibling = $0 }
      if Self.failing.value == 5 { _ = try coder.decodeInt(forKey: "gone") }
      if Self.failing.value == 6 { _ = try coder.decodeObject(of: Hub.self, forKey: "hand") }
    }
    deinit { Self.live.add(-1) }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(name, forKey: "name")
      try coder.encode(hand, forKey: "hand")
      try coder.encode(list, forKey: "list")
      try coder.encode(data, forKey: "data")
      try coder.encode(["t": [1.5, 2.5]], forKey: "table")
      try coder.encode(hub, forKey: "hub")
      try coder.encode(sibling, forKey: "sibling")
      // A temporary.
      try coder.encode(Hand([Hand(1), Hand(2)]), forKey: "temporary")
    }
  }

  static func graph() -> Hub {
    let hub = Hub()
    hub.arms = (0..<5).map { Arm("arm \($0)", hub: hub) }
    hub.table = ["a": hub.arms[0], "b": Arm("in a table", hub: hub)]
    hub.payload.first = Arm("in a struct", hub: nil)
    hub.weakArm = hub.arms[1]
    hub.extra = Arm("extra", hub: hub)
    hub.arms[0].sibling = hub.arms[4]
    hub.arms[4].sibling = hub.arms[0]
    return hub
  }

  static var live: [Int] { [Hub.live.value, Arm.live.value] }

  @Test("1,000 decodes of a mixed cyclic graph leave nothing alive") func thousand() async {
    await #expect(processExitsWith: .success) {
      reported {
        let before = KeyedLeakTests.live
        let data = try KeyedArchiver.archivedData(withRootObject: KeyedLeakTests.graph())
        #expect(KeyedLeakTests.live == before)
        for _ in 0..<1_000 {
          let read = try KeyedUnarchiver.unarchivedObject(ofClass: Hub.self, from: data)
          #expect(read.arms.count == 5 && read.arms[0] === read.table["a"] && read.weakArm === read.arms[1])
          #expect(read.arms.allSatisfy { $0.hub === read } && read.arms[0].sibling === read.arms[4] && read.extra?.hub === read)
        }
        #expect(KeyedLeakTests.live == before)
      }
    }
  }

  @Test("By keys of instance coders, asked for in part") func byKeys() async {
    await #expect(processExitsWith: .success) {
      reported {
        let before = KeyedLeakTests.live
        do {
          let hub = KeyedLeakTests.graph()
          let data = try keyedArchive {
            try $0.encode(hub, forKey: "hub")
            try $0.encode(hub.arms, forKey: "arms")
            try $0.encodeConditionalObject(hub, forKey: "weak")
          }
          for round in 0..<300 {
            let coder = try KeyedUnarchiver(forReadingFrom: data)
            if round % 3 != 0 { _ = try coder.decode([Arm].self, forKey: "arms") }
            if round % 3 != 1 { _ = try coder.decodeObject(of: Hub.self, forKey: "hub") }
            if round % 2 == 0 { coder.finishDecoding() }
          }
        }
        #expect(KeyedLeakTests.live == before)
      }
    }
  }

  @Test("Decoding that fails at any key, in whenReady, or at the gate, leaves nothing alive", arguments: 1...6) func failing(step: Int)
    async
  {
    await #expect(processExitsWith: .success) { [step = step as Int] in
      reported {
        let data = try KeyedArchiver.archivedData(withRootObject: KeyedLeakTests.graph())
        let before = KeyedLeakTests.live
        Arm.failing.add(step)
        for _ in 0..<50 {
          #expect(throws: (any Error).self) { try KeyedUnarchiver.unarchivedObject(ofClass: Hub.self, from: data) }
          if KeyedLeakTests.live != before {
            Issue.record("alive: \(KeyedLeakTests.live), before: \(before)")
            return
          }
        }
      }
    }
  }

  final class Ring: KeyedCoding {
    static let live = Tally()
    var next: Ring?
    let isBad: Bool
    init(isBad: Bool) {
      self.isBad = isBad
      Self.live.add(1)
    }
    init(coder: KeyedUnarchiver) throws {
      isBad = try coder.decodeBool(forKey: "bad")
      Self.live.add(1)
      try coder.decodeObjectIfPresent(of: Ring.self, forKey: "next") {
        self.next = $0
        if self.isBad { throw CancellationError() }
      }
    }
    deinit { Self.live.add(-1) }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(isBad, forKey: "bad")
      try coder.encode(next, forKey: "next")
    }
  }

  @Test("Closures given to whenReady are let go after they ran, and when decoding fails") func closures() async {
    await #expect(processExitsWith: .success) {
      reported {
        for isBad in [false, true] {
          let nodes = (0..<100).map { Ring(isBad: isBad && $0 == 99) }
          for index in 1..<100 { nodes[index - 1].next = nodes[index] }
          let data = try KeyedArchiver.archivedData(withRootObject: nodes[0])
          let before = Ring.live.value
          for _ in 0..<20 {
            let coder = try KeyedUnarchiver(forReadingFrom: data)
            let read = Result { try coder.decodeObject(of: Ring.self, forKey: "root") }
            if case .success = read, isBad { Issue.record("no error") }
            if case .failure(let error) = read, !isBad { Issue.record(error) }
          }
          #expect(Ring.live.value == before, "bad: \(isBad)")
          for node in nodes { node.next = nil }
        }
      }
    }
  }

  @Test("Encoding keeps nothing alive, temporaries included, also when it fails") func encoding() async {
    await #expect(processExitsWith: .success) {
      reported {
        let before = KeyedLeakTests.live
        do {
          let hub = KeyedLeakTests.graph()
          for _ in 0..<100 { _ = try KeyedArchiver.archivedData(withRootObject: hub) }
          for _ in 0..<50 {
            let archiver = KeyedArchiver()
            try archiver.encode(hub, forKey: "a")
            #expect(throws: ArchiveError.self) { try archiver.encode(hub, forKey: "a") }
          }
        }
        #expect(KeyedLeakTests.live == before)
      }
    }
  }

  @Test("Decoding that fails at any damaged byte leaves nothing alive", .timeLimit(.minutes(5))) func damaged() async {
    await #expect(processExitsWith: .success) {
      reported {
        let data = try KeyedArchiver.archivedData(withRootObject: KeyedLeakTests.graph())
        let before = KeyedLeakTests.live
        for position in data.indices {
          for bit in [0, 3, 7] {
            var damaged = data
            damaged[position] ^= 1 << UInt8(bit)
            _ = try? KeyedUnarchiver.unarchivedObject(of: Hub.self, from: damaged, verifyingChecksum: false)
            if KeyedLeakTests.live != before {
              Issue.record("alive after bit \(bit) of byte \(position): \(KeyedLeakTests.live), before: \(before)")
              return
            }
          }
        }
      }
    }
  }
}
