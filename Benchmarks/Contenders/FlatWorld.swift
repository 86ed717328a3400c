import Foundation

/// The ISO world as it has to be laid out for `Codable`, which has no references: languages and countries refer to nothing and are written
/// as they are, a part of a country holds codes in place of its country and its parent.
struct FlatWorld: Codable {
  struct FlatSubdivision: Codable {
    var code: String
    var name: String
    var type: String
    var country: String?
    var parent: String?
  }

  var languages: [Language]
  var countries: [Country]
  var subdivisions: [FlatSubdivision]

  init(_ world: World) {
    languages = world.languages
    countries = world.countries
    subdivisions = world.subdivisions.map {
      FlatSubdivision(code: $0.code, name: $0.name, type: $0.type, country: $0.country?.alpha2, parent: $0.parent?.code)
    }
  }

  /// The objects that the records stand for, linked.
  /// - Throws: `HandError.malformed` for a code that nothing has.
  func linked() throws -> World {
    let world = World()
    world.languages = languages
    world.countries = countries
    world.subdivisions = subdivisions.map { record in
      let subdivision = Subdivision()
      subdivision.code = record.code
      subdivision.name = record.name
      subdivision.type = record.type
      return subdivision
    }
    let countriesByCode = Dictionary(countries.map { ($0.alpha2, $0) }) { first, _ in first }
    let subdivisionsByCode = Dictionary(world.subdivisions.map { ($0.code, $0) }) { first, _ in first }
    for (record, subdivision) in zip(subdivisions, world.subdivisions) {
      if let code = record.country { subdivision.country = try Self.find(code, in: countriesByCode) }
      if let code = record.parent { subdivision.parent = try Self.find(code, in: subdivisionsByCode) }
    }
    return world
  }

  private static func find<Object>(_ code: String, in objects: [String: Object]) throws -> Object {
    guard let object = objects[code] else { throw HandError.malformed }
    return object
  }
}
