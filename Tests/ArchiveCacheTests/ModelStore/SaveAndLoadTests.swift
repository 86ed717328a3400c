import ArchiveCache
import Foundation
import MirrorArchive
import Testing

@Suite("Models that are saved and loaded")
struct SaveAndLoadTests {
  final class Tap: MirrorCoding { var onTap: () -> Void = {} }
  enum Refusal: Error { case refused }
  final class Picky: MirrorCoding {
    var text = ""
    override func didDecode(_ context: DecodingContext) throws { throw Refusal.refused }
  }

  let scratch = ScratchStore()

  @Test("An object comes back with what it refers to, and its file is a plain archive") func object() throws {
    let store = try scratch.store()
    let note = StoredNote("first")
    note.next = StoredNote("second")
    try store.save(note, as: "note")
    let loaded = try store.load(StoredNote.self, as: "note")
    #expect(loaded.text == "first" && loaded.next?.text == "second" && loaded.next?.next == nil)
    #expect(try scratch.contents() == ["note.modelarchive"])
    #expect(try scratch.data("note.modelarchive") == KeyedArchiver.archivedData(withRootObject: note))
  }

  @Test("Arrays of models, dictionaries and scalars are models too") func values() throws {
    let store = try scratch.store()
    try store.save([StoredNote("a"), StoredNote("b")], as: "notes")
    #expect(try store.load([StoredNote].self, as: "notes").map(\.text) == ["a", "b"])
    try store.save(["x": [1, 2], "y": []], as: "table")
    #expect(try store.load([String: [Int]].self, as: "table") == ["x": [1, 2], "y": []])
    try store.save(5, as: "number")
    #expect(try store.load(Int.self, as: "number") == 5)
    try store.save([Int](), as: "nothing")
    #expect(try store.load([Int].self, as: "nothing") == [])
  }

  @Test("A save replaces the version before, whatever its size") func replacing() throws {
    let store = try scratch.store()
    for count in [100_000, 0, 1, 500_000] {
      let numbers = Array(0..<count)
      try store.save(numbers, as: "numbers")
      #expect(try store.load([Int].self, as: "numbers") == numbers)
    }
    #expect(try scratch.contents() == ["numbers.modelarchive"])
  }

  @Test("What was never saved is not found") func absence() throws {
    let store = try scratch.store()
    #expect(try store.loadIfPresent(Int.self, as: "number") == nil)
    let error = try #require(try storeError { _ = try store.load(Int.self, as: "number") })
    #expect(error.code == .notFound && error.name == "number" && error.underlying == nil)
    #expect(error.description == "notFound: the store has no model of this name ('number')")
    #expect(error.localizedDescription == error.description)
    #expect(try storeError { _ = try store.loadBackup(Int.self, as: "number") }?.code == .notFound)
    #expect(!FileManager.default.fileExists(atPath: scratch.path))
  }

  @Test("Types behind base classes are admitted by the call or by the store") func admittedTypes() throws {
    let circle = StoredCircle()
    circle.radius = 2.5
    let shapes: [StoredShape] = [circle]
    let store = try scratch.store()
    let refused = try storeError { try store.save(shapes, as: "shapes") }
    #expect(refused?.code == .encodingFailed && (refused?.underlying as? ArchiveError)?.code == .typeNotAllowed)
    #expect(!FileManager.default.fileExists(atPath: scratch.path))
    try store.save(shapes, as: "shapes", allowing: [StoredCircle.self])
    let unread = try storeError { _ = try store.load([StoredShape].self, as: "shapes", fallingBackToBackup: true) }
    #expect(unread?.code == .decodingFailed && (unread?.underlying as? ArchiveError)?.code == .typeNotAllowed)
    #expect(try (store.load([StoredShape].self, as: "shapes", allowing: [StoredCircle.self])[0] as? StoredCircle)?.radius == 2.5)
    let allowing = try scratch.store { $0.allowedTypes = [StoredCircle.self] }
    try allowing.save(shapes, as: "shapes", keepingBackup: true)
    #expect(try (allowing.load([StoredShape].self, as: "shapes")[0] as? StoredCircle)?.radius == 2.5)
    #expect(try (allowing.loadBackup([StoredShape].self, as: "shapes")[0] as? StoredCircle)?.radius == 2.5)
  }

  @Test("Decoding options of the call or of the store apply") func decodingOptions() throws {
    let store = try scratch.store()
    try store.save(3.75, as: "number")
    let error = try storeError { _ = try store.load(Int.self, as: "number") }
    #expect(error?.code == .decodingFailed)
    #expect(try store.load(Int.self, as: "number", options: DecodingOptions(conversionPolicy: .lenient)) == 3)
    #expect(try scratch.store { $0.decoding.conversionPolicy = .lenient }.load(Int.self, as: "number") == 3)
  }

  @Test("What cannot be archived leaves the old version") func unsupported() throws {
    let store = try scratch.store()
    try store.save(1, as: "model")
    let error = try storeError { try store.save(Tap(), as: "model", keepingBackup: true) }
    #expect(error?.code == .encodingFailed && (error?.underlying as? ArchiveError)?.code == .unsupportedType)
    #expect(try store.load(Int.self, as: "model") == 1)
    #expect(try scratch.contents() == ["model.modelarchive"])
  }

