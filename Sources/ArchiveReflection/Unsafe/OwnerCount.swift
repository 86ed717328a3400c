/// Whether an object has exactly one strong reference, read from its header.
///
/// The runtime's own question costs two calls per object; the answer stands in the upper half of the second header word, which is zero for an
/// object with one owner and no side table. An object with a side table (a weak reference points to it) counts as one with several owners.
package enum OwnerCount {
  private final class Probe {}

  /// Whether headers look like this, found out by counting the references of an object up and down.
  package static let isKnown: Bool = {
    #if canImport(ObjectiveC)
      return false
    #else
      // SAFETY: each retain is matched by a release.
      let probe = unsafe Unmanaged.passRetained(Probe())
      let one = unsafe isOne(probe.toOpaque())
      _ = unsafe probe.retain()
      let two = unsafe isOne(probe.toOpaque())
      unsafe probe.release()
      let oneAgain = unsafe isOne(probe.toOpaque())
      unsafe probe.release()
      return one && !two && oneAgain && MemoryLayout<UInt>.size == 8
    #endif
  }()

  /// Only meaningful while `isKnown`; `object` is the address of a live object.
  @inlinable @inline(__always)
  package static func isOne(_ object: UnsafeRawPointer) -> Bool {
    // SAFETY: a live object begins with two words, its class and its counts.
    unsafe object.load(fromByteOffset: 8, as: UInt64.self) >> 32 == 0
  }
}
