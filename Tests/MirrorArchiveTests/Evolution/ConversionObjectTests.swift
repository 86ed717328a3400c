import Foundation
import MirrorArchive
import Testing

@Suite("Structs that became classes")
struct ConversionObjectTests {
  struct OldAddress: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "object.Address", version: 3) }
    var city = ""
    var number = 0
    var note: String?
    var gone = true
  }
  final class OldPerson: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "object.Person") }
    var name: String
    var address: OldAddress
    var second: OldAddress?
    init(_ name: String, _ address: OldAddress, _ second: OldAddress? = nil) {
      (self.name, self.address, self.second) = (name, address, second)
    }
  }

  class Place: MirrorCoding {
    var city = "unread"
  }
  final class Address: Place {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "object.AddressClass") }
    var number: Double = -1
    var note: String? = "unread"
    var added = "default"
    @Transient var told: [String] = []
    override func didDecode(_ context: DecodingContext) throws {
      told = ["\(context.typeVersion)"] + context.unknownKeys + context.defaultedKeys
      if city == "refuse" { throw Refused() }
    }
  }
  struct Refused: Error {}
  final class Person: MirrorCodable, MirrorInitializable {
    static var archiveRules: ArchiveRules {
      ArchiveRules(
        name: "object.Person",
        properties: [
          PropertyRule("address", conversions: [.betweenStructAndClass]), PropertyRule("second", conversions: [.betweenStructAndClass]),
        ])
    }
    var name = ""
    var address = Address()
    var second: Address?
    init() {}
  }

  /// No initializer; the last words of an object look at all that it holds.
  final class BareAddress: MirrorCodable {
    static let sum = Tally()
    static var archiveRules: ArchiveRules {
      ArchiveRules(name: "object.BareAddress", properties: [PropertyRule("added", default: .value("rule"))])
    }
    let city: String
    var number: UInt8
    var note: String?
    var added: String
    init() { (city, number, added) = ("", 0, "") }
    deinit { Self.sum.add(city.utf8.count + Int(number)) }
  }
  final class BarePerson: MirrorCodable {
    static var archiveRules: ArchiveRules {
      ArchiveRules(
        name: "object.Person",
        properties: [
          PropertyRule("address", conversions: [.betweenStructAndClass]), PropertyRule("second", conversions: [.betweenStructAndClass]),
        ])
    }
    var name: String
    var address: BareAddress
    var second: BareAddress?
    init(_ address: BareAddress) { (name, self.address) = ("", address) }
  }

  private func people(_ count: Int) -> [OldPerson] {
    (0..<count).map { index in
      OldPerson(
        "p\(index)", OldAddress(city: "c\(index % 7)", number: index % 200, note: index % 2 == 0 ? nil : "n"),
        index % 3 == 0 ? nil : OldAddress(city: "s\(index)"))
    }
  }

  @Test("Each struct becomes an object of its own, with what its class gives by itself", arguments: [1, 7, 8, 1_030])
  func objects(count: Int) throws {
    let old = people(count)
    let read = try converted(old, to: [Person].self)
    #expect(read.count == count)
    for (index, person) in read.enumerated() {
      #expect(person.name == "p\(index)" && person.address.city == "c\(index % 7)" && person.address.number == Double(index % 200))
      #expect(person.address.note == (index % 2 == 0 ? nil : "n") && person.address.added == "default")
      #expect(person.second?.city == (index % 3 == 0 ? nil : "s\(index)"))
      #expect(person.address.told == ["3", "gone", "added"])
    }
    #expect(Set(read.map { ObjectIdentifier($0.address) }).count == count)
  }

  @Test("Objects without an initializer get all their properties, or the rules' defaults", arguments: [1, 7, 8, 1_030])
  func bareObjects(count: Int) throws {
    let read = try converted(people(count), to: [BarePerson].self)
    for (index, person) in read.enumerated() {
      #expect(person.address.city == "c\(index % 7)" && person.address.number == UInt8(index % 200) && person.address.added == "rule")
      #expect(person.second?.city == (index % 3 == 0 ? nil : "s\(index)"))
    }
  }

  @Test("What a field cannot become is refused with the whole path, and nothing unfinished is seen", arguments: [1, 9])
  func refusals(count: Int) throws {
    let old = people(count)
    old[count - 1].address.number = 300
    expectRefusal(.invalidValue, at: "root[\(count - 1)].address.number", naming: ["300", "UInt8"]) {
      try converted(old, to: [BarePerson].self)
    }
    #expect(try converted(old, to: [Person].self)[count - 1].address.number == 300)
    old[count - 1].address.city = "refuse"
    #expect(throws: Refused.self) { try converted(old, to: [Person].self) }
  }

  final class Strict: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "object.Strict") }
    var city: String
    var added: String
    init() { (city, added) = ("", "") }
  }
  final class StrictPerson: MirrorCodable, MirrorInitializable {
    static var archiveRules: ArchiveRules {
      ArchiveRules(name: "object.Person", properties: [PropertyRule("address", conversions: [.betweenStructAndClass])])
    }
    var address = Strict()
    init() {}
  }
  final class Unruled: MirrorCodable, MirrorInitializable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "object.Person") }
    var address = Address()
    init() {}
  }

  @Test("A property that nothing gives a value is an error; without the rule a struct is no object") func errors() throws {
    expectRefusal(.missingValue, at: "Strict.added", naming: ["added", "init()"]) { try converted(people(1), to: [StrictPerson].self) }
    expectRefusal(.typeMismatch, at: "address", naming: ["object.Address", "Address"]) { try converted(people(1), to: [Unruled].self) }
  }

  struct Link: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "object.Link") }
    var target: Place?
    var label = "l"
  }
  final class OldHolder: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "object.Holder") }
    var place = Place()
    var link = Link()
    init() {}
  }
  final class LinkObject: MirrorCoding {
    var target: Place?
    var label = ""
  }
  final class Holder: MirrorCoding {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(name: "object.Holder", properties: [PropertyRule("link", conversions: [.betweenStructAndClass])])
    }
    var place = Place()
    var link = LinkObject()
  }
  final class BareHolder: MirrorCodable {
    static var archiveRules: ArchiveRules {
      ArchiveRules(name: "object.Holder", properties: [PropertyRule("link", conversions: [.betweenStructAndClass])])
    }
    var place: Place
    var link: LinkObject
    init(_ place: Place, _ link: LinkObject) { (self.place, self.link) = (place, link) }
  }

  @Test("References inside stay the same objects; bare memory is never within their reach") func references() throws {
    let old = (0..<10).map { _ in OldHolder() }
    for holder in old { holder.link.target = holder.place }
    for holder in try converted(old, to: [Holder].self) { #expect(holder.link.target === holder.place && holder.link.label == "l") }
    expectRefusal(.unsupportedType, at: "link", naming: ["LinkObject", "init()"]) { try converted(old, to: [BareHolder].self) }
  }

  @Test("Archives with any byte changed are read or refused") func hostile() throws {
    let forgery = try #require(Forgery(KeyedArchiver.archivedData(withRootObject: people(9))))
    for index in forgery.body.indices {
      for byte: UInt8 in [0, 1, 2, 3, 5, 16, 33, 64, 65, 66, 67, 128, 255] {
        var copy = forgery
        copy.body[index] = byte
        let bytes = copy.sealed()
        do { _ = try KeyedUnarchiver.unarchivedObject(of: [Person].self, from: bytes) } catch is ArchiveError {} catch is Refused {}
        do { _ = try KeyedUnarchiver.unarchivedObject(of: [BarePerson].self, from: bytes) } catch is ArchiveError {}
      }
    }
  }
}

