import ArchiveFormat
import ArchiveReflection

extension KeyedUnarchiver {
  // MARK: Values of any type

  /// Decodes the value under a key.
  ///
  /// ```swift
  /// let prices = try coder.decode([String: Double].self, forKey: "prices")
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the value: a scalar, struct, enum, collection, class, or `Any` for whatever is there.
  ///   - key: The key; at the top level a root key of the archive, in ``KeyedCoding/init(coder:)`` one of the object.
  ///   - types: Further types that may occur behind base classes, protocols and `Any` in this value and the reflected objects it refers to;
  ///     hand-coded objects have lists of their own.
  /// - Returns: The value. Numbers of another type than the stored one are converted if that is exact.
  /// - Throws: ``ArchiveError`` with the code `missingValue` (no such key, or nil is stored and `type` is not Optional), `typeMismatch`,
  ///   `invalidValue` (a number that the type cannot hold, …), `typeNotAllowed`, `cycle` (an object that is still being made), `finished`,
  ///   `reentrant`, and those of ``unarchivedObject(of:from:allowing:options:unsafelyAllowingAnyClass:)-(_,Data,_,_,_)`` for the bytes.
  /// - Complexity: O(size of what is reached).
  public func decode<T>(_ type: T.Type, forKey key: String, allowing types: [Any.Type] = []) throws -> T {
    if types.isEmpty, owner.isHere, let value = try session.plainValue(type, forKey: key) { return value }
    return try call {
      try admitting(type, types) { try session.value(type, at: requiredSlot(key), key: key) }
    }
  }

  /// Decodes the value under a key, or nil if there is no such key or nil is stored.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - key: The key.
  ///   - types: Further types that may occur behind base classes, protocols and `Any`.
  /// - Throws: The same as ``decode(_:forKey:allowing:)`` except for the missing key.
  public func decodeIfPresent<T>(_ type: T.Type, forKey key: String, allowing types: [Any.Type] = []) throws -> T? {
    if types.isEmpty, owner.isHere, decodingFailurePolicy == .throwError, let value = try session.plainValue(T?.self, forKey: key) {
      return value
    }
    return try callIfPresent {
      guard let slot = session.slot(of: key) else { return nil }
      return try admitting(type, types) { try session.valueIfPresent(type, at: slot, key: key) }
    }
  }

  /// Decodes the next of the values that were encoded without a key.
  ///
  /// They are a sequence of their own beside the keys of the same object.
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - types: Further types that may occur behind base classes, protocols and `Any`.
  /// - Throws: The same as ``decode(_:forKey:allowing:)``; `missingValue` at the end of the sequence. A value that could not be read stays the
  ///   next one.
  public func decode<T>(_ type: T.Type, allowing types: [Any.Type] = []) throws -> T {
    try call {
      let value = try admitting(type, types) { try session.value(type, at: requiredNextSlot(), key: "") }
      session.take()
      return value
    }
  }

  /// Decodes the next of the values that were encoded without a key; nil at their end, or if nil is stored.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - types: Further types that may occur behind base classes, protocols and `Any`.
  /// - Throws: The same as ``decode(_:allowing:)`` except for the end.
  public func decodeIfPresent<T>(_ type: T.Type, allowing types: [Any.Type] = []) throws -> T? {
    try callIfPresent {
      guard let slot = session.nextUnkeyedSlot else { return nil }
      let value = try admitting(type, types) { try session.valueIfPresent(type, at: slot, key: "") }
      session.take()
      return value
    }
  }

  /// Whether all values without a key have been taken.
  public var isAtEnd: Bool { owner.ifFree { session.nextUnkeyedSlot == nil } ?? true }

  /// The number of values without a key.
  public var unkeyedCount: Int { owner.ifFree { session.cursor.shape.unkeyed.count } ?? 0 }

  @inline(__always)
  private func admitting<T, R>(_ type: T.Type, _ types: [Any.Type], _ body: () throws -> R) throws -> R {
    if type is AnyObject.Type || type == AnyObject.self { try AllowList.check([type], isRoot: true) }
    if types.isEmpty { return try body() }
    try AllowList.check(types)
    return try session.allowing(types, body)
  }

  // MARK: What is there
  // While another thread is in a call, nothing is.

