import ArchiveFormat

/// What is known about recording the objects of one class of one archive.
final class ClassRecording {
  let caller: any RecordCaller.Type
  /// The string pool of the class's records.
  let pool: UInt64
  /// The first edge of its shapes, as last used.
  var firstEdge = 0

  init(_ plan: ClassPlan, _ types: inout TypeTableBuilder) throws {
    caller = ClassRecording.caller(for: plan.type)
    let entry = try plan.describe(&types).entryIndex ?? 0
    pool = StringPools.id(entry: entry, ordinal: plan.recordOrdinal)
  }

  private static func caller(for type: AnyClass) -> any RecordCaller.Type {
    func keyed<T: KeyedCoding>(_: T.Type) -> any RecordCaller.Type { KeyedCaller<T>.self }
    func extras<T: KeyedExtras>(_: T.Type) -> any RecordCaller.Type { ExtrasCaller<T>.self }
    if let type = type as? any KeyedCoding.Type { return keyed(type) }
    guard let type = type as? any KeyedExtras.Type else { preconditionFailure("only classes with hand-coded keys are recorded") }
    return extras(type)
  }
}

extension ClassPlan {
  /// The place of the records among the columns of a block.
  var recordOrdinal: Int {
    var ordinal = 0
    for level in levels {
      ordinal += level.properties.count
      if level.hasRecord { break }
    }
    return ordinal
  }
}

/// Lets an object hand its values over, without a cast per object: the class is known as a generic argument.
protocol RecordCaller {
  static func encode(_ object: AnyObject, _ coder: KeyedArchiver) throws
}

// SAFETY: only objects of exactly the class the recording was made for come here.
private enum KeyedCaller<T: KeyedCoding>: RecordCaller {
  static func encode(_ object: AnyObject, _ coder: KeyedArchiver) throws {
    try unsafe unsafeDowncast(object, to: T.self).encode(with: coder)
  }
}

private enum ExtrasCaller<T: KeyedExtras>: RecordCaller {
  static func encode(_ object: AnyObject, _ coder: KeyedArchiver) throws {
    try unsafe unsafeDowncast(object, to: T.self).encodeExtras(with: coder)
  }
}
