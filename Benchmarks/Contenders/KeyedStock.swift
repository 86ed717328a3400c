import Foundation

/// `Stock` as it is written for `NSKeyedArchiver`.
final class KeyedStock: NSObject, NSSecureCoding, StockItem {
  static var supportsSecureCoding: Bool { true }
  let name: String
  let count: Int

  init(_ item: some StockItem) {
    name = item.name
    count = item.count
  }

  func encode(with coder: NSCoder) {
    coder.encode(name as NSString, forKey: "name")
    coder.encode(count, forKey: "count")
  }

  init?(coder: NSCoder) {
    guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
    self.name = name as String
    count = coder.decodeInteger(forKey: "count")
  }
}
