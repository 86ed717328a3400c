import Foundation
import MirrorArchive
import Testing

/// The code of the page about coding by hand, as it stands there.
@Suite("The page about coding by hand")
struct HandCodingPageTests {
  @Test("Every Swift block is compiled and run here") func isCompiled() throws {
    let page = try PageBlocks("Sources/MirrorArchive/MirrorArchive.docc/CodingByHand.md")
    #expect(page.paragraphs.count == 7)
    #expect(try page.missing(in: #filePath).isEmpty)
  }

  @Test("Folders come back with the way up, keys and a file with their values") func codingByHand() throws {
    let directory = try TemporaryDirectory()
    let (read, copy) = try PageFolders.run(URL(fileURLWithPath: directory.file("folders.archive")))
    #expect(read.languages == ["en", "zh"])
    for folder in [read.folder, copy] {
      #expect(folder.name == "all" && folder.folders.map(\.name) == ["new"] && folder.parent == nil)
      #expect(folder.folders.first?.parent === folder)
    }
    #expect(read.folder !== copy)
  }
}

enum PageFolders {
  final class Folder: KeyedCoding {
    let name: String
    let folders: [Folder]
    private(set) weak var parent: Folder?

    init(name: String, folders: [Folder] = []) {
      (self.name, self.folders) = (name, folders)
      for folder in folders { folder.parent = self }
    }

    init(coder: KeyedUnarchiver) throws {
      name = try coder.decodeString(forKey: "name")  // throws if there is no such key; decodeStringIfPresent gives nil
      folders = try coder.decodeArrayOfObjects(ofClass: Folder.self, forKey: "folders")
      // The parent is being made at this moment: the closure gets it when the whole graph is there.
      try coder.decodeObjectIfPresent(of: Folder.self, forKey: "parent") { [unowned self] in parent = $0 }
    }

    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(name, forKey: "name")
      try coder.encode(folders, forKey: "folders")
      try coder.encodeConditionalObject(parent, forKey: "parent")  // nil unless something else archives it
    }
  }

  static func run(_ url: URL) throws -> (read: (languages: [String], folder: Folder), copy: Folder) {
    let archiver = KeyedArchiver()
    archiver.setClassName("Directory", for: Folder.self)
    try archiver.encode(Folder(name: "all", folders: [Folder(name: "new")]), forKey: "folder")
    try archiver.encode(["en", "zh"], forKey: "languages")
    try archiver.encodedData.write(to: url)

    let unarchiver = try KeyedUnarchiver(forReadingFrom: url)
    unarchiver.setClass(Folder.self, forClassName: "Directory")
    let languages = try unarchiver.decode([String].self, forKey: "languages")
    let folder = try unarchiver.decodeObject(of: Folder.self, forKey: "folder")

    try KeyedArchiver.archive(folder, to: url)  // replaces the file as a whole or leaves it as it is; .durable waits for the storage
    let copy = try KeyedUnarchiver.unarchivedObject(of: Folder.self, contentsOf: url)
    return ((languages, folder), copy)
  }
}
