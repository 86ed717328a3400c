import Foundation
import MirrorArchive

/// A language of ISO 639-3.
final class Language: MirrorCoding, Codable {
  var alpha3 = ""
  var alpha2: String?
  var bibliographic: String?
  var name = ""
  var invertedName: String?
  var commonName: String?
  var scope = ""
  var type = ""
}

/// A country of ISO 3166-1.
final class Country: MirrorCoding, Codable {
  var alpha2 = ""
  var alpha3 = ""
  var numeric = ""
  var flag = ""
  var name = ""
  var officialName: String?
  var commonName: String?
}

/// A part of a country, of ISO 3166-2. It owns its country and knows the part that it belongs to.
final class Subdivision: MirrorCoding {
  var code = ""
  var name = ""
  var type = ""
  var country: Country?
  weak var parent: Subdivision?
}

/// All of them.
final class World: MirrorCoding {
  var languages: [Language] = []
  var countries: [Country] = []
  var subdivisions: [Subdivision] = []
}

extension World {
  /// Where Debian's package iso-codes puts its files.
  static let directory = "/usr/share/iso-codes/json"

  /// Reads the three files.
  /// - Throws: `Skip` with the name of a file that is not there.
  static func load() throws -> World {
    let world = World()
    world.languages = try records("639-3").map { record in
      let language = Language()
      language.alpha3 = record["alpha_3"] ?? ""
      language.alpha2 = record["alpha_2"]
      language.bibliographic = record["bibliographic"]
      language.name = record["name"] ?? ""
      language.invertedName = record["inverted_name"]
      language.commonName = record["common_name"]
      language.scope = record["scope"] ?? ""
      language.type = record["type"] ?? ""
      return language
    }
    world.countries = try records("3166-1").map { record in
      let country = Country()
      country.alpha2 = record["alpha_2"] ?? ""
      country.alpha3 = record["alpha_3"] ?? ""
      country.numeric = record["numeric"] ?? ""
      country.flag = record["flag"] ?? ""
      country.name = record["name"] ?? ""
      country.officialName = record["official_name"]
      country.commonName = record["common_name"]
      return country
    }
    let countries = Dictionary(world.countries.map { ($0.alpha2, $0) }) { first, _ in first }
    let subdivisionRecords = try records("3166-2")
    world.subdivisions = subdivisionRecords.map { record in
      let subdivision = Subdivision()
      subdivision.code = record["code"] ?? ""
      subdivision.name = record["name"] ?? ""
      subdivision.type = record["type"] ?? ""
      subdivision.country = countries[String(subdivision.code.prefix(2))]
      return subdivision
    }
    let subdivisions = Dictionary(world.subdivisions.map { ($0.code, $0) }) { first, _ in first }
    for (record, subdivision) in zip(subdivisionRecords, world.subdivisions) {
      // Some parents are written with their country, some without.
      guard let parent = record["parent"] else { continue }
      subdivision.parent = subdivisions[parent] ?? subdivisions["\(subdivision.code.prefix(2))-\(parent)"]
    }
    return world
  }

  private static func records(_ standard: String) throws -> [[String: String]] {
    let path = "\(directory)/iso_\(standard).json"
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Skip(reason: "there is no \(path) (Debian's package iso-codes has it)")
    }
    guard let records = try JSONDecoder().decode([String: [[String: String]]].self, from: data)[standard] else {
      throw Skip(reason: "\(path) has no \(standard)")
    }
    return records
  }
}

extension World {
  func difference(from other: World) -> String? {
    if languages.count != other.languages.count { return "the number of languages" }
    if countries.count != other.countries.count { return "the number of countries" }
    if subdivisions.count != other.subdivisions.count { return "the number of subdivisions" }
    for (mine, theirs) in zip(languages, other.languages) where mine.values != theirs.values { return "language \(mine.alpha3)" }
    for (mine, theirs) in zip(countries, other.countries) where mine.values != theirs.values { return "country \(mine.alpha2)" }
    let myCountries = Self.numbers(countries)
    let theirCountries = Self.numbers(other.countries)
    let mySubdivisions = Self.numbers(subdivisions)
    let theirSubdivisions = Self.numbers(other.subdivisions)
    for (mine, theirs) in zip(subdivisions, other.subdivisions) {
      if mine.code != theirs.code || mine.name != theirs.name || mine.type != theirs.type { return "subdivision \(mine.code)" }
      let myCountry = mine.country.map { myCountries[ObjectIdentifier($0)] }
      if myCountry != theirs.country.map({ theirCountries[ObjectIdentifier($0)] }) { return "country of \(mine.code)" }
      let myParent = mine.parent.map { mySubdivisions[ObjectIdentifier($0)] }
      if myParent != theirs.parent.map({ theirSubdivisions[ObjectIdentifier($0)] }) { return "parent of \(mine.code)" }
    }
    return nil
  }

  private static func numbers<Object: AnyObject>(_ objects: [Object]) -> [ObjectIdentifier: Int] {
    Dictionary(objects.enumerated().map { (ObjectIdentifier($1), $0) }) { first, _ in first }
  }
}

extension Language {
  fileprivate var values: [String?] { [alpha3, alpha2, bibliographic, name, invertedName, commonName, scope, type] }
}

extension Country {
  fileprivate var values: [String?] { [alpha2, alpha3, numeric, flag, name, officialName, commonName] }
}

extension Contest {
  /// Real data: short strings in many scripts, optional ones, shared countries, weak parents.
  static func isoWorld() throws -> Contest {
    let world = try World.load()
    let objects = 1 + world.languages.count + world.countries.count + world.subdivisions.count
    return Contest(
      "iso", objects: objects,
      contenders: [
        mirrorArchive(world, difference: world.difference),
        hand(world, encode: HandISOWorld.encode, decode: HandISOWorld.decode, difference: world.difference),
        json(world, as: FlatWorld.self, flatten: FlatWorld.init, link: { try $0.linked() }, difference: world.difference),
        propertyList(world, as: FlatWorld.self, flatten: FlatWorld.init, link: { try $0.linked() }, difference: world.difference),
        keyedArchiver(KeyedWorld(world)) { world.difference(from: $0.world) },
      ],
      notes: [
        "JSONEncoder and PropertyListEncoder have no references: they write flat records that hold the codes of countries and parents.",
        "Making those records is part of encoding, linking the objects by their codes is part of decoding.",
      ])
  }
}
