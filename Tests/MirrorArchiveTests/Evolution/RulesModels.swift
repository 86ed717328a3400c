import Foundation
import MirrorArchive

/// Old and new forms of the same types, under the same archive names.
enum RulesOld {
  class Person: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "RulesTests.User", version: 3) }
    var name = "?"
    var age = 0
    var mood = Mood.happy
    var optionalMood: Mood?
    var moods: [Mood] = []
    var address = Address()
    var gone = "gone"
    var secret = 1
  }

  enum Mood: MirrorCodable, Equatable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "RulesTests.Mood") }
    case happy, sad
    case furious(level: Int)
    case calm(String)
    case grumpy
  }

  struct Address: MirrorCodable, Equatable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "RulesTests.Place", version: 1) }
    var street = "street"
    var number = 1
  }
}

enum RulesNew {
  class Person: MirrorCoding {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(
        name: "RulesTests.Person", formerNames: ["RulesTests.Nobody", "RulesTests.User"], version: 4,
        properties: [
          PropertyRule("fullName", key: "full_name", formerKeys: ["title", "name"]),
          PropertyRule("level", default: .value(7)),
          PropertyRule("mood", usesDefaultForUnknownCases: true),
          PropertyRule("optionalMood", usesDefaultForUnknownCases: true),
        ],
        excluding: ["secret"])
    }
    var fullName = "nobody"
    var age = 1
    var level = 3
    var mood = Mood.sad
    var optionalMood: Mood? = .content
    var moods: [Mood] = []
    var address = Address()
    var added = "added"
    var secret = 99
    func nothing() {}
  }

  enum Mood: MirrorCodable, Equatable {
    static var archiveRules: ArchiveRules {
      ArchiveRules(
        name: "RulesTests.Mood", cases: [CaseRule("content", key: "CONTENT", formerKeys: ["happy"])], unknownCase: .value(Mood.unknown))
    }
    case content, sad
    case calm(String)
    case unknown
  }

  struct Address: MirrorCodable, Equatable {
    static var archiveRules: ArchiveRules {
      ArchiveRules(
        name: "RulesTests.Address", formerNames: ["RulesTests.Place"], version: 2,
        properties: [
          PropertyRule("road", formerKeys: ["street"]), PropertyRule("country", default: .value("FR")),
        ])
    }
    var road = "road"
    var number = 1
    var country: String
    var floor: Int?
    init() { country = "DE" }
  }
}

extension RulesOld.Person {
  static func sample() -> RulesOld.Person {
    let person = RulesOld.Person()
    person.name = "Ada"
    person.age = 36
    person.mood = .furious(level: 3)
    person.optionalMood = .grumpy
    person.moods = [.happy, .furious(level: 1), .calm("c"), .sad, .grumpy]
    person.address.street = "Main"
    person.address.number = 12
    person.secret = 5
    return person
  }
}
