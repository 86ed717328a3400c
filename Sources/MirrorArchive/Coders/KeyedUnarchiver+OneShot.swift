import ArchiveFormat
import ArchiveReflection

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension KeyedUnarchiver {
  /// Decodes the root value of an archive.
  ///
  /// A property that the program has and the archive has not keeps what `init()` gave it; one that only the archive has is skipped.
  /// A number that was archived as another type of number is read if it stays exactly the same number (3.0 as an `Int`; a `String` of digits
  /// counts as an integer, and `Bool` as 0 and 1), and a value that was not Optional where it is Optional today, or the other way if it is
  /// not nil. Property observers do not run; ``MirrorCodable/didDecode(_:)`` runs when the whole graph is complete.
  ///
  /// ```swift
  /// let prices = try KeyedUnarchiver.unarchivedObject(of: [String: Double].self, from: data)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the root: a class, struct, enum, array, dictionary, scalar. For `Any` the root comes back as what it was.
  ///   - data: The archive; a slice of a larger `Data` will do.
  ///   - types: Further types that may occur behind base classes, protocols and `Any`.
  ///   - options: What happens where the archive does not fit the program: values of another type, objects of unknown classes.
  ///   - allowsAnyClass: Switches the secure gate off: any archivable class of the program may be made. Only for archives that this program
  ///     wrote and nobody else could touch. That a reference fits the declared type of its property is checked all the same.
  /// - Returns: The root, complete, with everything it refers to.
  /// - Throws: ``ArchiveError`` with the code `notAnArchive`, `newerFormat`, `truncated`, `trailingBytes`, `corrupt`, `malformed` or
  ///   `limitExceeded` for the bytes as such; `typeNotAllowed`, `unknownType` or `invalidAllowList` at the gate, before any object is made;
  ///   `typeMismatch`, `missingValue` (also for nil where today's type is not Optional), `invalidValue` (also for a number that today's type
  ///   does not have), `missingUnownedTarget` or `nestingTooDeep` for values; and what
  ///   ``MirrorCodable/didDecode(_:)`` throws. No part of a graph that failed is left alive, but for hand-coded objects that `whenReady:`
  ///   closures have tied into a circle.
  /// - Complexity: O(size of the archive), without recursion over references.
  public static func unarchivedObject<T>(
    of type: T.Type, from data: Data, allowing types: [Any.Type] = [], options: DecodingOptions = DecodingOptions(),
    unsafelyAllowingAnyClass allowsAnyClass: Bool = false
  ) throws -> T {
    unsafe try data.bytes.withUnsafeBytes { bytes in
      unsafe try decoded(type, from: bytes, allowing: types, options, allowsAnyClass: allowsAnyClass, verifyingChecksum: true)
    }
  }

  /// Decodes an archive whose root is an object of a class, or of a subclass that rules or registration admit.
  ///
  /// ```swift
  /// let market = try KeyedUnarchiver.unarchivedObject(ofClass: Market.self, from: data)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The class; not `MirrorCoding` itself, which would admit every class.
  ///   - data: The archive.
  ///   - options: What happens where the archive does not fit the program.
  /// - Returns: The root object, complete, with everything it refers to.
  /// - Throws: The same as ``unarchivedObject(of:from:allowing:options:unsafelyAllowingAnyClass:)-(_,Data,_,_,_)``.
  /// - Complexity: O(size of the archive).
  public static func unarchivedObject<T: AnyObject>(
    ofClass type: T.Type, from data: Data, options: DecodingOptions = DecodingOptions()
  ) throws -> T {
    try unarchivedObject(of: type, from: data, options: options)
  }

  /// Decodes an archive whose root is one of several types.
  ///
  /// ```swift
  /// switch try KeyedUnarchiver.unarchivedObject(ofClasses: [Market.self, Fruit.self], from: data) {
  /// case let market as Market: open(market)
  /// case let fruit as Fruit: show(fruit)
  /// default: break
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - classes: The classes and value types that the root may have; what they reach is admitted too. Of value types the one that was
  ///     archived is decoded, or else the first that it can be converted to.
  ///   - data: The archive.
  ///   - options: What happens where the archive does not fit the program.
  /// - Returns: The root as what it is; cast it.
  /// - Throws: The same as ``unarchivedObject(of:from:allowing:options:unsafelyAllowingAnyClass:)-(_,Data,_,_,_)``; `invalidAllowList`
  ///   also for an empty list.
  /// - Complexity: O(size of the archive).
  public static func unarchivedObject(
    ofClasses classes: [Any.Type], from data: Data, options: DecodingOptions = DecodingOptions()
  ) throws -> Any {
    unsafe try data.withUnsafeBytes { bytes in unsafe try decoded(oneOf: classes, from: bytes, options) }
  }

  /// Decodes an archive whose root is an array of objects, or of any other elements.
  ///
  /// ```swift
  /// let fruits = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Fruit.self, from: data)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the elements.
  ///   - data: The archive.
  ///   - options: What happens where the archive does not fit the program.
  /// - Returns: The elements in their order; an object that was in the array twice is one object twice.
  /// - Throws: The same as ``unarchivedObject(of:from:allowing:options:unsafelyAllowingAnyClass:)-(_,Data,_,_,_)``; `typeMismatch` if the
  ///   root is no such array.
  /// - Complexity: O(size of the archive).
  public static func unarchivedArrayOfObjects<T>(
    ofClass type: T.Type, from data: Data, options: DecodingOptions = DecodingOptions()
  ) throws -> [T] {
    try AllowList.check([type], isRoot: true)
    return try unarchivedObject(of: [T].self, from: data, allowing: [type], options: options)
  }

  /// Decodes an archive whose root is a dictionary.
  ///
  /// ```swift
  /// let stalls = try KeyedUnarchiver.unarchivedDictionary(ofKeyClass: String.self, objectClass: Fruit.self, from: data)
  /// ```
  ///
  /// - Parameters:
  ///   - keyType: The type of the keys; values and objects may be keys.
  ///   - valueType: The type of the values.
  ///   - data: The archive.
  ///   - options: What happens where the archive does not fit the program.
  /// - Returns: The dictionary.
  /// - Throws: The same as ``unarchivedObject(of:from:allowing:options:unsafelyAllowingAnyClass:)-(_,Data,_,_,_)``; `typeMismatch` if the
  ///   root is no such dictionary, `invalidValue` if a key occurs twice.
  /// - Complexity: O(size of the archive).
  public static func unarchivedDictionary<Key: Hashable, Value>(
    ofKeyClass keyType: Key.Type, objectClass valueType: Value.Type, from data: Data, options: DecodingOptions = DecodingOptions()
  ) throws -> [Key: Value] {
    try AllowList.check([keyType, valueType], isRoot: true)
    return try unarchivedObject(of: [Key: Value].self, from: data, allowing: [keyType, valueType], options: options)
  }

  /// The same as `unarchivedObject(of:from:)`, for tests that let the structure checks find what the checksum would.
  package static func unarchivedObject<T>(
    of type: T.Type, from data: Data, options: DecodingOptions = DecodingOptions(), unsafelyAllowingAnyClass allowsAnyClass: Bool = false,
    verifyingChecksum: Bool
  ) throws -> T {
    unsafe try data.withUnsafeBytes { bytes in
      unsafe try decoded(
        type, from: bytes, allowing: [], options, allowsAnyClass: allowsAnyClass, verifyingChecksum: verifyingChecksum)
    }
  }
}

