import MirrorArchive

/// A node that owns the next one.
final class ListNode: MirrorCoding {
  var value = 0
  var next: ListNode?

  required init() {
    super.init()
  }

  init(value: Int, next: ListNode?) {
    self.value = value
    self.next = next
    super.init()
  }

  static func random(count: Int, seed: UInt64 = 0x1157) -> ListNode {
    var generator = SeededGenerator(seed: seed)
    var head = ListNode(value: generator.below(10_000), next: nil)
    for _ in 1..<count {
      head = ListNode(value: generator.below(10_000), next: head)
    }
    return head
  }

  func difference(from other: ListNode) -> String? {
    var mine: ListNode? = self
    var theirs: ListNode? = other
    var index = 0
    while let node = mine, let copy = theirs {
      if node.value != copy.value { return "node \(index): \(copy.value) instead of \(node.value)" }
      mine = node.next
      theirs = copy.next
      index += 1
    }
    return mine == nil && theirs == nil ? nil : "the length"
  }

  /// Takes the list apart node by node: releasing the head alone would recurse a million times.
  func dissolve() {
    var node = self
    while let next = node.next {
      node.next = nil
      node = next
    }
  }
}

extension Contest {
  /// 1,000,000 nodes, to be run on a small stack: whoever follows references by recursion does not survive it.
  static func list() -> Contest {
    let count = 1_000_000
    let head = ListNode.random(count: count)
    let reason = "it follows references by recursion, and would overflow the stack of 512 KiB"
    return Contest(
      "list", objects: count,
      contenders: [
        mirrorArchive(head, difference: head.difference, discard: { $0.dissolve() }),
        hand(head, encode: HandList.encode, decode: HandList.decode, difference: head.difference, discard: { $0.dissolve() }),
        hand(
          head, name: ContenderName.handWithIdentity, encode: HandList.encodeWithIdentity, decode: HandList.decodeWithIdentity,
          difference: head.difference, discard: { $0.dissolve() }),
      ],
      absences: [ContenderName.json, ContenderName.propertyList, ContenderName.keyedArchiver].map { .init(contender: $0, reason: reason) },
      finish: { head.dissolve() })
  }
}
