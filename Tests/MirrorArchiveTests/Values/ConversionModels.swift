import Foundation
import MirrorArchive
import Testing

/// The same archived type whatever the value is: what is written with one type of value is read with another.
final class Retyped<Value>: MirrorCodable {
  static var archiveRules: ArchiveRules { ArchiveRules(name: "conversion.Retyped") }
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// The same in a class with an initializer, whose objects have values before the archive's are read.
protocol Preset { static var preset: Self { get } }
final class RetypedPreset<Value: Preset>: MirrorCoding {
  override class var archiveRules: ArchiveRules { ArchiveRules(name: "conversion.RetypedPreset") }
  var before = 1
  var value = Value.preset
  var behind = "x"
}
extension Int: Preset { static var preset: Int { -7 } }
extension Int8: Preset { static var preset: Int8 { -7 } }
extension Double: Preset { static var preset: Double { -7.5 } }
extension String: Preset { static var preset: String { "a default of the program" } }
extension Optional: Preset where Wrapped: Preset { static var preset: Wrapped? { Wrapped.preset } }
extension Array: Preset where Element: Preset { static var preset: [Element] { [Element.preset] } }

struct RetypedCell<Value>: MirrorCodable {
  static var archiveRules: ArchiveRules { ArchiveRules(name: "conversion.RetypedCell") }
  var label = "cell"
  var value: Value
  var mark: UInt8 = 0xA5
}
extension RetypedCell: Equatable where Value: Equatable {}

enum RetypedChoice<Value>: MirrorCodable {
  static var archiveRules: ArchiveRules { ArchiveRules(name: "conversion.RetypedChoice") }
  case none
  case one(Value)
  case two(Value, String)
}
extension RetypedChoice: Equatable where Value: Equatable {}

/// Every place that a value can stand in.
struct RetypedPlaces<Value: Hashable>: MirrorCodable, Equatable {
  static var archiveRules: ArchiveRules { ArchiveRules(name: "conversion.RetypedPlaces") }
  var value: Value
  var optional: Value?
  var missing: Value?
  var list: [Value]
  var cell: RetypedCell<Value>
  var choices: [RetypedChoice<Value>]
  var set: Set<Value>
  var table: [Value: [Value]]
  var nested: RetypedCell<RetypedCell<Value?>?>

  init(_ values: [Value]) {
    value = values[0]
    optional = values[0]
    list = values
    cell = RetypedCell(value: values[0])
    choices = [.none, .one(values[0]), .two(values[0], "t")]
    set = Set(values)
    table = Dictionary(values.map { ($0, [$0, $0]) }) { first, _ in first }
    nested = RetypedCell(value: RetypedCell(value: values[0]))
  }
}

/// Archives a value as one type and reads it as another one.
func converted<Source, Target>(_ source: Source, to: Target.Type) throws -> Target {
  try KeyedUnarchiver.unarchivedObject(of: Target.self, from: KeyedArchiver.archivedData(withRootObject: source))
}

/// Expects that values survive as another type in an object, in an array with others, and as an Optional; and that a value which has no exact
/// counterpart is refused in all of these places.
func expectConversion<Source, Target>(
  of source: Source, to target: Target?, areEqual: (Target, Target) -> Bool, naming words: [String]? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let names = words ?? ["\(Source.self)", "\(Target.self)", "\(source)"]
  let object = Retyped(source)
  let cells = (0..<9).map { _ in RetypedCell(value: source) }
  guard let target else {
    expectRefusal(.invalidValue, at: "root.value", naming: names, sourceLocation: sourceLocation) {
      try converted(object, to: Retyped<Target>.self)
    }
    expectRefusal(.invalidValue, at: "root[0]", naming: names, sourceLocation: sourceLocation) {
      try converted([source], to: [Target].self)
    }
    expectRefusal(.invalidValue, at: "root", naming: names, sourceLocation: sourceLocation) {
      try converted(Optional(source), to: Target?.self)
    }
    expectRefusal(.invalidValue, at: "root[0].value", naming: names, sourceLocation: sourceLocation) {
      try converted(cells, to: [RetypedCell<Target>].self)
    }
    return
  }
  do {
    let read = try converted(object, to: Retyped<Target>.self).value
    #expect(areEqual(read, target), "\(Source.self) \(source) as \(Target.self): \(read)", sourceLocation: sourceLocation)
    let optional = try #require(try converted(Optional(source), to: Target?.self))
    #expect(areEqual(optional, target), sourceLocation: sourceLocation)
    let list = try converted(Array(repeating: source, count: 3), to: [Target].self)
    #expect(list.count == 3 && list.allSatisfy { areEqual($0, target) }, sourceLocation: sourceLocation)
    let readCells = try converted(cells, to: [RetypedCell<Target>].self)
    #expect(
      readCells.count == 9 && readCells.allSatisfy { areEqual($0.value, target) && $0.label == "cell" && $0.mark == 0xA5 },
      sourceLocation: sourceLocation)
  } catch {
    Issue.record("\(Source.self) \(source) as \(Target.self): \(error)", sourceLocation: sourceLocation)
  }
}

func expectConversion<Source, Target: Equatable>(
  of source: Source, to target: Target?, naming words: [String]? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
  expectConversion(of: source, to: target, areEqual: ==, naming: words, sourceLocation: sourceLocation)
}
