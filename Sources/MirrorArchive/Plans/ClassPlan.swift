import ArchiveFormat
import ArchiveReflection
import Synchronization

/// One stored property of a class. An object, because loops over the properties of small objects would pay for every word of it.
final class PropertyPlan: Sendable {
  /// The key under which it is archived.
  let key: String
  let codec: ValueCodec
  let offset: Int
  /// The name in the program.
  let name: String
  /// Keys under which older archives have it, in the order in which they are looked for.
  let formerKeys: [String]
  /// Archive names of the classes that declared it in older archives.
  let formerClasses: [String]
  /// The rule about its values; nil if only keys are ruled, as a rule.
  let rule: PropertyRule?
  /// The default that the rule gives, in the form of the property.
  let defaultValue: PropertyDefault?

  init(
    key: String, codec: ValueCodec, offset: Int, name: String, formerKeys: [String] = [], formerClasses: [String] = [],
    rule: PropertyRule? = nil, defaultValue: PropertyDefault? = nil
  ) {
    self.key = key
    self.codec = codec
    self.offset = offset
    self.name = name
    self.formerKeys = formerKeys
    self.formerClasses = formerClasses
    self.rule = rule
    self.defaultValue = defaultValue
  }
}

/// What a class is made of, and how its objects are made. Built once per class and shared by all threads.
final class ClassPlan: @unchecked Sendable {
  /// The properties that one class of the hierarchy declares: a namespace of its own. An object for the same reason as a property.
  final class Level: Sendable {
    let type: AnyClass
    let name: String?
    /// Names under which older archives have the class.
    let formerNames: [String]
    let version: UInt64
    let properties: [PropertyPlan]
    /// What stands for the level in a type table: the class, unless rules of a subclass change how the level is archived.
    let identity: ObjectIdentifier
    /// Whether the level's last column holds the keys that are coded by hand.
    let hasRecord: Bool

    init(
      type: AnyClass, name: String?, formerNames: [String] = [], version: UInt64 = 0, properties: [PropertyPlan],
      identity: ObjectIdentifier, hasRecord: Bool = false
    ) {
      self.type = type
      self.name = name
      self.formerNames = formerNames
      self.version = version
      self.properties = properties
      self.identity = identity
      self.hasRecord = hasRecord
    }
  }

  /// How new objects come about.
  enum Construction: @unchecked Sendable {
    case initializer(any MirrorInitializable.Type)
    /// No initializer runs; every stored property must be in the archive, have a default in the rules, or be an Optional.
    case allocation(ObjectAllocation.Recipe, omitted: [OmittedField])
    /// `init(coder:)`, one object at a time.
    case coder(any KeyedCoding.Type)
    /// Why there is no way.
    case impossible(ArchiveError)
  }

  let type: AnyClass
  let name: String?
  /// Names under which older archives have the class.
  let formerNames: [String]
  let version: UInt64
  let rules: ArchiveRules
  /// Base first; levels that store nothing are left out.
  let levels: [Level]
  /// The same as one list.
  let columns: BlockColumns
  let construction: Construction
  /// Whether objects are allocated without an initializer.
  let isAllocated: Bool
  /// The same as the initializer of the construction, for the most frequent base.
  private let coding: MirrorCoding.Type?
  /// Defaults of the rules for properties that are not archived, over what the initializer gives them.
  let omittedDefaults: [(value: PropertyDefault, offset: Int, witnesses: ValueWitnesses)]
  let hasReferences: Bool
  /// The bytes that an object counts with towards what an archive may become.
  let decodedSize: Int
  /// The properties through which objects are reached, in the order of their columns.
  let ways: [ReachingWay]
  /// Some property's archived form depends on what else is archived.
  let hasConditional: Bool
  /// Which types an archive with objects of this class describes depends on what stands in `Any`, or on code of the class.
  let describesValues: Bool
  /// Coded by hand: there are no properties, the object asks for its keys.
  let isHandCoded: Bool
  /// Keys coded by hand beside the properties.
  let hasExtras: Bool
  /// Another object may be archived for objects of this class, or be found in their place.
  let substitutes: Bool
  /// Whether the hooks do anything.
  let hasWillEncode: Bool
  let hasDidDecode: Bool
  private let isMirrorCoding: Bool
  private let hooks: (any ObjectHooks.Type)?
  private let isVerified = Atomic<Bool>(false)

