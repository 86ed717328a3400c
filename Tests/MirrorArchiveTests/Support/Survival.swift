import Foundation
import MirrorArchive
import Testing

/// Where a value is put before it is archived.
struct Places: OptionSet, Sendable {
  let rawValue: Int
  /// The root of the archive.
  static let root = Places(rawValue: 1)
  /// Properties, elements, payloads: every place that declares the type.
  static let declared = Places(rawValue: 2)
  /// A property declared `Any`.
  static let any = Places(rawValue: 4)
  static let everywhere: Places = [.root, .declared, .any]
}

/// Archives the values in every kind of place and expects each to come back as it was.
///
/// Columns of fewer than eight rows are written differently from longer ones, so both are tried.
/// - Parameters:
///   - same: whether the value that was read is the value that was written.
func expectSurvival<Value>(
  of values: [Value], in places: Places = .everywhere, sourceLocation: SourceLocation = #_sourceLocation,
  where same: @escaping (Value, Value) -> Bool
) {
  let survey = Survey(values: values, same: same, sourceLocation: sourceLocation)
  if places.contains(.root) {
    survey.checkRoots()
  }
  if places.contains(.declared) {
    survey.checkProperties()
    survey.checkCollections()
    survey.checkWrapped()
  }
  if places.contains(.any) {
    survey.checkAny()
  }
}

/// The same, for values whose `==` is exact.
func expectSurvival<Value: Equatable>(
  of values: [Value], in places: Places = .everywhere, sourceLocation: SourceLocation = #_sourceLocation
) {
  expectSurvival(of: values, in: places, sourceLocation: sourceLocation, where: ==)
}

private struct Survey<Value> {
  let values: [Value]
  let same: (Value, Value) -> Bool
  let sourceLocation: SourceLocation

  /// Ten rows or more, so that the long column encodings are used.
  private var many: [Value] {
    var result: [Value] = []
    while result.count < 10 { result += values }
    return result
  }

  private func allSame(_ read: [Value], _ written: [Value]) -> Bool {
    read.count == written.count && zip(read, written).allSatisfy { same($0, $1) }
  }

  private func check(_ place: String, _ body: () throws -> Bool) {
    do {
      let isSame = try body()
      #expect(isSame, "\(Value.self) as \(place): another value came back", sourceLocation: sourceLocation)
    } catch {
      Issue.record(error, "\(Value.self) as \(place)", sourceLocation: sourceLocation)
    }
  }

  func checkRoots() {
    for value in values {
      check("the root") { same(try roundTrip(value), value) }
    }
    check("an array root") { allSame(try roundTrip(many), many) }
  }

  func checkProperties() {
    for value in values {
      check("a property without init()") { same(try roundTrip(Slot(value)).value, value) }
      check("an optional property") { try roundTrip(Box(value)).value.map { same($0, value) } ?? false }
    }
    check("a property of many objects") { allSame(try roundTrip(many.map { Slot($0) }).map(\.value), many) }
    check("an optional property of many objects, every second nil") {
      let written = many.enumerated().map { Box($0.offset.isMultiple(of: 2) ? $0.element : nil) }
      let read = try roundTrip(written)
      return read.count == written.count
        && zip(read, written).allSatisfy { read, written in
          switch (read.value, written.value) {
          case (nil, nil): true
          case (let read?, let written?): same(read, written)
          default: false
          }
        }
    }
  }

  func checkCollections() {
    check("an array property") { allSame(try roundTrip(Slot(values)).value, values) }
    check("a long array property") { allSame(try roundTrip(Slot(many)).value, many) }
    check("an array of arrays") {
      let read = try roundTrip(Slot([values, [], many])).value
      return read.count == 3 && allSame(read[0], values) && read[1].isEmpty && allSame(read[2], many)
    }
    check("a dictionary value") {
      let read = try roundTrip(Slot(Dictionary(uniqueKeysWithValues: many.enumerated().map { ("k\($0.offset)", $0.element) }))).value
      return read.count == many.count && many.indices.allSatisfy { index in read["k\(index)"].map { same($0, many[index]) } ?? false }
    }
  }

  func checkWrapped() {
    for value in values {
      check("a struct field") {
        let read = try roundTrip(Slot(Pair(first: UInt8(7), second: Pair(first: value, second: true)))).value
        return read.first == 7 && same(read.second.first, value) && read.second.second
      }
      check("a tuple element") {
        let read = try roundTrip(Slot((1, value, second: value))).value
        return read.0 == 1 && same(read.1, value) && same(read.second, value)
      }
      check("an enum payload") {
        guard case .right(let read) = try roundTrip(Slot(Either<Int, Value>.right(value))).value else { return false }
        return same(read, value)
      }
      check("a doubly optional property") {
        guard case .some(.some(let read)) = try roundTrip(Slot(Value??.some(.some(value)))).value else { return false }
        return same(read, value)
      }
    }
    check("payloads of many enums") {
      let written = many.map { Either<Value, Int>.left($0) } + [.neither, .right(3)]
      let read = try roundTrip(Slot(written)).value
      guard read.count == written.count, case .right(3) = read[many.count + 1] else { return false }
      return zip(read, many).allSatisfy { if case .left(let value) = $0 { same(value, $1) } else { false } }
    }
  }

  func checkAny() {
    for value in values {
      check("Any") { (try roundTrip(Slot<Any>(value)).value as? Value).map { same($0, value) } ?? false }
      check("an optional Any") { (try roundTrip(Box<Any>(value)).value as? Value).map { same($0, value) } ?? false }
    }
    check("elements of [Any]") {
      let read = try roundTrip(Slot<[Any]>(many + [1, "between"])).value
      guard read.count == many.count + 2, read[many.count] as? Int == 1, read[many.count + 1] as? String == "between" else { return false }
      return zip(read, many).allSatisfy { read, written in (read as? Value).map { same($0, written) } ?? false }
    }
    check("values of [String: Any]") {
      let read = try roundTrip(Slot<[String: Any]>(["a": values[0], "b": 2])).value
      return read.count == 2 && ((read["a"] as? Value).map { same($0, values[0]) } ?? false) && read["b"] as? Int == 2
    }
  }
}
