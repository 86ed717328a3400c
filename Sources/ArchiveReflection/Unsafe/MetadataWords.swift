// Words of type metadata that no entry point hands out. Only metadata kinds whose layout is fixed by the ABI are read.

/// The representation of an existential type.
enum ExistentialLayout {
  /// Three words of buffer, the dynamic type, witness tables.
  case opaque
  /// A reference, witness tables.
  case reference
  /// A reference to a box that holds an `Error`.
  case error
}

/// The type `T` of a metatype `T.Type`.
func instanceType(ofMetatype type: Any.Type) -> Any.Type {
  // SAFETY: metatype metadata is {kind, instance type}; the caller has checked the kind.
  unsafe unsafeBitCast(type, to: UnsafePointer<Any.Type>.self)[1]
}

/// How values of an existential type are laid out, nil for a layout that is not known.
func existentialLayout(of type: Any.Type) -> ExistentialLayout? {
  // SAFETY: existential metadata is {kind, u32 flags, …}, extended existential metadata {kind, shape, …} with u32 flags first in the shape;
  // the kind decides which of them is read.
  let words = unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self)
  switch runtimeKind(type) {
  case 0x303:
    let flags = unsafe UnsafeRawPointer(words + 1).load(as: UInt32.self)
    if flags >> 24 & 0x3f == 1 { return .error }
    return flags & 0x8000_0000 == 0 ? .reference : .opaque
  case 0x307:
    guard let shape = unsafe UnsafeRawPointer(bitPattern: words[1]) else { return nil }
    switch unsafe shape.load(as: UInt32.self) & 0xff {
    case 0: return .opaque
    case 1: return .reference
    default: return nil
    }
  default: return nil
  }
}
