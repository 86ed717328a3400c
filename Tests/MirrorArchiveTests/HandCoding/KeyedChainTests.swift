import Foundation
import MirrorArchive
import Testing

/// CASES row 37 for hand-coded classes: no recursion over references, though each object asks for the next. Each test runs in a process
/// of its own, because a stack overflow ends the process.
@Suite("Long chains of hand-coded objects on a small stack", .serialized)
struct KeyedChainTests {
  /// Asks for the next one in its `init(coder:)`.
  final class Link: KeyedCoding {
    static let live = Tally()
    let number: Int
    var next: Link?
    private(set) weak var previous: Link?
    init(_ number: Int, _ next: Link?) {
      self.number = number
      self.next = next
      next?.previous = self
      Self.live.add(1)
    }
    deinit { Self.live.add(-1) }
    init(coder: KeyedUnarchiver) throws {
      Self.live.add(1)
      do {
        number = try coder.decodeInt(forKey: "number")
      } catch {
        // Not complete, so no deinit runs.
        Self.live.add(-1)
        throw error
      }
      next = try coder.decodeObjectIfPresent(of: Link.self, forKey: "next")
      next?.previous = self
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(number, forKey: "number")
      try coder.encode(next, forKey: "next")
    }
  }

  /// Is told both neighbours when all are there.
  final class Both: KeyedCoding {
    let number: Int
    var next: Both?
    weak var previous: Both?
    init(_ number: Int) { self.number = number }
    init(coder: KeyedUnarchiver) throws {
      number = try coder.decodeInt(forKey: "number")
      try coder.decodeObjectIfPresent(of: Both.self, forKey: "next") { self.next = $0 }
      try coder.decodeObjectIfPresent(of: Both.self, forKey: "previous") { self.previous = $0 }
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(number, forKey: "number")
      try coder.encode(next, forKey: "next")
      try coder.encodeConditionalObject(previous, forKey: "previous")
    }
  }

  /// A reflected object between any two hand-coded ones.
  final class Bead: MirrorCoding {
    var string: Thread?
    var number = 0
  }
  final class Thread: KeyedCoding {
    var bead: Bead?
    init(_ bead: Bead?) { self.bead = bead }
    init(coder: KeyedUnarchiver) throws { bead = try coder.decodeObjectIfPresent(of: Bead.self, forKey: "bead") }
    func encode(with coder: KeyedArchiver) throws { try coder.encode(bead, forKey: "bead") }
  }

  /// A link through an array, a struct and a dictionary.
  final class Nest: KeyedCoding {
    var inner: [Pair<String, [String: Nest]>]
    init(_ inner: [Pair<String, [String: Nest]>]) { self.inner = inner }
    init(coder: KeyedUnarchiver) throws { inner = try coder.decode([Pair<String, [String: Nest]>].self, forKey: "inner") }
    func encode(with coder: KeyedArchiver) throws { try coder.encode(inner, forKey: "inner") }
  }

  /// A reflected list whose nodes hand out a hand-coded object each.
  final class ReflectedLink: MirrorCoding {
    var next: ReflectedLink?
    var payload: Hand<Int>?
  }

  static func links(_ count: Int) throws {
    try onSmallStack {
      var first: Link?
      for number in (0..<count).reversed() { first = Link(number, first) }
      let data = try KeyedArchiver.archivedData(withRootObject: first)
      try take(apart: first, count)
      try take(apart: KeyedUnarchiver.unarchivedObject(of: Link?.self, from: data), count)
    }
  }

  static func take(apart first: Link?, _ count: Int) throws {
    var (link, last) = (first, Link?.none)
    var number = 0
    while let current = link {
      guard current.number == number, current.previous === last else {
        Issue.record("link \(number) is \(current.number), previous \(current.previous?.number ?? -1)")
        return
      }
      link = current.next
      current.next = nil
      last = current
      number += 1
    }
    #expect(number == count)
  }

