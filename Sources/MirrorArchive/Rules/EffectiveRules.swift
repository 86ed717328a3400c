import ArchiveReflection

/// What the rules of a struct or of all classes of a hierarchy come to, per level and property.
///
/// Each class's rules are about its own level first, else about the nearest inherited property of that name. What a class only hands on from
/// its superclass stays with the superclass.
struct EffectiveRules {
  /// What one class, or a struct, declares.
  struct Level {
    let type: Any.Type
    var properties: [RuledProperty]
    var version: UInt64 = 0
    /// The most derived class whose rules change how this level, or one below it, is archived, if that is not the level's own class.
    var alteredBy: AnyClass?
  }

  private(set) var levels: [Level]

  /// The rules of a hierarchy, base first.
  init(_ shape: ClassShape) throws {
    levels = shape.levels.map { Level(type: $0.type, properties: Self.properties($0.fields)) }
    try Self.noteKeys(of: shape.type, in: &levels)
    var inherited: ArchiveRules?
    var version: UInt64 = 0
    for index in levels.indices {
      guard let type = levels[index].type as? any Archivable.Type else { continue }
      let rules = type.archiveRules
      try rules.checkNames(of: type)
      version = rules.version ?? version
      levels[index].version = version
      try apply(OwnRules(rules, over: inherited), at: index)
      inherited = rules
    }
    try finish()
  }

  /// The rules of a struct.
  init(_ shape: StructShape) throws {
    levels = [Level(type: shape.type, properties: Self.properties(shape.fields))]
    try Self.noteKeys(of: shape.type, in: &levels)
    if let type = shape.type as? any Archivable.Type {
      let rules = type.archiveRules
      try rules.checkNames(of: type)
      levels[0].version = rules.version ?? 0
      try apply(OwnRules(rules, over: nil), at: 0)
    }
    try finish()
  }

  private static func properties(_ fields: [Field]) -> [RuledProperty] {
    zip(fields, PropertyKeys.keys(of: fields)).map { RuledProperty($0, name: $1) }
  }

  // MARK: Applying

  private mutating func apply(_ rules: OwnRules, at index: Int) throws {
    let type = levels[index].type
    if !rules.cases.isEmpty { throw ArchiveError.invalidRules(type, rules.cases[0].name, "case rules are for enums") }
    if rules.hasUnknownCase { throw ArchiveError.invalidRules(type, nil, "unknownCase is for enums") }
    for name in rules.handedOn where levels[index].properties.contains(where: { $0.name == name }) {
      throw ArchiveError.invalidRules(
        type, name,
        "the rule for '\(name)' is the superclass's, and \(Reflection.unqualifiedName(of: type)) declares a '\(name)' too; "
          + "say which one is meant: PropertyRule(\"\(name)\", of: \(Reflection.unqualifiedName(of: type)).self, ...), "
          + "or @Transient for what is excluded")
    }
    try exclude(rules, at: index)
    var ruled: Set<[Int]> = []
    for rule in rules.properties {
      let place = try find(rule.name, of: rule.owner, from: index)
      if !ruled.insert([place.level, place.property]).inserted {
        throw ArchiveError.invalidRules(type, rule.name, "there are two rules for '\(rule.name)'; make one of them")
      }
      try apply(rule, to: place, from: index)
    }
  }

