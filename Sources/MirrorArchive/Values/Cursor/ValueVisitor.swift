package import ArchiveFormat

/// A value that is made of others.
package enum ValueNode {
  case array
  case set
  case inlineArray
  /// Its parts are its entries.
  case dictionary
  /// A `let`, which has a part if its value has to be restored.
  case constant
  case tuple([Property])
  case structure(name: String, version: UInt64, [Property])
  /// Its only part is the payload.
  case enumeration(name: String, version: UInt64, EnumCase, index: Int)
  /// Its only part is the value.
  case any(TypeID)
  /// What hand-written coding has stored; the keys are those of the archive, see `RecordShape`.
  case record([Property])
}

/// Is told what a value is made of, from its beginning to its end, without ever holding more of it than it wants to.
package protocol ValueVisitor {
  /// A value without parts.
  mutating func scalar(_ value: ArchiveValue) throws
  /// The nil of an Optional that is in so many others, each of which is there.
  mutating func null(inside levels: Int) throws
  /// A value with parts begins.
  ///
  /// - Returns: How many of its parts are wanted, from the first one on. Their bytes alone are looked at.
  mutating func begin(_ node: ValueNode, count: Int) throws -> Int
  /// A part of it follows; of a dictionary the key of an entry.
  mutating func part(_ index: Int, of node: ValueNode) throws
  /// The key of an entry is over, and its value follows.
  mutating func entryValue() throws
  /// The value is over.
  ///
  /// - Parameter omitted: How many parts were not wanted.
  mutating func end(_ node: ValueNode, omitted: Int) throws
}
