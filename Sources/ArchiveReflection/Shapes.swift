/// How a stored property holds its value.
package enum Ownership: Sendable, Hashable {
  /// An ordinary property.
  case strong
  /// `weak`.
  case weak
  /// `unowned`, which is `unowned(safe)`.
  case unowned
  /// `unowned(unsafe)`.
  case unmanaged
}

/// One stored property of a class, struct or tuple.
package struct Field: Sendable {
  /// What the metadata cannot say about a field.
  enum Obstacle: Sendable {
    case noncopyable
    case unresolved
  }

  /// The name in the field record: `x`, `_x` for a property wrapper, `$__lazy_storage_$_x` for a lazy one; the label or `.0` in a tuple.
  package var name: String
  /// The declared type; `C?` for `weak var c: C?`.
  package var type: Any.Type
  /// Bytes from the start of the object or value. Meaningless when `size` is 0.
  package var offset: Int
  /// False for `let`.
  package var isVar: Bool
  /// Strong unless declared `weak` or `unowned`.
  package var ownership: Ownership
  /// Bytes the declared type takes; 0 for an empty struct.
  package var size: Int
  var obstacle: Obstacle?

  package init(name: String, type: Any.Type, offset: Int, isVar: Bool, ownership: Ownership, size: Int) {
    self.name = name
    self.type = type
    self.offset = offset
    self.isVar = isVar
    self.ownership = ownership
    self.size = size
  }
}

/// The stored properties that one class of a hierarchy adds.
package struct ClassLevel: Sendable {
  /// The class that declares them.
  package var type: AnyClass
  /// In declaration order; empty for a class without stored properties.
  package var fields: [Field]
}

/// All stored properties of a class, inherited ones included.
package struct ClassShape: Sendable {
  /// The class itself.
  package var type: AnyClass
  /// One entry for each class of the hierarchy, the base class first.
  package var levels: [ClassLevel]
  /// Bytes of an instance, header included, tail allocation not.
  package var instanceSize: Int
  /// Whether the class is an actor.
  package var isActor: Bool
  /// The largest alignment of the header and all properties, minus one.
  package var alignmentMask: Int
  /// The registrars of `@Observable` classes, which are no part of any level.
  var registrars: [Field]
}

/// The elements of a struct or a tuple.
package struct StructShape: Sendable {
  /// The struct or tuple.
  package var type: Any.Type
  /// In declaration order.
  package var fields: [Field]
}

/// One case of an enum.
package struct CaseShape: Sendable {
  /// The name without argument labels.
  package var name: String
  /// The associated value, a tuple if there are several, the bare type if there is one with a label; nil for none. It may have no bytes.
  package var payload: Any.Type?
  /// Whether the payload lives in a box.
  package var isIndirect: Bool
}

/// The cases of an enum.
package struct EnumShape: Sendable {
  /// The enum.
  package var type: Any.Type
  /// In tag order: cases with a payload as declared, then those without, among which count payloads that take no bytes.
  package var cases: [CaseShape]
  /// No case has a payload and the value is one byte that equals the tag.
  package var isTrivialByte: Bool
}
