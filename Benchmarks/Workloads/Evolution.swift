import Foundation
import MirrorArchive

/// The fruit of a later release: `name` is `title`, there is a rating, and nothing is on sale any more.
final class LaterFruit: MirrorCoding {
  override class var archiveRules: ArchiveRules {
    ArchiveRules(
      name: "Later.Fruit", formerNames: ["Benchmarks.Fruit"], version: 2, properties: [PropertyRule("title", formerKeys: ["name"])])
  }
  var title = ""
  var count = 0
  var price = 0.0
  var tag: String?
  var rating = 3

  /// Says what differs from the fruit of which this one was made, or nil.
  func difference(from old: Fruit) -> String? {
    if title != old.name { return "title \(title) instead of \(old.name)" }
    if count != old.count || price != old.price || tag != old.tag { return "count, price or tag" }
    return rating == 3 ? nil : "rating \(rating)"
  }
}

/// The home page of a later release.
final class LaterHomePage: MirrorCoding {
  override class var archiveRules: ArchiveRules {
    ArchiveRules(name: "Later.HomePage", formerNames: ["Benchmarks.HomePage"], version: 2)
  }
  var name = ""
  var location = ""
  var number = 0
  var money = 0.0
  var open = false
  var address: String?
  var fruits: [LaterFruit] = []
  var owner: Owner?

  func difference(from old: HomePage) -> String? {
    if name != old.name || location != old.location || number != old.number { return "name, location or number" }
    if money != old.money || open != old.open || address != old.address || owner?.name != old.owner?.name { return "money … owner" }
    if fruits.count != old.fruits.count { return "\(fruits.count) fruits instead of \(old.fruits.count)" }
    for (index, (new, old)) in zip(fruits, old.fruits).enumerated() {
      if let text = new.difference(from: old) { return "fruits[\(index)]: \(text)" }
    }
    return nil
  }
}

extension Contest {
  /// The shop as an older release wrote it, read by that release and by a later one.
  static func evolution() -> Contest {
    let page = ShopValues.homePage(fruits: 10_000)
    let later = Coder(
      ContenderName.laterRelease, model: LaterHomePage(), size: \Data.count,
      encode: { _ in try KeyedArchiver.archivedData(withRootObject: page) },
      decode: { try KeyedUnarchiver.unarchivedObject(of: LaterHomePage.self, from: $0) },
      difference: { $0.difference(from: page) })
    return Contest(
      "evolution", objects: 10_002,
      contenders: [
        mirrorArchive(page, difference: page.difference),
        later,
        hand(page, encode: HandShop.encode, decode: HandShop.decode, difference: page.difference),
      ],
      notes: ["later release: reads the bytes of the older one, with a property renamed, one added and one removed; encoding is the same."],
      ratios: [Ratio(of: ContenderName.laterRelease, to: ContenderName.mirrorArchive, operation: .decode)])
  }
}
