import ArchiveReflection

/// What may be decoded for one set of named roots: the secure gate's list.
///
/// The named types, every type reachable from them through declared property types, the superclasses and declared subclasses of those, and
/// what the program has registered. Archive names are looked up here and nowhere else.
final class Universe: @unchecked Sendable {
  /// Archive name -> plan, of every class that may be instantiated.
  private(set) var classes: [String: ClassPlan] = [:]
  /// Value types that may appear in `Any` by name: those that were named, by the caller, the rules or registration.
  private(set) var openValues: [String: Any.Type] = [:]
  /// Former name -> Swift name of today, of types that may be arguments of generic ones.
  private(set) var renamedArguments: [String: String] = [:]
  private var members: Set<ObjectIdentifier> = []
  /// Classes that may appear behind `Any`, `AnyObject` and `any P`.
  private var openClasses: Set<ObjectIdentifier> = []
  /// Types that may appear there because rules or registration say so, and not because somebody has named them as roots.
  private var ruledTypes: Set<ObjectIdentifier> = []
  private let rootNames: String
  private struct ExtensionKey: Hashable {
    let type: ObjectIdentifier
    let isOpen: Bool
  }
  /// What naming one more type leads to; nil if it adds nothing.
  private let extensions = Locked<[ExtensionKey: Universe?]>([:])

  /// - Parameter includingRegistered: Also what the program has registered, which nothing of the types needs to lead to.
  init(naming types: [Any.Type], registry: PlanRegistry, includingRegistered: Bool = true) throws {
    rootNames = types.map { Reflection.unqualifiedName(of: $0) }.joined(separator: ", ")
    var seen: Set<ObjectIdentifier> = []
    var codecs: [ValueCodec] = []
    func nameOpen(_ type: Any.Type) throws {
      if type is AnyClass {
        openClasses.insert(ObjectIdentifier(type))
      } else if let name = registry.archiveName(of: type) {
        try admitValue(type, as: name, former: PlanRegistry.formerNames(of: type))
      }
      codecs.append(try registry.codec(for: type))
    }
    func addClass(_ type: AnyClass) throws {
      guard type is any Archivable.Type, type != MirrorCoding.self, members.insert(ObjectIdentifier(type)).inserted else { return }
      let plan = try registry.classPlan(for: type)
      try admitClass(plan)
      for level in plan.levels {
        codecs += level.properties.map(\.codec)
        for property in level.properties { try addStored(property.rule) }
      }
      try addRules(plan.rules)
      if let superclass = _getSuperclass(type) { try addClass(superclass) }
    }
    /// What a rule takes to make something else of it.
    func addStored(_ rule: PropertyRule?) throws {
      for conversion in rule?.conversions ?? [] {
        if case .closure(let closure) = conversion.form { codecs.append(try registry.codec(for: closure.storedType)) }
      }
    }
    func nameOpenAlways(_ type: Any.Type) throws {
      if ruledTypes.insert(ObjectIdentifier(type)).inserted { try nameOpen(type) }
    }
    func addRules(_ rules: ArchiveRules) throws { for type in rules.subclasses { try nameOpenAlways(type) } }

    for type in types { try nameOpen(type) }
    for registration in includingRegistered ? registry.registrations : [] { try nameOpenAlways(registration.type) }
    // None is dropped before the end: a registration elsewhere may have left this list the only owner, and the next codec that is made could
    // get the address of one that was seen.
    var next = 0
    while next < codecs.count {
      let codec = codecs[next]
      next += 1
      guard seen.insert(ObjectIdentifier(codec)).inserted else { continue }
      codecs += codec.children
      switch codec {
      case let reference as ReferenceCodec:
        if case .instances(let type) = reference.declared { try addClass(type) }
      case let reference as ConditionalReferenceCodec:
        if case .instances(let type) = reference.declared { try addClass(type) }
      case is StructCodec, is EnumCodec:
        for member in (codec as? StructCodec)?.members ?? [] { try addStored(member.rule) }
        if let codable = codec.type as? any Archivable.Type {
          try addRules(codable.archiveRules)
          rename(codec.type, PlanRegistry.formerNames(of: codec.type))
        }
      default: break
      }
    }
  }