  static func bothWays(_ count: Int) throws {
    try onSmallStack {
      let nodes = (0..<count).map { Both($0) }
      for index in nodes.indices {
        nodes[index].next = index + 1 < count ? nodes[index + 1] : nil
        nodes[index].previous = index > 0 ? nodes[index - 1] : nil
      }
      defer { for node in nodes { node.next = nil } }
      let data = try KeyedArchiver.archivedData(withRootObject: nodes[0])
      var node: Both? = try KeyedUnarchiver.unarchivedObject(ofClass: Both.self, from: data)
      var (number, last) = (0, Both?.none)
      while let current = node {
        guard current.number == number, current.previous === last else {
          Issue.record("node \(number) is \(current.number), previous \(current.previous?.number ?? -1)")
          return
        }
        node = current.next
        current.next = nil
        last = current
        number += 1
      }
      #expect(number == count)
    }
  }

  static func beads(_ count: Int) throws {
    try onSmallStack {
      var first: Bead?
      for number in (0..<count).reversed() {
        let bead = Bead()
        (bead.number, bead.string) = (number, Thread(first))
        first = bead
      }
      let data = try KeyedArchiver.archivedData(withRootObject: first)
      for start in [first, try KeyedUnarchiver.unarchivedObject(of: Bead?.self, from: data)] {
        var (bead, number) = (start, 0)
        while let current = bead, current.number == number {
          bead = current.string?.bead
          current.string?.bead = nil
          number += 1
        }
        #expect(number == count)
      }
    }
  }

  static func nests(_ count: Int) throws {
    try onSmallStack {
      let root = Nest([])
      var last = root
      for number in 1..<count {
        let nest = Nest([])
        last.inner = [Pair(first: "\(number)", second: ["in": nest])]
        last = nest
      }
      let data = try KeyedArchiver.archivedData(withRootObject: root)
      for start in [root, try KeyedUnarchiver.unarchivedObject(ofClass: Nest.self, from: data)] {
        var (nest, number) = (Nest?.some(start), 0)
        while let current = nest {
          number += 1
          if let first = current.inner.first { #expect(first.first == "\(number)") }
          nest = current.inner.first?.second["in"]
          current.inner = []
        }
        #expect(number == count)
      }
    }
  }

  static func reflected(_ count: Int) throws {
    try onSmallStack {
      let first = ReflectedLink()
      var last = first
      for number in 0..<count {
        last.payload = Hand(number)
        if number == count - 1 { break }
        let link = ReflectedLink()
        last.next = link
        last = link
      }
      let data = try KeyedArchiver.archivedData(withRootObject: first)
      for start in [first, try KeyedUnarchiver.unarchivedObject(ofClass: ReflectedLink.self, from: data)] {
        var (link, number) = (ReflectedLink?.some(start), 0)
        while let current = link, current.payload?.value == number {
          link = current.next
          current.next = nil
          number += 1
        }
        #expect(number == count)
      }
    }
  }

  enum Chain: String, CaseIterable, Codable {
    case links, bothWays, beads, nests, reflected
    func run(_ count: Int) throws {
      switch self {
      case .links: try KeyedChainTests.links(count)
      case .bothWays: try KeyedChainTests.bothWays(count)
      case .beads: try KeyedChainTests.beads(count)
      case .nests: try KeyedChainTests.nests(count)
      case .reflected: try KeyedChainTests.reflected(count)
      }
    }
  }

  @Test("Chains of every kind come back on 512 KiB", arguments: Chain.allCases, [1, 10_000, 20_000])
  func chain(chain: Chain, count: Int) async {
    await #expect(processExitsWith: .success) { [name = chain.rawValue as String, count = count as Int] in
      reported { try Chain(rawValue: name)?.run(count) }
    }
  }

