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

extension Forgery {
  /// The archive with every occurrence of some bytes replaced by others of the same number; nil if there is none.
  func replacing(_ old: [UInt8], with new: [UInt8]) -> Data? {
    var forged = self
    var count = 0
    var position = 0
    while old.count == new.count, position + old.count <= body.count {
      if forged.body[position..<position + old.count].elementsEqual(old) {
        forged.body.replaceSubrange(position..<position + old.count, with: new)
        count += 1
        position += old.count
      } else {
        position += 1
      }
    }
    return count > 0 ? forged.sealed() : nil
  }

  /// The archive with every occurrence of a text replaced by another one of the same length; nil if there is none.
  func replacing(_ old: String, with new: String) -> Data? { replacing(Array(old.utf8), with: Array(new.utf8)) }
}
