/// The one-shot calls for archives that lie in memory of the caller's: a part of a message, of a mapped file, of a buffer that is used again.
///
/// The bytes are read where they are and are not looked at any more when the call returns: whatever is decoded has copies of its own.
extension KeyedUnarchiver {
  // MARK: From a buffer

  /// Decodes the root value of an archive in memory that the caller keeps alive and unchanged during the call.
  ///
  /// ```swift
  /// let reading = unsafe try message.withUnsafeBytes { bytes in
  ///   unsafe try KeyedUnarchiver.unarchivedObject(of: Reading.self, from: UnsafeRawBufferPointer(rebasing: bytes[header...]))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the root.
  ///   - bytes: The archive, from its first byte to its last, at any address.
  ///   - types: Further types that may occur behind base classes, protocols and `Any`.
  ///   - options: What happens where the archive does not fit the program.
  ///   - allowsAnyClass: Switches the secure gate off; see ``unarchivedObject(of:from:allowing:options:unsafelyAllowingAnyClass:)-(_,Data,_,_,_)``.
  /// - Returns: The root, complete, with everything it refers to.
  /// - Throws: What the call for `Data` throws.
  /// - Complexity: O(size of the archive).
  public static func unarchivedObject<T>(
    of type: T.Type, from bytes: UnsafeRawBufferPointer, allowing types: [Any.Type] = [], options: DecodingOptions = DecodingOptions(),
    unsafelyAllowingAnyClass allowsAnyClass: Bool = false
  ) throws -> T {
    // SAFETY: here and below, the bytes are the caller's for as long as the call lasts, and nothing of them is kept.
    unsafe try decoded(type, from: bytes, allowing: types, options, allowsAnyClass: allowsAnyClass)
  }

  /// Decodes an archive in the caller's memory whose root is an object of a class, or of a subclass that rules or registration admit.
  ///
  /// - Parameters:
  ///   - type: The class; not `MirrorCoding` itself, which would admit every class.
  ///   - bytes: The archive.
  ///   - options: What happens where the archive does not fit the program.
  /// - Throws: What the call for `Data` throws.
  /// - Complexity: O(size of the archive).
  public static func unarchivedObject<T: AnyObject>(
    ofClass type: T.Type, from bytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions()
  ) throws -> T {
    unsafe try decoded(type, from: bytes, allowing: [], options, allowsAnyClass: false)
  }

  /// Decodes an archive in the caller's memory whose root is one of several types.
  ///
  /// - Parameters:
  ///   - classes: The classes and value types that the root may have.
  ///   - bytes: The archive.
  ///   - options: What happens where the archive does not fit the program.
  /// - Returns: The root as what it is; cast it.
  /// - Throws: What the call for `Data` throws.
  /// - Complexity: O(size of the archive).
  public static func unarchivedObject(
    ofClasses classes: [Any.Type], from bytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions()
  ) throws -> Any {
    unsafe try decoded(oneOf: classes, from: bytes, options)
  }

  /// Decodes an archive in the caller's memory whose root is an array of objects, or of any other elements.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - bytes: The archive.
  ///   - options: What happens where the archive does not fit the program.
  /// - Throws: What the call for `Data` throws.
  /// - Complexity: O(size of the archive).
  public static func unarchivedArrayOfObjects<T>(
    ofClass type: T.Type, from bytes: UnsafeRawBufferPointer, options: DecodingOptions = DecodingOptions()
  ) throws -> [T] {
    try AllowList.check([type], isRoot: true)
    return unsafe try decoded([T].self, from: bytes, allowing: [type], options, allowsAnyClass: false)
  }

  /// Decodes an archive in the caller's memory whose root is a dictionary.
  ///
  /// - Parameters:
  ///   - keyType: The type of the keys.
  ///   - valueType: The type of the values.
  ///   - bytes: The archive.
  ///   - options: What happens where the archive does not fit the program.
  /// - Throws: What the call for `Data` throws.
  /// - Complexity: O(size of the archive).
  public static func unarchivedDictionary<Key: Hashable, Value>(
    ofKeyClass keyType: Key.Type, objectClass valueType: Value.Type, from bytes: UnsafeRawBufferPointer,
    options: DecodingOptions = DecodingOptions()
  ) throws -> [Key: Value] {
    try AllowList.check([keyType, valueType], isRoot: true)
    return unsafe try decoded([Key: Value].self, from: bytes, allowing: [keyType, valueType], options, allowsAnyClass: false)
  }

