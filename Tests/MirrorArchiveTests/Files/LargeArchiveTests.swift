import Foundation
import MirrorArchive
import Testing

/// One key of a large archive in a file costs what that key reaches.
@Suite("Large archives in files") struct LargeArchiveTests {
  final class Note: KeyedCoding {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "LargeArchiveTests.Note") }
    let text: String
    let next: Note?
    init(_ text: String, _ next: Note? = nil) { (self.text, self.next) = (text, next) }
    init(coder: KeyedUnarchiver) throws {
      text = try coder.decodeString(forKey: "text")
      next = try coder.decodeObjectIfPresent(of: Note.self, forKey: "next")
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(text, forKey: "text")
      try coder.encode(next, forKey: "next")
    }
  }
  final class Page: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "LargeArchiveTests.Page") }
    var bytes = Data()
    var notes: [Note] = []
  }

  /// 49 keys with a page each and a small one of the same classes, in a file of its own.
  private static func write(bytesPerPage: Int) throws -> URL {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("large-\(UUID().uuidString).archive")
    let archiver = KeyedArchiver()
    for key in 0..<49 {
      let page = Page()
      page.bytes = Data(repeating: UInt8(key), count: bytesPerPage)
      page.notes = [Note("\(key)")]
      try archiver.encode(page, forKey: "page\(key)")
    }
    try archiver.encode(Note("small", Note("behind it")), forKey: "small")
    try archiver.encodedData.write(to: url)
    return url
  }

  /// Bytes of memory that this process has in use.
  private static func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return (Int(text.split(separator: " ")[1]) ?? 0) * 4096
  }

  #if os(Linux)
    @Test("One small key of 100 MB brings less than 10 MB into memory") func memory() async throws {
      let url = try Self.write(bytesPerPage: 2_100_000)
      defer { try? FileManager.default.removeItem(at: url) }
      let size = try #require(try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int)
      #expect(size > 100_000_000)
      await #expect(processExitsWith: .success) { [path = url.path as String] in
        reported {
          let url = URL(fileURLWithPath: path)
          // What the first use of the library costs is not the archive's.
          _ = try KeyedUnarchiver.unarchivedObject(
            ofClass: LargeArchiveTests.Note.self, from: KeyedArchiver.archivedData(withRootObject: LargeArchiveTests.Note("first")))
          let before = try LargeArchiveTests.residentBytes()
          let note = try KeyedUnarchiver.unarchivedObject(of: LargeArchiveTests.Note.self, contentsOf: url, forKey: "small")
          let growth = try LargeArchiveTests.residentBytes() - before
          #expect(note.text == "small" && note.next?.text == "behind it")
          #expect(growth < 10_000_000, "\(growth) bytes")
        }
      }
    }
  #endif

  @Test("Damage elsewhere is not looked at, damage in the way is") func damage() throws {
    let url = try Self.write(bytesPerPage: 100_000)
    defer { try? FileManager.default.removeItem(at: url) }
    var data = try Data(contentsOf: url)
    // In the middle of the bytes of one page.
    let middle = try #require(data.range(of: Data(repeating: 20, count: 90_000))).lowerBound + 45_000
    data[middle] ^= 1
    try data.write(to: url)
    #expect(try KeyedUnarchiver.unarchivedObject(of: Note.self, contentsOf: url, forKey: "small").text == "small")
    #expect(try KeyedUnarchiver.unarchivedObject(of: Page.self, contentsOf: url, forKey: "page7").notes[0].text == "7")
    let error = #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver.unarchivedObject(of: Page.self, contentsOf: url, forKey: "page20")
    }
    #expect(error?.code == .corrupt)
    #expect(throws: ArchiveError.self) { try KeyedUnarchiver(forReadingFrom: data) }
  }

  @Test("Every key alone, and all of them in one unarchiver") func keys() throws {
    let url = try Self.write(bytesPerPage: 20_000)
    defer { try? FileManager.default.removeItem(at: url) }
    let all = try KeyedUnarchiver(forReadingFrom: url)
    #expect(all.allKeys.count == 50)
    for key in 0..<49 {
      let alone = try KeyedUnarchiver.unarchivedObject(of: Page.self, contentsOf: url, forKey: "page\(key)")
      let together = try all.decodeObject(of: Page.self, forKey: "page\(key)")
      for page in [alone, together] {
        #expect(page.bytes == Data(repeating: UInt8(key), count: 20_000) && page.notes.map(\.text) == ["\(key)"])
      }
    }
    #expect(try all.decodeObject(of: Note.self, forKey: "small").next?.text == "behind it")
  }
}
