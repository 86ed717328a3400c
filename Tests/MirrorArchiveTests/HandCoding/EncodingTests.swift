import ArchiveFormat
import Foundation
import MirrorArchive
import Testing

@Suite("What hand-coded objects write") struct EncodingTests {
  @Test func `a root is a record of its keys`() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: HandFruit("apple", 5))
    let dump = try RecordDump(data)
    let record = try #require(dump.records["MirrorArchiveTests.HandFruit"]?.first)
    #expect(record.map(\.key) == ["name", "count"])
    #expect(record.map(\.type) == [.string, .int])
    #expect(record.map(\.bytes) == [[5] + Array("apple".utf8), [10]])
  }

  @Test func `objects with the same keys share one shape, whatever their class`() throws {
    final class Other: KeyedCoding {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "Other") }
      init() {}
      init(coder: KeyedUnarchiver) throws {}
      func encode(with coder: KeyedArchiver) throws {
        try coder.encode("pear", forKey: "name")
        try coder.encode(3, forKey: "count")
      }
    }
    let fruits = (0..<2_000).map { HandFruit("f\($0)", $0) }
    let root = Scripted { coder in
      try coder.encode(fruits, forKey: "fruits")
      try coder.encode([Other(), Other()], forKey: "others")
    }
    let dump = try RecordDump(KeyedArchiver.archivedData(withRootObject: root))
    #expect(dump.records["MirrorArchiveTests.HandFruit"]?.count == 2_000)
    #expect(dump.records["Other"]?.count == 2)
    let shapes = dump.types.entries.filter { if case .tuple = $0 { true } else { false } }
    #expect(shapes.count == 2)
  }

  @Test func `references of different classes under one key are one shape`() throws {
    let objects = [Scripted { try $0.encode(HandFruit("a", 1), forKey: "x") }, Scripted { try $0.encode(Scripted { _ in }, forKey: "x") }]
    let dump = try RecordDump(KeyedArchiver.archivedData(withRootObject: objects))
    let shapes = dump.types.entries.filter { $0 == .tuple([Property(key: "x", type: .reference)]) }
    #expect(shapes.count == 1)
  }

  @Test func `values without keys stand beside the keys`() throws {
    let (taken, _) = try record {
      try $0.encode(7)
      try $0.encode(true, forKey: "flag")
      try $0.encode("x")
      try $0.encode(8)
    }
    #expect(taken.map(\.key) == ["\0", "flag", "\0", "\0"])
    #expect(taken.map(\.bytes) == [[14], [1], [1, 0x78], [16]])
  }

  @Test func `keys that begin like the mark of values without a key get it twice`() throws {
    let (taken, _) = try record {
      try $0.encode(1, forKey: "\0")
      try $0.encode(2, forKey: "\0\u{301}a")
      try $0.encode(3, forKey: "")
      try $0.encode(4, forKey: "$x")
      try $0.encode(5)
    }
    #expect(taken.map(\.key) == ["\0\0", "\0\0\u{301}a", "", "$x", "\0"])
  }

  @Test func `containers nest, and have keys of their own`() throws {
    let (taken, dump) = try record { coder in
      try coder.encode(1, forKey: "x")
      try coder.encodeContainer(forKey: "inner") { inner in
        #expect(inner === coder)
        try inner.encode(2, forKey: "x")
        try inner.encodeContainer { try $0.encode("deep") }
        try inner.encode(3, forKey: "y")
      }
      try coder.encodeContainer(forKey: "empty") { _ in }
      try coder.encode(4, forKey: "y")
    }
    #expect(taken.map(\.key) == ["x", "inner", "empty", "y"])
    let inner = try dump.contents(of: taken[1])
    #expect(inner.map(\.key) == ["x", "\0", "y"])
    #expect(inner[0].bytes == [4])
    #expect(try dump.contents(of: inner[1]).map(\.bytes) == [[4] + Array("deep".utf8)])
    #expect(try dump.contents(of: taken[2]).isEmpty)
  }

  @Test func `bytes are stored as data`() throws {
    let (taken, _) = try record { coder in
      unsafe try [UInt8](0..<200).withUnsafeBytes { try unsafe coder.encodeBytes($0, forKey: "bytes") }
      try coder.encode(Data(0..<200), forKey: "data")
    }
    #expect(taken.map(\.type) == [.data, .data])
    #expect(taken[0].bytes == [200, 1] + Array(0..<200))
    #expect(taken[0].bytes == taken[1].bytes)
  }

  @Test func `what is declared Any or a protocol is stored as what it is`() throws {
    let (taken, _) = try record {
      try $0.encode(5 as Any, forKey: "int")
      try $0.encode("x" as any Sendable, forKey: "string")
      try $0.encode(HandFruit("a", 1) as AnyObject, forKey: "object")
      try $0.encode([1] as Any, forKey: "array")
    }
    #expect(taken.prefix(3).map(\.type) == [.int, .string, .reference])
  }

  @Test func `a value is taken as it is when it is handed over`() throws {
    var text = "before"
    var list = [1, 2]
    let (taken, _) = try record {
      try $0.encode(text, forKey: "text")
      text = "after"
      try $0.encode(list, forKey: "list")
      list.append(3)
    }
    #expect(taken["text"]?.bytes == [6] + Array("before".utf8))
    #expect(taken["list"]?.bytes.first == 4)
  }

  @Test func `temporary objects live until the archive is complete, and no longer`() throws {
    let alive = Tally()
    let data = try KeyedArchiver.archivedData(
      withRootObject: Scripted { coder in
        for i in 0..<3_000 { try coder.encode(Counted(alive, "t\(i)"), forKey: "\(i)") }
      })
    #expect(alive.value == 0)
    let records = try #require(RecordDump(data).records["MirrorArchiveTests.Counted"])
    #expect(records.count == 3_000)
    #expect(records[2_999].map(\.bytes)[0] == [5] + Array("t2999".utf8))
  }

  @Test func `the same graph gives the same bytes`() throws {
    func archive() throws -> Data {
      let root = HandNode("root")
      root.children = (0..<30).map { HandNode("child \($0 % 3)") }
      for child in root.children { child.parent = root }
      return try KeyedArchiver.archivedData(withRootObject: root)
    }
    #expect(try archive() == archive())
  }

  @Test func `a list of hand-coded nodes needs no stack`() throws {
    final class Link: KeyedCoding {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "Link") }
      var next: Link?
      init() {}
      init(coder: KeyedUnarchiver) throws {}
      func encode(with coder: KeyedArchiver) throws { try coder.encode(next, forKey: "next") }
      deinit {
        // A long list is taken apart node by node.
        var rest = next
        next = nil
        while isKnownUniquelyReferenced(&rest) {
          let following = rest?.next
          rest?.next = nil
          rest = following
        }
      }
    }
    let data = try onSmallStack {
      var head = Link()
      for _ in 1..<50_000 {
        let link = Link()
        link.next = head
        head = link
      }
      return try KeyedArchiver.archivedData(withRootObject: head)
    }
    #expect(try RecordDump(data).records["Link"]?.count == 50_000)
  }

  @Test func `extras are the last column of the class that brings them`() throws {
    let object = ExtraChild()
    let dump = try RecordDump(KeyedArchiver.archivedData(withRootObject: object))
    let record = try #require(dump.records["MirrorArchiveTests.ExtraChild"]?.first)
    #expect(record.map(\.key) == ["base", "child"])
    #expect(record[0].bytes == [14])
    let levels = dump.types.entries.compactMap { entry -> [String]? in
      if case .object(_, _, _, let properties) = entry { properties.map(\.key) } else { nil }
    }
    #expect(Set(levels) == [["title", "$keys"], ["number"]])
  }
}

class ExtraBase: MirrorCoding, KeyedExtras {
  var title = "t"
  func encodeExtras(with coder: KeyedArchiver) throws { try coder.encode(7, forKey: "base") }
  func decodeExtras(with coder: KeyedUnarchiver) throws {}
}

final class ExtraChild: ExtraBase {
  var number = 5
  override func encodeExtras(with coder: KeyedArchiver) throws {
    try super.encodeExtras(with: coder)
    try coder.encode("c", forKey: "child")
  }
}
