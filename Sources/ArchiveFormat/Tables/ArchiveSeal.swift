/// What stands behind the body of an archive and tells whether it is damaged: one hash of everything in front of it, or, in a segmented
/// archive, one of each segment and then one of those, so that a reader who wants a part need not read it all.
package enum ArchiveSeal {
  /// The number of bytes of a segment; the last one may be shorter.
  package static let segmentLength = 65_536
  /// Archives with more bytes in front of the seal than this are written segmented. Below, reading everything takes less time than it takes
  /// to notice.
  package static let segmentedAbove = 262_144
  package static let hashLength = 8

  /// What an archive is hashed with. Writers take XXH3, which is twice as fast; archives that are older than it have xxHash64.
  package enum Checksum {
    case xxHash64
    case xxh3

    package init(flags: UInt8) { self = flags & FrameConstants.xxh3 != 0 ? .xxh3 : .xxHash64 }

    package func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
      switch self {
      case .xxHash64: return unsafe XXHash64.hash(bytes)
      case .xxh3: return unsafe XXH3.hash(bytes)
      }
    }
  }

  package static func segmentCount(covering length: Int) -> Int { (length &+ (segmentLength &- 1)) / segmentLength }

  /// The number of bytes of the seal of `length` bytes, which are bytes in memory, so that nothing can overflow.
  package static func length(covering length: Int, isSegmented: Bool) -> Int {
    isSegmented ? (segmentCount(covering: length) &+ 1) &* hashLength : hashLength
  }

  /// Seals what stands in `w` from `start` on.
  ///
  /// - Complexity: O(bytes).
  static func append(to w: inout ByteWriter, from start: Int, isSegmented: Bool) {
    let end = w.count
    w.reserve(length(covering: end - start, isSegmented: isSegmented))
    guard isSegmented else {
      w.appendLE64(hash(w, start, end))
      return
    }
    var position = start
    while position < end {
      let next = min(position + segmentLength, end)
      w.appendLE64(hash(w, position, next))
      position = next
    }
    w.appendLE64(hash(w, end, w.count))
  }

  private static func hash(_ w: borrowing ByteWriter, _ start: Int, _ end: Int) -> UInt64 {
    unsafe XXH3.hash(UnsafeRawBufferPointer(rebasing: w.bytes[start..<end]))
  }
}
