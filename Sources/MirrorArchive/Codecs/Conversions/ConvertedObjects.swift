import ArchiveFormat
import ArchiveReflection

/// Objects that were made from archived structs, and so have no number in the archive.
struct MadeObjects {
  let plan: ClassPlan
  let facts: ClassFacts
  let objects: [AnyObject]
}

/// What one decoding knows about structs that became objects and objects that became structs.
final class ConvertedObjects {
  /// The columns of each block, for objects that are read as values.
  let blockReaders: [ByteReader]
  /// What was made of such objects.
  var values: [ObjectValues.Key: ObjectValues] = [:]
  /// Objects without a number whose `didDecode` has not been called.
  var made: [MadeObjects] = []

  init(_ blockReaders: [ByteReader]) { self.blockReaders = blockReaders }

  /// Those objects, which are told now; nil if there are none.
  func takeMade() -> [MadeObjects]? {
    if made.isEmpty { return nil }
    defer { made = [] }
    return made
  }
}