  init(
    type: AnyClass, name: String?, rules: ArchiveRules, version: UInt64, levels: [Level], construction: Construction,
    omittedDefaults: [(value: PropertyDefault, offset: Int, witnesses: ValueWitnesses)] = [], hooks: (any ObjectHooks.Type)?
  ) {
    self.type = type
    self.name = name
    formerNames = PlanRegistry.formerNames(of: type)
    self.version = version
    self.omittedDefaults = omittedDefaults
    self.rules = rules
    self.levels = levels
    self.construction = construction
    ways = levels.flatMap { $0.properties.filter { $0.codec.traits.hasReferences }.map(ReachingWay.init) }
    hasReferences = !ways.isEmpty
    decodedSize = Reflection.instanceSize(of: type) &+ DecodedSize.objectOverhead
    hasConditional = levels.contains { $0.properties.contains { $0.codec.traits.hasConditional } }
    isMirrorCoding = type is MirrorCoding.Type
    let coding = type as? MirrorCoding.Type
    if case .initializer = construction { self.coding = coding } else { self.coding = nil }
    if case .allocation = construction { isAllocated = true } else { isAllocated = false }
    hasWillEncode = coding.map(HookDetection.overridesWillEncode) ?? (hooks != nil)
    hasDidDecode = coding.map(HookDetection.overridesDidDecode) ?? (hooks != nil)
    if case .coder = construction { isHandCoded = true } else { isHandCoded = false }
    hasExtras = !isHandCoded && type is any KeyedExtras.Type
    describesValues = isHandCoded || hasExtras || levels.contains { $0.properties.contains { $0.codec.traits.describesValues } }
    substitutes = type is any ArchiveSubstitution.Type
    self.hooks = hooks
    columns = BlockColumns(levels: levels, ways: ways, isHandCoded: isHandCoded)
  }

  deinit { columns.deallocate() }

  /// What an archive says of the class, for objects that are kept as `UnknownObject`. Set before the plan is used.
  var unknownClass: UnknownClass?

  /// Whether the archiver has to call code of the class with a coder while it looks through the objects.
  var hasRecord: Bool { isHandCoded || hasExtras }

  /// The archive name, or a thrown `unnamedType`.
  func requireName() throws -> String {
    if let unnamed = levels.first(where: { $0.name == nil })?.type ?? (name == nil ? type : nil) {
      throw ArchiveError(
        .unnamedType, path: Reflection.unqualifiedName(of: unnamed),
        message: "\(Reflection.unqualifiedName(of: unnamed)) is private or local, so its Swift name changes from build to build; "
          + "give it an archive name: archiveRules { ArchiveRules(name: \"...\") } or KeyedArchiver.register(_:as:)")
    }
    return name ?? ""
  }

  /// Checks the plan against what `Mirror` and `superclassMirror` see in a real object, once per class.
  func verify(with instance: AnyObject) throws {
    if isHandCoded { return }
    if isVerified.load(ordering: .acquiring) { return }
    do {
      _ = try Reflection.classShape(of: type, instance: instance)
    } catch {
      throw ArchiveError(error)
    }
    isVerified.store(true, ordering: .releasing)
  }

  /// The chain of the class's entries in an archive's type table; returns the id of the class itself.
  func describe(_ types: inout TypeTableBuilder) throws -> TypeID {
    if let unknownClass { return try types.describe(unknownClass.type) }
    if let id = types.known(ObjectIdentifier(type)) { return id }
    if types.givenNames?.contains(type) != true { _ = try requireName() }
    if let last = levels.last, last.type == type { return try describe(level: levels.count - 1, &types) }
    if isHandCoded {
      return try types.id(for: ObjectIdentifier(type)) { types in
        .object(name: try types.name(of: type, own: name), version: version, superclass: nil, properties: [Self.recordProperty])
      }
    }
    // A class without stored properties of its own still needs an entry with its name.
    return try types.id(for: ObjectIdentifier(type)) { types in
      let superclass = levels.isEmpty ? nil : try describe(level: levels.count - 1, &types)
      return .object(name: try types.name(of: type, own: name), version: version, superclass: superclass, properties: [])
    }
  }

  private func describe(level index: Int, _ types: inout TypeTableBuilder) throws -> TypeID {
    let level = levels[index]
    return try types.id(for: level.identity) { types in
      var properties = try level.properties.map { Property(key: $0.key, type: try $0.codec.describe(&types)) }
      if level.hasRecord { properties.append(Self.recordProperty) }
      let superclass = index > 0 ? try describe(level: index - 1, &types) : nil
      // A level that is archived in two ways has one name all the same.
      let isShared = level.identity == ObjectIdentifier(level.type)
      let name = isShared ? try types.name(of: level.type, own: level.name) : level.name ?? ""
      return .object(name: name, version: level.version, superclass: superclass, properties: properties)
    }
  }

