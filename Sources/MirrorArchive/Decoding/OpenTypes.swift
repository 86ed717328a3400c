import ArchiveFormat
import ArchiveReflection

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The types of values that stand in `Any`: put together from the archive's description, by the gate's list of names.
enum OpenTypes {
  /// How deeply generic types may be put together from an archive's words.
  private static let maximumDepth = 32
  private static let maximumParts = 128

  static func type(_ id: TypeID, _ binder: Binder) throws -> Any.Type {
    var budget = maximumParts
    return try type(id, binder, &budget, depth: 0)
  }

  /// - Parameter budget: How many more types may be parts of this one. An archive can say in one line a level that a dictionary has itself
  ///   twice; the runtime writes the name of such a type out.
  private static func type(_ id: TypeID, _ binder: Binder, _ budget: inout Int, depth: Int) throws -> Any.Type {
    budget -= 1
    if budget < 0 { throw ArchiveError(.nestingTooDeep, message: "a type in Any is made of more than \(maximumParts) types") }
    if depth > maximumDepth {
      throw ArchiveError(.nestingTooDeep, message: "a type in Any is nested more than \(maximumDepth) deep")
    }
    if let scalar = id.wrappedScalar { return optional(of: try type(scalar, binder, &budget, depth: depth + 1)) }
    guard let entry = binder.types[id] else {
      guard let type = scalar(id) else { throw ArchiveError(.malformed, message: "type \(id.rawValue) does not exist") }
      return type
    }
    switch entry {
    case .optional(let inner): return optional(of: try type(inner, binder, &budget, depth: depth + 1))
    case .array(let inner): return array(of: try type(inner, binder, &budget, depth: depth + 1))
    case .set(let inner): return try set(of: type(inner, binder, &budget, depth: depth + 1))
    case .dictionary(let key, let value):
      return try dictionary(type(key, binder, &budget, depth: depth + 1), type(value, binder, &budget, depth: depth + 1))
    case .structure(let name, _, let fields):
      if let bound = ranges.contains(name) ? fields.first?.type : nil {
        return try library(name, type(bound, binder, &budget, depth: depth + 1)) ?? type(named: name, binder)
      }
      return try plain[name] ?? type(named: name, binder)
    case .enumeration(let name, _, _): return try type(named: name, binder)
    case .object(let name, _, _, _):
      guard let plan = binder.admittedPlan(named: name),
        binder.allowsAnyClass || binder.universe.containsInOpenPlace(plan.type)
      else {
        throw refusal(name)
      }
      return plan.type
    case .tuple, .inlineArray:
      throw ArchiveError(.typeNotAllowed, message: "\(binder.types.describe(id)) cannot stand in Any")
    }
  }

  /// The type under a name, if it may stand in `Any`.
  static func type(named archived: String, _ binder: Binder) throws -> Any.Type {
    let name = binder.currentName(of: archived)
    if let type = binder.openValue(named: archived) { return type }
    if libraryNames.contains(name) { return Void.self }
    if let type = transparent[name] { return type }
    throw refusal(name)
  }

  /// Whether values of this name may stand in `Any`.
  static func isAdmitted(_ archived: String, _ binder: Binder) -> Bool {
    let name = binder.currentName(of: archived)
    return binder.openValue(named: archived) != nil || libraryNames.contains(name) || transparent[name] != nil
  }

  private static func refusal(_ name: String) -> ArchiveError {
    ArchiveError(
      .typeNotAllowed,
      message: "the archive holds a '\(name)' in a place declared Any or as a protocol; name the type in the call (allowing:), "
        + "in archiveRules(subclasses:), or register it")
  }

