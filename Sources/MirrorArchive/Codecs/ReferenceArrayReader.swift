import ArchiveFormat
import ArchiveReflection

/// Arrays of objects, whatever their class: the standard library gives them all the storage of an array of `AnyObject`, so they are made
/// without asking the element type anything.
final class ReferenceArrayReader: ColumnReader, @unchecked Sendable {
  private let admitted: AdmittedObjects

  init(_ codec: ValueCodec, admitted: AdmittedObjects) {
    self.admitted = admitted
    super.init(codec)
  }

  /// Whether arrays with this element type lie in memory like those of `AnyObject`, found out by looking at one of each.
  static func canMake<Element>(_: Element.Type) -> Bool {
    guard ArrayLayout.isKnown, Element.self is AnyClass else { return false }
    // SAFETY: the first word of an array is its storage object, whose first word is the storage's class.
    func storageClass<T>(of array: [T]) -> UInt {
      unsafe withUnsafeBytes(of: array) { unsafe $0.load(as: UnsafeRawPointer.self).load(as: UInt.self) }
    }
    let one = unsafe [Element](unsafeUninitializedCapacity: 1) { _, done in done = 0 }
    let other = unsafe [AnyObject](unsafeUninitializedCapacity: 1) { _, done in done = 0 }
    return storageClass(of: one) == storageClass(of: other)
  }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    let (counts, total) = unsafe try d.counts(rows: rows.count)
    // As in `ArrayReader`.
    if total / 64 > d.reader.remaining / MemoryLayout<UInt>.stride { try d.check(.reference, count: total) }
    try d.enter()
    defer { d.leave() }
    // SAFETY: at most one chunk of places is held; each is a place of an object that `resolve` has checked.
    let places = unsafe d.scratch.allocate(Int64.self, min(total, maximumChunkRows))
    var start = 0
    var held = 0
    var remaining = total
    var row = 0
    do {
      while row < rows.count {
        let count = Int(unsafe counts[row])
        let array =
          unsafe count == 0
          ? []
          : try [AnyObject](unsafeUninitializedCapacity: count) { buffer, done in
            guard let base = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
            while done < count {
              if held == 0 {
                held = min(remaining, maximumChunkRows)
                start = 0
                do {
                  unsafe try d.resolve(count: held, admitted: admitted, into: places)
                } catch {
                  d.objects.holdAll()  // Before the elements that are already there are released.
                  throw error
                }
                remaining &-= held
              }
              let step = min(held, count &- done)
              for j in 0..<step {
                let object = unsafe d.objects.retained(Int(truncatingIfNeeded: places[start &+ j]))
                unsafe base.storeBytes(
                  of: object, toByteOffset: (done &+ j) &* MemoryLayout<UnsafeRawPointer>.stride, as: UnsafeMutableRawPointer.self)
              }
              start &+= step
              held &-= step
              done &+= step
            }
          }
        unsafe rows[row].initializeMemory(as: [AnyObject].self, to: array)
        row += 1
      }
    } catch {
      d.objects.holdAll()
      codec.destroy(rows.slice(0, row))
      guard let error = error as? LocatedError else { throw error }
      // The chunk that failed begins behind all elements that were read before.
      var element = total - remaining + error.row
      for i in 0..<rows.count {
        if element < Int(unsafe counts[i]) { throw error.moved(to: i, below: "[\(element)]") }
        element -= Int(unsafe counts[i])
      }
      throw error
    }
  }
}
