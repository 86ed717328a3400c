/// A stored property, or an element of a tuple, whose key may then be empty.
package struct Property: Equatable, Sendable {
  package var key: String
  package var type: TypeID

  package init(key: String, type: TypeID) {
    self.key = key
    self.type = type
  }
}

/// A case of an enumeration.
package struct EnumCase: Equatable, Sendable {
  package var name: String
  /// The type of the associated value; several are a tuple.
  package var payload: TypeID?
  /// What the program's type says the case is as a plain value. All cases of an enumeration have one of the same kind, or none has.
  package var rawValue: RawValue?

  package init(name: String, payload: TypeID? = nil, rawValue: RawValue? = nil) {
    self.name = name
    self.payload = payload
    self.rawValue = rawValue
  }

  package enum RawValue: Equatable, Sendable {
    case text(String)
    case integer(Int64)
    case floating(Double)

    /// Numbers are compared bit by bit, as values of archives are: a NaN equals itself.
    package static func == (a: RawValue, b: RawValue) -> Bool {
      switch (a, b) {
      case (.text(let a), .text(let b)): a == b
      case (.integer(let a), .integer(let b)): a == b
      case (.floating(let a), .floating(let b)): a.bitPattern == b.bitPattern
      default: false
      }
    }
  }
}

/// The description of a type that is not a scalar.
package enum TypeEntry: Equatable, Sendable {
  case optional(TypeID)
  case array(TypeID)
  case set(TypeID)
  case dictionary(key: TypeID, value: TypeID)
  case inlineArray(TypeID, count: Int)
  case tuple([Property])
  case structure(name: String, version: UInt64, fields: [Property])
  case enumeration(name: String, version: UInt64, cases: [EnumCase])
  /// One level of a class: what it adds to its superclass. Objects have it, values refer to it by `TypeID.reference`.
  case object(name: String, version: UInt64, superclass: TypeID?, properties: [Property])

  /// Whether this describes a level of a class.
  package var isObject: Bool {
    if case .object = self { true } else { false }
  }
}
