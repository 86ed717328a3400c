import ArchiveReflection

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One stored property with all that rules say about it.
struct RuledProperty {
  /// As it is planned: of the type that the program declares, also where a wrapper holds it.
  var field: Field
  /// The name as it is written in the program.
  let name: String
  /// The storage of a ``Transient`` property.
  let transient: (any TransientStorage.Type)?
  /// Whether a ``Key`` gives the keys.
  let isKeyed: Bool
  /// What the rules of its class, and of subclasses, come to.
  var rule: PropertyRule?
  /// Neither written nor read.
  var isExcluded: Bool
  /// The default of the rule, in the form of the property.
  var defaultValue: PropertyDefault?

  init(_ declared: Field, name: String) {
    var field = declared
    // The storage of the wrapper lies in memory as its one property does.
    if let storage = field.type as? any KeyStorage.Type { field.type = storage.valueType }
    isKeyed = field.type != declared.type
    self.field = field
    self.name = name
    transient = field.type as? any TransientStorage.Type
    isExcluded = transient != nil
  }

  var key: String { rule?.key ?? name }
  var formerKeys: [String] { rule?.formerKeys ?? [] }
  /// The declared type.
  var type: Any.Type { transient?.valueType ?? field.type }

  /// The rule where it has to do with values, and not only with keys.
  var valueRule: PropertyRule? {
    guard let rule, rule.defaultValue != nil || rule.usesDefaultForUnknownCases || !rule.conversions.isEmpty else { return nil }
    return rule
  }
}

/// A default in the form of one property.
struct PropertyDefault: Sendable {
  let maker: any DefaultMaking
  /// The property is an Optional of what is made.
  let asOptional: Bool

  /// - Returns: nil if the default is of another type than `type` and than what `type` is an Optional of.
  init?(_ value: DefaultValue, for type: Any.Type) {
    maker = value.maker
    if Self.fits(maker.type, type) {
      asOptional = false
    } else if let wrapped = (type as? any OptionalType.Type)?.wrappedType, Self.fits(maker.type, wrapped) {
      asOptional = true
    } else {
      return nil
    }
  }

  /// A reference to an object of a subclass is one to an object of the class.
  private static func fits(_ type: Any.Type, _ declared: Any.Type) -> Bool {
    if type == declared { return true }
    guard let type = type as? AnyClass, let declared = declared as? AnyClass else { return false }
    return isSubclass(type, of: declared)
  }

  /// Initialises memory of the property's type. Runs the program's expression.
  func initialize(_ p: UnsafeMutableRawPointer) { unsafe maker.initialize(p, asOptional: asOptional) }

  func initialize(_ rows: Rows) { unsafe rows.visit { _, p in unsafe initialize(p) } }

  /// Replaces the values of these rows.
  func assign(_ rows: Rows, _ witnesses: ValueWitnesses) {
    // SAFETY: the temporary memory is as large and as aligned as the type asks; its value is moved out.
    unsafe withUnsafeTemporaryAllocation(byteCount: max(witnesses.size, 1), alignment: witnesses.alignmentMask + 1) { memory in
      guard let value = memory.baseAddress else { return }
      unsafe rows.visit { _, p in
        unsafe initialize(value)
        unsafe witnesses.assignWithTake(p, value)
      }
    }
  }
}

extension PropertyRule {
  /// Whether a rule says the same as this one, as far as that can be told: closures are not looked into.
  func isSame(as other: PropertyRule) -> Bool {
    name == other.name && owner == other.owner && key == other.key && formerKeys == other.formerKeys
      && formerClasses == other.formerClasses && usesDefaultForUnknownCases == other.usesDefaultForUnknownCases
      && defaultValue?.maker.type == other.defaultValue?.maker.type && conversions.map(\.kind) == other.conversions.map(\.kind)
  }

  /// This rule, and where it says nothing the one that a superclass has for the property.
  func over(_ inherited: PropertyRule) -> PropertyRule {
    var merged = self
    merged.key = key ?? inherited.key
    merged.formerKeys += inherited.formerKeys.filter { !formerKeys.contains($0) }
    merged.formerClasses += inherited.formerClasses.filter { !formerClasses.contains($0) }
    merged.defaultValue = defaultValue ?? inherited.defaultValue
    merged.usesDefaultForUnknownCases = usesDefaultForUnknownCases || inherited.usesDefaultForUnknownCases
    merged.conversions += inherited.conversions
    return merged
  }

  /// Whether it is about anything but the default, which is all that a property outside the archive can have.
  var concernsArchive: Bool {
    key != nil || !formerKeys.isEmpty || !formerClasses.isEmpty || usesDefaultForUnknownCases || !conversions.isEmpty
  }
}

extension ArchiveConversion {
  /// Why the conversion cannot be for a property of this type, if that can be told from the type alone.
  func objection(to type: Any.Type) -> String? {
    let wrapped = (type as? any OptionalType.Type)?.wrappedType
    switch form {
    case .closure(let closure):
      let made = closure.valueType
      return made == type || made == wrapped ? nil : "its closure makes a \(made)"
    case .seconds:
      let target = wrapped ?? type
      let isFitting = target == Date.self || target is any Numeric.Type
      return isFitting ? nil : "seconds become dates, and dates numbers"
    case .wrapping:
      let target = wrapped ?? type
      return target is any ArrayLike.Type || target is any SetAlgebra.Type ? nil : "it makes arrays and sets"
    case .structAndClass:
      return (wrapped ?? type) is any ExactScalar.Type ? "it makes structs and objects" : nil
    }
  }

  /// What tells conversions from each other: the form, and the types of a closure.
  fileprivate struct Kind: Equatable {
    var form: Int
    var epoch = 0.0
    var types: [ObjectIdentifier] = []
  }

  fileprivate var kind: Kind {
    switch form {
    case .closure(let closure): Kind(form: 0, types: [ObjectIdentifier(closure.storedType), ObjectIdentifier(closure.valueType)])
    case .seconds(let epoch): Kind(form: 1, epoch: epoch)
    case .wrapping: Kind(form: 2)
    case .structAndClass: Kind(form: 3)
    }
  }
}