  /// What a class with keys coded by hand has among its properties. Its type tells it from properties of that name.
  static let recordProperty = Property(key: "$keys", type: .record)

  // MARK: Objects

  /// Makes `count` objects, retained once each, and puts their addresses where `target` points.
  func make(_ count: Int, into target: UnsafeMutablePointer<UnsafeMutableRawPointer>) throws {
    if let coding {
      // SAFETY: the reference is handed over with the +1 it came with, here and below.
      for i in 0..<count { unsafe target[i] = Unmanaged.passRetained(coding.init()).toOpaque() }
      return
    }
    switch construction {
    case .initializer(let type):
      func open<T: MirrorInitializable>(_ type: T.Type) {
        for i in 0..<count {
          // SAFETY: `T` is a class here.
          unsafe target[i] = Unmanaged.passRetained(type.init() as AnyObject).toOpaque()
        }
      }
      open(type)
    case .allocation(let recipe, _):
      for i in 0..<count {
        unsafe target[i] = Unmanaged.passRetained(recipe.allocate()).toOpaque()
      }
    case .coder: preconditionFailure("hand-coded objects are made one by one, with a coder")
    case .impossible(let error): throw error
    }
  }

  /// Calls `willEncode` on the objects of these rows.
  func willEncode(_ rows: Rows) throws {
    // SAFETY: every row's base is an object of this class.
    if isMirrorCoding {
      for i in 0..<rows.count { unsafe try Unmanaged<MirrorCoding>.fromOpaque(rows[i]).takeUnretainedValue().willEncode() }
    } else {
      for i in 0..<rows.count { unsafe try hooks?.willEncode(Unmanaged<AnyObject>.fromOpaque(rows[i]).takeUnretainedValue()) }
    }
  }

  /// Calls `didDecode` on one object.
  func didDecode(_ object: UnsafeMutableRawPointer, _ context: DecodingContext) throws {
    if isMirrorCoding {
      unsafe try Unmanaged<MirrorCoding>.fromOpaque(object).takeUnretainedValue().didDecode(context)
    } else {
      unsafe try hooks?.didDecode(Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue(), context)
    }
  }
}

/// The hooks of one class without a cast per object: the class is known as a generic argument.
protocol ObjectHooks {
  static func willEncode(_ object: AnyObject) throws
  static func didDecode(_ object: AnyObject, _ context: DecodingContext) throws
}

private enum Hooks<T: MirrorCodable>: ObjectHooks {
  // SAFETY: only objects of exactly the class the plan was made for come here.
  static func willEncode(_ object: AnyObject) throws { try unsafe unsafeBitCast(object, to: T.self).willEncode() }
  static func didDecode(_ object: AnyObject, _ context: DecodingContext) throws {
    try unsafe unsafeBitCast(object, to: T.self).didDecode(context)
  }
}

private func objectHooks<T: MirrorCodable>(_: T.Type) -> any ObjectHooks.Type { Hooks<T>.self }

