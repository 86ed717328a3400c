import ArchiveFormat
import ArchiveReflection

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension KeyedArchiver {
  // MARK: Keys

  /// Encodes any supported value under a key: a scalar, an Optional, a struct, an enum, a collection, an object, what stands in an `Any`.
  ///
  /// In ``KeyedCoding/encode(with:)`` the key belongs to the object, in a container to that, otherwise to the top level of the archive. The
  /// value is taken as it is now: what it holds, and, at the top level, everything it refers to, may change afterwards without a change of
  /// the archive. Only weak and unowned references inside it, and whole objects that have some, are looked at again when the archive is
  /// finished, because they are kept only if something archives their targets. Objects are encoded once, whoever refers to them.
  ///
  /// ```swift
  /// func encode(with coder: KeyedArchiver) throws {
  ///   try coder.encode(name, forKey: "name")
  ///   try coder.encode(fruits, forKey: "fruits")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value. One that is declared `Any` or `any P` is archived as what it is.
  ///   - key: Any text, different from the other keys of the same object. Keys that are canonically equivalent in Unicode are one key.
  /// - Throws: ``ArchiveError`` with the code `duplicateKey`, `limitExceeded`, `finished` or `reentrant`, and for the value what
  ///   ``archivedData(withRootObject:requiringSecureCoding:allowing:maximumByteCount:)`` throws. From then on the archiver throws the same error.
  /// - Complexity: O(size of what is new in the archive).
  public func encode<T>(_ value: T, forKey key: String) throws { try encode(value, key) }

  /// Encodes a reference that is kept if something archives the object by ``encode(_:forKey:)`` or a strong property, before or after, and
  /// is nil if nothing does.
  ///
  /// For references back to an owner, as a weak property would hold them.
  /// - Throws: ``ArchiveError`` with the code `duplicateKey`, `limitExceeded`, `finished` or `reentrant`.
  public func encodeConditionalObject(_ object: AnyObject?, forKey key: String) throws { try encodeConditional(object, key) }

  /// Encodes bytes under a key; they are read back as bytes or as `Data`.
  /// - Throws: The same as ``encodeConditionalObject(_:forKey:)``.
  public func encodeBytes(_ bytes: UnsafeRawBufferPointer, forKey key: String) throws {
    let isOutermost = try owner.enter("archiver")
    defer { if isOutermost { owner.leave() } }
    let state = unsafe try open()
    if phase == .recording { return try inRecord { unsafe try state.pointee.recordBytes(bytes, key: key) } }
    try atTopLevel { unsafe try state.pointee.encodeRootBytes(bytes, key: key) }
  }

  /// Encodes a nested container: keys within a key.
  ///
  /// ```swift
  /// try coder.encodeContainer(forKey: "position") { coder in
  ///   try coder.encode(x, forKey: "x")
  ///   try coder.encode(y, forKey: "y")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key of the container.
  ///   - body: Encodes the contents, with this archiver. Containers in containers count as nested values, of which there may be 512.
  /// - Throws: The same as ``encodeConditionalObject(_:forKey:)``, `nestingTooDeep`, and what `body` throws.
  public func encodeContainer(forKey key: String, _ body: (KeyedArchiver) throws -> Void) throws { try encodeContainer(key, body) }

  // MARK: Without keys

  /// Encodes a value without a key, in ``KeyedCoding/encode(with:)`` or in a container: such values follow one another, and are read in order.
  ///
  /// They are a sequence of their own beside the keys.
  /// - Throws: The same as ``encode(_:forKey:)``, and `invalidValue` at the top level, where every value has a key.
  public func encode<T>(_ value: T) throws { try encode(value, nil) }

  /// Encodes a conditional reference without a key; see ``encodeConditionalObject(_:forKey:)``.
  /// - Throws: The same as ``encodeConditionalObject(_:forKey:)``, and `invalidValue` at the top level.
  public func encodeConditionalObject(_ object: AnyObject?) throws { try encodeConditional(object, nil) }

  /// Encodes a container without a key; see ``encodeContainer(forKey:_:)``.
  /// - Throws: The same as ``encodeContainer(forKey:_:)``, and `invalidValue` at the top level.
  public func encodeContainer(_ body: (KeyedArchiver) throws -> Void) throws { try encodeContainer(nil, body) }

  // MARK: The end

  /// Completes the archive. Nothing can be encoded after it; calling it again changes nothing.
  /// - Throws: ``ArchiveError`` with the code `limitExceeded`, `missingUnownedTarget`, `reentrant`, or the error that has ended the encoding.
  public func finishEncoding() throws {
    let isOutermost = try owner.enter("archiver")
    defer { if isOutermost { owner.leave() } }
    if finishedData != nil { return }
    let state = unsafe try open()
    if phase == .recording {
      throw ArchiveError(.reentrant, message: "the archive can't be finished while an object hands its values over")
    }
    finishedData = try atTopLevel {
      delegate?.archiverWillFinish(self)
      unsafe try state.pointee.finishRoots()
      unsafe tellEncoded(state)
      return unsafe Data(archive: &state.pointee.writer, from: state.pointee.archiveStart)
    }
    dropState()
    phase = .finished
    delegate?.archiverDidFinish(self)
  }

  /// The archive, which is completed if that has not been done.
  ///
  /// An archiver that nothing was encoded with gives an archive without keys.
  public var encodedData: Data {
    get throws {
      try finishEncoding()
      return finishedData ?? Data()
    }
  }
}

