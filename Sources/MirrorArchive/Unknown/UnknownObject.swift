import ArchiveFormat

/// An object of a class that the program does not know or admit: everything that the archive says of it.
///
/// Made where ``DecodingOptions/unknownClasses`` is ``DecodingOptions/UnknownClassPolicy/keep`` and the declared type of the place admits it:
/// `Any`, `AnyObject`, `MirrorCoding`, or a protocol that this class conforms to.
///
/// ```swift
/// var options = DecodingOptions()
/// options.unknownClasses = .keep
/// let document = try KeyedUnarchiver.unarchivedObject(ofClass: Document.self, from: data, options: options)
/// for case let plugin as UnknownObject in document.parts { log(plugin.className, plugin["title"]?.stringValue) }
/// ```
/// Archived again it is what it was: class, version, superclasses, properties and their types, shared objects. If nothing of the graph has
/// changed the archive has the same bytes, but for two cases. What was a `weak` or `unowned` reference is archived, and held, like any other
/// Optional reference, because an archive does not tell them apart; objects may then be found in another order. And where objects that are coded
/// by hand are there both as kept objects and as objects of the program, they do not share the descriptions of their keys.
///
/// A kept object owns what it refers to. If objects that held each other weakly are kept, they may form a circle; ``removeReferences()`` opens it.
public final class UnknownObject: MirrorCoding {
  /// Nil for an object that no archive has brought.
  @Transient var content: UnknownContent? = nil

  /// The archive name of the class; empty for an object that no archive has brought.
  public var className: String { content?.kind.name ?? "" }

  /// The version that the rules of the class declared when the archive was written; 0 if they declared none.
  public var classVersion: UInt64 { content?.kind.version ?? 0 }

  /// The archive names of the superclasses that have archived properties, the next one first.
  public var superclassNames: [String] { content?.kind.superclassNames ?? [] }

  /// The properties with their keys, those of the topmost superclass first.
  ///
  /// A reference among them is the number that the object had in the archive; ``object(_:)`` gives the object. What hand-written coding has
  /// stored is one ``ArchiveValue/container(_:)`` under the key `$keys`.
  public var properties: [ArchiveValue.Field] {
    guard let content else { return [] }
    return zip(content.kind.columns, content.values).map { ArchiveValue.Field($0.key, $1) }
  }

  /// The value of a property, or of a key that was coded by hand; nil if there is none. Of properties with the same key in several classes the
  /// one of the most derived class.
  ///
  /// - Complexity: O(number of properties).
  public subscript(key: String) -> ArchiveValue? {
    guard let content else { return nil }
    if let index = content.kind.columns.lastIndex(where: { $0.key == key && $0.type != .record }) { return content.values[index] }
    guard let record = content.kind.columns.lastIndex(where: { $0.type == .record }) else { return nil }
    return content.values[record][key]
  }

  /// The objects that the properties refer to, each once, in the order of their numbers. Empty until the graph is complete, as in
  /// ``MirrorCodable/didDecode(_:)``.
  public var references: [AnyObject] {
    guard let objects = content?.objects else { return [] }
    return objects.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The object with a number that occurs among the properties; nil for any other number.
  ///
  /// - Parameter number: The number of ``ArchiveValue/reference(_:)``.
  public func object(_ number: Int) -> AnyObject? { content?.object(number) }

  /// The object that a property refers to; nil if it is nil or no reference.
  ///
  /// - Parameter key: The key of the property.
  public func object(forKey key: String) -> AnyObject? { self[key]?.referenceValue.flatMap { object($0) } }

  /// Lets go of all objects that the properties refer to. After that the object cannot be archived any more if there were any.
  public func removeReferences() { content?.objects = [:] }

  deinit {
    // One after another, so that a chain of any length needs no deep stack.
    var pending: [UnknownObject] = []
    content?.moveObjects(to: &pending)
    while !pending.isEmpty {
      let last = pending.count - 1
      // Asked where it lies: a copy would count. Taken out before the next ones are put behind it.
      let content = isKnownUniquelyReferenced(&pending[last]) ? pending[last].content : nil
      var next: [UnknownObject] = []
      content?.moveObjects(to: &next)
      pending.removeLast()
      pending += next
    }
  }
}

/// What an archive says of one object.
final class UnknownContent {
  let kind: UnknownClass
  /// A value per column of the class.
  let values: [ArchiveValue]
  /// The objects that the values refer to, by number.
  var objects: [Int: AnyObject] = [:]
  /// The objects of a whole document, which outlive their contents.
  private unowned let others: DocumentObjects?

  init(_ kind: UnknownClass, _ values: [ArchiveValue], among others: DocumentObjects? = nil) {
    self.kind = kind
    self.values = values
    self.others = others
  }

  /// The object with a number that occurs among the values.
  func object(_ number: Int) -> AnyObject? {
    if let others { return others.object(number) }
    return objects[number]
  }

  /// Gives up the objects; those that are kept ones themselves go to `list`.
  func moveObjects(to list: inout [UnknownObject]) {
    for object in objects.values {
      if let unknown = object as? UnknownObject { list.append(unknown) }
    }
    objects = [:]
  }
}
