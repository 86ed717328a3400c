package import ArchiveFormat

/// Makes the value that it is shown.
package struct ValueBuilder: ValueVisitor {
  /// The value; nil as long as it is not whole.
  package private(set) var made: ArchiveValue?
  private let table: ArchiveType.Table
  /// The parts of the values that have begun.
  private var open: [[ArchiveValue]] = []

  package init(_ types: TypeTable) { table = ArchiveType.Table(types) }

  init(_ table: ArchiveType.Table) { self.table = table }

  private mutating func add(_ value: ArchiveValue) {
    if open.isEmpty { made = value } else { open[open.count - 1].append(value) }
  }

  package mutating func scalar(_ value: ArchiveValue) { add(value) }

  package mutating func null(inside levels: Int) { add((0..<levels).reduce(.null) { value, _ in .present(value) }) }

  package mutating func begin(_ node: ValueNode, count: Int) -> Int {
    open.append([])
    return count
  }

  package mutating func part(_ index: Int, of node: ValueNode) {}

  package mutating func entryValue() {}

  package mutating func end(_ node: ValueNode, omitted: Int) {
    guard let parts = open.popLast() else { return }
    func fields(_ members: [Property]) -> [ArchiveValue.Field] { zip(members, parts).map { ArchiveValue.Field($0.key, $1) } }
    switch node {
    case .array: add(.array(parts))
    case .set: add(.set(parts))
    case .inlineArray: add(.inlineArray(parts))
    case .dictionary:
      add(.dictionary(stride(from: 0, to: parts.count - 1, by: 2).map { ArchiveValue.Entry(parts[$0], parts[$0 + 1]) }))
    case .constant: add(parts.first ?? .constant)
    case .tuple(let members): add(.tuple(fields(members)))
    case .structure(let name, let version, let members):
      add(.structure(ArchiveValue.Structure(name: name, version: version, fields: fields(members))))
    case .enumeration(let name, let version, let one, let index):
      add(
        .enumeration(
          ArchiveValue.Enumeration(
            name: name, version: version, caseName: one.name, caseIndex: index, payload: parts.first,
            rawValue: one.rawValue.map { ArchiveValue($0) })))
    case .any(let type): add(.any(ArchiveValue.Typed(parts.first ?? .void, ArchiveType(type, in: table))))
    case .record(let members):
      add(
        .container(
          zip(members, parts).map { member, part in
            let key = member.key == RecordShape.mark ? nil : RecordShape.key(of: member.key)
            return ArchiveValue.Member(key, part, ArchiveType(member.type, in: table))
          }))
    }
  }
}
