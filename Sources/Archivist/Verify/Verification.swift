import ArchiveFormat
import MirrorArchive

/// What is found out about an archive that is sound.
package struct Verification {
  package var byteCount: Int
  package var objectCount: Int
  /// Objects that no reference leads to, not even from the roots.
  package var lostObjectCount: Int

  var text: String {
    var text = "\(Text.count(byteCount, "byte")), \(Text.count(objectCount, "object"))"
    if lostObjectCount > 0 { text += ", \(Text.grouped(lostObjectCount)) of them referred to by nothing" }
    return text
  }

  /// Checks an archive to the last byte.
  ///
  /// - Parameter progress: Called with a number that rises to twice that of the bytes.
  /// - Throws: `Problem` with the first fault and where it is.
  /// - Complexity: O(bytes). Memory for a chunk of 1,024 rows, what the tables say, and a bit for each object.
  package init(of bytes: UnsafeRawBufferPointer, progress: @escaping (Int) -> Void = { _ in }) throws {
    // SAFETY: the bytes are the caller's, who keeps them meanwhile.
    let layout = unsafe try ArchiveLayout.verified(bytes, progress)
    byteCount = bytes.count
    var anatomist = unsafe Anatomist(bytes, try VerifySink(layout, progress))
    do {
      try anatomist.run()
    } catch {
      var problem = Problem(error)
      if let place = anatomist.sink.place { problem.message = "\(place): \(problem.message)" }
      throw problem
    }
    objectCount = anatomist.sink.check.references.objectCount
    lostObjectCount = anatomist.sink.check.references.lostCount
  }
}

extension ArchiveLayout {
  /// The layout of an archive of which every byte has been compared with the checksums.
  ///
  /// - Parameter progress: Called with the number of the bytes that have been compared.
  static func verified(_ bytes: UnsafeRawBufferPointer, _ progress: (Int) -> Void) throws -> ArchiveLayout {
    // SAFETY: the bytes are the caller's, who keeps them meanwhile.
    let layout = unsafe try ArchiveLayout(parsing: bytes, verification: .onDemand)
    guard let verifier = layout.verifier else { return layout }
    var place = 0
    while place < bytes.count {
      let end = min(place + 1 << 22, bytes.count)
      try verifier.verify(unsafe ByteReader(UnsafeRawBufferPointer(rebasing: bytes[place..<end]), at: place))
      place = end
      progress(place)
    }
    return layout
  }
}
