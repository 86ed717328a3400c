import ArchiveFormat
import ArchiveReflection

extension ClassReader {
  /// Calls `body` with each step and the bytes from its column on, for one block of `count` objects, until it returns false.
  func columns(
    count: Int, in bytes: ByteReader, _ skipper: ColumnSkipper, _ body: (Int, Step, ByteReader) throws -> Bool
  ) throws {
    var bytes = bytes
    for (index, step) in steps.enumerated() {
      do {
        if count >= BlockLayout.firstFramedCount {
          let length = try bytes.readCount()
          if try !body(index, step, bytes.slice(length)) { return }
        } else {
          if try !body(index, step, bytes) { return }
          try skipper.skip(step.type, count: count, from: &bytes)
        }
      } catch let error as FormatError {
        throw ArchiveError(error, path: "\(Reflection.unqualifiedName(of: plan.type)).\(step.key)")
      }
    }
  }
}
