/// How to copy, move and destroy values of a type that is only known at run time.
///
/// Looks the type's functions up once, so that a loop over rows pays for one indirect call a row, or for a memory copy if the type is trivial.
/// Pointers must be aligned for the type.
@usableFromInline @safe package struct ValueWitnesses: @unchecked Sendable {
  // SAFETY: metadata and its witness table live as long as the process and never change, hence the unchecked `Sendable`. The order of the table
  // is fixed by the ABI; all entries use the C calling convention.
  @usableFromInline package typealias Destroy = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
  @usableFromInline package typealias Transfer =
    @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeRawPointer) -> UnsafeMutableRawPointer
  @usableFromInline package typealias LoadTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
  @usableFromInline package typealias StoreTag = @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void
  @usableFromInline package typealias LoadTagSinglePayload = @convention(c) (UnsafeRawPointer, UInt32, UnsafeRawPointer) -> UInt32
  @usableFromInline package typealias StoreTagSinglePayload =
    @convention(c) (UnsafeMutableRawPointer, UInt32, UInt32, UnsafeRawPointer) -> Void

  /// Bytes of a value.
  @usableFromInline package let size: Int
  /// Bytes from one array element to the next.
  @usableFromInline package let stride: Int
  /// The alignment in bytes, minus one.
  @usableFromInline package let alignmentMask: Int
  /// Copying is a memory copy and destroying does nothing.
  @usableFromInline package let isTrivial: Bool
  /// Moving is a memory copy.
  @usableFromInline package let isBitwiseTakable: Bool
  /// False for `~Copyable` types, which must not be copied through this table.
  @usableFromInline package let isCopyable: Bool
  /// Whether the type is an enum with more than one case or payload, so that the tag functions exist.
  @usableFromInline package let hasTag: Bool
  // Whether `Optional` of the type appends a byte, rather than using a bit pattern that no value has.
  @usableFromInline package let optionalAppendsTag: Bool

  @usableFromInline package let metadata: UnsafeRawPointer
  @usableFromInline package let table: UnsafePointer<UnsafeRawPointer?>
  @usableFromInline package let destroyFunction: Destroy
  @usableFromInline package let copyFunction: Transfer
  @usableFromInline package let assignCopyFunction: Transfer
  @usableFromInline package let takeFunction: Transfer
  @usableFromInline package let assignTakeFunction: Transfer
  @usableFromInline package let loadTagSinglePayload: LoadTagSinglePayload
  @usableFromInline package let storeTagSinglePayload: StoreTagSinglePayload

  /// Looks up the table of `type`.
  package init(_ type: Any.Type) {
    // SAFETY: the word before every metadata address points to the table: eight functions, size, stride, u32 flags and u32 number of extra
    // inhabitants.
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    let table = unsafe metadata.load(fromByteOffset: -MemoryLayout<UInt>.size, as: UnsafePointer<UnsafeRawPointer?>.self)
    let numbers = unsafe UnsafeRawPointer(table + 8)
    let flags = unsafe numbers.load(fromByteOffset: 2 * MemoryLayout<UInt>.size, as: UInt32.self)
    size = unsafe numbers.load(as: Int.self)
    stride = unsafe numbers.load(fromByteOffset: MemoryLayout<UInt>.size, as: Int.self)
    alignmentMask = Int(flags & 0xff)
    isTrivial = flags & 0x1_0000 == 0
    isBitwiseTakable = flags & 0x10_0000 == 0
    hasTag = flags & 0x20_0000 != 0
    isCopyable = flags & 0x80_0000 == 0
    optionalAppendsTag = unsafe numbers.load(fromByteOffset: 2 * MemoryLayout<UInt>.size + 4, as: UInt32.self) == 0
    unsafe self.metadata = unsafe metadata
    unsafe self.table = unsafe table
    unsafe destroyFunction = unsafe unsafeBitCast(table[1], to: Destroy.self)
    unsafe copyFunction = unsafe unsafeBitCast(table[2], to: Transfer.self)
    unsafe assignCopyFunction = unsafe unsafeBitCast(table[3], to: Transfer.self)
    unsafe takeFunction = unsafe unsafeBitCast(table[4], to: Transfer.self)
    unsafe assignTakeFunction = unsafe unsafeBitCast(table[5], to: Transfer.self)
    unsafe loadTagSinglePayload = unsafe unsafeBitCast(table[6], to: LoadTagSinglePayload.self)
    unsafe storeTagSinglePayload = unsafe unsafeBitCast(table[7], to: StoreTagSinglePayload.self)
  }

  // SAFETY for the functions below: the caller passes pointers that are aligned for the type and hold, or have room for, a value of it.

  /// Ends the life of the value at `p`.
  @inlinable @inline(__always)
  package func destroy(_ p: UnsafeMutableRawPointer) {
    if !isTrivial { unsafe destroyFunction(p, metadata) }
  }

  /// Initialises `dst` with a copy of the value at `src`.
  @inlinable @inline(__always)
  package func initializeWithCopy(_ dst: UnsafeMutableRawPointer, _ src: UnsafeRawPointer) {
    if isTrivial { unsafe copyBytes(dst, src) } else { _ = unsafe copyFunction(dst, src, metadata) }
  }

  /// Moves the value at `src` to uninitialised memory at `dst`.
  @inlinable @inline(__always)
  package func initializeWithTake(_ dst: UnsafeMutableRawPointer, _ src: UnsafeMutableRawPointer) {
    if isBitwiseTakable { unsafe copyBytes(dst, src) } else { _ = unsafe takeFunction(dst, src, metadata) }
  }

  /// Replaces the value at `dst` with a copy of the one at `src`.
  @inlinable @inline(__always)
  package func assignWithCopy(_ dst: UnsafeMutableRawPointer, _ src: UnsafeRawPointer) {
    if isTrivial { unsafe copyBytes(dst, src) } else { _ = unsafe assignCopyFunction(dst, src, metadata) }
  }

  /// Replaces the value at `dst` with the one at `src`, which is uninitialised afterwards.
  @inlinable @inline(__always)
  package func assignWithTake(_ dst: UnsafeMutableRawPointer, _ src: UnsafeMutableRawPointer) {
    if isTrivial { unsafe copyBytes(dst, src) } else { _ = unsafe assignTakeFunction(dst, src, metadata) }
  }

  /// Whether the `Optional` of this type at `p` holds a value. The value, if there is one, starts at `p` as well.
  @inlinable @inline(__always)
  package func isSome(_ p: UnsafeRawPointer) -> Bool {
    if optionalAppendsTag { return unsafe p.load(fromByteOffset: size, as: UInt8.self) == 0 }
    return unsafe loadTagSinglePayload(p, 1, metadata) == 0
  }

  /// Makes a value of this type at `p` an `Optional` of it in the same place.
  @inlinable @inline(__always)
  package func storeSome(_ p: UnsafeMutableRawPointer) {
    // Without an appended tag a payload is its own optional.
    if optionalAppendsTag { unsafe p.storeBytes(of: 0, toByteOffset: size, as: UInt8.self) }
  }

  /// Initialises `p` with the nil `Optional` of this type.
  @inlinable @inline(__always)
  package func storeNone(_ p: UnsafeMutableRawPointer) {
    unsafe storeTagSinglePayload(p, 1, 1, metadata)
  }

  /// The tag of the enum value at `p`: the index of its case in `EnumShape.cases`.
  ///
  /// Only for enums for which `hasTag` is true.
  @inlinable @inline(__always)
  package func enumTag(_ p: UnsafeRawPointer) -> UInt32 {
    unsafe unsafeBitCast(table[11], to: LoadTag.self)(p, metadata)
  }

  /// Turns the enum value at `p` into its payload, or the box of an indirect payload.
  ///
  /// Only for enums for which `hasTag` is true.
  @inlinable @inline(__always)
  package func projectEnumData(_ p: UnsafeMutableRawPointer) {
    unsafe unsafeBitCast(table[12], to: Destroy.self)(p, metadata)
  }

  /// Turns the payload at `p`, or uninitialised memory for a case without payload, into an enum value.
  ///
  /// Only for enums for which `hasTag` is true.
  @inlinable @inline(__always)
  package func injectEnumTag(_ p: UnsafeMutableRawPointer, _ tag: UInt32) {
    unsafe unsafeBitCast(table[13], to: StoreTag.self)(p, tag, metadata)
  }

  @inlinable @inline(__always)
  @unsafe package func copyBytes(_ dst: UnsafeMutableRawPointer, _ src: UnsafeRawPointer) {
    // Values of these sizes are the commonest, and a call to `memmove` costs more than they do.
    switch size {
    case 8: unsafe dst.storeBytes(of: src.loadUnaligned(as: UInt64.self), as: UInt64.self)
    case 16:
      let words = unsafe (src.loadUnaligned(as: UInt64.self), src.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      unsafe dst.storeBytes(of: words.0, as: UInt64.self)
      unsafe dst.storeBytes(of: words.1, toByteOffset: 8, as: UInt64.self)
    case 1: unsafe dst.storeBytes(of: src.load(as: UInt8.self), as: UInt8.self)
    case 4: unsafe dst.storeBytes(of: src.loadUnaligned(as: UInt32.self), as: UInt32.self)
    default: unsafe dst.copyMemory(from: src, byteCount: size)
    }
  }
}
