/// Values in boxes: `Any`, `any P`, `AnyObject` and friends, by address.
package enum ExistentialAccess {
  /// The value at `p` of existential type `type`. The dynamic type of the result is that of the value, never `any P`.
  ///
  /// For a type that is not an existential, the value itself in an `Any`.
  package static func load(_ p: UnsafeRawPointer, as type: Any.Type) -> Any {
    // SAFETY: the caller passes the address of a value of this type. An opaque existential is an `Any` followed by witness tables, a
    // class-bound one a reference followed by witness tables.
    switch existentialLayout(of: type) {
    case .opaque: return unsafe p.assumingMemoryBound(to: Any.self).pointee
    case .reference: return unsafe p.assumingMemoryBound(to: AnyObject.self).pointee
    case .error: return unsafe p.assumingMemoryBound(to: (any Error).self).pointee
    case nil:
      func open<T>(_: T.Type) -> Any { unsafe p.assumingMemoryBound(to: T.self).pointee as Any }
      return _openExistential(type, do: open)
    }
  }

  /// Initialises `p` with `value` as a value of `type`.
  ///
  /// - Returns: False, with the memory uninitialised, if the value is not of that type.
  package static func store(_ value: Any, at p: UnsafeMutableRawPointer, as type: Any.Type) -> Bool {
    if type == Any.self {
      // Without a cast, which could look into an optional.
      unsafe p.initializeMemory(as: Any.self, to: value)
      return true
    }
    func open<T>(_: T.Type) -> Bool {
      guard let cast = value as? T else { return false }
      // SAFETY: the caller passes uninitialised memory for a value of this type.
      unsafe p.initializeMemory(as: T.self, to: cast)
      return true
    }
    return _openExistential(type, do: open)
  }

  /// Initialises `p` with the value inside `value`, without its box.
  package static func copyValue(_ value: Any, to p: UnsafeMutableRawPointer) {
    func open<T>(_ value: T) {
      // SAFETY: the caller passes uninitialised memory for a value of the dynamic type.
      unsafe p.initializeMemory(as: T.self, to: value)
    }
    _openExistential(value, do: open)
  }

  /// Moves the value of `type` at `p` into a box.
  package static func takeValue(_ p: UnsafeMutableRawPointer, of type: Any.Type) -> Any {
    // SAFETY: the caller passes the address of a value of this type and treats it as uninitialised afterwards.
    let value = unsafe load(p, as: type)
    unsafe ValueWitnesses(type).destroy(p)
    return value
  }
}
