import ArchiveFormat
import Foundation

/// An archive taken apart, so that its body can be damaged and then sealed again with the right length and checksum.
///
/// What a forged archive meets is the checks of the structure, not the checksum.
struct Forgery {
  /// Magic, version and flags.
  let prefix: [UInt8]
  /// Everything between the length and the checksum.
  var body: [UInt8]

  init?(_ archive: Data) {
    let bytes = Array(archive)
    guard bytes.count > 5 + 1 + 8 else { return nil }
    prefix = Array(bytes[..<5])
    var position = 5
    while bytes[position] & 0x80 != 0 { position += 1 }
    body = Array(bytes[(position + 1)..<(bytes.count - 8)])
  }

  init(flags: UInt8, body: [UInt8]) {
    prefix = [0x4D, 0x41, 0x9E, 0x11, flags]
    self.body = body
  }

  /// The archive with the body as it is now.
  func sealed() -> Data {
    var bytes = prefix + Self.varint(UInt64(body.count)) + body
    let isXXH3 = prefix[4] & 8 != 0
    let checksum = unsafe bytes.withUnsafeBytes { unsafe isXXH3 ? XXH3.hash($0) : XXHash64.hash($0) }
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: checksum >> (8 * UInt64($0))) }
    return Data(bytes)
  }

  static func varint(_ number: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
