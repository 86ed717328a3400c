import Foundation
import MirrorArchive

/// Languages, countries and their subdivisions, from the JSON files of Debian's package `iso-codes`.
final class IsoWorld: MirrorCoding {
  var languages: [IsoLanguage] = []
  var countries: [IsoCountry] = []
  var subdivisions: [IsoSubdivision] = []
  var countryByCode: [String: IsoCountry] = [:]
}

final class IsoLanguage: MirrorCoding {
  enum Scope: String {
    case individual = "I"
    case macro = "M"
    case special = "S"
  }
  enum Kind: String {
    case living = "L"
    case extinct = "E"
    case historic = "H"
    case ancient = "A"
    case constructed = "C"
    case special = "S"
  }
  var code = ""
  var twoLetterCode: String?
  var bibliographicCode: String?
  var name = ""
  var invertedName: String?
  var commonName: String?
  var scope = Scope.individual
  var kind = Kind.living
}

final class IsoCountry: MirrorCoding {
  var code = ""
  var longCode = ""
  var number = 0
  var flag: Character = " "
  var name = ""
  var officialName: String?
  var commonName: String?
}

final class IsoSubdivision: MirrorCoding {
  var code = ""
  var name = ""
  var kind = ""
  var country: IsoCountry?
  weak var parent: IsoSubdivision?
}

extension IsoWorld {
  private static let directory = "/usr/share/iso-codes/json"
  static let isInstalled = ["639-3", "3166-1", "3166-2"].allSatisfy {
    FileManager.default.isReadableFile(atPath: "\(directory)/iso_\($0).json")
  }

  private struct LanguageRow: Decodable {
    let alpha3: String
    let alpha2: String?
    let bibliographic: String?
    let name: String
    let invertedName: String?
    let commonName: String?
    let scope: String
    let type: String
  }
  private struct CountryRow: Decodable {
    let alpha2: String
    let alpha3: String
    let flag: String
    let name: String
    let numeric: String
    let officialName: String?
    let commonName: String?
  }
  private struct SubdivisionRow: Decodable {
    let code: String
    let name: String
    let type: String
    let parent: String?
  }
  /// A fact that the model has no place for.
  struct UnknownFact: Error { let text: String }

  private static func rows<Row: Decodable>(_: Row.Type, _ table: String) throws -> [Row] {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(directory)/iso_\(table).json"))
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let rows = try decoder.decode([String: [Row]].self, from: data)[table] else { throw UnknownFact(text: table) }
    return rows
  }

  /// The world as the files describe it.
  static func load() throws -> IsoWorld {
    let world = IsoWorld()
    world.languages = try rows(LanguageRow.self, "639-3").map(language)
    world.countries = try rows(CountryRow.self, "3166-1").map(country)
    world.countryByCode = Dictionary(uniqueKeysWithValues: world.countries.map { ($0.code, $0) })
    let subdivisions = try rows(SubdivisionRow.self, "3166-2")
    world.subdivisions = try subdivisions.map { row in
      let subdivision = IsoSubdivision()
      subdivision.code = row.code
      subdivision.name = row.name
      subdivision.kind = row.type
      guard let country = world.countryByCode[String(row.code.prefix(2))] else { throw UnknownFact(text: row.code) }
      subdivision.country = country
      return subdivision
    }
    let byCode = Dictionary(uniqueKeysWithValues: world.subdivisions.map { ($0.code, $0) })
    for (row, subdivision) in zip(subdivisions, world.subdivisions) {
      guard let parent = row.parent else { continue }
      // Most parents are written without the country's code.
      subdivision.parent = byCode[parent] ?? byCode["\(row.code.prefix(2))-\(parent)"]
      if subdivision.parent == nil { throw UnknownFact(text: "\(row.code): \(parent)") }
    }
    return world
  }

  private static func language(_ row: LanguageRow) throws -> IsoLanguage {
    guard let scope = IsoLanguage.Scope(rawValue: row.scope), let kind = IsoLanguage.Kind(rawValue: row.type) else {
      throw UnknownFact(text: row.alpha3)
    }
    let language = IsoLanguage()
    language.code = row.alpha3
    language.twoLetterCode = row.alpha2
    language.bibliographicCode = row.bibliographic
    language.name = row.name
    language.invertedName = row.invertedName
    language.commonName = row.commonName
    language.scope = scope
    language.kind = kind
    return language
  }

  private static func country(_ row: CountryRow) throws -> IsoCountry {
    guard let number = Int(row.numeric), let flag = row.flag.first, row.flag.count == 1 else { throw UnknownFact(text: row.alpha2) }
    let country = IsoCountry()
    country.code = row.alpha2
    country.longCode = row.alpha3
    country.number = number
    country.flag = flag
    country.name = row.name
    country.officialName = row.officialName
    country.commonName = row.commonName
    return country
  }
}
