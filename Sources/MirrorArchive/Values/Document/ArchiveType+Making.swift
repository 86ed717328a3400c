import ArchiveFormat

/// Types of one's own making, for archives of classes that the program does not have.
///
/// ```swift
/// let point = ArchiveType.structure(name: "Geometry.Point", fields: ["x": .double, "y": .double])
/// let shape = ArchiveType.class(name: "Geometry.Shape", properties: ["title": .string, "origin": point, "next": .optional(.object)])
/// ```
/// Names are those that the program which will read the archive gives its types: `Module.Outer.Type`, or what its rules say. Properties stand in
/// the order of declaration.
extension ArchiveType {
  /// The keys and types of what a class, struct or tuple is made of, in their order.
  public struct Members: Sendable, ExpressibleByDictionaryLiteral {
    let list: [Member]

    /// Makes a list of members.
    public init(_ list: [Member]) { self.list = list }

    /// Makes a list of members, in the order in which they are written.
    public init(dictionaryLiteral members: (String, ArchiveType)...) { list = members.map { Member($0, $1) } }
  }

  /// A property of a class or struct, or an element of a tuple.
  public struct Member: Sendable {
    /// The key; empty for an element of a tuple without a label.
    public var key: String
    /// The type.
    public var type: ArchiveType

    /// Makes a member.
    public init(_ key: String, _ type: ArchiveType) {
      self.key = key
      self.type = type
    }
  }

  /// A case of an enum.
  public struct Case: Sendable {
    /// The name.
    public var name: String
    /// The type of what it holds; several associated values are a tuple. Nil for a case without.
    public var payload: ArchiveType?
    /// What it is declared as: text or a number; nil for an enum without raw values.
    public var rawValue: ArchiveValue?

    /// Makes a case.
    public init(_ name: String, payload: ArchiveType? = nil, rawValue: ArchiveValue? = nil) {
      self.name = name
      self.payload = payload
      self.rawValue = rawValue
    }
  }

  // MARK: Scalars

  private init(_ id: TypeID) { self.init(id, in: .none) }

  /// `Bool`
  public static let bool = ArchiveType(.bool)
  /// `Int`, which has 64 bits in an archive.
  public static let int = ArchiveType(.int)
  /// `Int8`
  public static let int8 = ArchiveType(.int8)
  /// `Int16`
  public static let int16 = ArchiveType(.int16)
  /// `Int32`
  public static let int32 = ArchiveType(.int32)
  /// `Int64`
  public static let int64 = ArchiveType(.int64)
  /// `Int128`
  public static let int128 = ArchiveType(.int128)
  /// `UInt`, which has 64 bits in an archive.
  public static let uint = ArchiveType(.uint)
  /// `UInt8`
  public static let uint8 = ArchiveType(.uint8)
  /// `UInt16`
  public static let uint16 = ArchiveType(.uint16)
  /// `UInt32`
  public static let uint32 = ArchiveType(.uint32)
  /// `UInt64`
  public static let uint64 = ArchiveType(.uint64)
  /// `UInt128`
  public static let uint128 = ArchiveType(.uint128)
  /// `Float16`
  public static let float16 = ArchiveType(.float16)
  /// `Float`
  public static let float = ArchiveType(.float)
  /// `Double`
  public static let double = ArchiveType(.double)
  /// `CGFloat`
  public static let cgFloat = ArchiveType(.cgFloat)
  /// `Decimal`
  public static let decimal = ArchiveType(.decimal)
  /// `String`
  public static let string = ArchiveType(.string)
  /// `Substring`
  public static let substring = ArchiveType(.substring)
  /// `Character`
  public static let character = ArchiveType(.character)
  /// `Unicode.Scalar`
  public static let unicodeScalar = ArchiveType(.unicodeScalar)
  /// `Date`
  public static let date = ArchiveType(.date)
  /// `Duration`
  public static let duration = ArchiveType(.duration)
  /// `Data`
  public static let data = ArchiveType(.data)
  /// `UUID`
  public static let uuid = ArchiveType(.uuid)
  /// `Void`
  public static let void = ArchiveType(.void)
  /// A class itself, and not an object of it.
  public static let metatype = ArchiveType(.metatype)
  /// `Any`, or a protocol: values of it are ``ArchiveValue/any(_:)``.
  public static let any = ArchiveType(.any)
  /// An object of any class. Archives do not say which class a property is declared with.
  public static let object = ArchiveType(.reference)
  /// What hand-written coding stores under its keys: the type of the property `$keys` of classes that do so.
  public static let container = ArchiveType(.record)

  // MARK: Types made of types

  /// An Optional.
  public static func optional(_ wrapped: ArchiveType) -> ArchiveType {
    if let id = wrapped.id.optionalOfScalar { return ArchiveType(id) }
    return make { .optional($0(wrapped)) }
  }

  /// An `Array`, `ContiguousArray` or `ArraySlice`.
  public static func array(of element: ArchiveType) -> ArchiveType { make { .array($0(element)) } }

  /// A `Set`.
  public static func set(of element: ArchiveType) -> ArchiveType { make { .set($0(element)) } }

  /// A `Dictionary`.
  public static func dictionary(key: ArchiveType, value: ArchiveType) -> ArchiveType {
    make { number in
      let key = number(key)
      return .dictionary(key: key, value: number(value))
    }
  }

  /// An `InlineArray`; a negative count is 0.
  public static func inlineArray(of element: ArchiveType, count: Int) -> ArchiveType {
    make { .inlineArray($0(element), count: max(0, count)) }
  }

