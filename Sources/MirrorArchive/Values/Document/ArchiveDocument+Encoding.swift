#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ArchiveDocument {
  /// The document as an archive, which the classes can be read from as from one of their own.
  ///
  /// ```swift
  /// var document = try ArchiveDocument(data)
  /// try document.set(12, at: "root.fruits[3].count")
  /// let changed = try document.encoded()
  /// ```
  /// A document that nobody has changed gives the bytes that it was read from, but for what ``UnknownObject`` says of weak references and of keys
  /// coded by hand. Objects are numbered anew, in the order in which they are found; those that nothing refers to are left out.
  ///
  /// - Parameters:
  ///   - outputFormatting: With ``KeyedArchiver/OutputFormatting/sortedKeys`` dictionaries and sets are put into the order of their keys and
  ///     elements; without it they keep the order that they have. So do in any case those whose keys refer to objects or stand in `Any`.
  ///   - maximumByteCount: The most bytes the archive may have; nil for any number.
  /// - Returns: The archive.
  /// - Throws: ``ArchiveError`` with the code `invalidValue` for a reference to an object that the document does not have or a property of a
  ///   type of one's own making that has an empty key, `typeMismatch`, `nestingTooDeep` or `limitExceeded`.
  /// - Complexity: O(size of the document), without recursion over references or values.
  public func encoded(outputFormatting: KeyedArchiver.OutputFormatting = [], maximumByteCount: Int? = nil) throws -> Data {
    let archiver = KeyedArchiver(requiringSecureCoding: false)
    archiver.outputFormatting = outputFormatting
    archiver.maximumByteCount = maximumByteCount
    return try archiver.encode(self)
  }

  /// Writes the document to a file, which is made or replaced as a whole; see ``KeyedArchiver/archive(_:to:options:requiringSecureCoding:allowing:maximumByteCount:)``.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - options: Whether to wait for the storage.
  ///   - outputFormatting: See ``encoded(outputFormatting:maximumByteCount:)``.
  /// - Throws: What ``encoded(outputFormatting:maximumByteCount:)`` throws, before any file is touched; ``ArchiveError`` with the code `fileError`.
  public func write(
    to url: URL, options: KeyedArchiver.WritingOptions = [], outputFormatting: KeyedArchiver.OutputFormatting = []
  ) throws {
    let path = try FilePath.path(of: url)
    let data = try encoded(outputFormatting: outputFormatting)
    // SAFETY: the bytes are used while the data lends them.
    unsafe try data.withUnsafeBytes { bytes in
      unsafe try AtomicFile.write(bytes, to: path, durable: options.contains(.durable))
    }
  }
}

extension KeyedArchiver {
  /// Encodes a whole document, as the only thing this archiver does.
  fileprivate func encode(_ document: ArchiveDocument) throws -> Data {
    let objects = DocumentObjects(document)
    // The objects have to be there until the archiver has let go of them.
    return try withExtendedLifetime(objects) {
      let state = unsafe try open()
      try atTopLevel {
        // What an archive becomes for a program with its classes is known to the one that has written it.
        // SAFETY: the state is the archiver's, which is not used by anybody else meanwhile.
        unsafe state.pointee.documentLength = document.isChanged ? nil : document.filledLength
        unsafe state.pointee.metersValues = document.isChanged
        unsafe state.pointee.leastLength = document.filledLength
        for root in document.roots { unsafe try state.pointee.encodeRoot(root, among: objects) }
      }
      return try encodedData
    }
  }
}

extension EncodingState {
  fileprivate mutating func encodeRoot(_ root: ArchiveDocument.Root, among objects: DocumentObjects) throws {
    let codec = UnknownRootCodec(root, among: objects)
    var none: UInt8 = 0
    // SAFETY: the codec has the value itself, and never looks at the row.
    unsafe try withUnsafeMutableBytes(of: &none) { row in
      guard let base = row.baseAddress else { return }
      try encodeRoot(CurrentRoot(rows: unsafe Rows(base: base, stride: 1, count: 1), codec: codec, key: root.key), type: UnknownObject.self)
    }
  }
}
