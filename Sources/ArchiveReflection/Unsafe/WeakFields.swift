/// Access to `weak`, `unowned` and `unowned(unsafe)` properties by address.
///
/// The reference is the first word for class types and class-bound existentials; witness tables of the latter follow it.
package enum WeakField {
  // The compiler's own code for the three kinds of storage, applied to the first word.
  private struct WeakBox { weak var object: AnyObject? }
  private struct UnownedBox { unowned var object: AnyObject? }

  /// The object a property refers to, nil if there is none or it is gone.
  ///
  /// An `unowned` property whose target is gone also answers nil, where ordinary code would stop the program. An `unowned(unsafe)` one cannot
  /// tell.
  package static func load(_ field: UnsafeRawPointer, ownership: Ownership) -> AnyObject? {
    // SAFETY: the caller passes the address of a property with this ownership. An unowned reference keeps the memory of its target, so its
    // header may be used even when the object is dead.
    switch ownership {
    case .weak: return unsafe field.assumingMemoryBound(to: WeakBox.self).pointee.object
    case .unowned:
      guard let target = unsafe field.load(as: UnsafeRawPointer?.self) else { return nil }
      // A weak reference can be made of a dead object as well; it is nil. The runtime's function that says so directly is reserved.
      return unsafe Unmanaged<AnyObject>.fromOpaque(target)._withUnsafeGuaranteedRef { WeakBox(object: $0) }.object
    case .unmanaged, .strong:
      return unsafe field.load(as: UnsafeRawPointer?.self).map { unsafe Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  /// Makes an initialised property refer to `object`.
  ///
  /// - Parameter declaredType: `C?` or `(any P)?` for a weak property, also `C` or `any P` for an unowned one.
  /// - Returns: False, with the property as it was, if `object` is not of the declared type or nil where that is not optional.
  package static func assign(_ object: AnyObject?, to field: UnsafeMutableRawPointer, declaredType: Any.Type, ownership: Ownership) -> Bool
  {
    unsafe store(object, declaredType: declaredType, at: field) {
      // SAFETY: the caller passes the address of an initialised property with this ownership.
      switch ownership {
      case .weak: unsafe field.assumingMemoryBound(to: WeakBox.self).pointee.object = object
      case .unowned: unsafe field.assumingMemoryBound(to: UnownedBox.self).pointee.object = object
      case .unmanaged, .strong: unsafe storeBits(of: object, at: field)
      }
    }
  }

  /// Makes a property in fresh memory refer to `object`.
  ///
  /// - Parameter declaredType: `C?` or `(any P)?` for a weak property, also `C` or `any P` for an unowned one.
  /// - Returns: False, with the memory uninitialised, if `object` is not of the declared type or nil where that is not optional.
  package static func initialize(
    _ field: UnsafeMutableRawPointer, to object: AnyObject?, declaredType: Any.Type, ownership: Ownership
  ) -> Bool {
    unsafe store(object, declaredType: declaredType, at: field) {
      // SAFETY: the caller passes the address of an uninitialised property with this ownership.
      switch ownership {
      case .weak: unsafe field.initializeMemory(as: WeakBox.self, to: WeakBox(object: object))
      case .unowned: unsafe field.initializeMemory(as: UnownedBox.self, to: UnownedBox(object: object))
      case .unmanaged, .strong: unsafe storeBits(of: object, at: field)
      }
    }
  }

  /// Ends the life of a property, as the `deinit` of its object would.
  package static func deinitialize(_ field: UnsafeMutableRawPointer, ownership: Ownership) {
    // SAFETY: the caller passes the address of an initialised property with this ownership.
    switch ownership {
    case .weak: unsafe field.assumingMemoryBound(to: WeakBox.self).deinitialize(count: 1)
    case .unowned: unsafe field.assumingMemoryBound(to: UnownedBox.self).deinitialize(count: 1)
    case .unmanaged, .strong: break
    }
  }

  @unsafe private static func storeBits(of object: AnyObject?, at field: UnsafeMutableRawPointer) {
    unsafe field.storeBytes(of: object.map { unsafe Unmanaged.passUnretained($0).toOpaque() }, as: UnsafeMutableRawPointer?.self)
  }

  /// Casts `object` to the declared type, lets `storeReference` write the first word and copies the words after it.
  @unsafe private static func store(
    _ object: AnyObject?, declaredType: Any.Type, at field: UnsafeMutableRawPointer, storeReference: () -> Void
  ) -> Bool {
    let wordSize = MemoryLayout<UInt>.size
    func open<T>(_: T.Type) -> Bool {
      if let object {
        guard let value = object as? T else { return false }
        // SAFETY: `T` is a class type or a class-bound existential, possibly optional: a reference and then witness tables.
        guard MemoryLayout<T>.size >= wordSize else { return false }
        storeReference()
        unsafe withUnsafeBytes(of: value) { bytes in
          for offset in stride(from: wordSize, to: bytes.count, by: wordSize) {
            unsafe field.storeBytes(of: bytes.load(fromByteOffset: offset, as: UInt.self), toByteOffset: offset, as: UInt.self)
          }
        }
      } else {
        guard Reflection.kind(of: T.self) == .optional else { return false }
        storeReference()
        for offset in stride(from: wordSize, to: MemoryLayout<T>.size, by: wordSize) {
          unsafe field.storeBytes(of: 0, toByteOffset: offset, as: UInt.self)
        }
      }
      return true
    }
    return _openExistential(declaredType, do: open)
  }
}