  /// Whether there is a value under a key; it may be nil.
  /// - Complexity: O(1).
  public func containsValue(forKey key: String) -> Bool { owner.ifFree { session.slot(of: key) != nil } ?? false }

  /// The keys in the order in which they were encoded.
  public var allKeys: [String] { owner.ifFree { session.cursor.shape.allKeys } ?? [] }

  /// What is stored under a key, without decoding it; nil if there is no such key.
  public func storedType(forKey key: String) -> StoredType? {
    owner.ifFree {
      session.slot(of: key).map { slot in
        StoredType(session.cursor.shape.types[slot], in: session.layout.types, className: session.className(ofObjectAt: slot))
      }
    } ?? nil
  }

  // MARK: Containers

  /// Decodes a nested container: while `body` runs, the unarchiver's keys are those of the container.
  ///
  /// ```swift
  /// let (width, height) = try coder.decodeContainer(forKey: "size") { size in
  ///   try (size.decodeInt(forKey: "width"), size.decodeInt(forKey: "height"))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - body: Reads the container; it gets this unarchiver.
  /// - Returns: What `body` returns.
  /// - Throws: `missingValue`, `typeMismatch` if something else is stored, and what `body` throws.
  public func decodeContainer<R>(forKey key: String, _ body: (KeyedUnarchiver) throws -> R) throws -> R {
    try call { try session.container(at: requiredSlot(key), key: key) { try body(self) } }
  }

  /// Decodes the next container among the values without a key.
  ///
  /// - Parameter body: Reads the container; it gets this unarchiver.
  /// - Returns: What `body` returns.
  /// - Throws: The same as ``decodeContainer(forKey:_:)``.
  public func decodeContainer<R>(_ body: (KeyedUnarchiver) throws -> R) throws -> R {
    try call {
      let result = try session.container(at: requiredNextSlot(), key: "") { try body(self) }
      session.take()
      return result
    }
  }
}

/// What is stored under a key.
public struct StoredType: Sendable, Hashable, CustomStringConvertible {
  /// The kind of a stored value. More may be added in any release: switch with a `default`.
  public enum Kind: Sendable, Hashable {
    /// A number without a fraction, of any width.
    case integer
    /// `Double`, `Float`, `Float16`, `CGFloat`.
    case floatingPoint
    /// One of the other scalars that the format has a number for.
    case bool, string, data, date, uuid, decimal
    /// A reference to an object.
    case object
    /// A nested container with keys of its own.
    case container
    /// A collection.
    case array, set, dictionary
    /// A value type that the archive describes.
    case structure, enumeration, tuple
    /// Anything else: `Any`, a character, a duration, …
    case other
  }

  /// The kind; of an Optional that of the value inside.
  public let kind: Kind
  /// Whether nil may be stored.
  public let isOptional: Bool
  /// The type in words, such as `[String: Int]?`. For people; the wording may change.
  public let description: String

  /// - Parameter className: The archived name of the class of the object that is stored, if it is one.
  init(_ id: TypeID, in types: TypeTable, className: String?) {
    description = className.map { $0 + (types.optionalPayload(of: id) == nil ? "" : "?") } ?? types.describe(id)
    var inner = id
    if let payload = types.optionalPayload(of: id) {
      inner = payload
      isOptional = true
    } else {
      isOptional = false
    }
    kind = Self.kind(of: inner, in: types)
  }

  private static func kind(of id: TypeID, in types: TypeTable) -> Kind {
    switch types[id] {
    case .array, .inlineArray: return .array
    case .set: return .set
    case .dictionary: return .dictionary
    case .tuple: return .tuple
    case .structure: return .structure
    case .enumeration: return .enumeration
    case .object: return .object
    case .optional, nil: break
    }
    switch id {
    case .bool: return .bool
    case .int, .int8, .int16, .int32, .int64, .uint, .uint8, .uint16, .uint32, .uint64, .int128, .uint128: return .integer
    case .double, .float, .float16, .cgFloat: return .floatingPoint
    case .string, .substring, .pooledString: return .string
    case .data: return .data
    case .date: return .date
    case .uuid: return .uuid
    case .decimal: return .decimal
    case .reference: return .object
    case .record: return .container
    default: return .other
    }
  }
}
