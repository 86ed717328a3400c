import Foundation

/// The ISO world: a byte of flags for the optional strings of an object, countries and parents as numbers.
enum HandISOWorld {
  static func encode(_ world: World) -> Data {
    let languages = world.languages
    let countries = world.countries
    let subdivisions = world.subdivisions
    var writer = HandWriter(capacity: 64 + 40 * (languages.count + countries.count + subdivisions.count))
    writer.reserve(3 * HandWriter.maximumVarint)
    writer.varint(UInt64(languages.count))
    writer.varint(UInt64(countries.count))
    writer.varint(UInt64(subdivisions.count))
    languages.forEachBorrowed { language in write(language, to: &writer) }
    var countryNumbers = HandObjectTable(expected: countries.count)
    countries.forEachBorrowed { country in
      _ = countryNumbers.number(of: country)
      write(country, to: &writer)
    }
    var numbers = HandObjectTable(expected: subdivisions.count)
    subdivisions.forEachBorrowed { subdivision in
      _ = numbers.number(of: subdivision)
    }
    subdivisions.forEachBorrowed { subdivision in
      let code = subdivision.code
      let name = subdivision.name
      let type = subdivision.type
      writer.reserve(5 * HandWriter.maximumVarint + code.utf8.count + name.utf8.count + type.utf8.count)
      writer.string(code)
      writer.string(name)
      writer.string(type)
      // 0 is none. The arrays of the world hold every country and every subdivision, so neither table meets a new object here.
      writer.varint(subdivision.country.map { UInt64(countryNumbers.number(of: $0) + 1) } ?? 0)
      writer.varint(subdivision.parent.map { UInt64(numbers.number(of: $0) + 1) } ?? 0)
    }
    return writer.finish()
  }

  @inline(__always)
  private static func write(_ language: Language, to writer: inout HandWriter) {
    let alpha2 = language.alpha2
    let bibliographic = language.bibliographic
    let invertedName = language.invertedName
    let commonName = language.commonName
    writer.reserve(1)
    writer.byte(
      (alpha2 == nil ? 0 : 1) | (bibliographic == nil ? 0 : 2) | (invertedName == nil ? 0 : 4) | (commonName == nil ? 0 : 8))
    writer.reservedString(language.alpha3)
    writer.reservedString(language.name)
    writer.reservedString(language.scope)
    writer.reservedString(language.type)
    if let alpha2 { writer.reservedString(alpha2) }
    if let bibliographic { writer.reservedString(bibliographic) }
    if let invertedName { writer.reservedString(invertedName) }
    if let commonName { writer.reservedString(commonName) }
  }

  @inline(__always)
  private static func write(_ country: Country, to writer: inout HandWriter) {
    writer.reserve(1)
    writer.byte((country.officialName == nil ? 0 : 1) | (country.commonName == nil ? 0 : 2))
    writer.reservedString(country.alpha2)
    writer.reservedString(country.alpha3)
    writer.reservedString(country.numeric)
    writer.reservedString(country.flag)
    writer.reservedString(country.name)
    if let officialName = country.officialName { writer.reservedString(officialName) }
    if let commonName = country.commonName { writer.reservedString(commonName) }
  }

  static func decode(_ data: Data) throws -> World {
    try HandReader.read(data) { reader in
      let world = World()
      let languageCount = try reader.count(minimumSize: 5)
      let countryCount = try reader.count(minimumSize: 6)
      let subdivisionCount = try reader.count(minimumSize: 5)
      var languages: [Language] = []
      languages.reserveCapacity(languageCount)
      for _ in 0..<languageCount { languages.append(try readLanguage(&reader)) }
      var countries: [Country] = []
      countries.reserveCapacity(countryCount)
      for _ in 0..<countryCount { countries.append(try readCountry(&reader)) }
      // All of them first: a parent may come after its parts.
      var subdivisions: [Subdivision] = []
      subdivisions.reserveCapacity(subdivisionCount)
      for _ in 0..<subdivisionCount { subdivisions.append(Subdivision()) }
      try subdivisions.forEachBorrowed { subdivision in
        subdivision.code = try reader.string()
        subdivision.name = try reader.string()
        subdivision.type = try reader.string()
        subdivision.country = try reader.optionalReference(to: countries)
        if let parent = try reader.optionalReference(to: subdivisions) { subdivision.parent = parent }
      }
      world.languages = languages
      world.countries = countries
      world.subdivisions = subdivisions
      return world
    }
  }

  @inline(__always)
  private static func readLanguage(_ reader: inout HandReader) throws(HandError) -> Language {
    let language = Language()
    let flags = try reader.byte()
    language.alpha3 = try reader.string()
    language.name = try reader.string()
    language.scope = try reader.string()
    language.type = try reader.string()
    if flags & 1 != 0 { language.alpha2 = try reader.string() }
    if flags & 2 != 0 { language.bibliographic = try reader.string() }
    if flags & 4 != 0 { language.invertedName = try reader.string() }
    if flags & 8 != 0 { language.commonName = try reader.string() }
    return language
  }

  @inline(__always)
  private static func readCountry(_ reader: inout HandReader) throws(HandError) -> Country {
    let country = Country()
    let flags = try reader.byte()
    country.alpha2 = try reader.string()
    country.alpha3 = try reader.string()
    country.numeric = try reader.string()
    country.flag = try reader.string()
    country.name = try reader.string()
    if flags & 1 != 0 { country.officialName = try reader.string() }
    if flags & 2 != 0 { country.commonName = try reader.string() }
    return country
  }
}