  @Test("A million come back on 512 KiB", .timeLimit(.minutes(10)), arguments: [Chain.links])
  func million(chain: Chain) async {
    await #expect(processExitsWith: .success) { [name = chain.rawValue as String] in
      reported { try Chain(rawValue: name)?.run(1_000_000) }
    }
  }

  @Test("A chain by keys of an instance coder, also backwards: the last link first", arguments: [20_000]) func byKeys(count: Int) async {
    await #expect(processExitsWith: .success) { [count = count as Int] in
      reported {
        try onSmallStack {
          var last: Link?
          var first: Link?
          for number in (0..<count).reversed() {
            first = Link(number, first)
            if last == nil { last = first }
          }
          let archiver = KeyedArchiver()
          try archiver.encode(last, forKey: "last")
          try archiver.encode(first, forKey: "first")
          let data = try archiver.encodedData
          try KeyedChainTests.take(apart: first, count)
          for isLastFirst in [true, false] {
            let coder = try KeyedUnarchiver(forReadingFrom: data)
            if isLastFirst { #expect(try coder.decodeObject(of: Link.self, forKey: "last").number == count - 1) }
            let read = try coder.decodeObject(of: Link.self, forKey: "first")
            let readLast = try coder.decodeObject(of: Link.self, forKey: "last")
            try KeyedChainTests.take(apart: read, count)
            #expect(readLast.number == count - 1)
          }
        }
      }
    }
  }

  @Test("A direct cycle of 20,000 objects throws cycle on 512 KiB, and nothing stays alive") func longCycle() async {
    await #expect(processExitsWith: .success) {
      reported {
        try onSmallStack {
          let last = Link(19_999, nil)
          var first = last
          for number in (0..<19_999).reversed() { first = Link(number, first) }
          last.next = first
          let data = try KeyedArchiver.archivedData(withRootObject: first)
          last.next = nil
          try KeyedChainTests.take(apart: first, 20_000)
          let before = Link.live.value
          let error = expectRefusal(.cycle) { try KeyedUnarchiver.unarchivedObject(ofClass: Link.self, from: data) }
          #expect(error?.path.hasSuffix("next") == true)
          #expect(Link.live.value == before)
        }
      }
    }
  }

  /// Fails at its end.
  final class Fragile: KeyedCoding {
    static let live = Tally()
    var next: Fragile?
    init(_ next: Fragile?) {
      self.next = next
      Self.live.add(1)
    }
    init(coder: KeyedUnarchiver) throws {
      Self.live.add(1)
      next = try coder.decodeObjectIfPresent(of: Fragile.self, forKey: "next")
      if next == nil { throw CancellationError() }
    }
    deinit { Self.live.add(-1) }
    func encode(with coder: KeyedArchiver) throws { try coder.encode(next, forKey: "next") }
  }

  @Test("A long chain whose last object refuses is refused, and completely let go") func failing() async {
    await #expect(processExitsWith: .success) {
      reported {
        try onSmallStack {
          var first: Fragile?
          for _ in 0..<100_000 { first = Fragile(first) }
          let data = try KeyedArchiver.archivedData(withRootObject: first)
          while let current = first {
            first = current.next
            current.next = nil
          }
          let before = Fragile.live.value
          #expect(throws: CancellationError.self) { try KeyedUnarchiver.unarchivedObject(of: Fragile?.self, from: data) }
          #expect(Fragile.live.value == before)
        }
      }
    }
  }

  @Test("100,000 hand-coded objects in an array") func array() async {
    await #expect(processExitsWith: .success) {
      reported {
        try onSmallStack {
          let count = 100_000
          let read = try roundTrip((0..<count).map { Hand($0) })
          #expect(read.count == count && read.indices.allSatisfy { read[$0].value == $0 })
          let boxes = try roundTrip((0..<count).map { Box(Hand("\($0)")) })
          #expect(boxes.count == count && boxes.indices.allSatisfy { boxes[$0].value?.value == "\($0)" })
        }
      }
    }
  }
}
