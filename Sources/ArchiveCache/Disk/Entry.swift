import ArchiveFormat
import Foundation
import MirrorArchive

/// What a cache stores under a key: the bytes of the file, whole, with the archive among them.
struct Entry: Sendable {
  let header: EntryHeader
  private let block: Block

  /// The number of bytes of the file.
  var byteCount: Int { block.count }

  /// Calls `body` with the archive, which is not copied.
  // SAFETY: here and below, the block's bytes are lent for the time of the call, and all of an entry's are there.
  func withArchive<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    unsafe try block.withBytes { unsafe try body(UnsafeRawBufferPointer(rebasing: $0[header.payload])) }
  }

  /// Calls `body` with all the bytes.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    unsafe try block.withBytes { unsafe try body(UnsafeRawBufferPointer($0)) }
  }

  // MARK: Making

  /// Makes an entry of an archive; nil if there is no memory for it.
  ///
  /// - Parameters:
  ///   - header: What the entry says of itself; the lengths are set here.
  ///   - cost: What the value counts with in memory; nil for the size of the archive.
  init?(_ header: EntryHeader, key: EntryKey, typeName: String, cost: Int?, archive: Data) {
    var header = header
    header.keyLength = UInt32(truncatingIfNeeded: key.bytes.count)
    header.typeLength = UInt32(truncatingIfNeeded: typeName.utf8.count)
    header.payloadLength = UInt64(archive.count)
    header.cost = Int64(cost ?? archive.count)
    // By what is there: the header has no room for the length of a key of 4 GB, which is not stored.
    let names = key.bytes.count + typeName.utf8.count
    guard let block = Block(byteCount: EntryHeader.byteCount + names + archive.count + EntryHeader.checksumByteCount) else { return nil }
    // SAFETY: the block has room for the header, whose size was added up above.
    unsafe block.withBytes { bytes in
      unsafe header.store(in: bytes)
      var end = EntryHeader.byteCount
      func append(_ part: UnsafeRawBufferPointer) {
        // SAFETY: the block has the size of all the parts, each of which stays where it is while it is copied.
        unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[end...]).copyMemory(from: part)
        end += part.count
      }
      unsafe key.bytes.withUnsafeBytes { unsafe append($0) }
      var typeName = typeName
      typeName.withUTF8 { unsafe append(UnsafeRawBufferPointer($0)) }
      unsafe archive.withUnsafeBytes { unsafe append($0) }
      let checksum = unsafe XXH3.hash(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
      unsafe withUnsafeBytes(of: checksum.littleEndian) { unsafe append($0) }
    }
    self.header = header
    self.block = block
  }

  // MARK: Reading

  /// What is wrong with a file that should be an entry.
  enum Flaw: Error, Sendable {
    /// Another file, or a part of one, or one that was damaged.
    case damaged(String)
    /// The entry of another key whose hash is the same.
    case otherKey
  }

  /// Takes the bytes of a file for an entry, if they are the ones that were written for this key.
  init(_ block: Block, header: EntryHeader, key: EntryKey) throws(Flaw) {
    guard let size = header.fileSize, size == block.count else { throw .damaged("its size is another one than its header says") }
    let flaw: Flaw? = unsafe block.withBytes { all in
      // SAFETY: a file that has its header's size is longer than the checksum.
      let content = unsafe UnsafeRawBufferPointer(rebasing: all[..<(all.count - EntryHeader.checksumByteCount)])
      // SAFETY: the file has its header's size, so that eight bytes stand behind the content.
      let checksum = unsafe all.loadUnaligned(fromByteOffset: content.count, as: UInt64.self)
      if unsafe UInt64(littleEndian: checksum) != XXH3.hash(content) { return .damaged("its checksum does not fit") }
      let start = EntryHeader.byteCount
      let own = unsafe content[start..<start + Int(header.keyLength)]
      return unsafe own.elementsEqual(key.bytes) ? nil : .otherKey
    }
    if let flaw { throw flaw }
    self.header = header
    self.block = block
  }
}
