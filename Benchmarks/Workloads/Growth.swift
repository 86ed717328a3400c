/// The sizes of `--growth`: what an object costs has to stay the same.
extension Workload {
  static let growthSizes = [1_000, 10_000, 100_000, 1_000_000]

  static let growth: [Workload] =
    growthSizes.map { count in
      Workload(name: "shop/\(count)", summary: "") { _ in Contest.growingShop(fruits: count) }
    }
    + growthSizes.map { count in
      Workload(name: "list/\(count)", summary: "", stackSize: 512 << 10) { _ in Contest.growingList(nodes: count) }
    }
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

  fileprivate static func growingList(nodes count: Int) -> Contest {
    let head = ListNode.random(count: count)
    return Contest(
      "list/\(count)", objects: count,
      contenders: [
        mirrorArchive(head, difference: head.difference, discard: { $0.dissolve() }),
        hand(head, encode: HandList.encode, decode: HandList.decode, difference: head.difference, discard: { $0.dissolve() }),
      ],
      finish: { head.dissolve() })
  }
}
