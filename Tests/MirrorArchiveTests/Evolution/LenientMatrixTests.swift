import Foundation
import MirrorArchive
import Testing

extension Bool: Preset { static var preset: Bool { true } }
extension UInt8: Preset { static var preset: UInt8 { 201 } }
extension Float: Preset { static var preset: Float { 0.25 } }
extension Decimal: Preset { static var preset: Decimal { 77 } }
extension Date: Preset { static var preset: Date { Date(timeIntervalSinceReferenceDate: 5) } }
extension UUID: Preset { static var preset: UUID { UUID(uuid: (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)) } }
extension Set: Preset where Element: Preset { static var preset: Set<Element> { [Element.preset] } }
extension Dictionary: Preset where Key == String, Value: Preset { static var preset: [Key: Value] { ["preset": Value.preset] } }
extension Cases.V1: Preset { static var preset: Cases.V1 { .blue } }
extension Pair: Preset where First: Preset, Second: Preset { static var preset: Pair { Pair(first: .preset, second: .preset) } }

/// What lenient decoding promises for any two types: a value or the default, and never an error where there is a default.
@Suite("Lenient decoding between any types")
struct LenientMatrixTests {
  private func each<Old: Preset & Equatable>(_ old: Old, _ failures: inout [String]) {
    read(old, Int.self, &failures)
    read(old, Int8.self, &failures)
    read(old, UInt8.self, &failures)
    read(old, Double.self, &failures)
    read(old, Float.self, &failures)
    read(old, Decimal.self, &failures)
    read(old, Bool.self, &failures)
    read(old, String.self, &failures)
    read(old, Date.self, &failures)
    read(old, UUID.self, &failures)
    read(old, Cases.V1.self, &failures)
    read(old, Int?.self, &failures)
    read(old, [Int].self, &failures)
    read(old, Set<String>.self, &failures)
    read(old, [String: Double].self, &failures)
    read(old, Pair<Int, String>.self, &failures)
    read(old, [Pair<Int8, [String]>?].self, &failures)
  }

  private func read<Old: Preset & Equatable, New: Preset & Equatable>(_ old: Old, _: New.Type, _ failures: inout [String]) {
    for count in [1, 9] {
      do {
        let written = (0..<count).map { _ in
          let object = RetypedPreset<Old>()
          (object.value, object.behind) = (old, "behind")
          return object
        }
        let data = try KeyedArchiver.archivedData(withRootObject: written)
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        unarchiver.options.conversionPolicy = .lenient
        let read = try unarchiver.decode([RetypedPreset<New>].self, forKey: "root")
        if read.count != count || read.contains(where: { $0.behind != "behind" || $0.before != 1 }) {
          failures.append("\(old) as \(New.self): its neighbours are damaged")
        }
        let report = unarchiver.report.entries.filter { $0.key == "value" || $0.path.contains("value") }
        // What is exact is exactly the same in both modes; what is not is in the report.
        if let exact = try? KeyedUnarchiver.unarchivedObject(of: [RetypedPreset<New>].self, from: data) {
          // A NaN is not equal to itself, and equal sets may have another order.
          if exact.map(\.value) != read.map(\.value), "\(exact[0].value)" != "\(read[0].value)" {
            failures.append("\(old) as \(New.self): \(read[0].value), exactly \(exact[0].value)")
          }
          let isAltered = report.contains { $0.kind == .altered || $0.kind == .keptDefault }
          if isAltered { failures.append("\(old) as \(New.self): reported, but exact: \(report[0])") }
        } else if !report.contains(where: { [.altered, .keptDefault, .unknownCase].contains($0.kind) }) {
          failures.append("\(old) as \(New.self): \(read[0].value) and no word about it")
        }
      } catch {
        failures.append("\(old) (\(Old.self)) as \(New.self), \(count) objects: \(error)")
      }
    }
  }

  @Test("Any value is read as any type: as what it means, or the default stays") func matrix() {
    var failures: [String] = []
    each(5, &failures)
    each(Int.max, &failures)
    each(Int8(-3), &failures)
    each(3.75, &failures)
    each(Double.nan, &failures)
    each(-Double.infinity, &failures)
    each(Float(1e30), &failures)
    each(Decimal(string: "12.5") ?? 0, &failures)
    each(true, &failures)
    each("12", &failures)
    each("12.0", &failures)
    each(" 12", &failures)
    each("true", &failures)
    each("", &failures)
    each("red", &failures)
    each("01010101-0101-0101-0101-010101010101", &failures)
    each(Date.preset, &failures)
    each(UUID.preset, &failures)
    each(Cases.V1.red, &failures)
    each(Int?.none, &failures)
    each(String?.some("7"), &failures)
    each([1, 300], &failures)
    each(["a", "1"], &failures)
    each([Double.nan, 2], &failures)
    each(Set(["x", "2"]), &failures)
    each(["k": 1.5], &failures)
    each(Pair(first: "1", second: 2.5), &failures)
    each([Pair?.some(Pair(first: 1_000, second: "s")), nil], &failures)
    #expect(failures.count == 0, "\(failures.prefix(12).joined(separator: "\n"))")
  }
}
