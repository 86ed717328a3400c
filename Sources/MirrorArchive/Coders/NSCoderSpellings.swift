#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// What users of NSKeyedArchiver type first and what is called otherwise here: the compiler names the new spelling. None of these can be called.

extension KeyedArchiver {
  /// Writes to a file as a whole or not at all.
  @available(*, unavailable, renamed: "archive(_:to:)")
  public static func archiveRootObject(_ rootObject: Any, toFile path: String) -> Bool { fatalError() }

  /// The archiver makes the data itself.
  @available(*, unavailable, message: "use init(requiringSecureCoding:) and take the archive from encodedData")
  public convenience init(forWritingWith data: Data) { fatalError() }

  /// Every root value has a key.
  @available(*, unavailable, renamed: "encode(_:forKey:)", message: "use a key, such as \"root\"")
  public func encodeRootObject(_ rootObject: Any) { fatalError() }

  /// Integers of all widths are encoded like any other value.
  @available(*, unavailable, renamed: "encode(_:forKey:)")
  public func encodeCInt(_ value: Int32, forKey key: String) { fatalError() }

  /// The length is the buffer's.
  @available(*, unavailable, renamed: "encodeBytes(_:forKey:)")
  public func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) { fatalError() }

  /// There is one format.
  @available(*, unavailable, message: "there is one binary format; archivist shows what is in it")
  public var outputFormat: Int { fatalError() }
}

extension KeyedUnarchiver {
  /// Names the type of the root and throws.
  @available(*, unavailable, renamed: "unarchivedObject(of:from:)")
  public static func unarchiveObject(with data: Data) -> Any? { fatalError() }

  /// Names the type of the root and throws.
  @available(*, unavailable, renamed: "unarchivedObject(of:contentsOf:)")
  public static func unarchiveObject(withFile path: String) -> Any? { fatalError() }

  /// Names the type of the root.
  @available(*, unavailable, renamed: "unarchivedObject(of:from:)")
  public static func unarchiveTopLevelObjectWithData(_ data: Data) throws -> Any? { fatalError() }

  /// Throws instead of aborting later.
  @available(*, unavailable, renamed: "init(forReadingFrom:)")
  public convenience init(forReadingWith data: Data) { fatalError() }

  /// The class is named: nothing else is made.
  @available(*, unavailable, renamed: "decodeObject(of:forKey:)", message: "name the class; decode(Any.self, forKey:) is for plain values")
  public func decodeObject(forKey key: String) -> Any? { fatalError() }

  /// The type is named.
  @available(*, unavailable, renamed: "decode(_:)")
  public func decodeObject() -> Any? { fatalError() }

  /// Every call throws.
  @available(*, unavailable, renamed: "decodeObject(of:forKey:)")
  public func decodeTopLevelObject(forKey key: String) throws -> Any? { fatalError() }

  /// Every call throws.
  @available(*, unavailable, renamed: "decodeObject(of:forKey:)")
  public func decodeTopLevelObject<T: AnyObject>(of type: T.Type, forKey key: String) throws -> T? { fatalError() }

  /// The Swift name of the type.
  @available(*, unavailable, renamed: "decodeInt(forKey:)")
  public func decodeInteger(forKey key: String) -> Int { fatalError() }

  /// The Swift name of the type.
  @available(*, unavailable, renamed: "decodeInt32(forKey:)")
  public func decodeCInt(forKey key: String) -> Int32 { fatalError() }

  /// The labels of the one-shot call.
  @available(*, unavailable, renamed: "decodeDictionary(ofKeyClass:objectClass:forKey:)")
  public func decodeDictionary<Key: Hashable, Value>(
    withKeyClass keyType: Key.Type, objectsOfClass valueType: Value.Type, forKey key: String
  ) -> [Key: Value]? { fatalError() }

  /// Plain values need no list.
  @available(*, unavailable, message: "use decode(Any.self, forKey:): standard values are always admitted")
  public func decodePropertyList(forKey key: String) -> Any? { fatalError() }

  /// Throwing does the same.
  @available(*, unavailable, message: "throw the error from init(coder:): it reaches the caller with its path")
  public func failWithError(_ error: any Error) { fatalError() }
}

extension KeyedUnarchiver.DecodingFailurePolicy {
  /// The Swift way to fail.
  @available(*, unavailable, renamed: "throwError")
  public static var raiseException: Self { fatalError() }

  /// The same under the name that says what happens.
  @available(*, unavailable, renamed: "rememberError")
  public static var setErrorAndReturn: Self { fatalError() }
}