@Suite("Classes that became structs")
struct ConversionValueTests {
  final class Owner: MirrorCoding {
    var name = ""
    convenience init(_ name: String) {
      self.init()
      self.name = name
    }
  }
  class OldBase: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "value.OldBase") }
    var city = ""
  }
  final class OldAddress: OldBase {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "value.Address", version: 2) }
    var number = 0
    var gone = [1, 2]
    var owner: Owner?
  }
  final class OldPerson: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "value.Person") }
    var name = ""
    var address = OldAddress()
    var second: OldAddress?
    var behind = 5
  }

  struct Address: MirrorCodable, Equatable {
    static var archiveRules: ArchiveRules {
      ArchiveRules(name: "value.Address", properties: [PropertyRule("added", default: .value("rule"))])
    }
    var city: String
    var number: UInt8
    var added: String
    var owner: Owner?
    static func == (a: Self, b: Self) -> Bool { a.city == b.city && a.number == b.number && a.added == b.added && a.owner === b.owner }
  }
  private static var rules: ArchiveRules {
    ArchiveRules(
      name: "value.Person",
      properties: [
        PropertyRule("address", conversions: [.betweenStructAndClass]), PropertyRule("second", conversions: [.betweenStructAndClass]),
      ])
  }
  final class Person: MirrorCoding {
    override class var archiveRules: ArchiveRules { ConversionValueTests.rules }
    var name = ""
    var address = Address(city: "", number: 0, added: "")
    var second: Address?
    var behind = 0
  }
  final class BarePerson: MirrorCodable {
    static var archiveRules: ArchiveRules { ConversionValueTests.rules }
    var name: String
    var address: Address
    var second: Address?
    var behind: Int
    init(_ address: Address) { (name, self.address, behind) = ("", address, 0) }
  }
  final class Unruled: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "value.Person") }
    var address = Address(city: "", number: 0, added: "")
  }

  private func people(_ count: Int, sharing shared: Bool = false) -> [OldPerson] {
    let one = OldAddress()
    (one.city, one.number, one.owner) = ("shared", 77, Owner("o"))
    return (0..<count).map { index in
      let person = OldPerson()
      person.name = "p\(index)"
      if shared {
        person.address = one
      } else {
        (person.address.city, person.address.number) = ("c\(index % 7)", index % 200)
        if index % 2 == 0 { person.address.owner = Owner("o\(index)") }
      }
      if index % 3 == 0 {
        person.second = OldAddress()
        person.second?.city = "s\(index)"
      }
      return person
    }
  }

  @Test(
    "Each reference gets a value with what the object had; references inside lead to the same objects", arguments: [1, 7, 8, 1_030, 2_500])
  func values(count: Int) throws {
    let data = try KeyedArchiver.archivedData(withRootObject: people(count))
    func check(_ read: [(name: String, address: Address, second: Address?, behind: Int)]) {
      #expect(read.count == count)
      for (index, person) in read.enumerated() {
        let isRight =
          person.name == "p\(index)" && person.address.city == "c\(index % 7)" && person.address.number == UInt8(index % 200)
          && person.address.added == "rule" && person.address.owner?.name == (index % 2 == 0 ? "o\(index)" : nil)
          && person.second?.city == (index % 3 == 0 ? "s\(index)" : nil) && person.behind == 5
        #expect(isRight, "\(index)")
      }
    }
    check(try KeyedUnarchiver.unarchivedObject(of: [Person].self, from: data).map { ($0.name, $0.address, $0.second, $0.behind) })
    check(try KeyedUnarchiver.unarchivedObject(of: [BarePerson].self, from: data).map { ($0.name, $0.address, $0.second, $0.behind) })
    // Object by object, too.
    let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
    check(try unarchiver.decode([Person].self, forKey: "root").map { ($0.name, $0.address, $0.second, $0.behind) })
  }

  @Test("What was shared becomes values of their own, which still share what they refer to") func sharing() throws {
    let read = try converted(people(40, sharing: true), to: [Person].self)
    #expect(read.allSatisfy { $0.address == read[0].address && $0.address.number == 77 && $0.address.owner?.name == "o" })
  }

  @Test("What a property cannot become is refused with the whole path", arguments: [1, 9, 1_030]) func refusals(count: Int) throws {
    let old = people(count)
    old[count - 1].address.number = 300
    expectRefusal(.invalidValue, at: "root[\(count - 1)].address.number", naming: ["300", "UInt8"]) {
      try converted(old, to: [Person].self)
    }
    expectRefusal(.invalidValue, at: "root[\(count - 1)].address.number", naming: ["300", "UInt8"]) {
      try converted(old, to: [BarePerson].self)
    }
  }

  @Test("Without the rule an object is no struct, and of another class it is not this one") func errors() throws {
    expectRefusal(.typeMismatch, at: "address", naming: ["Address"]) { try converted(people(1), to: [Unruled].self) }
    final class Stranger: MirrorCoding { override class var archiveRules: ArchiveRules { ArchiveRules(name: "value.Stranger") } }
    final class Odd: MirrorCoding {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "value.Person") }
      var address = Stranger()
    }
    expectRefusal(.typeNotAllowed) { try converted([Odd()], to: [Person].self) }
  }

  @Test("Archives with any byte changed are read or refused") func hostile() throws {
    let forgery = try #require(Forgery(KeyedArchiver.archivedData(withRootObject: people(9))))
    for index in forgery.body.indices {
      for byte: UInt8 in [0, 1, 2, 3, 5, 16, 33, 64, 65, 66, 67, 68, 128, 255] {
        var copy = forgery
        copy.body[index] = byte
        let bytes = copy.sealed()
        do { _ = try KeyedUnarchiver.unarchivedObject(of: [Person].self, from: bytes) } catch is ArchiveError {}
        do { _ = try KeyedUnarchiver.unarchivedObject(of: [BarePerson].self, from: bytes) } catch is ArchiveError {}
      }
    }
  }
}
