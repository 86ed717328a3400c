import ArchiveFormat
import Testing

@Suite("xxHash64 agrees with its published vectors")
struct XXHash64Tests {
  private static func hash(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
    unsafe bytes.withUnsafeBytes { unsafe XXHash64.hash($0, seed: seed) }
  }

  /// The buffer of the reference implementation's self test.
  private static let sanityBuffer: [UInt8] = {
    var generator: UInt64 = 2_654_435_761
    return (0..<512).map { _ in
      defer { generator = generator &* 11_400_714_785_074_694_797 }
      return UInt8(truncatingIfNeeded: generator >> 56)
    }
  }()

  @Test(
    "the self test of the reference implementation",
    arguments: [
      (0, 0, 0xEF46_DB37_51D8_E999), (0, 2_654_435_761, 0xAC75_FDA2_929B_17EF), (1, 0, 0xE934_A84A_DB05_2768),
      (1, 2_654_435_761, 0x5014_6076_43A9_B4C3), (4, 0, 0x9136_A0DC_A574_57EE), (4, 2_654_435_761, 0xCAAB_286B_D8E9_FDB5),
      (14, 0, 0x8282_DCC4_994E_35C8), (14, 2_654_435_761, 0xC3BD_6BF6_3DEB_6DF0), (32, 0, 0x18B2_1649_2BB4_4B70),
      (33, 0, 0x55C8_DC3E_578F_5B59), (222, 0, 0xB641_AE8C_B691_C174), (222, 2_654_435_761, 0x20CB_8AB7_AE10_C14A),
      (512, 0, 0x4358_D2FD_D62B_58A7),
    ] as [(Int, UInt64, UInt64)])
  func sanityVectors(length: Int, seed: UInt64, expected: UInt64) {
    #expect(Self.hash([UInt8](Self.sanityBuffer[..<length]), seed: seed) == expected)
  }

  @Test(
    "well-known texts",
    arguments: [
      ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
      ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
    ] as [(String, UInt64)])
  func texts(text: String, expected: UInt64) { #expect(Self.hash([UInt8](text.utf8)) == expected) }
}
