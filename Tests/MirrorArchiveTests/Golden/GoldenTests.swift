import ArchiveFormat
import ArchiveFuzzing
import Foundation
import MirrorArchive
import Testing

/// Archives of format version 1 as they were written once: whatever is built later has to read them.
///
/// With `MIRROR_ARCHIVE_WRITE_GOLDEN=1` in the environment those that are missing are written beside the tests, and never one that is there.
@Suite("Golden archives")
struct GoldenTests {
  private static let isWriting = ProcessInfo.processInfo.environment["MIRROR_ARCHIVE_WRITE_GOLDEN"] != nil

  private func file(_ name: String, _ ending: String) throws -> Data {
    let url = Bundle.module.url(forResource: name, withExtension: ending, subdirectory: "Fixtures/Golden")
    return try Data(contentsOf: #require(url, "there is no \(name).\(ending) among the golden archives"))
  }

  @Test("Every golden archive is read with the right values", .disabled(if: isWriting), arguments: GoldenArchive.all)
  func values(golden: GoldenArchive) throws {
    #expect(try golden.isRight(file(golden.name, "bin")))
  }

  @Test("What an archive holds is what stands in the text beside it", .disabled(if: isWriting), arguments: GoldenArchive.all)
  func dump(golden: GoldenArchive) throws {
    let text = try GoldenDump(file(golden.name, "bin")).text
    let expected = String(decoding: try file(golden.name, "txt"), as: UTF8.self)
    for (number, (line, right)) in zip(text.split(separator: "\n"), expected.split(separator: "\n")).enumerated() where line != right {
      Issue.record("line \(number + 1) without empty ones: \(line)\ninstead of \(right)")
      break
    }
    #expect(text.utf8.count == expected.utf8.count)
  }

  @Test("What is written today is read with the right values, too", arguments: GoldenArchive.all) func today(golden: GoldenArchive) throws {
    #expect(try golden.isRight(golden.make()))
  }

  @Test("The golden archives use every encoding and every kind of entry of the format", .disabled(if: isWriting)) func coverage() throws {
    var seen = Coverage()
    for golden in GoldenArchive.all { try seen.add(file(golden.name, "bin")) }
    #expect(Coverage.everything.subtracting(seen.found).sorted() == [])
  }

  @Test("Missing golden archives are written, and none is overwritten", .enabled(if: isWriting)) func write() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/Golden")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var seen = Coverage()
    for golden in GoldenArchive.all {
      let (archive, text) = (folder.appending(path: golden.name + ".bin"), folder.appending(path: golden.name + ".txt"))
      if FileManager.default.fileExists(atPath: archive.path) {
        try seen.add(Data(contentsOf: archive))
        continue
      }
      let data = try golden.make()
      #expect(try golden.isRight(data))
      try seen.add(data)
      try data.write(to: archive, options: .withoutOverwriting)
      try Data(GoldenDump(data).text.utf8).write(to: text, options: .withoutOverwriting)
    }
    #expect(Coverage.everything.subtracting(seen.found).sorted() == [])
  }
}

/// Which parts of the format archives use, as far as their tables and their framed columns tell.
struct Coverage {
  private(set) var found: Set<String> = []

  static let everything: Set<String> = Set(
    (0...7).map { "integers \($0)" } + (0...2).map { "truth values \($0)" } + (0...2).map { "doubles \($0)" }
      + (0...1).flatMap { ["floats \($0)", "fixed width \($0)", "strings \($0)"] }
      + [
        "byte strings 0", "optional", "array", "set", "dictionary", "inline array", "tuple", "structure", "enumeration", "class",
        "superclass", "record", "Any", "simple", "not simple", "string pools", "two blocks of a class", "versions", "payload",
        "raw names", "raw texts", "raw indexes", "raw numbers", "raw doubles",
      ])

  mutating func add(_ data: Data) throws {
    found.insert(data[data.startIndex + 4] & 1 == 0 ? "not simple" : "simple")
    if data[data.startIndex + 4] & 2 != 0 { found.insert("string pools") }
    let bytes = [UInt8](data)
    try unsafe bytes.withUnsafeBytes { buffer in
      let layout = try unsafe ArchiveLayout(parsing: buffer)
      for entry in layout.types.entries { add(entry) }
      if Dictionary(grouping: layout.blocks, by: \.type.rawValue).values.contains(where: { $0.count > 1 }) {
        found.insert("two blocks of a class")
      }
      for (block, reader) in zip(layout.blocks, layout.blockReaders) where block.count >= 8 {
        var reader = reader
        for type in Self.columns(of: block.type, layout.types) {
          let length = try reader.readCount()
          let column = unsafe try reader.readBytes(length)
          if let first = unsafe column.first { add(type, encoding: first) }
        }
      }
    }
  }

  private static func columns(of type: TypeID, _ types: TypeTable) -> [TypeID] {
    guard case .object(_, _, let superclass, let properties)? = types[type] else { return [] }
    return (superclass.map { columns(of: $0, types) } ?? []) + properties.map(\.type)
  }

  private mutating func add(_ type: TypeID, encoding: UInt8) {
    switch type {
    case .bool: found.insert("truth values \(encoding)")
    case .int, .int16, .int32, .reference: found.insert("integers \(encoding)")
    case .double: found.insert("doubles \(encoding)")
    case .float: found.insert("floats \(encoding)")
    case .uuid, .decimal: found.insert("fixed width \(encoding)")
    case .string: found.insert("strings \(encoding)")
    case .data: found.insert("byte strings \(encoding)")
    default: break
    }
  }

  private mutating func add(_ entry: TypeEntry) {
    switch entry {
    case .optional: found.insert("optional")
    case .array(let element):
      found.insert("array")
      if element == .any { found.insert("Any") }
    case .set: found.insert("set")
    case .dictionary: found.insert("dictionary")
    case .inlineArray: found.insert("inline array")
    case .tuple: found.insert("tuple")
    case .structure(_, let version, _):
      found.insert("structure")
      if version > 0 { found.insert("versions") }
    case .enumeration(_, _, let cases):
      found.insert("enumeration")
      if cases.contains(where: { $0.payload != nil }) { found.insert("payload") }
      for (index, one) in cases.enumerated() {
        switch one.rawValue {
        case .text(let text): found.insert(text == one.name ? "raw names" : "raw texts")
        case .integer(let number): found.insert(number == index ? "raw indexes" : "raw numbers")
        case .floating: found.insert("raw doubles")
        case nil: break
        }
      }
    case .object(_, _, let superclass, let properties):
      found.insert("class")
      if superclass != nil { found.insert("superclass") }
      if properties.contains(where: { $0.type == .record }) { found.insert("record") }
      if properties.contains(where: { $0.type == .any }) { found.insert("Any") }
    }
  }
}