  @Test("An error of a model's own hook is inside the error") func hooks() throws {
    let store = try scratch.store()
    try store.save(Picky(), as: "picky")
    let error = try storeError { _ = try store.load(Picky.self, as: "picky") }
    #expect(error?.code == .decodingFailed && error?.underlying is Refusal)
  }

  @Test("The directory and those above it are the user's alone, and so is the file") func permissions() throws {
    let store = try ModelStore(directory: scratch.url.appending(path: "a/b", directoryHint: .isDirectory))
    try store.save(1, as: "n")
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    for directory in ["", "/a", "/a/b"] { #expect(try mode(scratch.path + directory) == 0o700) }
    #expect(try mode(scratch.path + "/a/b/n.modelarchive") == 0o600)
  }

  @Test("A directory that is deleted while the program runs is made again") func deletedDirectory() throws {
    let store = try scratch.store { $0.keepsBackups = true }
    for number in 1...3 {
      try store.save(number, as: "n")
      #expect(try store.load(Int.self, as: "n") == number)
      try FileManager.default.removeItem(atPath: scratch.path)
      #expect(try store.loadIfPresent(Int.self, as: "n") == nil)
      #expect(try store.list().isEmpty)
    }
  }

  @Test("Where the directory should be is a file: an error, and not an empty store") func fileForDirectory() throws {
    let store = try scratch.store()
    try Data("mine".utf8).write(to: URL(fileURLWithPath: scratch.path))
    let calls: [() throws -> Void] = [
      { try store.save(1, as: "n") }, { try store.save(1, dated: .now, as: "n") }, { _ = try store.load(Int.self, as: "n") },
      { _ = try store.loadIfPresent(Int.self, as: "n") }, { _ = try store.list() }, { _ = try store.contains("n") },
      { try store.remove("n") }, { try store.removeAll() }, { _ = try store.snapshots(of: "n") },
    ]
    for call in calls {
      let error = try storeError(call)
      #expect(error?.code == .unavailable && (error?.underlying as? POSIXError)?.code == .ENOTDIR)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.path)) == Data("mine".utf8))
  }

  @Test("A directory behind a symbolic link will do") func linkedDirectory() throws {
    let real = scratch.path + "/real"
    try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: scratch.path + "/link", withDestinationPath: "real")
    let store = try ModelStore(directory: URL(fileURLWithPath: scratch.path + "/link/", isDirectory: true))
    try store.save(1, as: "n", keepingBackup: true)
    try store.save(2, as: "n", keepingBackup: true)
    #expect(try store.list().map(\.name) == ["n"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: real).sorted() == ["n.backup.modelarchive", "n.modelarchive"])
  }

  @Test("Directories are made behind a symbolic link too") func linkedParent() throws {
    try FileManager.default.createDirectory(atPath: scratch.path + "/real", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: scratch.path + "/link", withDestinationPath: "real")
    let store = try ModelStore(directory: URL(fileURLWithPath: scratch.path + "/link/a", isDirectory: true))
    try store.save(1, as: "n")
    #expect(try scratch.data("real/a/n.modelarchive") == KeyedArchiver.archivedData(withRootObject: 1))
  }

  @Test("What is no file at a model's place is not a model", arguments: ["directory", "pipe", "link"])
  func noFile(kind: String) throws {
    let store = try scratch.store()
    try store.save(1, as: "other")
    let path = scratch.file("n.modelarchive")
    switch kind {
    case "directory": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case "pipe": #expect(unsafe mkfifo(path, 0o600) == 0)
    default: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "other.modelarchive")
    }
    #expect(try storeError { _ = try store.load(Int.self, as: "n") }?.code == .unavailable)
    #expect(try !store.contains("n"))
    #expect(try !store.remove("n"))
    try store.removeAll()
    #expect(try scratch.contents() == ["n.modelarchive"])
    if kind == "directory" { #expect(try storeError { try store.save(2, as: "n") }?.code == .unavailable) }
    try? FileManager.default.removeItem(atPath: path)
    try store.save(2, as: "n")
    #expect(try scratch.contents() == ["n.modelarchive"])
  }

  @Test("A store wants a file URL") func noFileURL() throws {
    for text in ["https://example.com/models", "file:///tmp/a%00b"] {
      let url = try #require(URL(string: text))
      #expect(try storeError { _ = try ModelStore(directory: url) }?.code == .invalidDirectory)
    }
  }

  @Test("A directory that cannot be written to is unavailable, and what is in it can be loaded", .enabled(if: geteuid() != 0))
  func readOnly() throws {
    let store = try scratch.store()
    try store.save(1, as: "n")
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: scratch.path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: scratch.path) }
    let error = try storeError { try store.save(2, as: "n") }
    #expect(error?.code == .unavailable && (error?.underlying as? POSIXError)?.code == .EACCES)
    #expect(try storeError { try store.remove("n") }?.code == .unavailable)
    #expect(try store.load(Int.self, as: "n") == 1)
  }
}
