import Foundation

/// `Texts` as it is written for `NSKeyedArchiver`.
final class KeyedTexts: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let texts: [String]

  init(_ texts: Texts) {
    self.texts = texts.texts
  }

  func encode(with coder: NSCoder) {
    coder.encode(NSArray(array: texts.map { $0 as NSString }), forKey: "texts")
  }

  init?(coder: NSCoder) {
    guard let texts = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "texts") as? NSArray else { return nil }
    self.texts = texts.compactMap { $0 as? String }
  }
}
