import Foundation
import MirrorArchive
import Testing

@Suite("Archives in files")
struct ArchiveToFileTests {
  final class Note: MirrorCoding {
    var text = ""
    var next: Note?
  }
  final class Tap: MirrorCoding { var onTap: () -> Void = {} }
  class Shape: MirrorCoding {}
  final class Circle: Shape { var radius = 1.0 }

  let directory: TemporaryDirectory
  init() throws { directory = try TemporaryDirectory() }

  private func url(_ name: String) -> URL { URL(fileURLWithPath: directory.file(name)) }

  @Test("A file has the bytes of the archive", arguments: [[], .durable] as [KeyedArchiver.WritingOptions])
  func contents(options: KeyedArchiver.WritingOptions) throws {
    let note = Note()
    note.text = "first"
    note.next = note
    defer { note.next = nil }
    try KeyedArchiver.archive(note, to: url("note"), options: options)
    let data = try Data(contentsOf: url("note"))
    #expect(try data == KeyedArchiver.archivedData(withRootObject: note))
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Note.self, from: data)
    #expect(read.text == "first" && read.next === read)
    read.next = nil
    #expect(try directory.contents() == ["note"])
  }

  @Test("Names with spaces, percent signs and other letters are taken as they are", arguments: ["a b", "100%", "a%20b", "ä/ü", "#?;&"])
  func names(name: String) throws {
    if name.contains("/") { try FileManager.default.createDirectory(at: url("ä"), withIntermediateDirectories: false) }
    try KeyedArchiver.archive([1, 2], to: url(name))
    #expect(try KeyedUnarchiver.unarchivedObject(of: [Int].self, from: Data(contentsOf: url(name))) == [1, 2])
  }

  @Test("A URL relative to another one is that file") func relativeURL() throws {
    try KeyedArchiver.archive(5, to: URL(fileURLWithPath: "file", relativeTo: URL(fileURLWithPath: directory.path, isDirectory: true)))
    #expect(try directory.contents() == ["file"])
  }

  @Test("The admitted types and the security of the call are those of archivedData") func parameters() throws {
    let shapes: [Shape] = [Circle()]
    expectRefusal(.typeNotAllowed) { try KeyedArchiver.archive(shapes, to: url("file")) }
    #expect(try directory.contents().isEmpty)
    try KeyedArchiver.archive(shapes, to: url("file"), allowing: [Circle.self])
    #expect(try Data(contentsOf: url("file")) == KeyedArchiver.archivedData(withRootObject: shapes, allowing: [Circle.self]))
    try KeyedArchiver.archive(shapes, to: url("file"), requiringSecureCoding: false)
  }

  @Test("A failed encode touches no file") func failedEncode() throws {
    try KeyedArchiver.archive("old", to: url("file"))
    expectRefusal(.unsupportedType) { try KeyedArchiver.archive(Tap(), to: url("file")) }
    #expect(try KeyedUnarchiver.unarchivedObject(of: String.self, from: Data(contentsOf: url("file"))) == "old")
    #expect(try directory.contents() == ["file"])
  }

  @Test("What is no file URL is refused") func foreignURL() throws {
    for text in ["https://example.org/file", "file:///tmp/a%00b", "mailto:a@example.org"] {
      let url = try #require(URL(string: text))
      expectRefusal(.fileError, naming: [text]) { try KeyedArchiver.archive(5, to: url) }
    }
    expectRefusal(.fileError, naming: ["is a directory"]) {
      try KeyedArchiver.archive(5, to: URL(fileURLWithPath: directory.path, isDirectory: true))
    }
  }
}
