import Foundation
import MirrorArchive
import Testing

@Suite("Text")
struct TextTests {
  /// Lengths around the 15 bytes that a string holds inline, contents that C strings and careless counters get wrong.
  static let strings: [String] =
    [
      "", "a", "a\0b", "\0", "15 bytes inline", "16 bytes on heap", "é", "e\u{301}", "苹果🍎", "👩‍👩‍👧‍👦", "\u{FEFF}bom", "\r\n", "\u{10FFFF}",
      "\"\\/",
      "العربية", "Kǝngǝrli",
    ] + [0, 1, 14, 15, 16, 17, 255, 256, 70_000].map { String(repeating: "x", count: $0) } + [String(repeating: "🍍", count: 5_000)]

  @Test("A String keeps its bytes: not only what is canonically equal") func string() {
    expectSurvival(of: Self.strings) { Array($0.utf8) == Array($1.utf8) }
  }

  @Test("A bridged or lazily made string is stored by its contents") func strangeStrings() throws {
    let joined = ["a", "b"].joined(separator: String(repeating: "-", count: 40))
    let decoded = String(decoding: [0x61, 0xFF, 0x62], as: UTF8.self)
    #expect(try roundTrip(joined) == joined)
    #expect(try roundTrip(decoded) == "a\u{FFFD}b")
    #expect(try roundTrip(NSString(string: "from NSString, longer than inline") as String) == "from NSString, longer than inline")
  }

  @Test("A Substring comes back as its own text, without what was around it") func substring() throws {
    let text = "left, 苹果🍎 in the middle, right"
    let parts: [Substring] = text.split(separator: ",") + [text[text.startIndex..<text.startIndex], text[...], "a\0b"]
    expectSurvival(of: parts)
    let base = String(repeating: "long", count: 10_000)
    #expect(try KeyedArchiver.archivedData(withRootObject: Slot(base.prefix(3))).count < 400)
  }

  @Test("A Character keeps all its scalars") func character() {
    expectSurvival(of: ["a", "é", "e\u{301}", "🍎", "👩‍👩‍👧‍👦", "\r\n", "\0", "🇦🇼"] as [Character]) {
      Array(String($0).utf8) == Array(String($1).utf8)
    }
  }

  @Test("A Unicode.Scalar keeps its number") func scalar() {
    expectSurvival(of: ["a", "\0", "\u{D7FF}", "\u{E000}", "\u{10FFFF}", "🍎"] as [Unicode.Scalar])
  }

  @Test("Repeated strings come back equal, in long columns and beyond the chunk border", arguments: [7, 8, 1_024, 1_025, 4_000])
  func repeated(count: Int) throws {
    let pool = ["red", "green", "a colour with a name that is longer than fifteen bytes", "", "苹果"]
    let written = (0..<count).map { Slot(pool[$0 % pool.count]) }
    #expect(try roundTrip(written).map(\.value) == written.map(\.value))
    let optional = (0..<count).map { Box($0.isMultiple(of: 3) ? nil : pool[$0 % pool.count]) }
    #expect(try roundTrip(optional).map(\.value) == optional.map(\.value))
  }

  @Test("Distinct strings of random lengths come back equal", arguments: [1, 8, 1_025, 4_000])
  func distinct(count: Int) throws {
    let seed: UInt64 = 0x5EED_0002
    var generator = SeededGenerator(seed: seed)
    let alphabet: [Character] = ["a", "Z", "0", " ", "é", "果", "🍎", "\0"]
    let written = (0..<count).map { number in
      "\(number)" + String((0..<Int.random(in: 0...60, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? "?" })
    }
    #expect(try roundTrip(written) == written, "seed \(seed)")
    #expect(try roundTrip(written.map { Slot($0) }).map(\.value) == written, "seed \(seed)")
  }

  @Test("Short strings are bit for bit those of the standard library", arguments: 0...20) func shortStrings(length: Int) throws {
    let seed: UInt64 = 0x5EED_0015
    var generator = SeededGenerator(seed: seed)
    for range in [UInt8(0)...0x7f, 0x20...0x7e] {
      let texts = (0..<40).map { _ in
        String(decoding: (0..<length).map { _ in UInt8.random(in: range, using: &generator) }, as: UTF8.self)
      }
      let read = try roundTrip(texts)
      #expect(read == texts, "seed \(seed)")
      for (text, other) in zip(texts, read) where length <= 15 {
        #expect(bits(text) == bits(other), "seed \(seed)")
      }
    }
  }

  @Test("Short strings that are not all ASCII come back", arguments: ["é", "aé", "éa", "12345678é", "苹果", "1234567890123é", "👍🏽", "日本語日本"])
  func shortUnicode(text: String) throws {
    #expect(try roundTrip([text, "ascii", text]) == [text, "ascii", text])
    #expect(try roundTrip(Slot(text)).value.unicodeScalars.elementsEqual(text.unicodeScalars))
  }

  private func bits(_ string: String) -> [UInt8] { unsafe withUnsafeBytes(of: string) { unsafe Array($0) } }
}
