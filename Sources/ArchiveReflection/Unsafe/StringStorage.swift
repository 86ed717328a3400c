/// Makes strings of 16 to 63 ASCII characters by the known layout of their storage.
///
/// The standard library validates, measures and sets up a string in several calls, which cost more than allocating its storage. Shorter strings
/// have none, longer ones have more to it.
package enum StringStorage {
  /// The class of the storage; nil where strings are not known to look like that, found out by making some.
  private static let storageClass: AnyClass? = {
    #if canImport(ObjectiveC) || _endian(big)
      return nil
    #else
      guard MemoryLayout<String>.size == 16, MemoryLayout<UInt>.size == 8 else { return nil }
      let first = sample(16)
      guard let address = unsafe address(of: first) else { return nil }
      // SAFETY: the string keeps its storage alive, and every object begins with its class.
      let storage: AnyClass = withExtendedLifetime(first) { unsafe unsafeBitCast(address.load(as: UInt.self), to: AnyClass.self) }
      return [16, 17, 31, 32, 40, 47, 48, 63].allSatisfy { agrees(sample($0), storage) } ? storage : nil
    #endif
  }()

  package static var isKnown: Bool { storageClass != nil }

  private static func sample(_ count: Int) -> String {
    String(decoding: (0..<count).map { UInt8(32 &+ $0) }, as: UTF8.self)
  }

  /// The string with these bytes; nil if they are too few or too many or not all ASCII.
  package static func make(_ bytes: UnsafeRawBufferPointer) -> String? {
    guard let storageClass else { return nil }
    return unsafe make(bytes, storageClass)
  }

  private static let headerSize = 4 * MemoryLayout<UInt>.size

  private static func make(_ bytes: UnsafeRawBufferPointer, _ storageClass: AnyClass) -> String? {
    let count = bytes.count
    guard count >= 16, count < 64, let base = bytes.baseAddress else { return nil }
    // SAFETY: the last 16 bytes are read, and others before them, all within `count`.
    var all = unsafe base.loadUnaligned(fromByteOffset: count &- 16, as: SIMD2<UInt64>.self)
    var start = 0
    while start < count &- 16 {
      all |= unsafe base.loadUnaligned(fromByteOffset: start, as: SIMD2<UInt64>.self)
      start &+= 16
    }
    if (all[0] | all[1]) & 0x8080_8080_8080_8080 != 0 { return nil }
    // Room for a zero behind the characters. The flags: ASCII, normalised, native, in a storage.
    let capacity = (count &+ 16) & ~15
    let countAndFlags = 0xf000_0000_0000_0000 | UInt64(truncatingIfNeeded: count)
    // SAFETY: the storage has room for its header and `capacity` bytes; the string takes over the count that it comes with.
    let storage = unsafe Unmanaged.passRetained(
      runtimeAllocate(
        bufferType: storageClass, size: headerSize &+ capacity, alignmentMask: runtimeAlignmentMask(for: 15))
    ).toOpaque()
    unsafe storage.storeBytes(of: capacity, toByteOffset: 16, as: Int.self)
    unsafe storage.storeBytes(of: countAndFlags, toByteOffset: 24, as: UInt64.self)
    unsafe (storage + headerSize).copyMemory(from: base, byteCount: count)
    unsafe storage.storeBytes(of: 0, toByteOffset: headerSize &+ count, as: UInt8.self)
    // Moved, because a bit cast copies: nobody would ever release the count that the storage came with.
    var words = (countAndFlags, UInt64(UInt(bitPattern: storage)))
    return unsafe withUnsafeMutablePointer(to: &words) {
      unsafe UnsafeMutableRawPointer($0).bindMemory(to: String.self, capacity: 1).move()
    }
  }

  /// Where a string's storage lies, if its second word is nothing but that.
  private static func address(of string: String) -> UnsafeRawPointer? {
    let object = unsafe withUnsafeBytes(of: string) { unsafe $0.load(fromByteOffset: 8, as: UInt.self) }
    return unsafe object >> 56 == 0 && object & 15 == 0 ? UnsafeRawPointer(bitPattern: object) : nil
  }

  /// Whether a string of the standard library is what `make` makes of its characters.
  private static func agrees(_ string: String, _ storageClass: AnyClass) -> Bool {
    guard let storage = unsafe address(of: string) else { return false }
    // SAFETY: both strings keep their storages alive, which are at least as long as their headers and characters.
    return unsafe Array(string.utf8).withUnsafeBytes { bytes in
      guard unsafe storage.load(as: UInt.self) == unsafeBitCast(storageClass, to: UInt.self),
        let made = unsafe make(bytes, storageClass), let other = unsafe address(of: made)
      else { return false }
      func first(_ string: String) -> UInt64 { unsafe withUnsafeBytes(of: string) { unsafe $0.load(as: UInt64.self) } }
      // All but the count of owners.
      let offsets = [0..<8, 16..<headerSize &+ bytes.count &+ 1].joined()
      let isSame = offsets.allSatisfy { offset in
        unsafe storage.load(fromByteOffset: offset, as: UInt8.self) == other.load(fromByteOffset: offset, as: UInt8.self)
      }
      return withExtendedLifetime((string, made)) { isSame && first(string) == first(made) && string == made }
    }
  }
}
