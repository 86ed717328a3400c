import MirrorArchive

/// Strings of every length and script, hardly any of them twice.
final class Texts: MirrorCoding, Codable {
  var texts: [String] = []

  required init() {
    super.init()
  }

  init(texts: [String]) {
    self.texts = texts
    super.init()
  }

  /// 5 to 200 bytes: 60 % of them plain ASCII, the others Chinese, or all three mixed with emoji.
  static func random(count: Int, seed: UInt64 = 0x7e87) -> Texts {
    var generator = SeededGenerator(seed: seed)
    return Texts(texts: (0..<count).map { _ in text(&generator) })
  }

  private static func text(_ generator: inout SeededGenerator) -> String {
    let length = 5 + generator.below(196)
    let kind = generator.below(10)
    if kind < 6 { return generator.words(length: length) }
    var text = ""
    while text.utf8.count < length {
      let room = length - text.utf8.count
      let choice = kind < 8 ? 1 : generator.below(3)
      let scalar: UInt32 =
        switch choice {
        case 1 where room >= 3: 0x4e00 + UInt32(generator.below(0x5000))  // Chinese, 3 bytes
        case 2 where room >= 4: 0x1f600 + UInt32(generator.below(0x40))  // emoji, 4 bytes
        default: 97 + UInt32(generator.below(26))
        }
      if let scalar = Unicode.Scalar(scalar) { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  func difference(from other: Texts) -> String? {
    if texts.count != other.texts.count { return "\(other.texts.count) texts instead of \(texts.count)" }
    // Byte by byte: == on strings would accept another normalisation.
    return zip(texts, other.texts).enumerated().first { !$1.0.utf8.elementsEqual($1.1.utf8) }.map { index, _ in "texts[\(index)]" }
  }
}

extension Contest {
  /// 50,000 strings.
  static func text() -> Contest {
    let texts = Texts.random(count: 50_000)
    return Contest(
      "text", objects: 50_000, unit: "strings",
      contenders: [
        mirrorArchive(texts, difference: texts.difference),
        hand(texts, encode: HandText.encode, decode: HandText.decode, difference: texts.difference),
        json(texts, difference: texts.difference),
        propertyList(texts, difference: texts.difference),
        keyedArchiver(KeyedTexts(texts)) { texts.difference(from: Texts(texts: $0.texts)) },
      ])
  }
}
