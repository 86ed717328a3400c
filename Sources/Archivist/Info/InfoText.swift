import ArchiveFormat
import MirrorArchive

/// What is known of an archive, for people.
struct InfoText {
  private let info: ArchiveInfo
  private let style: Style
  private let showsAll: Bool
  private static let columnLimit = 40

  init(_ info: ArchiveInfo, _ style: Style, showsAll: Bool) {
    self.info = info
    self.style = style
    self.showsAll = showsAll
  }

  func write(to output: Output) throws {
    try summary(output)
    try types(output)
    try parts(output)
    try columns(output)
  }

  private func heading(_ text: String) -> String { style.paint(text, .heading) }

  private func safe(_ text: String, _ role: Style.Role) -> String { style.paint(Text.safe(text), role) }

  private func type(_ type: TypeID) -> String { safe(info.types.describe(type), .type) }

  private func summary(_ output: Output) throws {
    let layout = info.layout
    let format = "version \(layout.formatVersion), for readers of version \(layout.minimumReaderVersion); flags: \(Flag.text(info.flags))"
    try output.write("\(heading("format"))   \(format)\n")
    try output.write("\(heading("size"))     \(Text.count(info.byteCount, "byte"))\n")
    try output.write("\(heading("objects"))  \(Text.grouped(info.objectCount)) in \(Text.count(layout.blocks.count, "block"))\n")
    let limit = showsAll ? Int.max : Self.columnLimit
    for (index, root) in layout.roots.prefix(limit).enumerated() {
      let title = index == 0 ? heading("roots") : "     "
      try output.write("\(title)    \(safe(root.key, .key)): \(type(root.type))\n")
    }
    if layout.roots.count > limit { try output.write("         … and \(Text.grouped(layout.roots.count - limit)) more\n") }
  }

  // MARK: Types

  private func types(_ output: Output) throws {
    try output.write("\n\(heading("types"))\n")
    for (index, entry) in info.types.entries.enumerated() {
      switch entry {
      case .object(let name, let version, let superclass, let properties):
        var text = "  class \(safe(name, .type))"
        if let superclass { text += ": \(type(superclass))" }
        text += Self.version(version)
        let count = info.objectCounts[index]
        if count > 0 {
          text += " - \(Text.count(count, "object")), \(Text.count(info.blockByteCounts[index], "byte"))"
        }
        try output.write(text + "\n")
        try members(properties, output)
      case .structure(let name, let version, let fields):
        try output.write("  struct \(safe(name, .type))\(Self.version(version))\n")
        try members(fields, output)
      case .enumeration(let name, let version, let cases):
        try output.write("  enum \(safe(name, .type))\(Self.version(version))\n")
        for one in cases {
          let payload = one.payload.map { "(\(type($0)))" } ?? ""
          try output.write("    case \(safe(one.name, .key))\(payload)\(Self.rawValue(one.rawValue))\n")
        }
      default: break
      }
    }
  }

  private static func version(_ version: UInt64) -> String { version == 0 ? "" : " (version \(version))" }

  private static func rawValue(_ value: EnumCase.RawValue?) -> String {
    switch value {
    case nil: ""
    case .text(let text)?: " = \(Text.quoted(text, limit: 60))"
    case .integer(let number)?: " = \(number)"
    case .floating(let number)?: " = \(number)"
    }
  }

  private func members(_ members: [Property], _ output: Output) throws {
    for member in members { try output.write("    \(safe(member.key, .key)): \(type(member.type))\n") }
  }

  // MARK: Bytes

  private func parts(_ output: Output) throws {
    try output.write("\n\(heading("where the bytes are"))\n")
    var rows = info.parts.sorted { $0.byteCount > $1.byteCount }.map { part in
      [Text.grouped(part.byteCount), share(part.byteCount), Self.name(part.part)]
    }
    rows.insert(["bytes", "share", "part"], at: 0)
    try write(rows, rightAligned: 2, to: output)
  }

  static func name(_ part: Part) -> String {
    switch part {
    case .head: "head"
    case .types: "types"
    case .pools: "strings that repeat"
    case .tables: "tables of objects and roots"
    case .roots: "roots"
    case .blocks: "objects"
    case .filling: "filling"
    case .seal: "checksums"
    }
  }

  private func columns(_ output: Output) throws {
    try output.write("\n\(heading("properties and roots"))\n")
    var rows = [["bytes", "share", "rows", "bytes/row", "property", "stored as"]]
    let limit = showsAll ? Int.max : Self.columnLimit
    for column in info.columns.prefix(limit) {
      let name = "\(safe(info.name(column.column), .key)): \(type(column.type))"
      rows.append([
        Text.grouped(column.byteCount), share(column.byteCount), Text.grouped(column.rowCount),
        Self.ratio(column.byteCount, column.rowCount), name, showsAll ? "" : storage(column),
      ])
      guard showsAll else { continue }
      for storage in column.storage {
        let part = storage.part.isEmpty ? "values" : Text.safe(storage.part)
        rows.append([
          Text.grouped(storage.byteCount), share(storage.byteCount), "", "", "  \(part)",
          "\(storage.encoding.rawValue)\(Self.times(storage.chunkCount))",
        ])
      }
    }
    try write(rows, rightAligned: 4, to: output)
    if info.columns.count > limit {
      try output.write("  … and \(Text.grouped(info.columns.count - limit)) more: --all shows them\n")
    }
  }

  /// The encodings of a column that take the most bytes.
  private func storage(_ column: ArchiveInfo.ColumnInfo) -> String {
    var texts = column.storage.prefix(3).map { storage in
      let part = storage.part.isEmpty ? "" : "\(Text.safe(storage.part)) "
      return "\(part)\(storage.encoding.rawValue)\(Self.times(storage.chunkCount))"
    }
    if column.storage.count > 3 { texts.append("…") }
    return texts.joined(separator: "; ")
  }

  private static func times(_ count: Int) -> String { count == 1 ? "" : " ×\(Text.grouped(count))" }

  /// In percent of the archive, with one decimal.
  private func share(_ byteCount: Int) -> String { Self.decimal(byteCount * 1_000 / max(1, info.byteCount)) + " %" }

  private static func ratio(_ bytes: Int, _ rows: Int) -> String { rows == 0 ? "" : decimal(bytes * 10 / rows) }

  private static func decimal(_ tenths: Int) -> String { "\(Text.grouped(tenths / 10)).\(tenths % 10)" }

  /// Writes a table whose first columns are numbers.
  private func write(_ rows: [[String]], rightAligned: Int, to output: Output) throws {
    let count = rows.first?.count ?? 0
    let widths = (0..<count).map { index in min(rows.map { Self.width($0[index]) }.max() ?? 0, 60) }
    for (number, row) in rows.enumerated() {
      var line = " "
      for index in 0..<count {
        let blanks = String(repeating: " ", count: max(0, widths[index] - Self.width(row[index])))
        line += index < rightAligned ? " \(blanks)\(row[index])" : "  \(row[index])\(index == count - 1 ? "" : blanks)"
      }
      while line.last == " " { line.removeLast() }
      try output.write("\(number == 0 ? style.paint(line, .faint) : line)\n")
    }
  }

  /// How many characters a terminal shows.
  private static func width(_ text: String) -> Int {
    var count = 0
    var isColor = false
    for character in text {
      if character == "\u{1B}" { isColor = true }
      if !isColor { count += 1 }
      if character == "m" { isColor = false }
    }
    return count
  }
}
