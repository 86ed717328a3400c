import ArchiveFormat
import Testing

@Suite("UTF-8 of many strings at once")
struct UTF8CheckTests {
  private static func check(_ bytes: [UInt8]) -> UTF8Check.Verdict {
    // Read from an allocation of exactly this size, so that a sanitizer notices any byte read beyond.
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { unsafe copy.deallocate() }
    unsafe copy.copyBytes(from: bytes)
    return unsafe UTF8Check.check(UnsafeRawBufferPointer(copy))
  }

  private static func expected(_ bytes: [UInt8]) -> UTF8Check.Verdict {
    if bytes.allSatisfy({ $0 < 0x80 }) { return .ascii }
    return String(validating: bytes, as: UTF8.self) == nil ? .invalid : .valid
  }

  @Test("all beginnings of characters are told as the standard library does")
  func beginnings() {
    var wrong = 0
    for first in UInt8(0)...255 {
      for second in UInt8(0)...255 {
        for rest: [UInt8] in [[], [0x80], [0x41], [0xBF, 0xBF], [0x80, 0x41], [0xC2, 0x80], [0x8F, 0x80, 0x80]] {
          let bytes = [first, second] + rest
          if Self.check(bytes) != Self.expected(bytes) { wrong += 1 }
        }
      }
    }
    #expect(wrong == 0)
  }

  @Test("texts of all characters, cut and damaged, are told as the standard library does", arguments: 0..<4)
  func texts(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let pieces = ["hello wo", "a", "é", "ß", "中", "\u{FFFF}", "\u{800}", "😀", "\u{10FFFF}", "sixteen letters!"].map { Array($0.utf8) }
    for _ in 0..<5_000 {
      var bytes = (0..<Int.random(in: 0...8, using: &generator)).flatMap { _ in pieces.randomElement(using: &generator) ?? [] }
      if !bytes.isEmpty, generator.next() & 1 == 0 { bytes.removeLast(Int.random(in: 0..<min(4, bytes.count), using: &generator)) }
      if !bytes.isEmpty, generator.next() & 3 == 0 {
        bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      #expect(Self.check(bytes) == Self.expected(bytes), "seed \(seed): \(bytes)")
    }
  }

  @Test("a string that begins within a character is noticed")
  func begins() {
    let bytes = Array("aé中".utf8)
    func begin(_ lengths: [Int64]) -> Bool {
      unsafe bytes.withUnsafeBytes { unsafe UTF8Check.begin(lengths, count: lengths.count, in: $0) }
    }
    #expect(begin([1, 2, 3]))
    #expect(begin([0, 3, 0, 3, 0]))
    #expect(begin([6]))
    #expect(!begin([2, 4]))
    #expect(!begin([2, 0, 4]))
    #expect(!begin([1, 2, 1, 2]))
  }
}
