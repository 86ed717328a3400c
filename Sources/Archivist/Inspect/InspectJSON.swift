import ArchiveFormat
package import MirrorArchive

/// Writes all of an archive as JSON: a line for each type, root and object.
package struct InspectJSON {
  private let archive: ArchiveCursor
  private let flags: UInt8
  private let bounds: InspectBounds
  private let progress: (Int) -> Void
  private var visitor: JSONVisitor

  /// - Parameters:
  ///   - flags: Those of the archive's head.
  ///   - progress: Called with the number of the bytes that are done.
  package init(
    _ archive: ArchiveCursor, flags: UInt8, _ output: Output, _ bounds: InspectBounds, progress: @escaping (Int) -> Void = { _ in }
  ) {
    self.archive = archive
    self.flags = flags
    self.bounds = bounds
    self.progress = progress
    visitor = JSONVisitor(output, archive.types, bounds)
  }

  /// Whether everything in the archive is shown, so that nothing may be there that is not.
  private var isWhole: Bool { bounds.depth == .max && bounds.limit == .max }

  package mutating func write() throws {
    let layout = archive.layout
    let names = Flag.names.filter { flags & $0.flag != 0 }.map { "\"\($0.name)\"" }.joined(separator: ", ")
    try raw(
      "{\n  \"format\": {\"version\": \(layout.formatVersion), \"oldestReader\": \(layout.minimumReaderVersion), \"flags\": [\(names)]},\n")
    try raw("  \"byteCount\": \(layout.byteCount),\n  \"types\": [")
    try types()
    try raw("],\n  \"roots\": [")
    for (index, root) in layout.roots.enumerated() {
      try raw("\(index == 0 ? "" : ",")\n    {\"key\": ")
      try string(root.key)
      try raw(", \"type\": ")
      try string(visitor.names.text(root.type))
      try raw(", \"value\": ")
      try archive.root(index).visit(&visitor)
      if isWhole { try archive.checkEnd(ofRoot: index) }
      try raw("}")
    }
    try raw("\(layout.roots.isEmpty ? "" : "\n  ")],\n  \"objects\": [")
    try objects()
    if isWhole { try archive.checkPools() }
    try raw("]\n}\n")
    try visitor.writer.finish()
  }

  /// Writes one value; of a reference the object.
  package mutating func write(value place: ValuePlace) throws {
    if case .scalar(.reference(let number)) = try place.kind() {
      try object(number)
    } else {
      try place.visit(&visitor)
    }
    try raw("\n")
    try visitor.writer.finish()
  }

  package mutating func write(object number: Int) throws {
    try object(number)
    try raw("\n")
    try visitor.writer.finish()
  }

  private mutating func raw(_ text: String) throws { try visitor.writer.raw(text) }

  private mutating func string(_ text: String) throws { try visitor.writer.string(text) }

  // MARK: Types

  private mutating func types() throws {
    var isFirst = true
    for (index, entry) in archive.types.entries.enumerated() {
      switch entry {
      case .object(let name, let version, let superclass, let properties):
        try begin(index, "class", name, version, &isFirst)
        if let superclass {
          try raw(", \"superclass\": ")
          try string(visitor.names.text(superclass))
        }
        try members(properties)
      case .structure(let name, let version, let fields):
        try begin(index, "structure", name, version, &isFirst)
        try members(fields)
      case .enumeration(let name, let version, let cases):
        try begin(index, "enumeration", name, version, &isFirst)
        try self.cases(cases)
      default: continue
      }
      try raw("}")
    }
    if !isFirst { try raw("\n  ") }
  }

  private mutating func begin(_ index: Int, _ kind: String, _ name: String, _ version: UInt64, _ isFirst: inout Bool) throws {
    try raw("\(isFirst ? "" : ",")\n    {\"number\": \(TypeID(entry: index).rawValue), \"kind\": \"\(kind)\", \"name\": ")
    isFirst = false
    try string(name)
    if version != 0 { try raw(", \"version\": \(version)") }
  }

  private mutating func members(_ members: [Property]) throws {
    try raw(", \"properties\": [")
    for (index, member) in members.enumerated() {
      try raw(index == 0 ? "[" : ", [")
      try string(member.key)
      try raw(", ")
      try string(visitor.names.text(member.type))
      try raw("]")
    }
    try raw("]")
  }

  private mutating func cases(_ cases: [EnumCase]) throws {
    try raw(", \"cases\": [")
    for (index, one) in cases.enumerated() {
      try raw(index == 0 ? "[" : ", [")
      try string(one.name)
      if let payload = one.payload {
        try raw(", ")
        try string(visitor.names.text(payload))
      }
      try raw("]")
    }
    try raw("]")
    guard cases.first?.rawValue != nil else { return }
    try raw(", \"rawValues\": [")
    for (index, one) in cases.enumerated() {
      if index > 0 { try raw(", ") }
      switch one.rawValue {
      case .text(let text)?: try string(text)
      case .integer(let number)?: try raw(String(number))
      case .floating(let number)?: try visitor.scalar(.double(number))
      case nil: try raw("null")
      }
    }
    try raw("]")
  }

  // MARK: Objects

  private mutating func objects() throws {
    let counts = archive.layout.blocks.map(\.count)
    var rest = counts.reduce(0, +)
    var left = bounds.limit
    var isFirst = true
    for (block, count) in counts.enumerated() where left > 0 {
      progress(archive.layout.blockReaders[block].offset)
      for row in 0..<min(count, left) {
        try raw("\(isFirst ? "" : ",")\n    ")
        isFirst = false
        try object(block << 10 | row)
        rest -= 1
        left -= 1
      }
      if isWhole { try archive.checkEnd(ofBlock: block) }
    }
    if rest > 0 {
      try raw("\(isFirst ? "" : ",")\n    ")
      isFirst = false
      try visitor.writer.omitted(rest)
    }
    if !isFirst { try raw("\n  ") }
  }

  private mutating func object(_ number: Int) throws {
    let objectClass = try archive.objectClass(of: number)
    try raw("{\"number\": \(number), \"class\": ")
    try string(objectClass.name)
    try raw(", \"levels\": [")
    for (index, level) in objectClass.levels.enumerated() {
      try raw("\(index == 0 ? "" : ", "){\"class\": ")
      try string(level.name)
      try raw(", \"properties\": [")
      for property in level.properties {
        try raw(property == level.properties.lowerBound ? "[" : ", [")
        try string(objectClass.properties[property].key)
        try raw(", ")
        try archive.property(property, of: number).visit(&visitor)
        try raw("]")
      }
      try raw("]}")
    }
    try raw("]}")
  }
}
