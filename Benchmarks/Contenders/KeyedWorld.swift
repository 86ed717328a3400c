import Foundation

/// `Language` as it is written for `NSKeyedArchiver`.
final class KeyedLanguage: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let alpha3: String
  let name: String
  let scope: String
  let type: String
  let alpha2: String?
  let bibliographic: String?
  let invertedName: String?
  let commonName: String?

  init(_ language: Language) {
    alpha3 = language.alpha3
    name = language.name
    scope = language.scope
    type = language.type
    alpha2 = language.alpha2
    bibliographic = language.bibliographic
    invertedName = language.invertedName
    commonName = language.commonName
  }

  var language: Language {
    let language = Language()
    language.alpha3 = alpha3
    language.name = name
    language.scope = scope
    language.type = type
    language.alpha2 = alpha2
    language.bibliographic = bibliographic
    language.invertedName = invertedName
    language.commonName = commonName
    return language
  }

  func encode(with coder: NSCoder) {
    coder.encode(alpha3 as NSString, forKey: "alpha3")
    coder.encode(name as NSString, forKey: "name")
    coder.encode(scope as NSString, forKey: "scope")
    coder.encode(type as NSString, forKey: "type")
    if let alpha2 { coder.encode(alpha2 as NSString, forKey: "alpha2") }
    if let bibliographic { coder.encode(bibliographic as NSString, forKey: "bibliographic") }
    if let invertedName { coder.encode(invertedName as NSString, forKey: "invertedName") }
    if let commonName { coder.encode(commonName as NSString, forKey: "commonName") }
  }

  init?(coder: NSCoder) {
    guard let alpha3 = coder.decodeObject(of: NSString.self, forKey: "alpha3"),
      let name = coder.decodeObject(of: NSString.self, forKey: "name"),
      let scope = coder.decodeObject(of: NSString.self, forKey: "scope"),
      let type = coder.decodeObject(of: NSString.self, forKey: "type")
    else { return nil }
    self.alpha3 = alpha3 as String
    self.name = name as String
    self.scope = scope as String
    self.type = type as String
    alpha2 = coder.stringIfPresent(forKey: "alpha2")
    bibliographic = coder.stringIfPresent(forKey: "bibliographic")
    invertedName = coder.stringIfPresent(forKey: "invertedName")
    commonName = coder.stringIfPresent(forKey: "commonName")
  }
}

/// `Country` as it is written for `NSKeyedArchiver`.
final class KeyedCountry: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let alpha2: String
  let alpha3: String
  let numeric: String
  let flag: String
  let name: String
  let officialName: String?
  let commonName: String?

  init(_ country: Country) {
    alpha2 = country.alpha2
    alpha3 = country.alpha3
    numeric = country.numeric
    flag = country.flag
    name = country.name
    officialName = country.officialName
    commonName = country.commonName
  }

  var country: Country {
    let country = Country()
    country.alpha2 = alpha2
    country.alpha3 = alpha3
    country.numeric = numeric
    country.flag = flag
    country.name = name
    country.officialName = officialName
    country.commonName = commonName
    return country
  }

  func encode(with coder: NSCoder) {
    coder.encode(alpha2 as NSString, forKey: "alpha2")
    coder.encode(alpha3 as NSString, forKey: "alpha3")
    coder.encode(numeric as NSString, forKey: "numeric")
    coder.encode(flag as NSString, forKey: "flag")
    coder.encode(name as NSString, forKey: "name")
    if let officialName { coder.encode(officialName as NSString, forKey: "officialName") }
    if let commonName { coder.encode(commonName as NSString, forKey: "commonName") }
  }

  init?(coder: NSCoder) {
    guard let alpha2 = coder.decodeObject(of: NSString.self, forKey: "alpha2"),
      let alpha3 = coder.decodeObject(of: NSString.self, forKey: "alpha3"),
      let numeric = coder.decodeObject(of: NSString.self, forKey: "numeric"),
      let flag = coder.decodeObject(of: NSString.self, forKey: "flag"),
      let name = coder.decodeObject(of: NSString.self, forKey: "name")
    else { return nil }
    self.alpha2 = alpha2 as String
    self.alpha3 = alpha3 as String
    self.numeric = numeric as String
    self.flag = flag as String
    self.name = name as String
    officialName = coder.stringIfPresent(forKey: "officialName")
    commonName = coder.stringIfPresent(forKey: "commonName")
  }
}

