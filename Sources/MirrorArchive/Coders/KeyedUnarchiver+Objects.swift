import ArchiveFormat
import ArchiveReflection

extension KeyedUnarchiver {
  // MARK: Objects

  /// Decodes the object under a key.
  ///
  /// - Parameters:
  ///   - type: The class; not `MirrorCoding` itself, which would admit every class. Subclasses that its rules or registration declare are
  ///     admitted, too. An object of any other class throws before it is made, wherever the reference leads.
  ///   - key: The key.
  /// - Returns: The object. Inside ``KeyedCoding/init(coder:)`` a reflected object may still miss what refers to hand-coded objects.
  /// - Throws: The same as ``decode(_:forKey:allowing:)``; `cycle` for an object that is being made because it asked for this one.
  public func decodeObject<T: AnyObject>(of type: T.Type, forKey key: String) throws -> T {
    try call {
      try AllowList.check([type])
      return try session.value(type, at: requiredSlot(key), key: key)
    }
  }

  /// Decodes the object under a key, or nil if there is no such key or nil is stored.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - key: The key.
  /// - Throws: The same as ``decodeObject(of:forKey:)`` except for the missing key.
  public func decodeObjectIfPresent<T: AnyObject>(of type: T.Type, forKey key: String) throws -> T? {
    try callIfPresent {
      try AllowList.check([type])
      guard let slot = session.slot(of: key) else { return nil }
      return try session.value(T?.self, at: slot, key: key)
    }
  }

  /// Decodes an object or a value of one of several types.
  ///
  /// - Parameters:
  ///   - types: The classes and value types that may be there; they are admitted inside collections of `Any`, too, but only in this call.
  ///   - key: The key.
  /// - Returns: The object or value as what it is; cast it.
  /// - Throws: The same as ``decodeObject(of:forKey:)``; `invalidAllowList` for an empty list.
  public func decodeObject(ofClasses types: [Any.Type], forKey key: String) throws -> Any {
    try call {
      try AllowList.check(types)
      let value = try open(types, at: requiredSlot(key), key)
      guard let optional = value as? any OptionalValue else { return value }
      guard let wrapped = optional.wrapped else {
        throw session.located(ArchiveError(.missingValue, message: "nil is stored under the key '\(key)'"), key, in: session.cursor)
      }
      return wrapped
    }
  }

  /// Decodes an object or a value of one of several types, or nil if there is no such key or nil is stored.
  ///
  /// - Parameters:
  ///   - types: The classes and value types that may be there.
  ///   - key: The key.
  /// - Throws: The same as ``decodeObject(ofClasses:forKey:)`` except for the missing key.
  public func decodeObjectIfPresent(ofClasses types: [Any.Type], forKey key: String) throws -> Any? {
    try callIfPresent {
      try AllowList.check(types)
      guard let slot = session.slot(of: key) else { return nil }
      let value = try open(types, at: slot, key)
      if let optional = value as? any OptionalValue { return optional.wrapped }
      return value
    }
  }

  private func open(_ types: [Any.Type], at slot: Int, _ key: String) throws -> Any {
    try session.allowing(types) {
      let type: Any.Type
      do {
        type = try session.openType(ofSlot: slot, among: types)
      } catch {
        throw session.located(error, key, in: session.cursor)
      }
      func read<T>(_: T.Type) throws -> Any { try session.value(T.self, at: slot, key: key) }
      return try _openExistential(type, do: read)
    }
  }

  /// Asks for an object that may still be in the making, and gets it when the graph is complete.
  ///
  /// The way out of cycles: a child that knows its hand-coded parent asks for it like this.
  ///
  /// ```swift
  /// init(coder: KeyedUnarchiver) throws {
  ///   children = try coder.decodeArrayOfObjects(ofClass: Node.self, forKey: "children")
  ///   try coder.decodeObject(of: Node.self, forKey: "parent") { [unowned self] in parent = $0 }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - key: The key.
  ///   - body: Gets the object when all objects are made and filled, before any ``MirrorCodable/didDecode(_:)``. What it throws rejects the
  ///     archive. It is not called if the object that asked could not be made. Store the object weakly where it is an owner: hand-coded objects
  ///     that closures have tied into a circle stay alive if something later rejects the archive.
  /// - Throws: `missingValue` if there is no such key or nil is stored, `typeMismatch`, `typeNotAllowed`.
  public func decodeObject<T: AnyObject>(of type: T.Type, forKey key: String, whenReady body: @escaping (T) throws -> Void) throws {
    try call {
      try AllowList.check([type])
      let cursor = session.cursor
      let missing = session.located(ArchiveError(.missingValue, message: "nil is stored under the key '\(key)'"), key, in: cursor)
      try session.object(type, at: requiredSlot(key), key: key) { object in
        guard let object else { throw missing }
        try body(object)
      }
    }
  }

  /// Asks for an object that may still be in the making or not be there at all.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - key: The key.
  ///   - body: Gets the object when the graph is complete, or nil at once if there is no such key or nil is stored.
  /// - Throws: `typeMismatch`, `typeNotAllowed`.
  public func decodeObjectIfPresent<T: AnyObject>(of type: T.Type, forKey key: String, whenReady body: @escaping (T?) throws -> Void) throws
  {
    try call {
      try AllowList.check([type])
      guard let slot = session.slot(of: key) else { return try body(nil) }
      try session.object(type, at: slot, key: key, whenReady: body)
    }
  }

  // MARK: Collections

  /// Decodes an array of objects, or of any other elements.
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - key: The key.
  /// - Returns: The elements in their order; an object that was in the array twice is one object twice.
  /// - Throws: The same as ``decodeObject(of:forKey:)``; `typeMismatch` if something else is stored.
  public func decodeArrayOfObjects<T>(ofClass type: T.Type, forKey key: String) throws -> [T] {
    try call {
      try AllowList.check([type])
      return try session.value([T].self, at: requiredSlot(key), key: key)
    }
  }

  /// Decodes an array whose elements may be of several types.
  ///
  /// - Parameters:
  ///   - types: The types that may occur in it, in this call.
  ///   - key: The key.
  /// - Throws: The same as ``decodeObject(ofClasses:forKey:)``.
  public func decodeArrayOfObjects(ofClasses types: [Any.Type], forKey key: String) throws -> [Any] {
    try call {
      try AllowList.check(types)
      let value = try open(types, at: requiredSlot(key), key)
      guard let array = value as? [Any] else {
        throw session.located(
          ArchiveError(.typeMismatch, message: "the archive holds a \(Swift.type(of: value)) where an array is asked for"), key,
          in: session.cursor)
      }
      return array
    }
  }

  /// Decodes a dictionary.
  ///
  /// - Parameters:
  ///   - keyType: The type of its keys; values and objects may be keys.
  ///   - valueType: The type of its values.
  ///   - key: The key.
  /// - Throws: The same as ``decodeObject(of:forKey:)``; `typeMismatch` if something else is stored, `invalidValue` for a key that is there
  ///   twice.
  public func decodeDictionary<Key: Hashable, Value>(
    ofKeyClass keyType: Key.Type, objectClass valueType: Value.Type, forKey key: String
  ) throws -> [Key: Value] {
    try call {
      try AllowList.check([keyType, valueType])
      return try session.value([Key: Value].self, at: requiredSlot(key), key: key)
    }
  }
}