extension PlanBuilder {
  /// The plan of a class that may be archived; throws what stands in the way.
  mutating func classPlan(for type: AnyClass) throws -> ClassPlan {
    let hooks = (type as? any MirrorCodable.Type).map { objectHooks($0) }
    if let keyed = type as? any KeyedCoding.Type {
      return ClassPlan(
        type: type, name: registry.archiveName(of: type), rules: keyed.archiveRules, version: try HandCodedRules.version(of: keyed),
        levels: [], construction: .coder(keyed), hooks: hooks)
    }
    guard let codable = type as? any MirrorCodable.Type else { throw ArchiveError.notArchivable(type) }
    do {
      let firstWithExtras: AnyClass? = Self.firstWithExtras(type)
      let shape = try Reflection.classShape(of: type, instance: nil)
      let rules = try EffectiveRules(shape)
      var levels: [ClassPlan.Level] = []
      for (level, ruled) in zip(shape.levels, rules.levels) where !level.fields.isEmpty || level.type == firstWithExtras {
        let levelName = Reflection.unqualifiedName(of: level.type)
        let archived = ruled.properties.filter { !$0.isExcluded }
        let codecs = try archived.map { try fieldCodec($0.field, in: levelName) }
        publish()
        let properties = zip(archived, codecs).map { property, codec in
          PropertyPlan(
            key: property.key, codec: storedCodec(codec, for: property.field, of: type),
            offset: property.field.size == 0 ? 0 : property.field.offset, name: property.name, formerKeys: property.formerKeys,
            formerClasses: property.rule?.formerClasses ?? [], rule: property.valueRule, defaultValue: property.defaultValue)
        }
        let hasRecord = level.type == firstWithExtras
        if !properties.isEmpty || hasRecord {
          levels.append(
            ClassPlan.Level(
              type: level.type, name: registry.archiveName(of: level.type), formerNames: PlanRegistry.formerNames(of: level.type),
              version: ruled.version, properties: properties, identity: Self.identity(of: level.type, alteredBy: ruled.alteredBy),
              hasRecord: hasRecord))
        }
      }
      let outside = rules.levels.flatMap { $0.properties.filter(\.isExcluded) }
      let construction = try construction(of: type, shape, outside)
      var omittedDefaults: [(value: PropertyDefault, offset: Int, witnesses: ValueWitnesses)] = []
      if case .initializer = construction {
        omittedDefaults = outside.compactMap { property in
          property.defaultValue.map { (value: $0, offset: property.field.offset, witnesses: ValueWitnesses(property.field.type)) }
        }
      }
      return ClassPlan(
        type: type, name: registry.archiveName(of: type), rules: codable.archiveRules, version: rules.levels.last?.version ?? 0,
        levels: levels, construction: construction, omittedDefaults: omittedDefaults, hooks: hooks)
    } catch let error as ReflectionError {
      throw ArchiveError(error)
    }
  }

  /// What a level is known by in a type table.
  private static func identity(of type: AnyClass, alteredBy other: AnyClass?) -> ObjectIdentifier {
    guard let other else { return ObjectIdentifier(type) }
    func open<Level, Altering>(_: Level.Type, _: Altering.Type) -> ObjectIdentifier { ObjectIdentifier(AlteredLevel<Level, Altering>.self) }
    func openLevel<Level>(_ level: Level.Type) -> ObjectIdentifier {
      func openOther<Altering>(_ altering: Altering.Type) -> ObjectIdentifier { open(level, altering) }
      return _openExistential(other as Any.Type, do: openOther)
    }
    return _openExistential(type as Any.Type, do: openLevel)
  }

  private enum AlteredLevel<Level, Altering> {}

  /// The class that brings hand-coded keys into a hierarchy: they stand once in an object, with the properties of that level.
  private static func firstWithExtras(_ type: AnyClass) -> AnyClass? {
    guard type is any KeyedExtras.Type else { return nil }
    var first: AnyClass = type
    while let superclass = _getSuperclass(first), superclass is any KeyedExtras.Type { first = superclass }
    return first
  }

  /// What an initializer sets stays a constant of the program where it is the same in every object.
  private func storedCodec(_ codec: ValueCodec, for field: Field, of type: AnyClass) -> ValueCodec {
    guard !field.isVar, !codec.traits.hasReferences, codec.witnesses.size > 0, let type = type as? any MirrorInitializable.Type else {
      return codec
    }
    let constant = LetCodec(codec, of: type, offset: field.offset)
    ValueCodec.resolveTraits(of: [constant])
    return constant
  }

  private func construction(of type: AnyClass, _ shape: ClassShape, _ outside: [RuledProperty]) throws -> ClassPlan.Construction {
    if let initializable = type as? any MirrorInitializable.Type { return .initializer(initializable) }
    var omitted: [OmittedField] = []
    for property in outside {
      do {
        omitted.append(try omittedField(property, of: type))
      } catch let error as ArchiveError where error.code == .unsupportedType {
        return .impossible(error)
      }
    }
    do {
      return .allocation(try ObjectAllocation.Recipe(shape), omitted: omitted)
    } catch {
      return .impossible(ArchiveError(error))
    }
  }
}

extension ArchiveError {
  /// The refusal of a class that has not been made archivable, with a cure that its author can take.
  static func notArchivable(_ type: AnyClass) -> ArchiveError {
    let typeName = Reflection.unqualifiedName(of: type)
    if let refusal = Reflection.refusal(forType: type, property: nil, in: typeName) { return ArchiveError(refusal) }
    let cure =
      LibraryTypes.module(of: type).map {
        "it belongs to \($0): keep a Swift value in its place (a number, String, Date, Array, an Optional for NSNull, ...)"
      } ?? "let it inherit from MirrorCoding, conform to MirrorCodable, or code it by hand with KeyedCoding"
    return ArchiveError(
      .notArchivable, path: typeName, message: "\(typeName) is not archivable: \(cure), or make the property @Transient")
  }
}
