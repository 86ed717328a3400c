import Foundation

/// `Person` as it is written for `NSKeyedArchiver`.
final class KeyedPerson: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let name: String
  let age: Int
  weak var boss: KeyedPerson?
  var friends: [KeyedPerson] = []

  init(_ person: Person) {
    name = person.name
    age = person.age
  }

  func encode(with coder: NSCoder) {
    coder.encode(name as NSString, forKey: "name")
    coder.encode(age, forKey: "age")
    coder.encodeConditionalObject(boss, forKey: "boss")
    coder.encodeElements(friends, forKey: "friends")
  }

  init?(coder: NSCoder) {
    guard let name = coder.decodeObject(of: NSString.self, forKey: "name"),
      let friends = coder.decodeElements(of: KeyedPerson.self, forKey: "friends")
    else { return nil }
    self.name = name as String
    age = coder.decodeInteger(forKey: "age")
    self.friends = friends
    boss = coder.containsValue(forKey: "boss") ? coder.decodeObject(of: KeyedPerson.self, forKey: "boss") : nil
  }
}

/// `Village` as it is written for `NSKeyedArchiver`.
final class KeyedVillage: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let people: [KeyedPerson]

  init(_ village: Village) {
    let people = village.people.map(KeyedPerson.init)
    let copies = Dictionary(zip(village.people.map(ObjectIdentifier.init), people)) { first, _ in first }
    for (person, copy) in zip(village.people, people) {
      copy.boss = person.boss.flatMap { copies[ObjectIdentifier($0)] }
      copy.friends = person.friends.compactMap { copies[ObjectIdentifier($0)] }
    }
    self.people = people
  }

  func encode(with coder: NSCoder) {
    coder.encode(NSArray(array: people), forKey: "people")
  }

  init?(coder: NSCoder) {
    guard let people = coder.decodeObject(of: [NSArray.self, KeyedPerson.self], forKey: "people") as? [KeyedPerson] else { return nil }
    self.people = people
  }

  /// Takes the cycles apart.
  func dissolve() {
    for person in people {
      person.friends = []
    }
  }
}
