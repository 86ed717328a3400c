import Foundation
import MirrorArchive
import Testing

/// The code of README.md, as it stands there.
@Suite("The README")
struct ReadmeTests {
  @Test("Every Swift block is compiled and run here") func isCompiled() throws {
    let page = try PageBlocks("README.md")
    #expect(page.paragraphs.count >= 12)
    #expect(try page.missing(in: #filePath).isEmpty)
  }

  @Test("The example prints what the README says") func output() throws {
    let page = try PageBlocks("README.md")
    #expect(try ReadmeExample.run() == PageBlocks.blocks("text", of: page.text).first)
  }

  @Test("Folders come back with the way up, keys and a file with their values") func codingByHand() throws {
    let directory = try TemporaryDirectory()
    let (read, copy) = try ReadmeFolders.run(URL(fileURLWithPath: directory.file("folders.archive")))
    #expect(read.languages == ["en", "zh"])
    for folder in [read.folder, copy] {
      #expect(folder.name == "all" && folder.folders.map(\.name) == ["new"] && folder.parent == nil)
      #expect(folder.folders.first?.parent === folder)
    }
    #expect(read.folder !== copy)
  }
}

enum ReadmeExample {
  enum Kind {
    case daily
    case weekly(day: Int)
  }

  final class Fruit: MirrorCoding {
    var name = "", count = 0, price = 0.0, onSale = false
    var tag: String?
  }

  class Shop: MirrorCoding {
    var name = ""
    var fruits: [Fruit] = []
    weak var parent: Shop?
    private var opened = Date()
    var openingTime: Date { opened }
  }

  final class Market: Shop {
    var stalls: [String: Fruit] = [:]
    var branches: [Shop] = []
    var kind = Kind.daily
  }

  /// The lines that the example prints.
  static func run() throws -> [String] {
    var printed: [String] = []
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

    let apple = Fruit()
    (apple.name, apple.count, apple.price, apple.tag) = ("apple", 7, 1.25, "ripe")

    let market = Market()
    market.name = "Central"
    market.fruits = [apple]
    market.stalls["north"] = apple  // the same object a second time
    market.kind = .weekly(day: 3)
    let branch = Shop()
    branch.parent = market  // back to the market: a cycle
    market.branches = [branch]

    let data = try KeyedArchiver.archivedData(withRootObject: market)
    let copy = try KeyedUnarchiver.unarchivedObject(ofClass: Market.self, from: data)

    print(copy.name, copy.kind, copy.fruits[0].name, copy.fruits[0].price, copy.fruits[0].tag ?? "no tag")
    print("the same private date:", copy.openingTime == market.openingTime)
    print("one apple in two places:", copy.stalls["north"] === copy.fruits[0])
    print("the cycle is closed:", copy.branches[0].parent === copy)
    return printed
  }
}

enum ReadmeFolders {
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