  /// A tuple. Elements without a label get the keys `.0`, `.1` and so on, as the archiver gives them.
  public static func tuple(_ elements: Members) -> ArchiveType {
    make { number in
      .tuple(elements.list.enumerated().map { Property(key: $1.key.isEmpty ? ".\($0)" : $1.key, type: number($1.type)) })
    }
  }

  /// A struct.
  ///
  /// - Parameters:
  ///   - name: The archive name.
  ///   - version: The version that the rules of the type declare; 0 if they declare none.
  ///   - fields: The stored properties.
  public static func structure(name: String, version: UInt64 = 0, fields: Members) -> ArchiveType {
    make { number in
      .structure(name: name, version: version, fields: fields.list.map { Property(key: $0.key, type: number($0.type)) })
    }
  }

  /// An enum.
  ///
  /// - Parameters:
  ///   - name: The archive name.
  ///   - version: The version that the rules of the type declare; 0 if they declare none.
  ///   - cases: The cases. Raw values count if all cases have one, of one kind.
  public static func enumeration(name: String, version: UInt64 = 0, cases: [Case]) -> ArchiveType {
    // In the order of the program's own numbers: cases that hold something come first.
    let cases = cases.filter { $0.payload != nil } + cases.filter { $0.payload == nil }
    var rawValues = cases.map { $0.rawValue.flatMap { EnumCase.RawValue($0) } }
    if rawValues.contains(where: { $0?.kind == nil || $0?.kind != rawValues[0]?.kind }) {
      rawValues = Array(repeating: nil, count: cases.count)
    }
    return make { number in
      .enumeration(
        name: name, version: version,
        cases: zip(cases, rawValues).map { EnumCase(name: $0.name, payload: $0.payload.map { number($0) }, rawValue: $1) })
    }
  }

  /// A class, for ``ArchiveDocument/addObject(of:properties:)``. As the type of a value it means a reference to an object of it.
  ///
  /// - Parameters:
  ///   - name: The archive name.
  ///   - version: The version that the rules of the class declare; 0 if they declare none.
  ///   - superclass: The next class above that has archived properties. Anything but a class is left out.
  ///   - properties: The stored properties that the class itself declares.
  public static func `class`(name: String, version: UInt64 = 0, superclass: ArchiveType? = nil, properties: Members) -> ArchiveType {
    make { number in
      let base = superclass.flatMap { $0.table.types[$0.id]?.isObject == true ? $0 : nil }
      return .object(
        name: name, version: version, superclass: base.map { number($0) },
        properties: properties.list.map { member in
          // What is declared with a class is archived as a reference.
          let isClass = member.type.table.types[member.type.id]?.isObject == true
          return Property(key: member.key, type: isClass ? .reference : number(member.type))
        })
    }
  }

  /// A type in a table of its own: with the entries that it is made of, and no others.
  private static func make(_ entry: ((ArchiveType) -> TypeID) -> TypeEntry) -> ArchiveType {
    var gathering = Gathering()
    return gathering.make(entry)
  }

  /// Brings entries of several tables into one. A list of what is still to come stands in for recursion.
  private struct Gathering {
    private struct Place: Hashable {
      let table: ObjectIdentifier
      let index: Int
    }

    private var numbers: [Place: TypeID] = [:]
    /// In the order of their numbers, from 1 on.
    private var found: [ArchiveType] = []

    mutating func make(_ entry: ((ArchiveType) -> TypeID) -> TypeEntry) -> ArchiveType {
      var entries = [withoutActuallyEscaping({ self.number($0) }, do: { entry($0) })]
      while entries.count <= found.count {
        let type = found[entries.count - 1]
        entries.append(type.table.types[type.id]?.renumbered { self.number(ArchiveType($0, in: type.table)) } ?? .tuple([]))
      }
      return ArchiveType(TypeID(entry: 0), in: Table(TypeTable(entries: entries)))
    }

    private mutating func number(_ type: ArchiveType) -> TypeID {
      guard let index = type.id.entryIndex else { return type.id }
      let place = Place(table: ObjectIdentifier(type.table), index: index)
      if let known = numbers[place] { return known }
      found.append(type)
      let id = TypeID(entry: found.count)
      numbers[place] = id
      return id
    }
  }
}

extension TypeEntry {
  /// The same entry with other numbers for the types it is made of.
  fileprivate func renumbered(_ number: (TypeID) -> TypeID) -> TypeEntry {
    func members(_ members: [Property]) -> [Property] { members.map { Property(key: $0.key, type: number($0.type)) } }
    switch self {
    case .optional(let inner): return .optional(number(inner))
    case .array(let inner): return .array(number(inner))
    case .set(let inner): return .set(number(inner))
    case .dictionary(let key, let value):
      let key = number(key)
      return .dictionary(key: key, value: number(value))
    case .inlineArray(let inner, let count): return .inlineArray(number(inner), count: count)
    case .tuple(let fields): return .tuple(members(fields))
    case .structure(let name, let version, let fields): return .structure(name: name, version: version, fields: members(fields))
    case .enumeration(let name, let version, let cases):
      return .enumeration(
        name: name, version: version, cases: cases.map { EnumCase(name: $0.name, payload: $0.payload.map(number), rawValue: $0.rawValue) })
    case .object(let name, let version, let superclass, let properties):
      let base = superclass.map(number)
      return .object(name: name, version: version, superclass: base, properties: members(properties))
    }
  }
}

extension EnumCase.RawValue {
  fileprivate init?(_ value: ArchiveValue) {
    if let text = value.stringValue {
      self = .text(text)
    } else if let number = value.int64Value {
      self = .integer(number)
    } else if let number = value.doubleValue {
      self = .floating(number)
    } else {
      return nil
    }
  }

  fileprivate var kind: Int {
    switch self {
    case .text: 0
    case .integer: 1
    case .floating: 2
    }
  }
}
