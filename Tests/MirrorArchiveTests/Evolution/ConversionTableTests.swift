import Foundation
import MirrorArchive
import Testing

/// What a scalar type can be asked in order to check the table of conversions against another way of computing.
protocol TableScalar: Equatable {
  /// A random value, often one at a bound of some type.
  static func random(_ generator: inout SeededGenerator) -> Self
  /// The number in digits, exactly; nil if it is none.
  var digits: String? { get }
  /// Whether there is a value with these digits: worked out by parsing and printing, not by arithmetic.
  static func value(_ digits: String) -> Self?
  static var kind: TableKind { get }
}

enum TableKind {
  case integer, floating, decimal, text, truth

  /// The table of the documentation.
  func converts(to other: TableKind) -> Bool {
    switch (self, other) {
    case (.integer, _), (_, .integer), (.floating, .floating), (.truth, .truth), (.text, .text), (.decimal, .decimal): true
    case (.decimal, .floating), (.floating, .decimal), (.decimal, .text), (.text, .decimal): true
    default: false
    }
  }
}

private func bits(_ generator: inout SeededGenerator) -> Int128 {
  let width = Int.random(in: 0...127, using: &generator)
  let random = Int128(truncatingIfNeeded: UInt128(generator.next()) << 64 | UInt128(generator.next())) >> Int128(127 - width)
  return Bool.random(using: &generator) ? random : (Int128(1) << Int128(min(width, 126))) &+ Int128.random(in: -2...2, using: &generator)
}

extension TableScalar where Self: FixedWidthInteger {
  static func random(_ generator: inout SeededGenerator) -> Self { Self(truncatingIfNeeded: bits(&generator)) }
  var digits: String? { "\(self)" }
  static func value(_ digits: String) -> Self? { Self(digits) }
  static var kind: TableKind { .integer }
}
extension Int: TableScalar {}
extension Int8: TableScalar {}
extension Int16: TableScalar {}
extension Int32: TableScalar {}
extension Int64: TableScalar {}
extension Int128: TableScalar {}
extension UInt: TableScalar {}
extension UInt8: TableScalar {}
extension UInt16: TableScalar {}
extension UInt32: TableScalar {}
extension UInt64: TableScalar {}
extension UInt128: TableScalar {}

extension Double {
  /// All digits of a finite number.
  fileprivate var allDigits: String {
    var text = String(format: "%.1100f", self)
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text == "-0" ? "0" : text
  }

  fileprivate static func randomBits(_ generator: inout SeededGenerator) -> Double {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: Double(bitPattern: generator.next())
    case 1: Double(bits(&generator))
    case 2: Double(Int.random(in: -100_000...100_000, using: &generator)) / 64
    case 3: Double(Int.random(in: -1_000...1_000, using: &generator)) / 100
    case 4: Double(Float(bitPattern: UInt32(truncatingIfNeeded: generator.next())))
    default: [0, -0.0, .infinity, .nan, 1, 0.5, .leastNonzeroMagnitude][Int.random(in: 0..<7, using: &generator)]
    }
  }
}

extension TableScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
  static func random(_ generator: inout SeededGenerator) -> Self { Self(Double.randomBits(&generator)) }
  var digits: String? { isFinite ? Double(self).allDigits : nil }
  static func value(_ digits: String) -> Self? {
    guard let value = Self(digits), value.isFinite, Double(value).allDigits == digits else { return nil }
    return value
  }
  static var kind: TableKind { .floating }
}
extension Double: TableScalar {}
extension Float: TableScalar {}
#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: TableScalar {}
#endif