  // MARK: From a span

  /// Decodes the root value of an archive in a span, which the compiler keeps alive and unchanged during the call.
  ///
  /// ```swift
  /// let reading = try KeyedUnarchiver.unarchivedObject(of: Reading.self, from: message.bytes.extracting(droppingFirst: header))
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the root.
  ///   - bytes: The archive, from its first byte to its last.
  ///   - types: Further types that may occur behind base classes, protocols and `Any`.
  ///   - options: What happens where the archive does not fit the program.
  ///   - allowsAnyClass: Switches the secure gate off; see ``unarchivedObject(of:from:allowing:options:unsafelyAllowingAnyClass:)-(_,Data,_,_,_)``.
  /// - Returns: The root, complete, with everything it refers to.
  /// - Throws: What the call for `Data` throws.
  /// - Complexity: O(size of the archive).
  public static func unarchivedObject<T>(
    of type: T.Type, from bytes: RawSpan, allowing types: [Any.Type] = [], options: DecodingOptions = DecodingOptions(),
    unsafelyAllowingAnyClass allowsAnyClass: Bool = false
  ) throws -> T {
    unsafe try bytes.withUnsafeBytes { bytes in
      unsafe try decoded(type, from: bytes, allowing: types, options, allowsAnyClass: allowsAnyClass)
    }
  }

  /// Decodes an archive in a span whose root is an object of a class, or of a subclass that rules or registration admit.
  ///
  /// - Parameters:
  ///   - type: The class; not `MirrorCoding` itself, which would admit every class.
  ///   - bytes: The archive.
  ///   - options: What happens where the archive does not fit the program.
  /// - Throws: What the call for `Data` throws.
  /// - Complexity: O(size of the archive).
  public static func unarchivedObject<T: AnyObject>(
    ofClass type: T.Type, from bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws -> T {
    unsafe try bytes.withUnsafeBytes { unsafe try unarchivedObject(ofClass: type, from: $0, options: options) }
  }

  /// Decodes an archive in a span whose root is one of several types.
  ///
  /// - Parameters:
  ///   - classes: The classes and value types that the root may have.
  ///   - bytes: The archive.
  ///   - options: What happens where the archive does not fit the program.
  /// - Returns: The root as what it is; cast it.
  /// - Throws: What the call for `Data` throws.
  /// - Complexity: O(size of the archive).
  public static func unarchivedObject(
    ofClasses classes: [Any.Type], from bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws -> Any {
    unsafe try bytes.withUnsafeBytes { unsafe try unarchivedObject(ofClasses: classes, from: $0, options: options) }
  }

  /// Decodes an archive in a span whose root is an array of objects, or of any other elements.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - bytes: The archive.
  ///   - options: What happens where the archive does not fit the program.
  /// - Throws: What the call for `Data` throws.
  /// - Complexity: O(size of the archive).
  public static func unarchivedArrayOfObjects<T>(
    ofClass type: T.Type, from bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws -> [T] {
    unsafe try bytes.withUnsafeBytes { unsafe try unarchivedArrayOfObjects(ofClass: type, from: $0, options: options) }
  }

  /// Decodes an archive in a span whose root is a dictionary.
  ///
  /// - Parameters:
  ///   - keyType: The type of the keys.
  ///   - valueType: The type of the values.
  ///   - bytes: The archive.
  ///   - options: What happens where the archive does not fit the program.
  /// - Throws: What the call for `Data` throws.
  /// - Complexity: O(size of the archive).
  public static func unarchivedDictionary<Key: Hashable, Value>(
    ofKeyClass keyType: Key.Type, objectClass valueType: Value.Type, from bytes: RawSpan, options: DecodingOptions = DecodingOptions()
  ) throws -> [Key: Value] {
    unsafe try bytes.withUnsafeBytes {
      unsafe try unarchivedDictionary(ofKeyClass: keyType, objectClass: valueType, from: $0, options: options)
    }
  }
}
