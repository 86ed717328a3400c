import ArchiveFormat
import ArchiveReflection

extension GraphSession {
  /// Everything that did not fit so far, in the order of the archive.
  func makeReport() -> DecodingReport {
    var report = DecodingReport()
    report.droppedEntryCount = state.notices.dropped
    for (entry, reader) in readers.enumerated() {
      if let reader {
        if let type = typeEntry(entry, reader) { report.types.append(type) }
      } else if let facts = state.binder?.typeFacts[entry], let type = DecodingReport.TypeEntry(facts) {
        report.types.append(type)
      }
    }
    let paths = ObjectPaths(layout, readers)
    for (block, progress) in blocks.enumerated() {
      guard let reader = progress?.reader, reader.plan.type != UnknownObject.self, !reader.facts.isExact else { continue }
      describe(block, reader, paths, &report)
    }
    for reported in state.notices.reported {
      let (object, place, notice) = (reported.object, reported.place, reported.notice)
      report.add(
        DecodingReport.Entry(
          path: (object.map { paths.path(of: $0) } ?? "") + place, kind: DecodingReport.Kind(notice.kind), key: Self.key(of: place),
          message: notice.message, value: nil))
    }
    return report
  }

  private func typeEntry(_ entry: Int, _ reader: ClassReader) -> DecodingReport.TypeEntry? {
    guard case .object(let name, let version, _, _) = layout.types.entries[entry] else { return nil }
    if reader.plan.type == UnknownObject.self {
      return DecodingReport.TypeEntry(
        archivedName: name, currentName: nil, archivedVersion: version, currentVersion: 0, unknownKeys: [], defaultedKeys: [],
        convertedKeys: [])
    }
    let current = reader.plan.version
    if reader.facts.isExact && version == 0 && current == 0 { return nil }
    return DecodingReport.TypeEntry(
      archivedName: name, currentName: reader.plan.name, archivedVersion: version, currentVersion: current,
      unknownKeys: reader.facts.unknown.map(\.name), defaultedKeys: reader.facts.defaulted, convertedKeys: reader.facts.converted.map(\.key)
    )
  }

  private func describe(_ block: Int, _ reader: ClassReader, _ paths: ObjectPaths, _ report: inout DecodingReport) {
    let count = layout.blocks[block].count
    let perObject = reader.facts.unknown.count + reader.facts.defaulted.count + reader.facts.converted.count
    if report.entries.count >= DecodingReport.maximumEntryCount {
      report.droppedEntryCount += count * perObject
      return
    }
    // What cannot be read is reported without its value.
    let unknown = try? reader.unknownValues(count: count, in: layout.blockReaders[block], ArchiveValues(layout))
    for row in 0..<count {
      if report.entries.count + perObject > DecodingReport.maximumEntryCount {
        report.droppedEntryCount += perObject
        continue
      }
      let path = paths.path(of: block << 10 | row)
      func add(_ kind: DecodingReport.Kind, _ key: String, _ message: String, _ value: ArchiveValue? = nil) {
        report.add(DecodingReport.Entry(path: "\(path).\(key)", kind: kind, key: key, message: message, value: value))
      }
      for key in reader.facts.unknown {
        add(.unknownKey, key.key, "this program has no property for the archived '\(key.name)'", unknown?[row][key.name])
      }
      for key in reader.facts.defaulted { add(.defaulted, key, "the archive has no '\(key)'; it holds its default") }
      for it in reader.facts.converted { add(.converted, it.key, "the archived \(it.archived) has become a \(it.declared)") }
    }
  }

  /// The last key of a path.
  private static func key(of place: String) -> String {
    let component = place.split(separator: ".").last.map(String.init) ?? place
    return component.firstIndex(of: "[").map { String(component[..<$0]) } ?? component
  }
}

extension DecodingReport.TypeEntry {
  /// Nil for a type that fits.
  fileprivate init?(_ facts: ValueTypeFacts) {
    let isExact = facts.unknownKeys.isEmpty && facts.defaultedKeys.isEmpty && facts.convertedKeys.isEmpty
    if isExact && facts.archivedVersion == 0 && facts.currentVersion == 0 { return nil }
    self.init(
      archivedName: facts.archivedName, currentName: facts.currentName, archivedVersion: facts.archivedVersion,
      currentVersion: facts.currentVersion, unknownKeys: facts.unknownKeys, defaultedKeys: facts.defaultedKeys,
      convertedKeys: facts.convertedKeys.map(\.key))
  }
}

extension DecodingReport.Kind {
  fileprivate init(_ kind: Notice.Kind) {
    self =
      switch kind {
      case .altered: .altered
      case .keptDefault: .keptDefault
      case .unknownCase: .unknownCase
      case .leftOut: .leftOutObject
      case .keptUnknown: .keptUnknownObject
      }
  }
}
