/// The sizes of `--growth`: what an object costs has to stay the same.
extension Workload {
  /// Of every size.
  static let growing: [Workload] =
    sizes.map { count in
      Workload(name: "shop/\(count)", summary: "") { _ in Contest.growingShop(fruits: count) }
    }
    + sizes.map { count in
      Workload(name: "tree/\(count)", summary: "") { _ in Contest.growingTree(nodes: count) }
    }
    + sizes.map { count in
      Workload(name: "list/\(count)", summary: "", stackSize: 512 << 10) { _ in Contest.growingList(nodes: count) }
    }

  /// Those that the options ask for. The largest take several minutes, and run only when nothing else does.
  static func growing(_ options: Options) -> [Workload] {
    let hasLargest = options.parts == [.growth] && !options.isQuick && !leavesOutLargest
    return growing.filter { hasLargest || !$0.name.hasSuffix("/\(largest)") }
  }

  /// Whether there is too little memory for the largest graphs: the shop of 10,000,000 objects, its copy and its archive need half of
  /// this, and others may need some too.
  static let leavesOutLargest = (ProcessMemory.available() ?? 0) < 12_000_000_000

  private static let largest = 10_000_000
  private static let sizes = [1_000, 10_000, 100_000, 1_000_000, largest]
}

extension Contest {
  fileprivate static func growingShop(fruits count: Int) -> Contest {
    let page = ShopValues.homePage(fruits: count)
    return Contest(
      "shop/\(count)", objects: count + 2,
      contenders: [
        mirrorArchive(page, difference: page.difference),
        hand(page, encode: HandShop.encode, decode: HandShop.decode, difference: page.difference),
      ])
  }

  fileprivate static func growingTree(nodes count: Int) -> Contest {
    let root = TreeNode.random(count: count)
    return Contest(
      "tree/\(count)", objects: count,
      contenders: [
        mirrorArchive(root, difference: root.difference),
        hand(root, encode: HandTree.encode, decode: HandTree.decode, difference: root.difference),
        hand(
          root, name: ContenderName.handWithIdentity, encode: HandTree.encodeWithIdentity, decode: HandTree.decodeWithIdentity,
          difference: root.difference),
      ])
  }

  fileprivate static func growingList(nodes count: Int) -> Contest {
    let head = ListNode.random(count: count)
    return Contest(
      "list/\(count)", objects: count,
      contenders: [
        mirrorArchive(head, difference: head.difference, discard: { $0.dissolve() }),
        hand(head, encode: HandList.encode, decode: HandList.decode, difference: head.difference, discard: { $0.dissolve() }),
        hand(
          head, name: ContenderName.handWithIdentity, encode: HandList.encodeWithIdentity, decode: HandList.decodeWithIdentity,
          difference: head.difference, discard: { $0.dissolve() }),
      ],
      finish: { head.dissolve() })
  }
}
