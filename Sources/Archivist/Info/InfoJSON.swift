import ArchiveFormat
import MirrorArchive

/// What is known of an archive, for programs.
enum InfoJSON {
  static func text(_ info: ArchiveInfo) -> String {
    let names = TypeText(info.types)
    let flags = Flag.names.filter { info.flags & $0.flag != 0 }.map { JSON.string($0.name) }
    let format: JSON = .object([
      ("version", .number(Int(info.layout.formatVersion))), ("oldestReader", .number(Int(info.layout.minimumReaderVersion))),
      ("flags", .array(flags)),
    ])
    let roots = info.layout.roots.map { root -> JSON in
      .object([("key", .string(root.key)), ("type", .string(names.text(root.type)))])
    }
    let whole: JSON = .object([
      ("format", format), ("byteCount", .number(info.byteCount)), ("objectCount", .number(info.objectCount)),
      ("blockCount", .number(info.layout.blocks.count)), ("roots", .array(roots)), ("types", .array(types(info, names))),
      ("parts", .object(info.parts.map { ("\($0.part)", .number($0.byteCount)) })),
      ("columns", .array(info.columns.map { column(info, names, $0) })),
    ])
    return whole.text + "\n"
  }

  private static func types(_ info: ArchiveInfo, _ names: TypeText) -> [JSON] {
    info.types.entries.enumerated().compactMap { index, entry in
      let number = ("number", JSON.number(Int(TypeID(entry: index).rawValue)))
      switch entry {
      case .object(let name, let version, let superclass, let properties):
        var members: [(String, JSON)] = [number, ("kind", .string("class")), ("name", .string(name))]
        if version != 0 { members.append(("version", .unsigned(version))) }
        if let superclass { members.append(("superclass", .string(names.text(superclass)))) }
        members.append(("properties", pairs(properties, names)))
        members.append(("objectCount", .number(info.objectCounts[index])))
        members.append(("byteCount", .number(info.blockByteCounts[index])))
        return .object(members)
      case .structure(let name, let version, let fields):
        var members: [(String, JSON)] = [number, ("kind", .string("structure")), ("name", .string(name))]
        if version != 0 { members.append(("version", .unsigned(version))) }
        members.append(("properties", pairs(fields, names)))
        return .object(members)
      case .enumeration(let name, let version, let cases):
        var members: [(String, JSON)] = [number, ("kind", .string("enumeration")), ("name", .string(name))]
        if version != 0 { members.append(("version", .unsigned(version))) }
        let list = cases.map { one in
          JSON.array([.string(one.name)] + (one.payload.map { [.string(names.text($0))] } ?? []))
        }
        members.append(("cases", .array(list)))
        let raw = cases.compactMap { $0.rawValue.map(rawValue) }
        if !raw.isEmpty { members.append(("rawValues", .array(raw))) }
        return .object(members)
      default: return nil
      }
    }
  }

  private static func rawValue(_ value: EnumCase.RawValue) -> JSON {
    switch value {
    case .text(let text): .string(text)
    case .integer(let number): .literal("\(number)")
    case .floating(let number) where number.isFinite: .literal("\(number)")
    case .floating(let number):
      .object([("$float", .string(number.isNaN ? "nan:\(String(number.bitPattern, radix: 16))" : "\(number)"))])
    }
  }

  private static func pairs(_ members: [Property], _ names: TypeText) -> JSON {
    .array(members.map { .array([.string($0.key), .string(names.text($0.type))]) })
  }

  private static func column(_ info: ArchiveInfo, _ names: TypeText, _ column: ArchiveInfo.ColumnInfo) -> JSON {
    var members: [(String, JSON)]
    switch column.column {
    case .root(let index): members = [("root", .string(info.layout.roots[index].key))]
    case .property(let entry, let ordinal):
      members = [
        ("class", .string(info.types.name(ofEntry: entry) ?? "")), ("property", .string(info.property(entry, ordinal)?.key ?? "")),
      ]
    }
    members += [
      ("type", .string(names.text(column.type))), ("byteCount", .number(column.byteCount)), ("rowCount", .number(column.rowCount)),
    ]
    let storage = column.storage.map { one -> JSON in
      .object([
        ("part", .string(one.part)), ("encoding", .string(one.encoding.rawValue)), ("chunkCount", .number(one.chunkCount)),
        ("byteCount", .number(one.byteCount)),
      ])
    }
    return .object(members + [("storage", .array(storage))])
  }
}