  private mutating func apply(_ rule: PropertyRule, to place: (level: Int, property: Int), from index: Int) throws {
    let type = levels[index].type
    let known = levels[place.level].properties[place.property]
    if known.isExcluded, rule.concernsArchive {
      let reason = known.transient == nil ? "excluded" : "@Transient"
      throw ArchiveError.invalidRules(
        type, rule.name, "'\(rule.name)' is \(reason), so it has no key and is never converted; only a default makes sense for it")
    }
    if known.isKeyed, rule.key != nil || !rule.formerKeys.isEmpty {
      throw ArchiveError.invalidRules(type, rule.name, "'\(rule.name)' has its keys from @Key; leave them out here, or the wrapper there")
    }
    if rule.key?.isEmpty ?? false || rule.formerKeys.contains("") {
      throw ArchiveError.invalidRules(type, rule.name, "a key of '\(rule.name)' is empty; leave it out for the name of the property")
    }
    if !rule.formerClasses.isEmpty, !(type is AnyClass) {
      throw ArchiveError.invalidRules(type, rule.name, "formerClasses is for properties of classes, and this is a struct")
    }
    if let value = rule.defaultValue {
      try check(value, of: known, type)
    }
    for conversion in rule.conversions {
      guard let reason = conversion.objection(to: known.type) else { continue }
      throw ArchiveError.invalidRules(type, rule.name, "a conversion of '\(rule.name)' can never give a \(known.type): \(reason)")
    }
    if rule.usesDefaultForUnknownCases, !Self.isEnumLike(known.type) {
      throw ArchiveError.invalidRules(
        type, rule.name, "usesDefaultForUnknownCases is for enums and Optionals of enums, and '\(rule.name)' is a \(known.type)")
    }
    if place.level < index, rule.key != nil, rule.key != known.key { alter(place.level, by: index) }
    levels[place.level].properties[place.property].rule = known.rule.map { rule.over($0) } ?? rule
  }

  private func check(_ value: DefaultValue, of property: RuledProperty, _ type: Any.Type) throws {
    if property.field.ownership != .strong {
      throw ArchiveError.invalidRules(
        type, property.name, "'\(property.name)' is a weak or unowned reference, which cannot keep a default alive; leave the default out")
    }
    if PropertyDefault(value, for: property.type) == nil {
      throw ArchiveError.invalidRules(
        type, property.name,
        "the default of '\(property.name)' is of type \(value.maker.type), the property of type \(property.type); "
          + "write .value(... as \(property.type))")
    }
  }

  private static func isEnumLike(_ type: Any.Type) -> Bool {
    if let wrapped = (type as? any OptionalType.Type)?.wrappedType { return isEnumLike(wrapped) }
    return Reflection.kind(of: type) == .enumeration
  }

  private mutating func exclude(_ rules: OwnRules, at index: Int) throws {
    let type = levels[index].type
    for name in rules.excluded {
      if rules.includedOnly?.contains(name) ?? false {
        throw ArchiveError.invalidRules(type, name, "'\(name)' is both excluded and among the only ones included")
      }
      let place = try find(name, of: nil, from: index)
      if levels[place.level].properties[place.property].isKeyed {
        throw ArchiveError.invalidRules(type, name, "'\(name)' is excluded and has keys from @Key; leave out one of them")
      }
      if place.level < index { alter(place.level, by: index) }
      levels[place.level].properties[place.property].isExcluded = true
    }
    guard let includedOnly = rules.includedOnly else { return }
    let names = levels[index].properties.map(\.name)
    for name in includedOnly where !names.contains(name) {
      let isInherited = levels[..<index].contains { $0.properties.contains { $0.name == name } }
      throw ArchiveError.invalidRules(
        type, name,
        isInherited
          ? "'\(name)' is inherited; includingOnly is about what the class itself declares, and leaves inherited properties as they are"
          : "there is no stored property '\(name)' to include; " + NearMiss.advice(for: name, among: names, "stored properties"))
    }
    for property in names.indices where !includedOnly.contains(names[property]) {
      levels[index].properties[property].isExcluded = true
    }
  }

  /// The property that a rule of the class at `index` is about.
  private func find(_ name: String, of owner: AnyClass?, from index: Int) throws -> (level: Int, property: Int) {
    let type = levels[index].type
    var candidates = Array(levels.indices[...index].reversed())
    if let owner {
      candidates = candidates.filter { levels[$0].type == owner }
      if candidates.isEmpty {
        throw ArchiveError.invalidRules(
          type, name,
          "the rule for '\(name)' is about \(owner), which is neither \(Reflection.unqualifiedName(of: type)) nor one of its superclasses")
      }
    }
    for level in candidates {
      if let property = levels[level].properties.firstIndex(where: { $0.name == name }) { return (level, property) }
    }
    let names = candidates.flatMap { levels[$0].properties.map(\.name) }
    throw ArchiveError.invalidRules(
      type, name, "there is no stored property '\(name)'; " + NearMiss.advice(for: name, among: names, "stored properties"))
  }