  /// Enters a class under its name and its former ones.
  private func admitClass(_ plan: ClassPlan) throws {
    for name in CollectionOfOne(plan.name) + plan.formerNames.map(Optional.some) {
      guard let name else { continue }
      if let other = classes[name], other.type != plan.type { throw Self.duplicate(name, other.type, plan.type) }
      classes[name] = plan
    }
    rename(plan.type, plan.formerNames)
  }

  private func rename(_ type: Any.Type, _ former: [String]) {
    guard !former.isEmpty, let name = Reflection.stableName(of: type) else { return }
    for old in former { renamedArguments[old] = name }
  }

  /// Enters a value type under its name and its former ones.
  private func admitValue(_ type: Any.Type, as name: String, former: [String]) throws {
    for name in CollectionOfOne(name) + former {
      if let other = openValues[name], other != type { throw Self.duplicate(name, other, type) }
      openValues[name] = type
    }
  }

  private static func duplicate(_ name: String, _ one: Any.Type, _ other: Any.Type) -> ArchiveError {
    ArchiveError(
      .duplicateName, message: "'\(name)' names both \(one) and \(other), now or formerly; give one of them another archive name")
  }

  // MARK: Naming more

  /// The same list with one more named type and what it reaches; `self` if that adds nothing.
  ///
  /// Hand-coded classes declare no property types: what they may hold is named call by call, while a graph is put together.
  /// - Parameter isOpen: Also admit the type behind `Any`, `AnyObject` and protocols.
  func naming(_ type: Any.Type, isOpen: Bool = false) throws -> Universe {
    let key = ExtensionKey(type: ObjectIdentifier(type), isOpen: isOpen)
    if !isOpen, let type = type as? AnyClass, contains(type) { return self }
    if let known = extensions.withLock({ $0[key] }) { return known ?? self }
    let more = try PlanRegistry.shared.universe(of: [type])
    // What its rules name may stand in open places, whether or not the type itself may; that may be the type, too.
    let hidden = isOpen || containsInOpenPlace(type) || more.ruledTypes.contains(ObjectIdentifier(type)) ? nil : type
    let universe = isCovering(more, hiding: hidden) ? nil : try Universe(self, more, hiding: hidden)
    extensions.withLock { if $0.count < 256 { $0[key] = .some(universe) } }
    return universe ?? self
  }

  private func containsInOpenPlace(_ type: Any.Type) -> Bool {
    openClasses.contains(ObjectIdentifier(type)) || openValues.values.contains { $0 == type }
  }

  private func isCovering(_ other: Universe, hiding hidden: Any.Type?) -> Bool {
    other.members.isSubset(of: members)
      && other.openClasses.allSatisfy { openClasses.contains($0) || $0 == hidden.map { ObjectIdentifier($0) } }
      && other.openValues.allSatisfy { openValues[$0.key] != nil || $0.value == hidden }
  }

  private init(_ base: Universe, _ more: Universe, hiding hidden: Any.Type?) throws {
    let names = [base.rootNames, more.rootNames].filter { !$0.isEmpty }
    rootNames = base.rootNames.utf8.count > 200 ? base.rootNames : names.joined(separator: ", ")
    members = base.members.union(more.members)
    classes = base.classes
    for (name, plan) in more.classes {
      if let other = classes[name], other.type != plan.type { throw Self.duplicate(name, other.type, plan.type) }
      classes[name] = plan
    }
    openClasses = base.openClasses.union(more.openClasses.filter { $0 != hidden.map { ObjectIdentifier($0) } })
    renamedArguments = base.renamedArguments.merging(more.renamedArguments) { known, _ in known }
    openValues = base.openValues.merging(more.openValues.filter { $0.value != hidden }) { known, _ in known }
  }

