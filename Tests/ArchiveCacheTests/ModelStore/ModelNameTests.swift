import ArchiveCache
import Foundation
import MirrorArchive
import Testing

@Suite("Names of models")
struct ModelNameTests {
  static let names: [String] = [
    "a", "A", "aB", "Ab", "AB", "ab", "/", "//", ".", "..", "...", "a.", "a..", ".a", "\0", "a\0b", "a/b", "../../etc/passwd", "~", "-",
    "--rf",
    " ", "  ", "\n", "\r\n", "\t", "%", "%41", "%2", "+", "+a", "+A", "=", "==", "a=b", "CON", "con", "NUL", "nul.txt", "aux", "lpt1:",
    "backup", "a.backup", "a.backup.modelarchive", ".modelarchive", "a.modelarchive", ".modelstore-1.tmp", ".DS_Store", "é", "e\u{301}",
    "É",
    "ß", "SS", "ı", "I", "İ", "👨‍👩‍👧‍👦", "🏳️‍🌈", "日本語", "\u{202E}abc", "\u{FEFF}", "\u{10FFFF}", "a:b", "a\\b", "a*b?", "\"", "'", "$HOME", "`ls`",
    String(repeating: "a", count: 80), String(repeating: "a", count: 81), String(repeating: "a", count: 82),
    String(repeating: "A", count: 40),
    String(repeating: "A", count: 41), String(repeating: "é", count: 13), String(repeating: "é", count: 14),
    "a" + String(repeating: "é", count: 14),
    String(repeating: "aB", count: 60), String(repeating: "bB", count: 60), String(repeating: "/", count: 255),
    String(repeating: "👩‍👧", count: 500),
    String(repeating: "x", count: 1 << 20), String(repeating: "x", count: (1 << 20) - 1) + "y", String(repeating: "e\u{301}", count: 100),
    String(repeating: "é", count: 100), String(repeating: "k", count: 300), String(repeating: "K", count: 300),
  ]

  let scratch = ScratchStore()

  @Test("Every name is a model of its own, and the list has it as it was given") func torture() throws {
    let store = try scratch.store { $0.keepsBackups = true }
    for (index, name) in Self.names.enumerated() { try store.save(index, as: name) }
    for (index, name) in Self.names.enumerated() {
      let shown = String(name.prefix(100))
      #expect(try store.load(Int.self, as: name) == index, "\(shown)")
      try store.save(-index, as: name)
      try store.save("snapshot", dated: .now, as: name)
    }
    for (index, name) in Self.names.enumerated() {
      let shown = String(name.prefix(100))
      #expect(try store.load(Int.self, as: name) == -index, "\(shown)")
      #expect(try store.loadBackup(Int.self, as: name) == index, "\(shown)")
      #expect(try store.snapshots(of: name).count == 1, "\(shown)")
    }
    let sorted = Self.names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let entries = try store.list()
    #expect(entries.map { Array($0.name.utf8) } == sorted.map { Array($0.utf8) })
    #expect(entries.allSatisfy { $0.hasCurrentVersion && $0.hasBackup && $0.snapshotCount == 1 })
    // No file system has to tell upper from lower case, or one form of Unicode from another.
    let files = try scratch.contents()
    #expect(files.count == Self.names.count * 3)
    #expect(Set(files.map { $0.lowercased() }).count == files.count)
    #expect(files.allSatisfy { $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && $0.utf8.count <= 143 })
    #expect(files.allSatisfy { !$0.hasPrefix(".") && $0.hasSuffix(".modelarchive") })
    for name in Self.names {
      #expect(try store.remove(name))
      #expect(try !store.contains(name))
    }
    #expect(try scratch.contents().isEmpty)
  }

  @Test(
    "Names are readable where they can be",
    arguments: [
      ("settings", "settings"), ("gameState", "game+State"), ("v1.2", "v1%2e2"), ("a b", "a%20b"), ("ä", "%c3%a4"), ("a/b", "a%2fb"),
      ("snake_case-1", "snake_case-1"),
    ])
  func fileNames(name: String, stem: String) throws {
    try scratch.store().save(1, as: name)
    #expect(try scratch.contents() == [stem + ".modelarchive"])
  }

