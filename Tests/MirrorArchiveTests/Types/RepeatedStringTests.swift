import Foundation
import MirrorArchive
import Testing

/// Strings that repeat within a property are written once, however they lie; others are written out.
@Suite("Repeated strings")
struct RepeatedStringTests {
  final class Line: MirrorCoding {
    var text = ""
  }
  final class Page: MirrorCoding {
    var lines: [Line] = []
  }

  /// Which of the texts the line `row` of `count` has.
  static let patterns: [(name: String, text: @Sendable (_ row: Int, _ count: Int) -> Int)] = [
    ("one after another", { row, _ in row % 200 }),
    ("pairs next to each other", { row, _ in row / 2 }),
    ("the second half as the first", { row, count in row % (count / 2) }),
    ("one text for half of the lines", { row, _ in row % 2 == 0 ? 0 : row }),
    ("long runs", { row, _ in row / 100 }),
    ("scattered", { row, _ in row &* 7_919 % 389 }),
  ]

  /// Texts of their own buffers, which differ in the middle only.
  static func text(_ number: Int) -> String {
    // Letters: numbers would be told from the text around them.
    let letters = String(number + 10_000).utf8.map { String(Unicode.Scalar($0 + 49)) }.joined()
    return "a text that begins like others \(letters) and ends like others"
  }

  private func archive(_ texts: [String]) throws -> Data {
    let page = Page()
    page.lines = texts.map { text in
      let line = Line()
      line.text = text
      return line
    }
    let data = try KeyedArchiver.archivedData(withRootObject: page)
    let read = try KeyedUnarchiver.unarchivedObject(of: Page.self, from: data)
    #expect(read.lines.map(\.text) == texts)
    return data
  }

  @Test("Strings that repeat are written once", arguments: patterns.indices, [600, 1_024]) func repeated(pattern: Int, count: Int) throws {
    let (name, text) = Self.patterns[pattern]
    let numbers = (0..<count).map { text($0, count) }
    let data = try archive(numbers.map(Self.text))
    let bytes = Set(numbers).reduce(0) { $0 + Self.text($1).utf8.count }
    #expect(data.count < bytes + 3 * count + 400, "\(name), \(count) lines")
  }

  @Test("Strings that are all different are written out, and those behind them are still looked at") func different() throws {
    let texts = (0..<1_024).map(Self.text) + (0..<4_096).map { Self.text($0 % 50) }
    let data = try archive(texts)
    // The first chunk, the one after it, which is not looked at, and the fifty.
    #expect(data.count < (1_024 + 1_024 + 50) * Self.text(0).utf8.count + 4 * texts.count)
    #expect(data.count > 1_024 * Self.text(0).utf8.count)
  }

  @Test("Few strings are looked at one by one") func few() throws {
    let data = try archive((0..<500).map { Self.text($0 % 300) })
    #expect(data.count < 300 * Self.text(0).utf8.count + 2_000)
  }

  /// Strings of up to 15 bytes are looked up by their bytes; these differ in one or two of them, at every place.
  @Test("Strings that hardly differ are told apart", arguments: 1...15) func alike(length: Int) throws {
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    for place in 0..<length {
      var names: [String] = []
      for first in letters {
        for second in letters.prefix(place + 1 < length ? 6 : 1) {
          var bytes = [UInt8](repeating: 0x2E, count: length)
          bytes[place] = first
          if place + 1 < length { bytes[place + 1] = second }
          names.append(String(decoding: bytes, as: UTF8.self))
        }
      }
      let data = try archive((0..<2_000).map { names[$0 &* 7 % names.count] })
      #expect(data.count < names.count * length + 2_000 * 10 / 8 + 600, "\(names.count) names that differ in byte \(place)")
    }
  }

  @Test(
    "Pools grow with the strings, and equal strings in buffers of their own share a place", arguments: [30, 33, 130, 520, 2_100, 5_000])
  func growing(count: Int) throws {
    // Half of the strings of every chunk are new at first.
    let data = try archive((0..<2 * count + 200).map { Self.text($0 / 2 % count) })
    #expect(data.count < count * Self.text(0).utf8.count + 2 * count * 3 + 1_200)
  }

  @Test("What is met after a chunk that was given up is told from what was in it") func givenUp() throws {
    // Repeats at first, so that there is a pool; then a chunk of strings that are new, each of which is forgotten; then they repeat.
    let known = (0..<1_024).map { Self.text($0 % 100) }
    let new = (0..<1_024).map { Self.text(500 + $0) }
    let again = (0..<4_096).map { Self.text(500 + $0 % 200) }
    _ = try archive(known + new + again)
  }
}
