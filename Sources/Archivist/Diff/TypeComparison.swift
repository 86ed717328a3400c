import ArchiveFormat
import MirrorArchive

/// Compares what two archives say about types of the same name.
struct TypeComparison {
  private let old: TypeTable
  private let new: TypeTable

  init(_ old: TypeTable, _ new: TypeTable) {
    self.old = old
    self.new = new
  }

  /// A type by what it says: its parts by name.
  private struct Description: Equatable {
    var title: String
    var parts: [(name: String, text: String)]

    static func == (a: Description, b: Description) -> Bool {
      a.title == b.title && a.parts.elementsEqual(b.parts) { $0.name == $1.name && $0.text == $1.text }
    }
  }

  func run(_ report: (Difference) throws -> Void) throws {
    let (first, second) = (Self.descriptions(old), Self.descriptions(new))
    for name in first.names {
      let path = "type \(name)"
      guard let one = first.byName[name] else { continue }
      guard let other = second.byName[name] else {
        try report(Difference(path: path, change: .removed, old: one.title, new: nil))
        continue
      }
      if one == other { continue }
      if one.title != other.title { try report(Difference(path: path, change: .changed, old: one.title, new: other.title)) }
      try parts(one, other, path, report)
    }
    for name in second.names where first.byName[name] == nil {
      try report(Difference(path: "type \(name)", change: .added, old: nil, new: second.byName[name]?.title))
    }
  }

  private func parts(_ one: Description, _ other: Description, _ path: String, _ report: (Difference) throws -> Void) throws {
    let (old, new) = (Self.index(one), Self.index(other))
    for part in one.parts where old[part.name] == part.text {
      let text = new[part.name]
      if text == part.text { continue }
      try report(Difference(path: "\(path).\(part.name)", change: text == nil ? .removed : .changed, old: part.text, new: text))
    }
    for part in other.parts where old[part.name] == nil {
      try report(Difference(path: "\(path).\(part.name)", change: .added, old: nil, new: part.text))
    }
    let names = (one.parts.map(\.name), other.parts.map(\.name))
    if names.0 != names.1, Set(names.0) == Set(names.1) {
      let lists = (names.0.joined(separator: ", "), names.1.joined(separator: ", "))
      try report(Difference(path: "\(path), order", change: .changed, old: lists.0, new: lists.1))
    }
  }

  private static func index(_ description: Description) -> [String: String] {
    Dictionary(description.parts.map { ($0.name, $0.text) }) { first, _ in first }
  }

  /// The named types. One type may have two entries, one where it is declared and one where it stands in Any: the first counts.
  private static func descriptions(_ types: TypeTable) -> (names: [String], byName: [String: Description]) {
    var names: [String] = []
    var byName: [String: Description] = [:]
    for entry in types.entries {
      guard let (name, description) = description(entry, types), byName[name] == nil else { continue }
      names.append(name)
      byName[name] = description
    }
    return (names, byName)
  }

  private static func description(_ entry: TypeEntry, _ types: TypeTable) -> (String, Description)? {
    func members(_ members: [Property]) -> [(String, String)] { members.map { ($0.key, types.describe($0.type)) } }
    func version(_ version: UInt64) -> String { version == 0 ? "" : ", version \(version)" }
    switch entry {
    case .object(let name, let number, let superclass, let properties):
      let base = superclass.map { ": \(types.describe($0))" } ?? ""
      return (name, Description(title: "class\(base)\(version(number))", parts: members(properties)))
    case .structure(let name, let number, let fields):
      return (name, Description(title: "struct\(version(number))", parts: members(fields)))
    case .enumeration(let name, let number, let cases):
      let parts = cases.map { one in
        (one.name, "case" + (one.payload.map { "(\(types.describe($0)))" } ?? "") + (one.rawValue.map { " = \($0)" } ?? ""))
      }
      return (name, Description(title: "enum\(version(number))", parts: parts))
    default: return nil
    }
  }
}
