import ArchiveFormat
import Foundation
import MirrorArchive
import archivist

/// What the inspector finds in bytes, without a process of its own.
enum Inspected {
  /// All of it as JSON.
  static func json(_ data: Data, _ bounds: InspectBounds = InspectBounds()) throws -> String {
    let output = Output.memory()
    try unsafe data.withUnsafeBytes { bytes in
      let archive = unsafe try ArchiveCursor(bytes)
      var json = InspectJSON(archive, flags: unsafe bytes[4], output, bounds)
      try json.write()
    }
    return output.text
  }

  /// All of it as a tree.
  static func tree(_ data: Data, _ bounds: InspectBounds = InspectBounds(depth: 8, limit: 20)) throws -> String {
    let output = Output.memory()
    try unsafe data.withUnsafeBytes { bytes in
      var tree = InspectTree(unsafe try ArchiveCursor(bytes), output, Style(isColored: false), bounds)
      try tree.write()
    }
    return output.text
  }

  /// All values, read through cursors.
  static func values(_ data: Data) throws -> (roots: [ArchiveValue], objects: [Int: [ArchiveValue]]) {
    try unsafe data.withUnsafeBytes { bytes in
      let archive = unsafe try ArchiveCursor(bytes)
      var objects: [Int: [ArchiveValue]] = [:]
      for (block, header) in archive.layout.blocks.enumerated() {
        for row in 0..<header.count {
          let number = block << 10 | row
          let count = try archive.objectClass(of: number).properties.count
          objects[number] = try (0..<count).map { try value(try archive.property($0, of: number), archive.types) }
        }
        try archive.checkEnd(ofBlock: block)
      }
      let roots = try archive.layout.roots.indices.map { try value(try archive.root($0), archive.types) }
      return (roots, objects)
    }
  }

  static func value(_ place: ValuePlace, _ types: TypeTable) throws -> ArchiveValue {
    var builder = ValueBuilder(types)
    try place.visit(&builder)
    return builder.made ?? .void
  }
}

/// Makes the value that it is shown.
struct ValueBuilder: ValueVisitor {
  private(set) var made: ArchiveValue?
  private let table: TypeTable
  private var open: [[ArchiveValue]] = []
  private var types: [ArchiveType] = []

  init(_ types: TypeTable) { table = types }

  private mutating func add(_ value: ArchiveValue) {
    if open.isEmpty { made = value } else { open[open.count - 1].append(value) }
  }

  mutating func scalar(_ value: ArchiveValue) { add(value) }

  mutating func null(inside levels: Int) { add((0..<levels).reduce(.null) { value, _ in .present(value) }) }

  mutating func begin(_ node: ValueNode, count: Int) -> Int {
    open.append([])
    return count
  }

  mutating func part(_ index: Int, of node: ValueNode) {}

  mutating func entryValue() {}

  mutating func end(_ node: ValueNode, omitted: Int) {
    let parts = open.removeLast()
    func fields(_ members: [Property]) -> [ArchiveValue.Field] { zip(members, parts).map { ArchiveValue.Field($0.key, $1) } }
    switch node {
    case .array: add(.array(parts))
    case .set: add(.set(parts))
    case .inlineArray: add(.inlineArray(parts))
    case .dictionary:
      add(.dictionary(stride(from: 0, to: parts.count, by: 2).map { ArchiveValue.Entry(parts[$0], parts[$0 + 1]) }))
    case .constant: add(parts.first ?? .constant)
    case .tuple(let members): add(.tuple(fields(members)))
    case .structure(let name, let version, let members):
      add(.structure(ArchiveValue.Structure(name: name, version: version, fields: fields(members))))
    case .enumeration(let name, let version, let one, let index):
      let raw: ArchiveValue? =
        switch one.rawValue {
        case .text(let text)?: .string(text)
        case .integer(let number)?: .int(number)
        case .floating(let number)?: .double(number)
        case nil: nil
        }
      add(
        .enumeration(
          ArchiveValue.Enumeration(
            name: name, version: version, caseName: one.name, caseIndex: index, payload: parts.first, rawValue: raw)))
    case .any(let type): add(.any(ArchiveValue.Typed(parts.first ?? .void, ArchiveType(type, of: table))))
    case .record(let members):
      add(
        .container(
          zip(members, parts).map { member, part in
            let key = member.key == "\0" ? nil : member.key.utf8.first == 0 ? String(member.key.unicodeScalars.dropFirst()) : member.key
            return ArchiveValue.Member(key, part, ArchiveType(member.type, of: table))
          }))
    }
  }
}
