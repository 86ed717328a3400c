/// How archived values of one type become values of a property's declared type, where the archiver does not know by itself or must not guess.
///
/// ```swift
/// PropertyRule("price", conversions: [ArchiveConversion { (cents: Int) in Double(cents) / 100 }])
/// PropertyRule("created", conversions: [.secondsSince1970])
/// ```
public struct ArchiveConversion: Sendable {
  enum Form: Sendable {
    case closure(any ClosureConverting)
    case seconds(sinceReferenceDate: Double)
    case wrapping
    case structAndClass
  }

  let form: Form

  /// A conversion in the program's own words.
  ///
  /// It is used where the archive holds values of the type that `convert` takes, any width of integer or floating point counting as the same
  /// type if the number fits; and before any conversion that happens by itself.
  /// - Parameter convert: Makes a value of the property's declared type (or of what it is an Optional of) from an archived one. It runs while
  ///   the graph is put together, so an object among what it gets may still be without its properties; classes that only a closure mentions
  ///   have to be admitted like others. What it throws rejects the archive.
  public init<Stored, Value>(_ convert: @escaping @Sendable (Stored) throws -> Value) {
    form = .closure(ClosureConversion(convert: convert))
  }

  private init(_ form: Form) { self.form = form }

  /// A number of seconds before or after 2001-01-01 00:00:00 UTC and a `Date`, in both directions.
  public static var secondsSinceReferenceDate: ArchiveConversion { ArchiveConversion(.seconds(sinceReferenceDate: 0)) }
  /// A number of seconds before or after 1970-01-01 00:00:00 UTC and a `Date`, in both directions.
  public static var secondsSince1970: ArchiveConversion { ArchiveConversion(.seconds(sinceReferenceDate: -978_307_200)) }
  /// A single value and an array or set of it: what was one value becomes a collection with one element.
  public static var wrappingInCollection: ArchiveConversion { ArchiveConversion(.wrapping) }
  /// A struct and a class with the same properties, in both directions: for the property's own value, be it Optional or not.
  ///
  /// A struct becomes a new object each time, with `init()` if the class has one, and its `didDecode` is called before those of the objects that
  /// the archive has. Objects of a class become values, each reference a value of its own, if the struct has the archive name of the class, now
  /// or formerly.
  ///
  /// A struct that becomes an object with references to other objects needs an owner with `init()`: else decoding throws `unsupportedType`.
  public static var betweenStructAndClass: ArchiveConversion { ArchiveConversion(.structAndClass) }
}

/// A closure without its types.
protocol ClosureConverting: Sendable {
  var storedType: Any.Type { get }
  var valueType: Any.Type { get }
  /// Takes the stored value out of its memory and initialises `target`, memory of the value's type or of an Optional of it. If it throws,
  /// the stored value is gone and the target is still uninitialised.
  func convert(taking stored: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer, asOptional: Bool) throws
}

private struct ClosureConversion<Stored, Value>: ClosureConverting {
  let convert: @Sendable (Stored) throws -> Value

  var storedType: Any.Type { Stored.self }
  var valueType: Any.Type { Value.self }

  func convert(taking stored: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer, asOptional: Bool) throws {
    // SAFETY: the caller hands over a value of the stored type and uninitialised memory of the other one.
    let value = unsafe try convert(stored.assumingMemoryBound(to: Stored.self).move())
    if asOptional {
      unsafe target.initializeMemory(as: Value?.self, to: value)
    } else {
      unsafe target.initializeMemory(as: Value.self, to: value)
    }
  }
}
