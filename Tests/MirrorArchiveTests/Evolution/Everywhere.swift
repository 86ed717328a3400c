import Foundation
import MirrorArchive
import Testing

/// The same archived types whatever stands in them: what is written around one version of a type is read around another one.
struct EvolvingCell<Item>: MirrorCodable {
  static var archiveRules: ArchiveRules { ArchiveRules(name: "evolution.Cell") }
  var before: UInt8 = 0xA5
  var item: Item
  var behind = "behind"
}

enum EvolvingChoice<Item>: MirrorCodable {
  static var archiveRules: ArchiveRules { ArchiveRules(name: "evolution.Choice") }
  case none
  case one(Item)
  case two(label: String, Item)
}

/// Every kind of place that a value can stand in, in a class that has no `init()`.
final class EvolvingPlaces<Item>: MirrorCodable {
  static var archiveRules: ArchiveRules { ArchiveRules(name: "evolution.Places") }
  var mark = 77
  var one: Item
  var optional: Item?
  var missing: Item?
  /// Columns of eight rows and more are written in another way than shorter ones.
  var list: [Item]
  var optionals: [Item?]
  var table: [String: Item]
  var cell: EvolvingCell<Item>
  var cells: [EvolvingCell<Item?>]
  var choices: [EvolvingChoice<Item>]
  var pair: (Int, item: Item)
  var nested: [[Item]]
  var end = "end"

  init(_ item: Item) {
    one = item
    optional = item
    list = Array(repeating: item, count: 11)
    optionals = (0..<12).map { $0 % 3 == 0 ? nil : item }
    table = ["a": item, "b": item]
    cell = EvolvingCell(item: item)
    cells = (0..<9).map { EvolvingCell(item: $0 % 2 == 0 ? item : nil) }
    choices = [.none, .one(item), .two(label: "label", item)]
    pair = (5, item)
    nested = [[], [item], [item, item]]
  }
}

/// Archives a value in every kind of place, reads each archive as another version of the type, and hands over what came back.
/// - Parameter check: Whether the value that was read is the right one.
func expectEverywhere<Old, New>(
  _ old: Old, as _: New.Type, allowing types: [Any.Type] = [], sourceLocation: SourceLocation = #_sourceLocation,
  is check: (New) throws -> Bool
) {
  // One issue for all places: they mostly fail together.
  var failures: [String] = []
  func expect(_ place: String, _ value: @autoclosure () throws -> New?) {
    do {
      guard let value = try value() else { return failures.append("\(place): nothing came back") }
      if try !check(value) { failures.append("\(place): \(value)") }
    } catch {
      failures.append("\(place): \(error)")
    }
  }
  func read<A, B>(_ value: A, as _: B.Type) throws -> B {
    let data = try KeyedArchiver.archivedData(withRootObject: value, allowing: types)
    return try KeyedUnarchiver.unarchivedObject(of: B.self, from: data, allowing: types)
  }
  expect("the root", try read(old, as: New.self))
  expect("an optional root", try read(Optional(old), as: New?.self))
  do {
    for element in try read(Array(repeating: old, count: 20), as: [New].self) { expect("an array root", element) }
    for value in try read(["k": old, "l": old], as: [String: New].self).values { expect("a dictionary root", value) }
    let places = try read(EvolvingPlaces(old), as: EvolvingPlaces<New>.self)
    expect("a property", places.one)
    expect("an Optional property", places.optional)
    #expect(places.missing == nil, sourceLocation: sourceLocation)
    #expect(places.mark == 77 && places.end == "end", sourceLocation: sourceLocation)
    #expect(places.list.count == 11 && places.table.count == 2, sourceLocation: sourceLocation)
    for element in places.list { expect("an element", element) }
    #expect(places.optionals.map { $0 == nil } == (0..<12).map { $0 % 3 == 0 }, sourceLocation: sourceLocation)
    for element in places.optionals.compactMap({ $0 }) { expect("an Optional element", element) }
    for value in places.table.values { expect("a dictionary value", value) }
    expect("a field", places.cell.item)
    #expect(places.cell.before == 0xA5 && places.cell.behind == "behind", sourceLocation: sourceLocation)
    #expect(places.cells.map { $0.item == nil } == (0..<9).map { $0 % 2 == 1 }, sourceLocation: sourceLocation)
    #expect(places.cells.allSatisfy { $0.before == 0xA5 && $0.behind == "behind" }, sourceLocation: sourceLocation)
    for cell in places.cells { if let item = cell.item { expect("an Optional field", item) } }
    if case .one(let payload) = places.choices[1], case .two("label", let other) = places.choices[2], case .none = places.choices[0] {
      expect("a payload", payload)
      expect("a labelled payload", other)
    } else {
      Issue.record("other cases: \(places.choices)", sourceLocation: sourceLocation)
    }
    #expect(places.pair.0 == 5, sourceLocation: sourceLocation)
    expect("a tuple element", places.pair.item)
    #expect(places.nested.map(\.count) == [0, 1, 2], sourceLocation: sourceLocation)
    for element in places.nested.joined() { expect("a nested element", element) }
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
  if let first = failures.first {
    Issue.record("\(Old.self) as \(New.self), \(failures.count) failures, the first as \(first)", sourceLocation: sourceLocation)
  }
}

/// Expects the same refusal wherever the value stands: the code, the place of the property, and the words.
/// - Parameter place: What comes behind the value's own path, such as `.level`.
func expectRefusalEverywhere<Old, New>(
  _ code: ArchiveError.Code, of old: Old, as _: New.Type, at place: String, naming words: [String] = [],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  func refuse<A, B>(_ value: A, as _: B.Type, at path: String) {
    expectRefusal(code, at: path + place, naming: words, sourceLocation: sourceLocation) { try converted(value, to: B.self) }
  }
  refuse(old, as: New.self, at: "root")
  refuse([old], as: [New].self, at: "root[0]")
  refuse(Array(repeating: old, count: 9), as: [New].self, at: "root[0]")
  refuse(EvolvingCell(item: old), as: EvolvingCell<New>.self, at: "root.item")
  refuse(EvolvingCell(item: [nil, old]), as: EvolvingCell<[New?]>.self, at: "root.item[1]")
  refuse(Retyped([[], [Optional(old)]]), as: Retyped<[[New?]]>.self, at: "root.value[1][0]")
}
