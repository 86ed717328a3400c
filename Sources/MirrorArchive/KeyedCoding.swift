/// What any archivable type may say about itself; see ``ArchiveRules``.
///
/// ``MirrorCodable`` and ``KeyedCoding`` refine it; nobody conforms to it alone.
public protocol Archivable: SendableMetatype {
  /// The type's names and version in archives, what has become of its properties or cases, and the types that may stand in for it. By default
  /// the qualified Swift name, and nothing else.
  static var archiveRules: ArchiveRules { get }
}

extension Archivable {
  /// No rules: the type goes by its qualified Swift name and nothing stands in for it.
  public static var archiveRules: ArchiveRules { ArchiveRules() }
}

/// Classes that are coded by hand, key by key, as with `NSCoding`.
///
/// ```swift
/// final class Fruit: KeyedCoding {
///   let name: String
///   let count: Int
///   init(coder: KeyedUnarchiver) throws {
///     name = try coder.decodeString(forKey: "name")
///     count = try coder.decodeInt(forKey: "count")
///   }
///   func encode(with coder: KeyedArchiver) throws {
///     try coder.encode(name, forKey: "name")
///     try coder.encode(count, forKey: "count")
///   }
/// }
/// ```
/// Hand-coded objects and objects that are archived by reflection may refer to each other in any way. A class that inherits from
/// ``MirrorCoding`` and conforms to this is coded by hand alone; ``KeyedExtras`` adds keys to what reflection finds.
public protocol KeyedCoding: AnyObject, Archivable {
  /// Makes an object from its keys.
  ///
  /// Objects that it asks for are made before the call returns. One that is being made itself, because it refers back to this object, does
  /// not exist yet: ask for it with ``KeyedUnarchiver/decodeObject(of:forKey:whenReady:)``.
  /// - Throws: What the coder throws, or anything else that should reject the archive; it reaches the caller.
  init(coder: KeyedUnarchiver) throws

  /// Hands the object's values to the archiver, each under a key of its own.
  /// - Throws: What the coder throws, or anything else that should end the encoding; it reaches the caller.
  func encode(with coder: KeyedArchiver) throws
}

/// Hand-coded keys beside the stored properties that reflection finds.
///
/// ```swift
/// final class Photo: MirrorCoding, KeyedExtras {
///   var title = ""
///   @Transient var image: Image?
///   func encodeExtras(with coder: KeyedArchiver) throws { try coder.encode(image?.pngData(), forKey: "png") }
///   func decodeExtras(with coder: KeyedUnarchiver) throws { image = try coder.decodeDataIfPresent(forKey: "png").flatMap(Image.init) }
/// }
/// ```
/// The keys are a namespace of their own: they never collide with the names of properties. Overrides call `super`.
public protocol KeyedExtras: AnyObject, MirrorCodable {
  /// Hands further values to the archiver, after ``MirrorCodable/willEncode()``.
  /// - Throws: What the coder throws, or anything else that should end the encoding.
  func encodeExtras(with coder: KeyedArchiver) throws

  /// Takes them back, when all stored properties of the graph are filled and before any ``MirrorCodable/didDecode(_:)``.
  ///
  /// Also called for objects of archives that were written before the class had extras: then no key is there.
  /// - Throws: What the coder throws, or anything else that should reject the archive.
  func decodeExtras(with coder: KeyedUnarchiver) throws
}

/// Objects that let another object be archived for them, or be found in their place.
///
/// A proxy for a shared instance, for example: it is written instead of the instance, and hands the instance out when it is read.
public protocol ArchiveSubstitution: AnyObject {
  /// The object to archive instead of this one. By default the object itself.
  ///
  /// Called once per object and archive; all references to this object lead to the replacement. The coder may be asked, but nothing may be
  /// encoded with it here.
  /// - Returns: nil to archive nothing: then every place that refers to the object must be Optional.
  func replacementObject(for coder: KeyedArchiver) throws -> AnyObject?

  /// The object to use instead of this one, which has just been decoded. By default the object itself.
  ///
  /// Every place that refers to the object must admit the substitute by its declared type. While this runs, other objects that have substitutes
  /// may still be there as they were decoded; in the end every property has the substitutes. What an `init(coder:)` already holds can't be
  /// replaced any more: that is the error `cycle`.
  /// - Returns: The substitute; nil rejects the archive.
  func awakeAfter(using coder: KeyedUnarchiver) throws -> AnyObject?
}

extension ArchiveSubstitution {
  /// The object itself.
  public func replacementObject(for coder: KeyedArchiver) throws -> AnyObject? { self }
  /// The object itself.
  public func awakeAfter(using coder: KeyedUnarchiver) throws -> AnyObject? { self }
}
