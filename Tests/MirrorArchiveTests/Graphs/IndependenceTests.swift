import Foundation
import MirrorArchive
import Testing

/// CASES row R9, and what an archive depends on: the graph, nothing else.
@Suite("One archive and the next")
struct IndependenceTests {
  final class Document: MirrorCoding {
    var title = ""
    var pages: [Document] = []
    var numbers: [Int] = []
    var mode = Enums.Mode.off
    var shape = Enums.Shape.none
    var price = 0.0
    var tags: [String?] = []
    weak var parent: Document?
  }

  static func document() -> Document {
    let document = Document()
    document.title = "a title, 苹果🍎"
    document.numbers = Array(0..<50)
    document.shape = .rectangle(width: 1, height: 2)
    document.price = 998.12
    document.tags = ["a", nil, "b"]
    document.pages = (0..<20).map { number in
      let page = Document()
      page.title = "page \(number % 3)"
      page.mode = .slow
      page.parent = document
      page.price = Double(number) / 100
      return page
    }
    return document
  }

  @Test("An object that is archived, changed and archived again gives two independent archives") func changed() throws {
    let document = Self.document()
    let first = try KeyedArchiver.archivedData(withRootObject: document)
    document.title = "changed"
    document.pages.removeLast(15)
    document.shape = .named("n")
    let second = try KeyedArchiver.archivedData(withRootObject: document)
    let readSecond = try KeyedUnarchiver.unarchivedObject(ofClass: Document.self, from: second)
    let readFirst = try KeyedUnarchiver.unarchivedObject(ofClass: Document.self, from: first)
    #expect(readFirst.title == "a title, 苹果🍎" && readFirst.pages.count == 20 && readFirst.shape == .rectangle(width: 1, height: 2))
    #expect(readSecond.title == "changed" && readSecond.pages.count == 5 && readSecond.shape == .named("n"))
    #expect(readFirst.pages[0] !== readSecond.pages[0])
  }

  @Test("Two reads of one archive give two graphs") func twice() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Self.document())
    let first = try KeyedUnarchiver.unarchivedObject(ofClass: Document.self, from: data)
    let second = try KeyedUnarchiver.unarchivedObject(ofClass: Document.self, from: data)
    #expect(first !== second && first.pages[0] !== second.pages[0])
    first.pages[0].title = "mine"
    #expect(second.pages[0].title == "page 0")
  }

  @Test("The same graph gives the same bytes") func sameBytes() throws {
    let document = Self.document()
    let first = try KeyedArchiver.archivedData(withRootObject: document)
    #expect(try KeyedArchiver.archivedData(withRootObject: document) == first)
    #expect(try KeyedArchiver.archivedData(withRootObject: Self.document()) == first)
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Document.self, from: first)
    #expect(try KeyedArchiver.archivedData(withRootObject: read) == first)
  }

  @Test("The same graph gives the same bytes in another process, whatever was archived there before") func otherProcess() async throws {
    let path = try HandOver.write(KeyedArchiver.archivedData(withRootObject: Self.document()))
    defer { HandOver.remove(path) }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let data = try KeyedArchiver.archivedData(withRootObject: IndependenceTests.document())
      let written = try HandOver.read(path)
      #expect(data == written)
    }
    await #expect(processExitsWith: .success) { [path = path as String] in
      _ = try roundTrip(Slot([1, 2, 3]))
      _ = try roundTrip(Enums.Mode.fast)
      let data = try KeyedArchiver.archivedData(withRootObject: IndependenceTests.document())
      let written = try HandOver.read(path)
      #expect(data == written)
    }
  }

  @Test("An archive inside an archive is data like any other") func nested() throws {
    let inner = try KeyedArchiver.archivedData(withRootObject: Self.document())
    let outer = try roundTrip(Slot(inner)).value
    #expect(try KeyedUnarchiver.unarchivedObject(ofClass: Document.self, from: outer).title == "a title, 苹果🍎")
  }

  @Test("An archive is read from a slice of a larger Data") func slice() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Self.document())
    let larger = Data(repeating: 0xEE, count: 37) + data + Data(repeating: 0xEE, count: 11)
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Document.self, from: larger[37..<37 + data.count])
    #expect(read.pages.count == 20)
  }
}
