import Foundation
import MirrorArchive

/// Somebody with friends who are friends back, and a boss who is not owned.
final class Person: MirrorCoding {
  var name = ""
  var age = 0
  weak var boss: Person?
  var friends: [Person] = []
}

/// Owns everybody.
final class Village: MirrorCoding {
  var people: [Person] = []

  static func random(people count: Int, friends: Int, seed: UInt64 = 0x94af) -> Village {
    var generator = SeededGenerator(seed: seed)
    let village = Village()
    village.people = (0..<count).map { _ in
      let person = Person()
      person.name = generator.words(length: 8 + generator.below(17))
      person.age = 1 + generator.below(99)
      return person
    }
    for person in village.people {
      person.friends = (0..<friends).map { _ in village.people[generator.below(count)] }
      person.boss = generator.chance(90) ? village.people[generator.below(count)] : nil
    }
    return village
  }

  func difference(from other: Village) -> String? {
    if people.count != other.people.count { return "\(other.people.count) people instead of \(people.count)" }
    let mine = numbers()
    let theirs = other.numbers()
    if mine.count != theirs.count { return "\(theirs.count) people who are not the same instead of \(mine.count)" }
    for (index, (person, copy)) in zip(people, other.people).enumerated() {
      if person.name != copy.name || person.age != copy.age { return "people[\(index)]: name or age" }
      let boss = person.boss.map { mine[ObjectIdentifier($0)] }
      if boss != copy.boss.map({ theirs[ObjectIdentifier($0)] }) { return "people[\(index)]: boss" }
      let friends = person.friends.map { mine[ObjectIdentifier($0)] }
      if friends != copy.friends.map({ theirs[ObjectIdentifier($0)] }) { return "people[\(index)]: friends" }
    }
    return nil
  }

  private func numbers() -> [ObjectIdentifier: Int] {
    Dictionary(people.enumerated().map { (ObjectIdentifier($1), $0) }) { first, _ in first }
  }

  /// Takes the cycles apart: without this nobody in them would ever be released.
  func dissolve() {
    for person in people {
      person.friends = []
    }
  }
}

extension Contest {
  /// 1,000 people with 10 friends each: cycles everywhere.
  static func graph() -> Contest {
    let village = Village.random(people: 1_000, friends: 10)
    let keyedVillage = KeyedVillage(village)
    return Contest(
      "graph", objects: 1_001,
      contenders: [
        mirrorArchive(village, difference: village.difference, discard: { $0.dissolve() }),
        hand(
          village, encode: HandGraph.encode, decode: HandGraph.decode, difference: village.difference, discard: { $0.dissolve() }),
        keyedArchiver(encodingOnly: keyedVillage),
      ],
      absences: [
        .init(contender: ContenderName.json, reason: "it has no references"),
        .init(contender: ContenderName.propertyList, reason: "it has no references"),
        .init(contender: ContenderName.keyedArchiver, reason: "NSKeyedUnarchiver cannot decode a cycle on Linux", operation: .decode),
      ],
      finish: {
        village.dissolve()
        keyedVillage.dissolve()
      })
  }
}
