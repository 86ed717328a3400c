import Foundation

/// The village: objects numbered as they are met, rows in that order, references as numbers.
enum HandGraph {
  static func encode(_ village: Village) -> Data {
    let everybody = village.people
    var writer = HandWriter(capacity: 64 + 64 * everybody.count)
    var people = HandWorklist<Person>(expected: everybody.count)
    let position = writer.placeholder()
    writer.reserve((1 + everybody.count) * HandWriter.maximumVarint)
    writer.varint(UInt64(everybody.count))
    everybody.forEachBorrowed { person in
      writer.varint(people.number(of: person))
    }
    while let next = unsafe people.next() {
      unsafe next._withUnsafeGuaranteedRef { person in
        let name = person.name
        let friends = person.friends
        writer.reserve((4 + friends.count) * HandWriter.maximumVarint + name.utf8.count)
        writer.string(name)
        writer.signed(person.age)
        // 0 is nobody.
        if let boss = person.boss { writer.varint(people.number(of: boss) + 1) } else { writer.byte(0) }
        writer.varint(UInt64(friends.count))
        friends.forEachBorrowed { friend in
          writer.varint(people.number(of: friend))
        }
      }
    }
    writer.fill(position, with: UInt32(people.count))
    return writer.finish()
  }

  static func decode(_ data: Data) throws -> Village {
    try HandReader.read(data) { reader in
      let people = try reader.objects(minimumSize: 4) { Person() }
      let village = Village()
      village.people = try reader.references(to: people)
      var bosses: [Int] = []
      bosses.reserveCapacity(people.count)
      for person in people {
        person.name = try reader.string()
        person.age = try reader.signed()
        let boss = try reader.varint()
        guard boss <= UInt64(people.count) else { throw HandError.malformed }
        bosses.append(Int(boss))
        person.friends = try reader.references(to: people)
      }
      // Last, because every later retain of somebody who is referred to weakly takes the slow path of the runtime.
      for (person, boss) in zip(people, bosses) where boss > 0 {
        person.boss = people[boss - 1]
      }
      return village
    }
  }
}
