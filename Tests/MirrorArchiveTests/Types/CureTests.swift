import Foundation
import MirrorArchive
import Testing

/// Errors name a cure that the reader of the error can take.
@Suite("Cures")
struct CureTests {
  @Test("A Foundation class in Any is refused with a cure, and not with one that would not help") func foundationClass() {
    let objects: [NSObject] = [NSNull(), NSNumber(value: 3), NSString("text"), NSArray(), NSDictionary(), DateFormatter()]
    for object in objects {
      let error = expectRefusal(.notArchivable, at: "root[key]", naming: ["belongs to Foundation", "Swift value", "@Transient"]) {
        try KeyedArchiver.archivedData(withRootObject: ["key": object as Any])
      }
      #expect(error.map { !$0.message.contains("allowing:") && !$0.message.contains("MirrorCoding") } == true)
    }
  }

  final class Plain {}

  @Test("A class of the program's own in Any is told to become archivable") func plainClass() {
    expectRefusal(.notArchivable, at: "root[key]", naming: ["Plain", "MirrorCodable"]) {
      try KeyedArchiver.archivedData(withRootObject: ["key": Plain() as Any])
    }
  }

  actor Meter: MirrorCodable {
    var value = 0
    init() {}
  }

  @Test("An actor with init() is told what to conform to") func actorWithInit() {
    expectRefusal(.unsupportedType, naming: ["Meter", "MirrorInitializable"]) { try roundTrip(Meter()) }
  }

  enum Old { struct Size { var width = 1 } }
  enum New { struct Size { var width = 1 } }

  @Test("A renamed struct is told which archive name reads it") func renamedStruct() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Old.Size())
    expectRefusal(.typeMismatch, naming: ["CureTests.Old.Size", "ArchiveRules(name:"]) {
      try KeyedUnarchiver.unarchivedObject(of: New.Size.self, from: data)
    }
  }

  indirect enum Tree {
    case leaf
    case branch([Tree])
  }

  @Test("A very deep path is printed without its middle, and kept whole") func deepPath() throws {
    var tree = Tree.leaf
    for _ in 0..<600 { tree = .branch([tree]) }
    let error = try #require(
      expectRefusal(.nestingTooDeep, naming: ["root.branch[0]", "…"]) { try KeyedArchiver.archivedData(withRootObject: tree) })
    #expect(error.path.utf8.count > 1_000)
    #expect("\(error)".utf8.count < 600)
  }
}