/// `Subdivision` as it is written for `NSKeyedArchiver`.
final class KeyedSubdivision: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let code: String
  let name: String
  let type: String
  var country: KeyedCountry?
  weak var parent: KeyedSubdivision?

  init(_ subdivision: Subdivision) {
    code = subdivision.code
    name = subdivision.name
    type = subdivision.type
  }

  func encode(with coder: NSCoder) {
    coder.encode(code as NSString, forKey: "code")
    coder.encode(name as NSString, forKey: "name")
    coder.encode(type as NSString, forKey: "type")
    if let country { coder.encode(country, forKey: "country") }
    if let parent { coder.encode(parent, forKey: "parent") }
  }

  init?(coder: NSCoder) {
    guard let code = coder.decodeObject(of: NSString.self, forKey: "code"),
      let name = coder.decodeObject(of: NSString.self, forKey: "name"),
      let type = coder.decodeObject(of: NSString.self, forKey: "type")
    else { return nil }
    self.code = code as String
    self.name = name as String
    self.type = type as String
    country = coder.containsValue(forKey: "country") ? coder.decodeObject(of: KeyedCountry.self, forKey: "country") : nil
    parent = coder.containsValue(forKey: "parent") ? coder.decodeObject(of: KeyedSubdivision.self, forKey: "parent") : nil
  }
}

/// `World` as it is written for `NSKeyedArchiver`.
final class KeyedWorld: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let languages: [KeyedLanguage]
  let countries: [KeyedCountry]
  let subdivisions: [KeyedSubdivision]

  init(_ world: World) {
    languages = world.languages.map(KeyedLanguage.init)
    let countries = world.countries.map(KeyedCountry.init)
    let subdivisions = world.subdivisions.map(KeyedSubdivision.init)
    let countryCopies = Dictionary(zip(world.countries.map(ObjectIdentifier.init), countries)) { first, _ in first }
    let copies = Dictionary(zip(world.subdivisions.map(ObjectIdentifier.init), subdivisions)) { first, _ in first }
    for (subdivision, copy) in zip(world.subdivisions, subdivisions) {
      copy.country = subdivision.country.flatMap { countryCopies[ObjectIdentifier($0)] }
      copy.parent = subdivision.parent.flatMap { copies[ObjectIdentifier($0)] }
    }
    self.countries = countries
    self.subdivisions = subdivisions
  }

  /// Copies with the same identities, for the comparison.
  var world: World {
    let world = World()
    world.languages = languages.map(\.language)
    world.countries = countries.map(\.country)
    world.subdivisions = subdivisions.map { original in
      let copy = Subdivision()
      copy.code = original.code
      copy.name = original.name
      copy.type = original.type
      return copy
    }
    let countryCopies = Dictionary(zip(countries.map(ObjectIdentifier.init), world.countries)) { first, _ in first }
    let copies = Dictionary(zip(subdivisions.map(ObjectIdentifier.init), world.subdivisions)) { first, _ in first }
    for (original, copy) in zip(subdivisions, world.subdivisions) {
      copy.country = original.country.flatMap { countryCopies[ObjectIdentifier($0)] }
      copy.parent = original.parent.flatMap { copies[ObjectIdentifier($0)] }
    }
    return world
  }

  func encode(with coder: NSCoder) {
    coder.encode(NSArray(array: languages), forKey: "languages")
    coder.encode(NSArray(array: countries), forKey: "countries")
    coder.encode(NSArray(array: subdivisions), forKey: "subdivisions")
  }

  init?(coder: NSCoder) {
    guard
      let languages = coder.decodeObject(of: [NSArray.self, KeyedLanguage.self], forKey: "languages") as? [KeyedLanguage],
      let countries = coder.decodeObject(of: [NSArray.self, KeyedCountry.self], forKey: "countries") as? [KeyedCountry],
      let subdivisions = coder.decodeObject(of: [NSArray.self, KeyedSubdivision.self], forKey: "subdivisions") as? [KeyedSubdivision]
    else { return nil }
    self.languages = languages
    self.countries = countries
    self.subdivisions = subdivisions
  }
}
