import ArchiveFormat
import ArchiveReflection

/// Arrays of objects, whatever their class: places are turned into references right where these belong.
final class ReferenceArrayReader: ColumnReader, @unchecked Sendable {
  private let admitted: AdmittedObjects
  private let storage: ArrayStorage

  init(_ codec: ValueCodec, _ storage: ArrayStorage, admitted: AdmittedObjects) {
    self.admitted = admitted
    self.storage = storage
    super.init(codec)
  }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    let (counts, total) = unsafe try d.counts(rows: rows.count, each: MemoryLayout<UnsafeRawPointer>.stride)
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
        if count == 0 {
          unsafe rows[row].initializeMemory(as: [AnyObject].self, to: [])
          row += 1
          continue
        }
        unsafe try storage.make(count: count, at: rows[row]) { base, done in
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
