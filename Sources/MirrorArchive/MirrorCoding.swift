/// The base class of objects that archive themselves: every stored property of every level, without any coding code.
///
/// ```swift
/// final class Fruit: MirrorCoding { var name = ""; var count = 0 }
/// ```
/// A subclass whose properties all have defaults writes nothing else. Property observers do not run while decoding;
/// ``didDecode(_:)`` is the place for what must happen then.
open class MirrorCoding: MirrorCodable, MirrorInitializable {
  public required init() {}

  /// Name, subclasses and other rules of this class. Subclasses override it.
  open class var archiveRules: ArchiveRules { ArchiveRules() }

  /// Called once per object before its properties are read. Throwing ends the encoding.
  open func willEncode() throws {}

  /// Called after the whole graph is complete, children before parents. Throwing rejects the archive.
  open func didDecode(_ context: DecodingContext) throws {}
}

/// Classes with another base, and structs and enums that want rules of their own.
///
/// Structs and enums need no conformance to be archived as somebody's property; classes need this or ``MirrorCoding``.
/// A class that does not also conform to ``MirrorInitializable`` is allocated without running an initializer; then every
/// stored property must be in the archive. The hooks are called for classes.
public protocol MirrorCodable: SendableMetatype {
  static var archiveRules: ArchiveRules { get }
  func willEncode() throws
  func didDecode(_ context: DecodingContext) throws
}

extension MirrorCodable {
  public static var archiveRules: ArchiveRules { ArchiveRules() }
  public func willEncode() throws {}
  public func didDecode(_ context: DecodingContext) throws {}
}

/// A type with an initializer without arguments: what the archive does not hold keeps the values this gives.
public protocol MirrorInitializable {
  init()
}

/// What ``MirrorCodable/didDecode(_:)`` is told about the object's archived form.
public struct DecodingContext: Sendable {
  /// The version of the type when the archive was written; 0 where none was declared.
  public var typeVersion: UInt64
}

/// Rules of one type: its name in archives and what may stand in for it.
public struct ArchiveRules: Sendable {
  /// The name under which the type is archived; nil for the qualified Swift name (`Module.Outer.Inner`).
  /// Private and local types need one, because their Swift names change from build to build.
  public var name: String?
  /// Types that may appear where this type (or a protocol, or `Any`) is declared.
  public var subclasses: [any MirrorCodable.Type]

  public init(name: String? = nil, subclasses: [any MirrorCodable.Type] = []) {
    self.name = name
    self.subclasses = subclasses
  }
}

/// A stored property that is never archived; a decoded object keeps what its initializer gave.
///
/// For closures, locks, caches and anything else that belongs to the running process.
@propertyWrapper
public struct Transient<Value> {
  public var wrappedValue: Value

  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension Transient: Sendable where Value: Sendable {}

/// Lets a plan recognise ``Transient`` storage by its type alone.
protocol TransientStorage {
  /// A value for structs that have no initializer of their own: only an Optional has one.
  static func makeEmpty(at memory: UnsafeMutableRawPointer) -> Bool
}

extension Transient: TransientStorage {
  static func makeEmpty(at memory: UnsafeMutableRawPointer) -> Bool {
    guard let empty = (Value.self as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Value else { return false }
    // SAFETY: the caller hands over uninitialised memory of this type's size.
    unsafe memory.initializeMemory(as: Transient<Value>.self, to: Transient(wrappedValue: empty))
    return true
  }
}
