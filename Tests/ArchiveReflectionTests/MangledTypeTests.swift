import ArchiveReflection
import Testing

/// Names with references to types, whose bytes are addresses and may look like letters: where a program's types lie is chance.
@Suite("Mangled names of types")
struct MangledTypeTests {
  private func with<Result>(_ bytes: [UInt8], _ body: (MangledType) -> Result) -> Result {
    // SAFETY: the bytes end with a zero, and stay while the name is looked at.
    unsafe (bytes + [0]).withUnsafeBufferPointer { unsafe body(MangledType(at: $0.baseAddress.unsafelyUnwrapped)) }
  }

  private static let q = UInt8(ascii: "Q")
  private static let accessors: [[UInt8]] = (1...4).map { place in [0x09] + (1...4).map { $0 == place ? q : 0x20 } }

  @Test("A type that is made by a function is not taken for one that may be Void, wherever that lies", arguments: accessors)
  func accessor(bytes: [UInt8]) {
    #expect(with(bytes) { !$0.canBeVoid && $0.usesAccessor })
    #expect(with([0x01] + bytes.dropFirst()) { !$0.canBeVoid && !$0.usesAccessor })
    #expect(with([0x09, 0x79, 0x74, 0x78, 0x71]) { !$0.canBeVoid })
  }

  @Test("Void, parameters and their members may be Void") func void() {
    for name in ["yt", "x", "q_", "7ElementQz"] { #expect(with(Array(name.utf8)) { $0.canBeVoid }, "\(name)") }
    for name in ["Si", "SS", "ytSg", ""] { #expect(with(Array(name.utf8)) { !$0.canBeVoid }, "\(name)") }
  }

  @Test("References are weak by the letters behind them, and not by their own bytes") func ownership() {
    let reference: [UInt8] = [0x01, 0x10, 0x20, 0x58, 0x77]  // ends in the bytes of "Xw"
    #expect(with(reference) { $0.ownership } == .strong)
    #expect(with([0x18] + Array(repeating: 0x58, count: 7) + [0x6F]) { $0.ownership } == .strong)
    #expect(with(reference + Array("SgXw".utf8)) { $0.ownership } == .weak)
    #expect(with(reference + Array("Xo".utf8)) { $0.ownership } == .unowned)
    #expect(with(reference + Array("Xu".utf8)) { $0.ownership } == .unmanaged)
    // The first letter is the end of an address.
    #expect(with([0x01, 0x10, 0x20, 0x30, 0x58, 0x77]) { $0.ownership } == .strong)
  }
}
