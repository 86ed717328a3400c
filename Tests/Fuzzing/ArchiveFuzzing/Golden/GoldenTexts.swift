import MirrorArchive

/// Strings that differ in a number alone, and others that hardly do.
enum GoldenTexts {
  static func roots() -> [GoldenRoot] {
    [
      root("as needed") { "a\($0 + 7)." },
      root("fixed") { padded($0 * 13, 3) },
      root("around") { "page \(padded($0, 4)) of the book" },
      root("behind") { "\($0 * $0) 苹果" },
      root("front") { "Straße \($0 / 2)" },
      root("alone") { "\($0 * 999_999_937)" },
      root("largest") { "\(999_999_999_999_999_990 + $0)" },
      root("long front") { String(repeating: "é", count: 127) + "-\($0)" },
      root("long end") { "\($0)-" + String(repeating: "🍎", count: 63) },
      root("same") { _ in "v1" },
      root("years") { "\(1_990 + $0 * 3 % 7)" },
      GoldenRoot("substrings", (0..<9).map { "part \($0)"[...] }),
      GoldenRoot("optional", (0..<12).map { $0 % 4 == 3 ? nil : "o\($0)" }),
      // What is not numbered.
      root("too many digits") { "\(1_999_999_999_999_999_990 + $0)" },
      root("signs") { "\($0 - 4)" },
      root("zeros") { $0 < 5 ? "0\($0)" : "\($0)" },
      root("letters") { "n" + String(Unicode.Scalar(UInt8(97 + $0))) },
      root("lengths") { String(repeating: "x", count: $0 * $0 % 11) },
      root("bytes") { "\u{0}\"\\\n\($0)\u{301}é" + String(repeating: "\u{FFFF}\u{7F}", count: $0 % 2) },
      root("none") { _ in "" },
      GoldenRoot("characters", (0..<9).map { ["a", "é", "e\u{301}", "👩‍👩‍👧", "\r\n"][$0 % 5] as Character }),
      GoldenRoot("digits", (0..<9).map { Character("\($0)") }),
      GoldenRoot("dictionary", Dictionary(uniqueKeysWithValues: (0..<9).map { ("key\($0)", "value \($0)") })),
    ]
  }

  /// Ten strings: too few for a pool.
  private static func root(_ key: String, _ text: (Int) -> String) -> GoldenRoot { GoldenRoot(key, (0..<10).map(text)) }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
