import ArchiveFormat
import Foundation

/// Archives that were changed and then sealed again with the right length and checksum, so that the structure alone shows it.
enum Sealed {
  /// What stands between the length and the checksum of an archive with one checksum.
  static func body(of archive: Data) -> [UInt8] {
    let bytes = Array(archive)
    var position = 5
    while bytes[position] & 0x80 != 0 { position += 1 }
    return Array(bytes[(position + 1)..<(bytes.count - 8)])
  }

  /// How many bytes stand in front of the body.
  static func headLength(of archive: Data) -> Int { archive.count - 8 - body(of: archive).count }

  static func archive(flags: UInt8, body: [UInt8]) -> Data {
    var bytes: [UInt8] = [0x4D, 0x41, 0x9E, 0x11, flags]
    var rest = body.count
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
    bytes += body
    let checksum = unsafe bytes.withUnsafeBytes { bytes in
      unsafe ArchiveSeal.Checksum(flags: flags).hash(bytes)
    }
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: checksum >> (8 * UInt64($0))) }
    return Data(bytes)
  }

  /// The archive with some bytes replaced by others, at an offset of the archive.
  static func replacing(_ range: Range<Int>, of archive: Data, with new: [UInt8]) -> Data {
    let head = headLength(of: archive)
    var body = body(of: archive)
    body.replaceSubrange((range.lowerBound - head)..<(range.upperBound - head), with: new)
    return self.archive(flags: archive[archive.startIndex + 4], body: body)
  }
}

/// Numbers by chance that are the same for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
