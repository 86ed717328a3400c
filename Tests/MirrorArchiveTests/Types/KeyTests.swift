import Foundation
import MirrorArchive
import Observation
import Testing

/// Properties whose stored names are not what the programmer wrote, and names that collide with such.
@Suite("Keys of properties")
struct KeyTests {
  final class Underscored: MirrorCoding {
    var x = 1
    var _x = 2
    // swift-format-ignore: AlwaysUseLowerCamelCase
    private var __x = 3
    @Traced var y = 4
    lazy var z = 5
    var `class` = 6
    // swift-format-ignore: IdentifiersMustBeASCII
    var 数量 = 7
    var aPropertyWithANameThatIsLongerThanAnyShortLengthThatAFormatMayHaveRoomFor = 8

    func set(_ number: Int) { __x = number }
    var hidden: Int { __x }
  }

  @Test("Names with underscores, reserved, Chinese and long names are keys like any other") func names() throws {
    let written = Underscored()
    written.x = 11
    written._x = 12
    written.set(13)
    written.y = 14
    written.z = 15
    written.class = 16
    written.数量 = 17
    written.aPropertyWithANameThatIsLongerThanAnyShortLengthThatAFormatMayHaveRoomFor = 18
    let read = try roundTrip(written)
    #expect(read.x == 11 && read._x == 12 && read.hidden == 13 && read.y == 14 && read.z == 15)
    #expect(read.class == 16 && read.数量 == 17 && read.aPropertyWithANameThatIsLongerThanAnyShortLengthThatAFormatMayHaveRoomFor == 18)
    let data = try KeyedArchiver.archivedData(withRootObject: written)
    #expect(data.range(of: Data("数量".utf8)) != nil && data.range(of: Data("lazy_storage".utf8)) == nil)
  }

  @Observable final class Watched: MirrorCodable, MirrorInitializable {
    var title = "t"
    var list: [Int] = []
    @ObservationIgnored var quiet = 1
    init() {}
  }

  @Test("An observable class comes back with its properties and is still observed") func observable() throws {
    let written = Watched()
    written.title = "watched"
    written.list = [1, 2]
    written.quiet = 3
    let data = try KeyedArchiver.archivedData(withRootObject: written)
    #expect(data.range(of: Data("observationRegistrar".utf8)) == nil)
    let read = try KeyedUnarchiver.unarchivedObject(of: Watched.self, from: data)
    #expect(read.title == "watched" && read.list == [1, 2] && read.quiet == 3)
    let changes = Tally()
    withObservationTracking {
      _ = read.title
    } onChange: {
      changes.add(1)
    }
    read.title = "changed"
    #expect(changes.value == 1)
  }

  /// A class with more properties than any small count has room for.
  final class Wide: MirrorCoding {
    var a0 = 0, a1 = 1, a2 = 2, a3 = 3, a4 = 4, a5 = 5, a6 = 6, a7 = 7, a8 = 8, a9 = 9
    var b0 = "0", b1 = "1", b2 = "2", b3 = "3", b4 = "4", b5 = "5", b6 = "6", b7 = "7", b8 = "8", b9 = "9"
    var c0: Bool?, c1: Bool?, c2: Bool?, c3: Bool?, c4: Bool?, c5: Bool?, c6: Bool?, c7: Bool?, c8: Bool?, c9: Bool?
  }

  @Test("Thirty properties keep their places") func wide() throws {
    let written = Wide()
    written.a9 = 99
    written.b0 = "b"
    written.c5 = false
    written.c9 = true
    let read = try roundTrip(written)
    #expect(read.a0 == 0 && read.a8 == 8 && read.a9 == 99 && read.b0 == "b" && read.b9 == "9")
    #expect(read.c0 == nil && read.c5 == false && read.c8 == nil && read.c9 == true)
  }
}
