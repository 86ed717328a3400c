import ArchiveFormat
import ArchiveReflection

/// How a value of a record is called in paths.
enum RecordPlace {
  /// - Parameter index: How many values without a key came before.
  static func component(_ key: String?, _ index: Int) -> String { key.map { "." + $0 } ?? "[\(index)]" }
}

extension EncodingState {
  /// An error at a value that is being recorded, with its path; errors of the program itself stay as they are.
  mutating func located(_ error: any Error, _ component: String, _ key: String?) -> any Error {
    var located: ArchiveError
    var suffix = ""
    switch error {
    case let error as LocatedError: (located, suffix) = (error.error, error.suffix)
    case let error as SubstitutionError: located = error.error
    case let error as ArchiveError:
      located = error
      // What concerns a type has a place in types.
      if !error.path.isEmpty { suffix = " → \(error.path)" }
    default: return error
    }
    let recorder = unsafe recorderPointer()
    let place = unsafe recorder.pointee.frame.place + component + suffix
    if let object = unsafe recorder.pointee.object {
      located.message = "\(Reflection.unqualifiedName(of: graph.blocks[object >> 10].plan.type))\(component): \(located.message)"
      // While an object hands its values over, the archive's own bytes are aside.
      let block = unsafe recorder.pointee.block
      if let block { swap(&writer, &block.bytes) }
      located.path = path(of: object, from: unsafe recorder.pointee.currentRoot) + place
      if let block { swap(&writer, &block.bytes) }
    } else {
      located.path = unsafe recorder.pointee.rootKey + place
    }
    return located
  }

  /// Throws if the archive can't have as few bytes as it is to have.
  func checkByteLimit() throws {
    if byteLimit == Int.max { return }
    var count = writer.count - Self.headroom
    if let recorder = unsafe recorder.pointer {
      unsafe count += recorder.pointee.pendingByteCount + recorder.pointee.roots.block.byteCount
      // Inside a record the two writers are exchanged, and finished rows of the block would count twice.
      if let block = unsafe recorder.pointee.block {
        count = unsafe block.byteCount - Self.headroom + recorder.pointee.pendingByteCount + writer.count - recorder.pointee.frame.start
      }
    }
    if count > byteLimit { throw tooLarge() }
  }

  /// Throws if the archive, which is complete, is larger than it may be.
  func checkArchive() throws {
    if writer.count &- archiveStart > byteLimit { throw tooLarge() }
  }

  @inline(never)
  private func tooLarge() -> ArchiveError {
    ArchiveError(.limitExceeded, message: "the archive has more than the \(byteLimit) bytes that maximumByteCount allows")
  }
}

extension RootRecords {
  /// Which of the encoded values refers to an object.
  func find(_ object: Int, _ types: TypeTable) -> String? {
    let search = ReferenceSearch(for: object, in: types)
    let gaps = Set(block.deferred.map(\.row))
    var start = 0
    for (row, length) in block.lengths.enumerated() {
      let end = start + Int(length)
      // While a value is being encoded, these bytes are aside.
      guard end <= block.bytes.count else { return nil }
      // SAFETY: the bytes of the values follow one another.
      var reader = unsafe ByteReader(UnsafeRawBufferPointer(rebasing: block.bytes.bytes[start..<end]))
      if !gaps.contains(row), let found = try? search.find(keys[row].type, count: 1, in: &reader) { return keys[row].key + found.place }
      start = end
    }
    return nil
  }
}