  /// Whether objects of this class may be decoded at all.
  func contains(_ type: AnyClass) -> Bool { members.contains(ObjectIdentifier(type)) }

  /// Whether objects of this class may stand where only `Any`, `AnyObject` or a protocol is declared.
  func containsInOpenPlace(_ type: AnyClass) -> Bool { openClasses.contains(ObjectIdentifier(type)) }

  // MARK: Encoding

  private func refusal(_ type: Any.Type, _ place: String) -> ArchiveError {
    let name = Reflection.unqualifiedName(of: type)
    return ArchiveError(
      .typeNotAllowed,
      message:
        "\(name) \(place), so the default call could not read the archive back; declare it in archiveRules (subclasses: [\(name).self]), "
        + "register it (KeyedArchiver.register(\(name).self)), or list it in the call (allowing: [\(name).self])")
  }

  /// Throws unless objects of the class may be decoded by a reader that names the same roots.
  func admit(_ plan: ClassPlan) throws {
    if !contains(plan.type) { throw refusal(plan.type, "is not reachable from \(rootNames) through declared property types") }
  }

  /// Throws unless an object of this class may stand where only `Any`, `AnyObject` or a protocol is declared.
  func admitInOpenPlace(_ type: AnyClass) throws {
    // It is what somebody has let in, and can be nothing else.
    if type == UnknownObject.self { return }
    // Naming it would not help.
    guard type is any Archivable.Type else { throw ArchiveError.notArchivable(type) }
    if !containsInOpenPlace(type) { throw refusal(type, "stands where Any, AnyObject or a protocol is declared and nobody has named it") }
  }

  /// The same for the objects of whole rows.
  func admitInOpenPlace(_ rows: Rows) throws {
    var last: AnyClass?
    unsafe try rows.visit { i, p in
      // SAFETY: every row holds one strong reference.
      let type: AnyClass = unsafe Swift.type(of: p.assumingMemoryBound(to: AnyObject.self).pointee)
      if type == last { return }
      last = type
      do {
        try admitInOpenPlace(type)
      } catch let error as ArchiveError {
        throw LocatedError(error.code, row: i, error.message)
      }
    }
  }

  /// Throws unless a value of this type may stand in `Any` or `any P`.
  func admitInOpenPlace(_ codec: ValueCodec) throws {
    switch codec {
    case let codec as StructCodec where !codec.isTuple:
      try admitValue(codec.type)
    case is EnumCodec:
      if LibraryTypes.module(of: codec.type) == nil {
        try admitValue(codec.type)
      } else {
        for child in codec.children { try admitInOpenPlace(child) }
      }
    case is StructCodec:
      throw ArchiveError(
        .unsupportedType, message: "a tuple cannot stand in Any, because no type can be made from its parts at run time; use a struct")
    case let reference as ReferenceCodec:
      if case .instances(let type) = reference.declared { try admitInOpenPlace(type) }
    default:
      if codec.isRepresented { return }
      for child in codec.children { try admitInOpenPlace(child) }
    }
  }

  private func admitValue(_ type: Any.Type) throws {
    if LibraryTypes.isTransparent(type), LibraryTypes.module(of: type) != nil { return }
    guard let name = PlanRegistry.shared.archiveName(of: type) else {
      throw ArchiveError(
        .unnamedType,
        message: "\(Reflection.unqualifiedName(of: type)) is private or local and stands in Any; give it an archive name: "
          + "KeyedArchiver.register(_:as:)")
    }
    guard openValues[name] == type else { throw refusal(type, "stands where Any or a protocol is declared and nobody has named it") }
  }
}

extension ValueCodec {
  /// Standard and Foundation value types that are archived through a representation: admitted everywhere.
  var isRepresented: Bool { self is any RepresentedType }
}

/// Marks the codecs of represented types.
protocol RepresentedType {}
extension RepresentedCodec: RepresentedType {}