  @Test("A long name is cut between characters, and hashed") func longFileName() throws {
    let name = String(repeating: "a", count: 46) + "Bc" + String(repeating: "é", count: 50)
    try scratch.store().save(1, as: name)
    let file = try #require(try scratch.contents().first)
    #expect(file.hasPrefix(String(repeating: "a", count: 46) + "="))
    #expect(file.utf8.count == 46 + 33 + 13)
    // The file is a plain archive all the same, with the name in it.
    let data = try scratch.data(file)
    #expect(try KeyedUnarchiver.unarchivedObject(of: Int.self, from: data) == 1)
    #expect(try KeyedUnarchiver(forReadingFrom: data).decodeString(forKey: "name") == name)
  }

  @Test("File names of long names are the same in every release") func stableHash() throws {
    try scratch.store().save(1, as: String(repeating: "a", count: 81))
    #expect(try scratch.contents() == [String(repeating: "a", count: 47) + "=530aa99fd7a3612919d12dc806b48cf1.modelarchive"])
  }

  @Test("A file that belongs to another long name is not found under this one") func sameHash() throws {
    let store = try scratch.store()
    let (first, second) = (String(repeating: "a", count: 100), String(repeating: "b", count: 100))
    try store.save(1, as: first)
    let file = try #require(try scratch.contents().first)
    try store.save(2, as: second)
    let other = try #require(try scratch.contents().last)
    try FileManager.default.removeItem(atPath: scratch.file(other))
    try FileManager.default.moveItem(atPath: scratch.file(file), toPath: scratch.file(other))
    #expect(try store.loadIfPresent(Int.self, as: second) == nil)
    #expect(try store.list().isEmpty)
    try store.removeAll()
    #expect(try scratch.contents().isEmpty)
  }

  @Test("A model of a long name that is damaged is listed if one of its files has the name") func damagedLongName() throws {
    let store = try scratch.store { $0.keepsBackups = true }
    let name = String(repeating: "n", count: 100)
    for number in 1...2 { try store.save(number, as: name) }
    let file = try #require(try scratch.contents().first { !$0.contains("backup") })
    try scratch.overwrite(file, with: Data("damaged".utf8))
    #expect(try storeError { _ = try store.load(Int.self, as: name) }?.code == .corrupt)
    #expect(try store.load(Int.self, as: name, fallingBackToBackup: true) == 1)
    let entry = try #require(try store.list().first)
    #expect(entry.name == name && entry.hasBackup && entry.hasCurrentVersion)
    // A bit of the model alone: the name is still there.
    try store.removeAll()
    try store.save(Array(0..<100), as: name, keepingBackup: false)
    let only = try #require(try scratch.contents().first)
    var data = try scratch.data(only)
    data[data.count - 1] ^= 1
    try scratch.overwrite(only, with: data)
    #expect(try storeError { _ = try store.load([Int].self, as: name) }?.code == .corrupt)
    #expect(try store.list().map(\.name) == [name])
    // Neither a model without bytes nor a directory in its place prevents the list.
    try scratch.overwrite(only, with: Data())
    try store.save(1, as: "short")
    try scratch.overwrite("short.modelarchive", with: Data())
    #expect(try store.list().map(\.name) == ["short"])
    try FileManager.default.removeItem(atPath: scratch.file(only))
    try FileManager.default.createDirectory(atPath: scratch.file(only), withIntermediateDirectories: false)
    #expect(try store.list().map(\.name) == ["short"])
  }

  @Test("The empty name is refused everywhere") func emptyName() throws {
    let store = try scratch.store()
    let calls: [() throws -> Void] = [
      { try store.save(1, as: "") }, { try store.save(1, dated: .now, as: "") }, { _ = try store.load(Int.self, as: "") },
      { _ = try store.loadIfPresent(Int.self, as: "") }, { _ = try store.loadBackup(Int.self, as: "") }, { _ = try store.contains("") },
      { try store.remove("") }, { _ = try store.snapshots(of: "") }, { _ = try store.modificationDate(of: "") },
    ]
    for call in calls { #expect(try storeError(call)?.code == .invalidName) }
  }

  @Test("A long name is shortened in errors") func longNameInErrors() throws {
    let error = try storeError { _ = try scratch.store().load(Int.self, as: String(repeating: "x", count: 1000)) }
    #expect(error?.name?.count == 1000)
    let shown = String(repeating: "x", count: 160)
    #expect(error?.description == "notFound: the store has no model of this name ('\(shown) … \(shown)')")
  }
}