  private static func scalar(_ id: TypeID) -> Any.Type? {
    switch id {
    case .bool: Bool.self
    case .int: Int.self
    case .double: Double.self
    case .string, .pooledString: String.self
    case .reference: AnyObject.self
    case .date: Date.self
    case .data: Data.self
    case .uuid: UUID.self
    case .float: Float.self
    case .int32: Int32.self
    case .uint8: UInt8.self
    case .int8: Int8.self
    case .int16: Int16.self
    case .int64: Int64.self
    case .uint: UInt.self
    case .uint16: UInt16.self
    case .uint32: UInt32.self
    case .uint64: UInt64.self
    case .int128: Int128.self
    case .uint128: UInt128.self
    case .decimal: Decimal.self
    case .character: Character.self
    case .any: Any.self
    case .cgFloat: transparent["Foundation.CGFloat"]
    case .substring: Substring.self
    case .unicodeScalar: Unicode.Scalar.self
    case .void: Void.self
    case .duration: Duration.self
    default: float16(id)
    }
  }

  private static func float16(_ id: TypeID) -> Any.Type? {
    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
      if id == .float16 { return Float16.self }
    #endif
    return nil
  }

  private static let plain: [String: Any.Type] = [
    URLRepresentation.archiveName: URL.self, DateIntervalRepresentation.archiveName: DateInterval.self,
    DateComponentsRepresentation.archiveName: DateComponents.self, TimeZoneRepresentation.archiveName: TimeZone.self,
    LocaleRepresentation.archiveName: Locale.self, CalendarRepresentation.archiveName: Calendar.self,
    IndexPathRepresentation.archiveName: IndexPath.self,
  ]

  /// Foundation's geometry, whose stored properties are public: found by name where the program knows them by reflection only.
  private static let transparent: [String: Any.Type] = Dictionary(
    uniqueKeysWithValues: ["CGFloat", "CGPoint", "CGSize", "CGRect"].compactMap { name in
      // The text is the program's own, not the archive's.
      _typeByName("10Foundation\(name.utf8.count)\(name)V").map { ("Foundation.\(name)", $0) }
    })

  private static let ranges: Set<String> = ["Range", "ClosedRange", "PartialRangeFrom", "PartialRangeUpTo", "PartialRangeThrough"]
  private static let libraryNames = ranges.union(plain.keys)

  /// A range under its archive name; `bound` is the type of its first property.
  private static func library(_ name: String, _ bound: Any.Type) -> Any.Type? {
    guard let bound = bound as? any Comparable.Type else { return nil }
    func open<Bound: Comparable>(_: Bound.Type) -> Any.Type {
      switch name {
      case "Range": Range<Bound>.self
      case "ClosedRange": ClosedRange<Bound>.self
      case "PartialRangeFrom": PartialRangeFrom<Bound>.self
      case "PartialRangeUpTo": PartialRangeUpTo<Bound>.self
      default: PartialRangeThrough<Bound>.self
      }
    }
    return open(bound)
  }

  static func optional(of type: Any.Type) -> Any.Type {
    func open<T>(_: T.Type) -> Any.Type { T?.self }
    return _openExistential(type, do: open)
  }

  private static func array(of type: Any.Type) -> Any.Type {
    func open<T>(_: T.Type) -> Any.Type { [T].self }
    return _openExistential(type, do: open)
  }

  private static func hashable(_ type: Any.Type) throws -> any Hashable.Type {
    guard let hashable = type as? any Hashable.Type else {
      throw ArchiveError(.typeMismatch, message: "\(type) is not Hashable and cannot be an element of a set or the key of a dictionary")
    }
    return hashable
  }

  private static func set(of type: Any.Type) throws -> Any.Type {
    func open<T: Hashable>(_: T.Type) -> Any.Type { Set<T>.self }
    // In `Any` elements of several types are `AnyHashable`.
    if type == Any.self { return open(AnyHashable.self) }
    return open(try hashable(type))
  }

  private static func dictionary(_ key: Any.Type, _ value: Any.Type) throws -> Any.Type {
    func openKey<K: Hashable>(_: K.Type) -> Any.Type {
      func openValue<V>(_: V.Type) -> Any.Type { [K: V].self }
      return _openExistential(value, do: openValue)
    }
    // In `Any` keys of several types are `AnyHashable`.
    if key == Any.self { return openKey(AnyHashable.self) }
    return openKey(try hashable(key))
  }
}
