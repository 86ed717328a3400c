import ArchiveFormat
import Testing

@Suite("XXH3 agrees with the reference implementation")
struct XXH3Tests {
  private static func hash(_ bytes: some Collection<UInt8>) -> UInt64 { unsafe Array(bytes).withUnsafeBytes { unsafe XXH3.hash($0) } }

  /// The buffer of the reference implementation's self test, continued.
  private static let sanityBuffer: [UInt8] = {
    var generator: UInt64 = 2_654_435_761
    return (0..<4_200).map { _ in
      defer { generator = generator &* 11_400_714_785_074_694_797 }
      return UInt8(truncatingIfNeeded: generator >> 56)
    }
  }()

  @Test(
    "on both sides of each border between its forms",
    arguments: [
      (0, 0x2D06_8005_38D3_94C2), (1, 0xC44B_DFF4_074E_ECDB), (2, 0x7A99_7804_4CB8_A8BB), (3, 0x5424_7382_A8D6_B94D),
      (4, 0xE5DC_74BC_5184_8A51), (6, 0x27B5_6A84_CD2D_7325), (8, 0x24CC_C9AC_AA9F_65E4), (9, 0x14D5_001C_15DD_3F2B),
      (13, 0x2EB0_3C6E_66BA_6524), (16, 0x981B_17D3_6C74_98C9), (17, 0x796F_5ACD_3A60_F862), (24, 0xA3FE_70BF_9D35_10EB),
      (32, 0x9FEA_DDBD_BF57_EED3), (33, 0xABFB_2D08_1B40_0A10), (48, 0x397D_A259_ECBA_1F11), (64, 0x9CB4_8487_720E_C49D),
      (65, 0xFD81_AAC4_BEBC_3883), (96, 0x935A_769A_7F94_776F), (97, 0xCA4C_A268_FD3C_3A6C), (128, 0xFCFF_2412_6754_D861),
      (129, 0x98F1_B0A6_79A2_CA29), (160, 0x9D03_A319_ED4C_BD2B), (195, 0xCD94_217E_E362_EC3A), (240, 0x81C3_C2B6_7F56_8CCF),
      (241, 0xC5A6_39EC_D203_0E5E), (256, 0x55DE_574A_D89D_0AC5), (319, 0x0FCA_A9E5_9EC5_A883), (320, 0x7562_0D35_0FF5_C694),
      (321, 0x2D8C_7E26_34AB_900A), (512, 0x617E_4959_9013_CB6B), (1023, 0x87A8_F7B2_F2E2_2496), (1024, 0xDD85_C9B5_C110_9C5C),
      (1025, 0xD870_C0FA_1321_1C6A), (1088, 0xCC14_50EA_6B52_A8F4), (1089, 0xEF72_7B2E_FFC4_CC8C), (2048, 0xDD59_E2C3_A5F0_38E0),
      (2049, 0xD3AF_A432_9779_B921), (2243, 0xFDD9_7DDF_7A83_E7A9), (4096, 0xE912_0642_9D1F_48F9), (4200, 0x6595_5451_A0BD_1810),
    ] as [(Int, UInt64)])
  func lengths(length: Int, expected: UInt64) { #expect(Self.hash(Self.sanityBuffer[..<length]) == expected) }

  @Test("well-known texts", arguments: [("a", 0xE6C6_32B6_1E96_4E1F), ("abc", 0x78AF_5F94_892F_3950)] as [(String, UInt64)])
  func texts(text: String, expected: UInt64) { #expect(Self.hash(text.utf8) == expected) }

  @Test("it does not depend on where the bytes lie", arguments: [5, 15, 100, 200, 1_500])
  func alignment(length: Int) {
    let bytes = Self.sanityBuffer[..<length]
    for shift in 0..<17 {
      let moved = [UInt8](repeating: 0xEE, count: shift) + bytes + [0xEE]
      let hash = unsafe moved.withUnsafeBytes { unsafe XXH3.hash(UnsafeRawBufferPointer(rebasing: $0[shift..<shift + length])) }
      #expect(hash == Self.hash(bytes))
    }
  }

  @Test("every flipped bit changes it", arguments: [1, 3, 8, 16, 40, 128, 129, 240, 241, 1_024, 1_100])
  func flips(length: Int) {
    var bytes = [UInt8](Self.sanityBuffer[..<length])
    var seen: Set = [Self.hash(bytes)]
    for bit in 0..<(length * 8) {
      bytes[bit >> 3] ^= 1 << UInt8(bit & 7)
      #expect(seen.insert(Self.hash(bytes)).inserted)
      bytes[bit >> 3] ^= 1 << UInt8(bit & 7)
    }
  }
}
