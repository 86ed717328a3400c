extension Reflection {
  /// The name of a type that is the same in every build and process: `Module.Outer.Inner`, `Module.Box<Swift.Int>`.
  ///
  /// Nil for private and local types, generic types over such, and opaque result types: what the runtime calls them contains an address.
  @inline(never)  // The optimiser computes the names of types it knows, and names private ones differently from the runtime.
  package static func stableName(of type: Any.Type) -> String? {
    let name = _typeName(type, qualified: true)
    guard !name.isEmpty, !name.contains("unknown context at "), !name.contains(" in _"), !name.contains("<<opaque return type") else {
      return nil
    }
    return name
  }

  /// The name of a type without module and enclosing types, generic arguments likewise. It never contains an address and need not be unique.
  @inline(never)  // As above.
  package static func unqualifiedName(of type: Any.Type) -> String {
    _typeName(type, qualified: false)
  }

  /// The name for error messages.
  static func displayName(of type: Any.Type) -> String {
    stableName(of: type) ?? unqualifiedName(of: type)
  }
}
