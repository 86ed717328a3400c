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
      let probe = Probe()
      let one = isOne(probe)
      var more = owners(of: probe)
      let several = isOne(probe)
      more.removeAll()
      return one && !several && isOne(probe) && MemoryLayout<UInt>.size == 8
    #endif
  }()

  /// Two more owners, in memory that the optimiser cannot see through.
  @inline(never)
  private static func owners(of probe: Probe) -> [Probe] { [probe, probe] }

  @inline(never)
  private static func isOne(_ probe: Probe) -> Bool {
    // SAFETY: the object is alive while its header is read.
    withExtendedLifetime(probe) { unsafe isOne(Unmanaged.passUnretained(probe).toOpaque()) }
  }

  /// Only meaningful while `isKnown`; `object` is the address of a live object.
  @inlinable @inline(__always)
  package static func isOne(_ object: UnsafeRawPointer) -> Bool {
    // SAFETY: a live object begins with two words, its class and its counts.
    unsafe object.load(fromByteOffset: 8, as: UInt64.self) >> 32 == 0
  }
}
