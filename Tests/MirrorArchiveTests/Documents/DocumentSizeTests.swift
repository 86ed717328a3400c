import Foundation
import MirrorArchive
import Testing

@Suite("Documents: large and strange ones")
struct DocumentSizeTests {
  final class Node: MirrorCoding {
    var number = 0
    var next: Node?
  }

  final class Ring: MirrorCoding {
    var name = ""
    var next: Ring?
    var others: [Ring] = []
  }

  private static func chain(_ count: Int) -> Node {
    let first = Node()
    var last = first
    for number in 1..<count {
      let next = Node()
      next.number = number
      last.next = next
      last = next
    }
    return first
  }

  private static func untie(_ first: Node) {
    var next: Node? = first
    while let node = next {
      next = node.next
      node.next = nil
    }
  }

  @Test("A list of many nodes is read, changed and encoded on a small stack")
  func list() throws {
    #if DEBUG
      let count = 100_000
    #else
      let count = 1_000_000
    #endif
    let data = try onSmallStack {
      let first = Self.chain(count)
      defer { Self.untie(first) }
      return try KeyedArchiver.archivedData(withRootObject: first)
    }
    let changed = try onSmallStack {
      var document = try ArchiveDocument(data)
      let isSame = try document.encoded() == data
      #expect(isSame)
      let last = try #require(document.objects.last { $0["next"]?.isNull == true })
      try document.set(-1, at: ArchivePath(.object(last.number), [.key("number")]))
      return try document.encoded()
    }
    let sum = try onSmallStack {
      let first = try KeyedUnarchiver.unarchivedObject(ofClass: Node.self, from: changed)
      defer { Self.untie(first) }
      var (count, last) = (0, 0)
      var next: Node? = first
      while let node = next {
        count += 1
        last = node.number
        next = node.next
      }
      return (count, last)
    }
    #expect(sum == (count, -1))
  }

  @Test("Circles are encoded, and freed afterwards")
  func circles() throws {
    let ring = Ring()
    ring.name = "one"
    let other = Ring()
    other.name = "two"
    ring.next = other
    other.next = ring
    other.others = [other, ring]
    defer { (ring.next, other.next, other.others) = (nil, nil, []) }
    let data = try KeyedArchiver.archivedData(withRootObject: ring)
    var document = try ArchiveDocument(data)
    #expect(try document.encoded() == data)
    #expect(try document.value(at: "root.next.next.next.name") == "two")
    try document.set("three", at: "root.next.others[0].next.name")
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Ring.self, from: try document.encoded())
    defer {
      read.next?.next = nil
      read.next?.others = []
    }
    #expect(read.name == "three" && read.next?.others[1] === read)
  }

  @Test("An array of many elements is not copied for every change")
  func inPlace() throws {
    var document = ArchiveDocument()
    try document.setRoot(.array((0..<200_000).map { .int($0) }))
    for index in stride(from: 0, to: 200_000, by: 10) { try document.set(-1, at: ArchivePath(.root("root"), [.index(index)])) }
    let read = try KeyedUnarchiver.unarchivedObject(of: [Int].self, from: try document.encoded())
    #expect(read.filter { $0 == -1 }.count == 20_000 && read[1] == 1)
  }

  @Test("An archive that was filled up stays so, and one that becomes large is")
  func filled() throws {
    let data = try KeyedArchiver.archivedData(
      withRootObject: [Int](repeating: 5, count: 3_000_000))
    var document = try ArchiveDocument(data)
    let isSame = try document.encoded() == data
    #expect(isSame)
    try document.set(6, at: "root[2999999]")
    let read = try KeyedUnarchiver.unarchivedObject(of: [Int].self, from: try document.encoded())
    #expect(read.count == 3_000_000 && read.last == 6)
    var made = ArchiveDocument()
    try made.setRoot(.array(Array(repeating: "x", count: 2_000_000)))
    #expect(try KeyedUnarchiver.unarchivedObject(of: [String].self, from: try made.encoded()).count == 2_000_000)
  }

  @Test("Deeply nested values are encoded on a small stack")
  func nested() throws {
    let tree = Stock.Tree()
    for _ in 0..<200 { tree.shape = .group([tree.shape]) }
    let data = try KeyedArchiver.archivedData(withRootObject: tree)
    let path = "root.shape" + String(repeating: ".group[0]", count: 200)
    let encoded = try onSmallStack {
      var document = try ArchiveDocument(data)
      let isSame = try document.encoded() == data
      #expect(isSame)
      #expect(try document.value(at: path).asCase == "dot")
      try document.set("dot", at: path)
      return try document.encoded()
    }
    #expect(encoded == data)
  }

  @Test("References to objects that are not there are found before anything is written")
  func dangling() throws {
    var document = ArchiveDocument()
    let error = #expect(throws: ArchiveError.self) { try document.setRoot(.reference(3)) }
    #expect(error?.code == .missingValue && error?.path == "root")
    #expect(throws: ArchiveError.self) { try document.setRoot([.reference(0)]) }
  }
}

extension ArchiveValue {
  fileprivate var asCase: String? { if case .enumeration(let one) = self { one.caseName } else { nil } }
}
