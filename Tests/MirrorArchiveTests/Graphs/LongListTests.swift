import Foundation
import MirrorArchive
import Testing

/// CASES row 37: no recursion over references. Each test runs in a process of its own, because a stack overflow ends the process.
@Suite("Long lists on a small stack")
struct LongListTests {
  final class Link: MirrorCoding {
    var number = 0
    var next: Link?
    weak var previous: Link?
  }

  final class Strict: MirrorCoding {
    static let live = Tally()
    var next: Strict?
    var isLast = false
    required init() {
      super.init()
      Self.live.add(1)
    }
    deinit { Self.live.add(-1) }
    override func didDecode(_ context: DecodingContext) throws {
      if isLast { throw CancellationError() }
    }
  }

  static func list(of count: Int) -> Link {
    let first = Link()
    var last = first
    for number in 1..<count {
      let link = Link()
      link.number = number
      link.previous = last
      last.next = link
      last = link
    }
    return first
  }

  /// Checks a list and takes it apart from its front, without recursion.
  static func tearDown(_ first: Link, count: Int, isChecked: Bool = true) {
    var link: Link? = first
    var number = 0
    var last: Link?
    while let current = link {
      if current.number != number || current.previous !== last {
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

  static func archiveAndRead(count: Int) throws {
    let bytes = try onSmallStack {
      let first = list(of: count)
      let data = try KeyedArchiver.archivedData(withRootObject: first)
      tearDown(first, count: count)
      tearDown(try KeyedUnarchiver.unarchivedObject(ofClass: Link.self, from: data), count: count)
      return data.count
    }
    // Three bytes are what a number below 2^21 takes at most as a varint; the format may add two to a node, and the names.
    #expect(bytes <= 5 * count + 200)
  }

  @Test("10,000 links come back on 512 KiB") func tenThousand() async {
    await #expect(processExitsWith: .success) { try LongListTests.archiveAndRead(count: 10_000) }
  }

  @Test("20,000 links come back on 512 KiB") func twentyThousand() async {
    await #expect(processExitsWith: .success) { try LongListTests.archiveAndRead(count: 20_000) }
  }

  @Test("1,000,000 links come back on 512 KiB", .timeLimit(.minutes(5))) func million() async {
    await #expect(processExitsWith: .success) { try LongListTests.archiveAndRead(count: 1_000_000) }
  }

  @Test("A long list whose decoding fails at the end is let go without recursion, and completely") func failing() async {
    await #expect(processExitsWith: .success) {
      try onSmallStack {
        let first = Strict()
        var last = first
        for _ in 1..<200_000 {
          let link = Strict()
          last.next = link
          last = link
        }
        last.isLast = true
        let data = try KeyedArchiver.archivedData(withRootObject: first)
        var link: Strict? = first
        while let current = link {
          link = current.next
          current.next = nil
        }
        let before = Strict.live.value
        #expect(throws: CancellationError.self) { try KeyedUnarchiver.unarchivedObject(ofClass: Strict.self, from: data) }
        #expect(Strict.live.value == before)
      }
    }
  }

  final class Tree: MirrorCoding {
    var number = 0
    var children: [Tree] = []
  }

  @Test("A tree that is 100,000 levels deep through arrays comes back on 512 KiB") func deepTree() async {
    await #expect(processExitsWith: .success) {
      try onSmallStack {
        let count = 100_000
        let root = Tree()
        var last = root
        for number in 1..<count {
          let tree = Tree()
          tree.number = number
          last.children = [tree]
          last = tree
        }
        let data = try KeyedArchiver.archivedData(withRootObject: root)
        for first in [root, try KeyedUnarchiver.unarchivedObject(ofClass: Tree.self, from: data)] {
          var tree: Tree? = first
          var number = 0
          while let current = tree {
            #expect(current.number == number)
            tree = current.children.first
            current.children = []
            number += 1
          }
          #expect(number == count)
        }
      }
    }
  }
}
