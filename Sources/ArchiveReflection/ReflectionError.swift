/// Why a type, or one property of it, cannot be archived by reflection.
package struct ReflectionError: Error, Sendable, Hashable {
  /// The kind of obstacle.
  package enum Code: Sendable, Hashable {
    /// A function value, also inside an optional or a tuple: its calling convention is not what the metadata says.
    case closure
    /// An `Unsafe…Pointer`, `OpaquePointer` or `Unmanaged`.
    case unsafePointer
    /// The metatype of a value type: it takes no room in a field, whatever its metadata says.
    case thinMetatype
    /// A `~Copyable` value.
    case noncopyable
    /// Something that only means anything in this process: a thread, lock, queue, task, continuation or key path.
    case processLocal
    /// The module was compiled without reflection metadata.
    case missingMetadata
    /// The module was compiled with reflection metadata but without the names in it.
    case namelessFields
    /// The class hangs below an Objective-C class, whose instance variables are not visible.
    case objectiveCRoot
    /// A `ManagedBuffer` subclass: its elements lie behind the object.
    case managedBuffer
    /// A compiler builtin.
    case opaque
    /// The sizes and offsets of the properties contradict each other.
    case layoutMismatch
    /// A type that no rule covers.
    case unsupportedType
    /// A type that contains itself by value.
    case cyclicLayout
    /// `Mirror` and the field records name different properties.
    case mirrorDisagrees
  }

  /// The kind of obstacle.
  package var code: Code
  /// The type that was looked at, as a programmer would write it.
  package var typeName: String
  /// The property of that type, when one is to blame.
  package var property: String?
  /// What is wrong and what to do about it.
  package var message: String

  package init(code: Code, typeName: String, property: String? = nil, message: String) {
    self.code = code
    self.typeName = typeName
    self.property = property
    self.message = message
  }
}

extension ReflectionError: CustomStringConvertible {
  package var description: String {
    guard let property else { return "\(typeName): \(message)" }
    return "\(typeName).\(property): \(message)"
  }
}