  private mutating func alter(_ level: Int, by index: Int) {
    for between in level..<index { levels[between].alteredBy = levels[index].type as? AnyClass }
  }

  // MARK: Checking

  private mutating func finish() throws {
    for level in levels.indices {
      try checkKeys(of: level)
      for property in levels[level].properties.indices {
        let ruled = levels[level].properties[property]
        levels[level].properties[property].defaultValue = ruled.rule?.defaultValue.flatMap { PropertyDefault($0, for: ruled.type) }
      }
    }
  }

  /// Keys name one property of a level each, former keys included: an older archive must not be read in two ways.
  private func checkKeys(of index: Int) throws {
    let level = levels[index]
    let archived = level.properties.filter { !$0.isExcluded }
    if archived.allSatisfy({ $0.rule == nil }) { return }
    var owners: [String: String] = [:]
    for property in archived {
      if let other = owners.updateValue(property.name, forKey: property.key) {
        throw ArchiveError.invalidRules(
          level.type, property.name, "'\(property.name)' and '\(other)' have the same key '\(property.key)'; give one of them another key")
      }
    }
    for property in archived {
      for former in Set(property.formerKeys) where former != property.key {
        if let other = owners.updateValue(property.name, forKey: former) {
          throw ArchiveError.invalidRules(
            level.type, property.name, "the former key '\(former)' of '\(property.name)' is a key of '\(other)' as well")
        }
      }
    }
  }
}

/// What a class adds to the rules of its superclass.
struct OwnRules {
  var properties: [PropertyRule]
  var excluded: [String]
  var includedOnly: [String]?
  var cases: [CaseRule]
  var hasUnknownCase: Bool
  /// Names that rules of the superclass are about, in rules that were written anew around them.
  var handedOn: Set<String> = []

  init(_ rules: ArchiveRules, over inherited: ArchiveRules?) {
    properties = rules.properties
    excluded = rules.excluded
    includedOnly = rules.includedOnly
    cases = rules.cases
    hasUnknownCase = rules.unknownCase != nil
    guard let inherited else { return }
    if rules.isSame(as: inherited) {
      self = OwnRules(ArchiveRules(), over: nil)
      return
    }
    let (isInherited, isExcludedAbove) = (
      { (rule: PropertyRule) in inherited.properties.contains { $0.isSame(as: rule) } }, { inherited.excluded.contains($0) }
    )
    handedOn = Set(properties.filter { $0.owner == nil && isInherited($0) }.map(\.name)).union(excluded.filter(isExcludedAbove))
    properties.removeAll(where: isInherited)
    excluded.removeAll(where: isExcludedAbove)
    if includedOnly == inherited.includedOnly { includedOnly = nil }
  }
}

extension ArchiveRules {
  /// Names have to tell types from each other.
  func checkNames(of type: Any.Type) throws {
    if name?.isEmpty ?? false || formerNames.contains("") {
      throw ArchiveError.invalidRules(type, nil, "an archive name is empty; leave it out for the qualified Swift name")
    }
  }

  /// Whether nothing was changed: a class that does not override the rules has those of its superclass.
  fileprivate func isSame(as other: ArchiveRules) -> Bool {
    name == other.name && formerNames == other.formerNames && version == other.version && excluded == other.excluded
      && includedOnly == other.includedOnly && cases.count == other.cases.count && (unknownCase == nil) == (other.unknownCase == nil)
      && properties.count == other.properties.count
      && zip(properties, other.properties).allSatisfy { $0.isSame(as: $1) }
      && subclasses.map { ObjectIdentifier($0) } == other.subclasses.map { ObjectIdentifier($0) }
  }
}
