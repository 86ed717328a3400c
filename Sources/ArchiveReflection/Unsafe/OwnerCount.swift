/// Whether an object has exactly one strong reference, read from its header.
///
/// The runtime's own question costs two calls per object; the answer stands in the upper half of the second header word, which is zero for an
/// object with one owner and no side table. An object with a side table (a weak reference points to it) counts as one with several owners.
@usableFromInline package enum OwnerCount {
  private final class Probe {}

  /// Whether headers look like this, found out by counting the references of an object up and down.
  package static let isKnown: Bool = {
    #if canImport(ObjectiveC)
      return false
    #else
      // Only the array holds the object, whatever the compiler keeps in registers meanwhile.
      let probes = makeProbes()
      let one = isFirstOne(probes)
      var more = owners(of: probes)
      let several = isFirstOne(probes)
      more.removeAll()
      return one && !several && isFirstOne(probes) && MemoryLayout<UInt>.size == 8
    #endif
  }()

  @inline(never)
  private static func makeProbes() -> [Probe] { [Probe()] }

  /// Two more owners, in memory that the optimiser cannot see through.
  @inline(never)
  private static func owners(of probes: [Probe]) -> [Probe] { [probes[0], probes[0]] }

  @inline(never)
  private static func isFirstOne(_ probes: [Probe]) -> Bool {
    // SAFETY: the array keeps the object alive while its header is read.
    unsafe probes.withUnsafeBytes { unsafe isOne($0.load(as: UnsafeRawPointer.self)) }
  }

  /// Only meaningful while `isKnown`; `object` is the address of a live object.
  @inlinable @inline(__always)
  package static func isOne(_ object: UnsafeRawPointer) -> Bool {
    // SAFETY: a live object begins with two words, its class and its counts.
    unsafe object.load(fromByteOffset: 8, as: UInt64.self) >> 32 == 0
  }
}
