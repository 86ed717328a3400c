import ArchiveReflection

/// What the rules of an enum come to.
struct EnumRules {
  /// The names of one case in archives.
  struct Case {
    var key: String
    var formerKeys: [String]
  }

  private(set) var cases: [Case]
  private(set) var version: UInt64 = 0
  /// What stands for cases that the program does not have.
  private(set) var unknownCase: PropertyDefault?

  init(_ shape: EnumShape) throws {
    cases = shape.cases.map { Case(key: $0.name, formerKeys: []) }
    guard let type = shape.type as? any Archivable.Type else { return }
    let rules = type.archiveRules
    try rules.checkNames(of: type)
    version = rules.version ?? 0
    if let rule = rules.properties.first {
      throw ArchiveError.invalidRules(type, rule.name, "an enum has no properties; use cases: [CaseRule(...)]")
    }
    if !rules.excluded.isEmpty || rules.includedOnly != nil {
      throw ArchiveError.invalidRules(type, nil, "an enum has no properties to exclude or include")
    }
    try apply(rules.cases, to: shape)
    if let value = rules.unknownCase {
      guard value.maker.type == shape.type, let unknownCase = PropertyDefault(value, for: shape.type) else {
        throw ArchiveError.invalidRules(
          type, nil, "unknownCase is of type \(value.maker.type); it has to be a \(Reflection.unqualifiedName(of: shape.type))")
      }
      self.unknownCase = unknownCase
    }
  }

  private mutating func apply(_ rules: [CaseRule], to shape: EnumShape) throws {
    let names = shape.cases.map(\.name)
    var ruled: Set<String> = []
    for rule in rules {
      let places = names.indices.filter { names[$0] == rule.name }
      guard let place = places.first else {
        throw ArchiveError.invalidRules(
          shape.type, rule.name, "there is no case '\(rule.name)'; " + NearMiss.advice(for: rule.name, among: names, "cases"))
      }
      if places.count > 1 {
        throw ArchiveError.invalidRules(
          shape.type, rule.name,
          "several cases are called '\(rule.name)' and go by their order in archives; they can't have other names there")
      }
      if !ruled.insert(rule.name).inserted {
        throw ArchiveError.invalidRules(shape.type, rule.name, "there are two rules for '\(rule.name)'; make one of them")
      }
      if rule.key?.isEmpty ?? false || rule.formerKeys.contains("") {
        throw ArchiveError.invalidRules(shape.type, rule.name, "a key of '\(rule.name)' is empty; leave it out for the name of the case")
      }
      cases[place] = Case(key: rule.key ?? rule.name, formerKeys: rule.formerKeys)
    }
    if ruled.isEmpty { return }
    var owners: [String: String] = [:]
    for (name, one) in zip(names, cases) {
      if let other = owners.updateValue(name, forKey: one.key), other != name {
        throw ArchiveError.invalidRules(
          shape.type, name, "'\(name)' and '\(other)' have the same key '\(one.key)'; give one of them another key")
      }
    }
    for (name, one) in zip(names, cases) {
      for former in Set(one.formerKeys) where former != one.key {
        if let other = owners.updateValue(name, forKey: former) {
          throw ArchiveError.invalidRules(shape.type, name, "the former key '\(former)' of '\(name)' is a key of '\(other)' as well")
        }
      }
    }
  }
}

/// Rules of classes that are coded by hand: they know no properties.
enum HandCodedRules {
  /// The version of a class, which a superclass may give.
  static func version(of type: any KeyedCoding.Type) throws -> UInt64 {
    let rules = type.archiveRules
    try rules.checkNames(of: type)
    let own = OwnRules(rules, over: (_getSuperclass(type as AnyClass) as? any Archivable.Type)?.archiveRules)
    if !own.properties.isEmpty || !own.excluded.isEmpty || own.includedOnly != nil || !own.cases.isEmpty || own.hasUnknownCase {
      throw ArchiveError.invalidRules(
        type, own.properties.first?.name,
        "a class that is coded by hand has no properties to rule; its init(coder:) and encode(with:) choose the keys")
    }
    var version = rules.version
    var next: AnyClass? = _getSuperclass(type as AnyClass)
    while version == nil, let superclass = next, let archivable = superclass as? any Archivable.Type {
      version = archivable.archiveRules.version
      next = _getSuperclass(superclass)
    }
    return version ?? 0
  }
}
