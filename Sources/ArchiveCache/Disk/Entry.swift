import ArchiveFormat
import Foundation
import MirrorArchive

/// What a cache stores under a key: the bytes of the file, whole, with the archive among them.
struct Entry: Sendable {
  let header: EntryHeader
  private let bytes: Data

  /// The number of bytes of the file.
  var byteCount: Int { bytes.count }

  /// Calls `body` with the archive, which is not copied.
  func withArchive<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    unsafe try bytes.withUnsafeBytes { unsafe try body(UnsafeRawBufferPointer(rebasing: $0[header.payload])) }
  }

  /// Calls `body` with all the bytes.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    unsafe try bytes.withUnsafeBytes(body)
  }

  // MARK: Making

  /// Makes an entry of a value.
  ///
  /// - Parameters:
  ///   - header: What the entry says of itself; the lengths are set here.
  ///   - cost: What the value counts with in memory; nil for the size of the archive.
  ///   - archive: Appends the archive, and returns how many bytes it has.
  /// - Throws: What `archive` throws.
  init(_ header: EntryHeader, key: EntryKey, typeName: String, cost: Int?, archive: (inout Data) throws -> Int) rethrows {
    var header = header
    var data = Data(count: EntryHeader.byteCount)
    data.append(contentsOf: key.bytes)
    data.append(contentsOf: typeName.utf8)
    let payloadLength = try archive(&data)
    header.keyLength = UInt32(truncatingIfNeeded: key.bytes.count)
    header.typeLength = UInt32(truncatingIfNeeded: typeName.utf8.count)
    header.payloadLength = UInt64(payloadLength)
    header.cost = Int64(cost ?? payloadLength)
    unsafe data.withUnsafeMutableBytes { unsafe header.store(in: $0) }
    // SAFETY: the hash reads the bytes and nothing else.
    let checksum = unsafe data.withUnsafeBytes { unsafe XXH3.hash($0) }
    unsafe withUnsafeBytes(of: checksum.littleEndian) { unsafe data.append(contentsOf: $0) }
    self.header = header
    bytes = data
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
  init(_ bytes: Data, header: EntryHeader, key: EntryKey) throws(Flaw) {
    guard let size = header.fileSize, size == bytes.count else { throw .damaged("its size is another one than its header says") }
    let flaw: Flaw? = unsafe bytes.withUnsafeBytes { all in
      let content = unsafe UnsafeRawBufferPointer(rebasing: all.dropLast(EntryHeader.checksumByteCount))
      // SAFETY: the file has its header's size, so that eight bytes stand behind the content.
      let checksum = unsafe all.loadUnaligned(fromByteOffset: content.count, as: UInt64.self)
      if unsafe UInt64(littleEndian: checksum) != XXH3.hash(content) { return .damaged("its checksum does not fit") }
      let start = EntryHeader.byteCount
      let own = unsafe content[start..<start + Int(header.keyLength)]
      return unsafe own.elementsEqual(key.bytes) ? nil : .otherKey
    }
    if let flaw { throw flaw }
    self.header = header
    self.bytes = bytes
  }
}
