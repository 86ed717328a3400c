/// What sort of type a type is.
package enum TypeKind: Sendable, Hashable {
  case structure
  case enumeration
  /// `Optional`, which is an enum that the metadata sets apart.
  case optional
  case tuple
  case classType
  /// `Any`, `AnyObject`, `any P`, also with constrained associated types.
  case existential
  case function
  /// `T.Type` of a concrete type.
  case metatype
  /// `Any.Type`, `any P.Type`.
  case existentialMetatype
  /// A compiler builtin.
  case opaque
  /// A class of another language.
  case foreign
  case other
}

/// What the Swift runtime knows about types, read by offset rather than by value.
///
/// All functions are pure: they keep no state and may be called from any thread. They are meant to be called once for a type, not once for a
/// value.
package enum Reflection {
  /// What sort of type `type` is.
  package static func kind(of type: Any.Type) -> TypeKind {
    switch runtimeKind(type) {
    case 0x200: return .structure
    case 0x201: return .enumeration
    case 0x202: return .optional
    case 0x203, 0x204, 0x305: return .foreign
    case 0x300: return .opaque
    case 0x301: return .tuple
    case 0x302: return .function
    case 0x303, 0x307: return .existential
    case 0x304: return .metatype
    case 0x306: return .existentialMetatype
    case 0, 0x800...: return .classType
    default: return .other
    }
  }
}
