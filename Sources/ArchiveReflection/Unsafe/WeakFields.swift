/// Access to `weak`, `unowned` and `unowned(unsafe)` properties by address.
///
/// The reference is the first word for class types and class-bound existentials; witness tables of the latter follow it.
package enum WeakField {
  /// The declared type of a property, looked at once: `C?` or `(any P)?` for a weak one, also `C` or `any P` for an unowned one.
  package struct DeclaredType: Sendable {
    let type: Any.Type
    let isOptional: Bool
    /// The class, if the type is one or an optional of one.
    let referencedClass: AnyClass?

    package init(_ type: Any.Type) {
      self.type = type
      isOptional = Reflection.kind(of: type) == .optional
      let wrapped = (type as? any OptionalType.Type)?.wrapped ?? type
      referencedClass = Reflection.kind(of: wrapped) == .classType ? wrapped as? AnyClass : nil
    }

    /// Whether `object` is of the declared class or one derived from it; nil if the type is not a class.
    func admits(_ object: AnyObject) -> Bool? {
      guard let referencedClass else { return nil }
      var next: AnyClass? = Swift.type(of: object)
      while let current = next {
        if current == referencedClass { return true }
        next = _getSuperclass(current)
      }
      return false
    }
  }

  // The compiler's own code for the three kinds of storage, applied to the first word.
  private struct WeakBox {
    weak var object: AnyObject?
    /// Read in place: as `mutating`, because a box that is only read is copied first.
    @inline(__always) mutating func target() -> AnyObject? { object }
  }
  private struct UnownedBox { unowned var object: AnyObject? }

  /// The object a property refers to, nil if there is none or it is gone.
  ///
  /// An `unowned` property whose target is gone also answers nil, where ordinary code would stop the program. An `unowned(unsafe)` one cannot
  /// tell.
  package static func load(_ field: UnsafeRawPointer, ownership: Ownership) -> AnyObject? {
    // SAFETY: the caller passes the address of a property with this ownership. An unowned reference keeps the memory of its target, so its
    // header may be used even when the object is dead.
    switch ownership {
    case .weak: return unsafe UnsafeMutableRawPointer(mutating: field).assumingMemoryBound(to: WeakBox.self).pointee.target()
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
  /// - Returns: False, with the property as it was, if `object` is not of the declared type or nil where that is not optional.
  package static func assign(_ object: AnyObject?, to field: UnsafeMutableRawPointer, declared: DeclaredType, ownership: Ownership) -> Bool
  {
    unsafe store(object, declared: declared, at: field) {
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
  /// - Returns: False, with the memory uninitialised, if `object` is not of the declared type or nil where that is not optional.
  package static func initialize(
    _ field: UnsafeMutableRawPointer, to object: AnyObject?, declared: DeclaredType, ownership: Ownership
  ) -> Bool {
    unsafe store(object, declared: declared, at: field) {
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

  /// Checks that `object` is of the declared type, lets `storeReference` write the first word and copies the words after it.
  @unsafe private static func store(
    _ object: AnyObject?, declared: DeclaredType, at field: UnsafeMutableRawPointer, storeReference: () -> Void
  ) -> Bool {
    guard let object else {
      guard declared.isOptional else { return false }
      storeReference()
      // SAFETY: a class-bound existential is a reference and then words of witness tables, an optional one as well.
      for offset in witnessOffsets(size: ValueWitnesses(declared.type).size) {
        unsafe field.storeBytes(of: 0, toByteOffset: offset, as: UInt.self)
      }
      return true
    }
    if let isAdmitted = declared.admits(object) {
      // A class type is the reference alone; asking for superclasses is cheaper than a cast to a type known only at run time.
      if isAdmitted { storeReference() }
      return isAdmitted
    }
    func open<T>(_: T.Type) -> Bool {
      guard MemoryLayout<T>.size >= MemoryLayout<UInt>.size, let value = object as? T else { return false }
      storeReference()
      // SAFETY: as above.
      unsafe withUnsafeBytes(of: value) { bytes in
        for offset in witnessOffsets(size: bytes.count) {
          unsafe field.storeBytes(of: bytes.load(fromByteOffset: offset, as: UInt.self), toByteOffset: offset, as: UInt.self)
        }
      }
      return true
    }
    return _openExistential(declared.type, do: open)
  }

  private static func witnessOffsets(size: Int) -> StrideTo<Int> {
    stride(from: MemoryLayout<UInt>.size, to: size, by: MemoryLayout<UInt>.size)
  }
}

private protocol OptionalType {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
  static var wrapped: Any.Type { Wrapped.self }
}
