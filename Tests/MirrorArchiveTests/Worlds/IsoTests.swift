import Foundation
import MirrorArchive
import Testing

/// The whole world of the ISO tables. Without Debian's package `iso-codes` the suite is reported as skipped, by name.
@Suite("The ISO world", .enabled(if: IsoWorld.isInstalled, "the package iso-codes is not installed"))
struct IsoTests {
  @Test("The world comes back in a new process, every property and every identity of it", .timeLimit(.minutes(5))) func newProcess()
    async throws
  {
    let path: String
    do {
      let world = try IsoWorld.load()
      try #require(world.languages.count > 7_000 && world.countries.count > 240 && world.subdivisions.count > 4_500)
      path = try HandOver.write(KeyedArchiver.archivedData(withRootObject: world))
    }
    defer { HandOver.remove(path) }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let read = try KeyedUnarchiver.unarchivedObject(ofClass: IsoWorld.self, from: HandOver.read(path))
      try IsoTests.compare(read, IsoWorld.load())
    }
  }

  @Test("The world comes back in this process and has the size of its facts") func sameProcess() throws {
    let world = try IsoWorld.load()
    let data = try KeyedArchiver.archivedData(withRootObject: world)
    try Self.compare(KeyedUnarchiver.unarchivedObject(ofClass: IsoWorld.self, from: data), world)
    #expect(try KeyedArchiver.archivedData(withRootObject: world) == data)
    #expect(data.count < 500_000)
  }

  static func compare(_ read: IsoWorld, _ expected: IsoWorld) throws {
    try #require(read.languages.count == expected.languages.count)
    for (read, expected) in zip(read.languages, expected.languages) {
      let isSame =
        read.code == expected.code && read.twoLetterCode == expected.twoLetterCode && read.bibliographicCode == expected.bibliographicCode
        && read.name == expected.name && read.invertedName == expected.invertedName && read.commonName == expected.commonName
        && read.scope == expected.scope && read.kind == expected.kind
      #expect(isSame, "\(expected.code)")
    }
    try #require(read.countries.count == expected.countries.count)
    for (read, expected) in zip(read.countries, expected.countries) {
      let isSame =
        read.code == expected.code && read.longCode == expected.longCode && read.number == expected.number && read.flag == expected.flag
        && read.name == expected.name && read.officialName == expected.officialName && read.commonName == expected.commonName
      #expect(isSame, "\(expected.code)")
    }
    #expect(read.countryByCode.count == expected.countries.count)
    for country in read.countries { #expect(read.countryByCode[country.code] === country) }
    try compareSubdivisions(read, expected)
  }

  /// Identities are compared by position: the parent of the read object is the object that stands where the expected parent stands.
  private static func compareSubdivisions(_ read: IsoWorld, _ expected: IsoWorld) throws {
    try #require(read.subdivisions.count == expected.subdivisions.count)
    let positions = Dictionary(uniqueKeysWithValues: expected.subdivisions.enumerated().map { (ObjectIdentifier($0.element), $0.offset) })
    var parents = 0
    for (subdivision, expected) in zip(read.subdivisions, expected.subdivisions) {
      let isSame =
        subdivision.code == expected.code && Array(subdivision.name.utf8) == Array(expected.name.utf8) && subdivision.kind == expected.kind
      #expect(isSame, "\(expected.code)")
      let country = try #require(expected.country)
      #expect(subdivision.country === read.countryByCode[country.code], "country of \(expected.code)")
      if let parent = expected.parent {
        parents += 1
        let position = try #require(positions[ObjectIdentifier(parent)])
        #expect(subdivision.parent === read.subdivisions[position], "parent of \(expected.code)")
      } else {
        #expect(subdivision.parent == nil, "parent of \(expected.code)")
      }
    }
    #expect(parents > 1_000)
  }
}