// MARK: What the calls have in common

extension KeyedArchiver {
  private func encode<T>(_ value: T, _ key: String?) throws {
    let isOutermost = try owner.enter("archiver")
    defer { if isOutermost { owner.leave() } }
    let state = unsafe try open()
    if Reflection.kind(of: T.self) == .existential {
      // Archived as what it is, whatever it is declared as.
      func open<Concrete>(_ value: Concrete) throws { try encode(value, key) }
      // SAFETY: the copy is a value of the existential type and lives while it is read.
      let value = unsafe withUnsafePointer(to: value) { unsafe ExistentialAccess.load($0, as: T.self) }
      return try _openExistential(value, do: open)
    }
    if phase == .recording {
      return try inRecord { unsafe try withUnsafePointer(to: value) { unsafe try state.pointee.record($0, of: T.self, key: key) } }
    }
    try atTopLevel {
      let key = try requireKey(key)
      let codec = try Self.codec(for: T.self, at: key)
      let type: Any.Type = T.self is AnyClass ? Swift.type(of: value as Any) : T.self
      unsafe try withUnsafePointer(to: value) { pointer in
        // SAFETY: the value is only read, and lives until it is written.
        let rows = unsafe Rows(base: UnsafeMutableRawPointer(mutating: pointer), stride: MemoryLayout<T>.stride, count: 1)
        unsafe try state.pointee.encodeRoot(CurrentRoot(rows: rows, codec: codec, key: key), type: type)
      }
      unsafe tellEncoded(state)
    }
  }

  /// The codec of a type; what is wrong with the type is told together with the key.
  private static func codec(for type: Any.Type, at key: String) throws -> ValueCodec {
    do {
      return try PlanRegistry.shared.codec(for: type)
    } catch var error as ArchiveError {
      error.path = key + (error.path.isEmpty ? "" : " → \(error.path)")
      throw error
    }
  }

  private func encodeConditional(_ object: AnyObject?, _ key: String?) throws {
    let isOutermost = try owner.enter("archiver")
    defer { if isOutermost { owner.leave() } }
    let state = unsafe try open()
    if phase == .recording { return try inRecord { unsafe try state.pointee.recordConditional(object, key: key) } }
    try atTopLevel { unsafe try state.pointee.encodeConditionalRoot(object, key: try requireKey(key)) }
  }

  private func encodeContainer(_ key: String?, _ body: (KeyedArchiver) throws -> Void) throws {
    let isOutermost = try owner.enter("archiver")
    defer { if isOutermost { owner.leave() } }
    let state = unsafe try open()
    if phase == .recording {
      return try inRecord {
        unsafe try state.pointee.beginContainer(key: key)
        try body(self)
        if let failure { throw failure }
        unsafe state.pointee.endContainer()
      }
    }
    try atTopLevel {
      unsafe try state.pointee.encodeRootContainer(key: try requireKey(key)) { e in
        unsafe try withUnsafeMutablePointer(to: &e) { state in unsafe try record(state) { try body(self) } }
      }
      unsafe tellEncoded(state)
    }
  }

  private func requireKey(_ key: String?) throws -> String {
    guard let key else {
      throw ArchiveError(
        .invalidValue,
        message: "values at the top level of an archive have keys; encode it with a key, or in a container, one after another")
    }
    return key
  }

  /// Tells the delegate about the objects whose properties have been written by the last call.
  private func tellEncoded(_ state: UnsafeMutablePointer<EncodingState>) {
    guard delegate != nil else { return }
    for object in unsafe state.pointee.takeEncodedObjects() { didEncode(object) }
  }
}

extension Data {
  /// Takes the bytes of a writer over, from a position on, without copying many of them.
  init(archive output: inout ByteWriter, from start: Int) {
    // SAFETY: the bytes from `start` on are the archive; a buffer that is handed over belongs to the data from here on.
    if output.count < 8_192 {
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: output.bytes[start...])
      if let base = bytes.baseAddress { unsafe self.init(bytes: base, count: bytes.count) } else { self.init() }
      return
    }
    let buffer = unsafe output.takeBuffer()
    guard let base = buffer.baseAddress else {
      self.init()
      return
    }
    unsafe self.init(
      bytesNoCopy: base + start, count: buffer.count - start, deallocator: .custom { _, _ in unsafe ByteWriter.free(base) })
  }
}