extension Decimal: TableScalar {
  static func random(_ generator: inout SeededGenerator) -> Decimal {
    let number = Decimal(string: "\(bits(&generator) / 4)") ?? 0
    let exponent = Bool.random(using: &generator) ? 0 : Int.random(in: -40...20, using: &generator)
    return Decimal(sign: number < 0 ? .minus : .plus, exponent: exponent, significand: number.magnitude)
  }
  /// Without zeros at the end, from the digits that Foundation prints.
  var digits: String? {
    if isNaN { return nil }
    var text = description
    if text.contains(".") {
      while text.last == "0" { text.removeLast() }
      if text.last == "." { text.removeLast() }
    }
    return text == "-0" ? "0" : text
  }
  static func value(_ digits: String) -> Decimal? {
    guard digits.count <= 160, let value = Decimal(string: digits), value.digits == digits else { return nil }
    return value
  }
  static var kind: TableKind { .decimal }
}

extension String: TableScalar {
  static func random(_ generator: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: "\(bits(&generator))"
    case 1: Decimal.random(&generator).digits ?? ""
    case 2: "0\(bits(&generator))"
    case 3: "\(bits(&generator)) "
    default: ["", "-", "-0", "1.", "1.0", "+1", "x", "1e2", "1.25"][Int.random(in: 0..<9, using: &generator)]
    }
  }
  /// As an integer or a Decimal prints itself.
  var digits: String? {
    let isPlain = wholeMatch(of: /0|-?[1-9][0-9]*|-?(0|[1-9][0-9]*)\.[0-9]*[1-9]/) != nil
    return isPlain ? self : nil
  }
  static func value(_ digits: String) -> String? { digits }
  static var kind: TableKind { .text }
}

extension Bool: TableScalar {
  static func random(_ generator: inout SeededGenerator) -> Bool { Bool.random(using: &generator) }
  var digits: String? { self ? "1" : "0" }
  static func value(_ digits: String) -> Bool? { digits == "1" ? true : digits == "0" ? false : nil }
  static var kind: TableKind { .truth }
}

@Suite("The table of conversions")
struct ConversionTableTests {
  private static var types: [any TableScalar.Type] {
    var types: [any TableScalar.Type] = [
      Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
      UInt128.self, Double.self, Float.self, Decimal.self, String.self, Bool.self,
    ]
    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
      types.append(Float16.self)
    #endif
    return types
  }

  private func check<Source: TableScalar, Target: TableScalar>(
    _: Source.Type, _: Target.Type, _ generator: inout SeededGenerator, seed: UInt64
  ) {
    let words: Comment = "seed \(seed): \(Source.self) as \(Target.self)"
    let values = (0..<40).map { _ in Source.random(&generator) }
    guard Source.kind.converts(to: Target.kind) else {
      expectRefusal(.typeMismatch) { try converted(values, to: [Target].self) }
      return
    }
    // What both types print themselves as; where that is not so the archive is refused, and the path says where.
    let expected = values.map { value in value.digits.flatMap { Target.value($0) } }
    let sameType = Source.self == Target.self
    for (value, target) in zip(values, expected) where !sameType {
      do {
        let read = try converted(Retyped(value), to: Retyped<Target>.self).value
        let isNaN = value.digits == nil && read.digits == nil && Source.kind == .floating && Target.kind == .floating
        #expect(isNaN || read == target, "\(words) \(value): \(read)")
      } catch let error as ArchiveError {
        #expect(target == nil && error.code == .invalidValue && error.path == "root.value", "\(words) \(value): \(error)")
      } catch {
        Issue.record(error, words)
      }
    }
    let fitting = zip(values, expected).filter { $0.1 != nil }
    do {
      #expect(try converted(fitting.map(\.0), to: [Target].self) == fitting.compactMap(\.1), words)
    } catch {
      Issue.record(error, words)
    }
  }

  @Test(
    "A value is converted exactly if the other type has it, for random pairs of types and values", arguments: 1...60 as ClosedRange<UInt64>)
  func table(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<6 {
      let source = try #require(Self.types.randomElement(using: &generator))
      let target = try #require(Self.types.randomElement(using: &generator))
      func first<Source: TableScalar>(_ source: Source.Type) {
        func second<Target: TableScalar>(_ target: Target.Type) { check(source, target, &generator, seed: seed) }
        second(target)
      }
      first(source)
    }
  }
}
