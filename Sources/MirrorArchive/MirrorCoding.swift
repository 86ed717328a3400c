/// The base class of objects that archive themselves: every stored property of every level, without any coding code.
///
/// ```swift
/// final class Fruit: MirrorCoding {
///   var name = ""
///   private var count = 0
///   weak var shop: Shop?
/// }
/// ```
/// A subclass whose properties all have defaults writes nothing else. Private and inherited properties are archived like all others, under
/// their names as written; each class of a hierarchy has names of its own. A `let` that an initializer sets comes back too; `let kind = 5`
/// stays what the program says. `weak` and `unowned` references are kept if something else in the graph holds their target strongly. What
/// cannot be archived (closures, locks, pointers, ...) is refused with the cure, usually ``Transient``. Property observers do not run while
/// decoding; ``didDecode(_:)`` is the place for what must happen then. A class that has another base class conforms to ``MirrorCodable``
/// instead.
///
/// Classes change: a property that an older archive does not have keeps what `init()` gives, one that this program does not have any more is
/// passed over, and a value of another type becomes exactly the same value of today's type or is an error. What was renamed or moved, or
/// needs more than that, is said in ``archiveRules`` or with ``Key``.
open class MirrorCoding: MirrorCodable, MirrorInitializable {
  /// Makes an object with the defaults of its properties: also the way in which decoding makes it, before it fills them.
  public required init() {}

  /// Names, version, properties and subclasses of this class in archives; subclasses override it and add to what applies to their
  /// superclasses all the same. See ``ArchiveRules``.
  ///
  /// It is looked at when the class is first archived or decoded, and then not again: what it gives must not change.
  open class var archiveRules: ArchiveRules { ArchiveRules() }

  /// Called once per object before its properties are read, to bring them into the form to archive.
  ///
  /// Overrides call `super`. The order among the objects of a graph is not specified.
  /// - Throws: Whatever should end the encoding; it reaches the caller unchanged.
  open func willEncode() throws {}

  /// Called once per object after the whole graph is complete, to check it and to rebuild what is not archived.
  ///
  /// Overrides call `super`. Objects that were reached later come first, so children come before their parents; in a cycle one of them has
  /// to be first, but its references are complete all the same.
  /// - Parameter context: What is known about the object's archived form.
  /// - Throws: Whatever should reject the archive; it reaches the caller unchanged, and none of the graph stays alive.
  open func didDecode(_ context: DecodingContext) throws {}
}

/// Classes with another base, and structs and enums that want rules of their own.
///
/// ```swift
/// final class Ticket: MirrorCodable {
///   let code: String
///   init(code: String) { self.code = code }
/// }
/// ```
/// Structs and enums need no conformance to be archived as somebody's property; classes need this or ``MirrorCoding``. Every requirement
/// has a default. A class that does not also conform to ``MirrorInitializable`` is allocated without running an initializer, and a struct put
/// together field by field; then every stored property must be in the archive, have a default in ``Archivable/archiveRules``, or be an
/// Optional. The hooks are called for classes only.
public protocol MirrorCodable: Archivable {
  /// Called once per object before its properties are read. Does nothing by default.
  /// - Throws: Whatever should end the encoding; it reaches the caller unchanged.
  func willEncode() throws
  /// Called once per object after the whole graph is complete, children before parents. Does nothing by default.
  /// - Parameter context: What is known about the object's archived form.
  /// - Throws: Whatever should reject the archive; it reaches the caller unchanged.
  func didDecode(_ context: DecodingContext) throws
}

extension MirrorCodable {
  /// Does nothing.
  public func willEncode() throws {}
  /// Does nothing.
  public func didDecode(_ context: DecodingContext) throws {}
}

/// A type with an initializer without arguments: what the archive does not hold keeps the values this gives.
///
/// ``MirrorCoding`` conforms. Classes that conform to ``MirrorCodable`` and structs may, so that properties can be added to them later,
/// ``Transient`` and excluded properties have something to start from, and ``Key`` can be used.
public protocol MirrorInitializable {
  /// Makes an instance with the default of every property. Decoding calls it before it fills what the archive holds.
  init()
}
