#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The bytes of an archive at an address that stays.
@safe
final class ArchiveBytes {
  let bytes: UnsafeRawBufferPointer
  private let owned: UnsafeMutableRawBufferPointer?
  private let owner: Any?

  /// A copy, or large data as it is.
  init(_ data: Data) {
    // SAFETY: a Data of this size has its bytes in storage of its own, which is not changed as long as somebody else holds it.
    if data.count >= 65_536 {
      unsafe bytes = data.withUnsafeBytes { unsafe $0 }
      unsafe owned = nil
      owner = data
    } else {
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count, alignment: 16)
      unsafe data.withUnsafeBytes { unsafe copy.copyMemory(from: $0) }
      unsafe owned = copy
      unsafe bytes = UnsafeRawBufferPointer(copy)
      owner = nil
    }
  }

  init(_ file: MappedFile) {
    unsafe bytes = file.bytes
    unsafe owned = nil
    owner = file
  }

  /// Bytes that the caller keeps alive longer than this.
  init(borrowing bytes: UnsafeRawBufferPointer) {
    unsafe self.bytes = bytes
    unsafe owned = nil
    owner = nil
  }

  deinit { unsafe owned?.deallocate() }
}
