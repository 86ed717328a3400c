/// A stored property that is never archived; a decoded object keeps what its initializer gave.
///
/// For closures, locks, caches and anything else that belongs to the running process.
///
/// ```swift
/// final class Button: MirrorCoding {
///   var title = ""
///   @Transient var onTap: () -> Void = {}
/// }
/// ```
/// In a type that is made without `init()` the property must be an Optional; it becomes nil.
@propertyWrapper
public struct Transient<Value> {
  /// The value, as if the property had no wrapper.
  public var wrappedValue: Value

  /// Wraps the default of the property.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension Transient: Sendable where Value: Sendable {}

/// Lets a plan recognise ``Transient`` storage by its type alone.
protocol TransientStorage {
  /// The type that the program declares.
  static var valueType: Any.Type { get }
  /// A value for structs that have no initializer of their own: only an Optional has one.
  static func makeEmpty(at memory: UnsafeMutableRawPointer) -> Bool
}

extension Transient: TransientStorage {
  static var valueType: Any.Type { Value.self }

  static func makeEmpty(at memory: UnsafeMutableRawPointer) -> Bool {
    guard let empty = (Value.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Value else { return false }
    // SAFETY: the caller hands over uninitialised memory of this type's size.
    unsafe memory.initializeMemory(as: Transient<Value>.self, to: Transient(wrappedValue: empty))
    return true
  }
}
