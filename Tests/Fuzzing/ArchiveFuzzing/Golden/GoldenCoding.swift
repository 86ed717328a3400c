import Foundation
package import MirrorArchive

extension Golden {
  /// Coded by hand, with everything that records have.
  final class Note: KeyedCoding {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Note", version: 4) }
    let number: Int
    var reply: Note?
    let isRight: Bool

    init(_ number: Int) { (self.number, isRight) = (number, true) }
    init(coder: KeyedUnarchiver) throws {
      let number = try coder.decodeInt(forKey: "number")
      self.number = number
      reply = try coder.decodeObjectIfPresent(of: Note.self, forKey: "reply")
      let title = try coder.decodeString(forKey: "title")
      let size = try coder.decode(Size.self, forKey: "size")
      let tags = try coder.decode([String].self, forKey: "tags")
      let bytes = try coder.decodeData(forKey: "data")
      let inner = try coder.decodeContainer(forKey: "inner") { try ($0.decodeBool(forKey: "flag"), $0.decodeDouble(forKey: "x")) }
      let missing = try coder.decodeStringIfPresent(forKey: "missing")
      let unkeyed = try (coder.decode(Int.self), coder.decode(String.self))
      isRight =
        title == "title \(number % 3) of a note" && size == Size(width: number, height: nil) && tags == ["a", "b"]
        && bytes == Data([1, UInt8(truncatingIfNeeded: number)]) && inner == (true, 0.5) && missing == nil && unkeyed == (number, "last")
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(number, forKey: "number")
      try coder.encode(reply, forKey: "reply")
      try coder.encode("title \(number % 3) of a note", forKey: "title")
      try coder.encode(Size(width: number, height: nil), forKey: "size")
      try coder.encode(["a", "b"], forKey: "tags")
      try coder.encode(Data([1, UInt8(truncatingIfNeeded: number)]), forKey: "data")
      try coder.encodeContainer(forKey: "inner") {
        try $0.encode(true, forKey: "flag")
        try $0.encode(0.5, forKey: "x")
      }
      try coder.encode(String?.none, forKey: "missing")
      try coder.encode(number)
      try coder.encode("last")
    }
  }

  /// By reflection, and keys of its own.
  final class Photo: MirrorCoding, KeyedExtras {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Photo") }
    var title = ""
    var note: Note?
    @Transient var pixels = Data()
    func encodeExtras(with coder: KeyedArchiver) throws { try coder.encode(pixels, forKey: "pixels") }
    func decodeExtras(with coder: KeyedUnarchiver) throws { pixels = try coder.decodeData(forKey: "pixels") }
  }

  final class Records: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Records") }
    var notes: [Note] = []
    var photo: Photo?

    convenience init(written: Void) {
      self.init()
      notes = (0..<70).map { Note($0) }
      for (number, note) in notes.enumerated() where number > 0 { note.reply = notes[number / 2] }
      let photo = Photo()
      (photo.title, photo.note, photo.pixels) = ("photo", notes[3], Data([9, 8, 7]))
      self.photo = photo
    }
    func expected() -> Bool {
      notes.count == 70
        && notes.enumerated().allSatisfy { number, note in
          note.number == number && note.isRight && note.reply === (number > 0 ? notes[number / 2] : nil)
        } && photo?.title == "photo" && photo?.note === notes[3] && photo?.pixels == Data([9, 8, 7])
    }
  }

  // MARK: What has changed since

  /// As it was when the archive was written.
  package enum Earlier {
    package final class Person: MirrorCoding {
      package override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.User", version: 1) }
      var name = ""
      var born: Int32 = 0
      var mood = Mood.calm
      var address = Address(city: "", zip: 0)
      var pets: [Pet] = []
      var gone = ""
    }
    final class Pet: MirrorCoding {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Pet") }
      var name = ""
    }
    struct Address: MirrorCodable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Place", version: 1) }
      var city: String
      var zip: Int
    }
    enum Mood: MirrorCodable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Mood") }
      case calm, furious
    }
    package static func written() -> [Person] {
      (0..<9).map { number in
        let person = Person()
        (person.name, person.born, person.mood, person.gone) = ("person \(number)", Int32(number) * 100, .furious, "gone \(number)")
        person.address = Address(city: "city \(number)", zip: number)
        let pet = Pet()
        pet.name = "pet \(number)"
        person.pets = [pet]
        return person
      }
    }
  }

  /// As it is today.
  package enum Later {
    package final class Person: MirrorCoding {
      package override class var archiveRules: ArchiveRules {
        ArchiveRules(
          name: "golden.Person", formerNames: ["golden.User"], version: 2,
          properties: [
            PropertyRule("fullName", formerKeys: ["label", "name"]), PropertyRule("born", conversions: [.secondsSince1970]),
            PropertyRule("mood", usesDefaultForUnknownCases: true),
          ])
      }
      var pets: [Pet] = []
      package var fullName = ""
      var born = Date.distantPast
      var mood = Mood.none
      var level = 3
      var address: Address?
      @Transient var unknownKeys: [String] = []
      @Transient var version: UInt64 = 0
      package override func didDecode(_ context: DecodingContext) throws {
        try super.didDecode(context)
        (unknownKeys, version) = (context.unknownKeys, context.typeVersion)
      }
    }
    final class Pet: MirrorCoding {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Pet") }
      var nick: String?
      var name = ""
    }
    struct Address: MirrorCodable, Equatable {
      static var archiveRules: ArchiveRules {
        ArchiveRules(
          name: "golden.Address", formerNames: ["golden.Place"], version: 2, properties: [PropertyRule("country", default: .value("?"))])
      }
      var zip: String
      var country: String
      var city: String
    }
    enum Mood: MirrorCodable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Mood") }
      case none, calm
    }
    package static func expected(_ people: [Person]) -> Bool {
      people.count == 9
        && people.enumerated().allSatisfy { number, person in
          person.fullName == "person \(number)" && person.born == Date(timeIntervalSince1970: Double(number) * 100) && person.mood == .none
            && person.level == 3 && person.address == Address(zip: "\(number)", country: "?", city: "city \(number)")
            && person.pets.map(\.name) == ["pet \(number)"] && person.pets[0].nick == nil && person.unknownKeys == ["gone"]
            && person.version == 1
        }
    }
  }
}