extension KeyedUnarchiver {
  /// The same as `unarchivedObject(of:from:allowing:options:)`, for whoever has found the bytes to be undamaged by a checksum of his own.
  package static func unarchivedObject<T>(
    of type: T.Type, from bytes: UnsafeRawBufferPointer, allowing types: [Any.Type], options: DecodingOptions, verifyingChecksum: Bool
  ) throws -> T {
    // SAFETY: the bytes are the caller's for as long as the call lasts, and nothing of them is kept.
    unsafe try decoded(type, from: bytes, allowing: types, options, allowsAnyClass: false, verifyingChecksum: verifyingChecksum)
  }
}

// MARK: What the calls have in common

extension KeyedUnarchiver {
  static func decoded<T>(
    _ type: T.Type, from bytes: UnsafeRawBufferPointer, allowing types: [Any.Type], _ options: DecodingOptions, allowsAnyClass: Bool,
    verifyingChecksum: Bool = true
  ) throws -> T {
    if Reflection.kind(of: type) == .existential {
      try AllowList.check([type], isRoot: true)
      if !types.isEmpty { try AllowList.check(types) }
      let universe = try PlanRegistry.shared.universe(of: [type] + types)
      return unsafe try ArchiveDecoding.decodeOpen(
        T.self, from: bytes, universe: universe, allowsAnyClass: allowsAnyClass, options: options, verifyingChecksum: verifyingChecksum)
    }
    return unsafe try DecodingWorkspace.decode(
      T.self, from: bytes, allowing: types, options, allowsAnyClass: allowsAnyClass, verifyingChecksum: verifyingChecksum)
  }

  static func decoded(oneOf classes: [Any.Type], from bytes: UnsafeRawBufferPointer, _ options: DecodingOptions) throws -> Any {
    try AllowList.check(classes)
    let universe = try PlanRegistry.shared.universe(of: classes)
    let layout = unsafe try parse(bytes)
    guard let type = layout.roots.first(where: { $0.key == "root" })?.type else {
      throw ArchiveError(.missingValue, path: "root", message: "the archive has no value under the key 'root'")
    }
    if type == .reference {
      return unsafe try ArchiveDecoding.decode(
        AnyObject.self, from: bytes, universe: universe, allowsAnyClass: false, options: options)
    }
    var mismatch: (any Error)?
    // What the root is comes before what it could be converted to.
    let values = classes.filter { !($0 is AnyClass) }
    let exact = values.filter { layout.types.describes($0, as: type) }
    for candidate in exact.isEmpty ? values : exact {
      func open<T>(_: T.Type) throws -> Any {
        unsafe try decoded(T.self, from: bytes, allowing: classes, options, allowsAnyClass: false)
      }
      do {
        return try _openExistential(candidate, do: open)
      } catch let error as ArchiveError where error.code == .typeMismatch {
        mismatch = error
      }
    }
    throw mismatch
      ?? ArchiveError(
        .typeMismatch, path: "root", message: "the archive's root is \(layout.types.describe(type)), which is not one of the named types")
  }

  private static func parse(_ bytes: UnsafeRawBufferPointer) throws -> ArchiveLayout {
    do throws(FormatError) {
      return unsafe try ArchiveLayout(parsing: bytes)
    } catch {
      throw ArchiveError(error)
    }
  }
}
