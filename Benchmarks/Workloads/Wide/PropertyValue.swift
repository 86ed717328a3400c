import Foundation

/// A type that properties of a truck have: its random values, and how `NSCoder` takes it.
protocol PropertyValue: Codable, Hashable {
  static func random(_ source: inout RandomVisitor, key: String) -> Self
  func encode(with coder: NSCoder, forKey key: String)
  /// - Throws: `HandError.malformed` when something else is there.
  static func decode(with coder: NSCoder, forKey key: String) throws -> Self
}

extension Int: PropertyValue {
  static func random(_ source: inout RandomVisitor, key: String) -> Int { source.generator.below(10_000) }
  func encode(with coder: NSCoder, forKey key: String) { coder.encode(self, forKey: key) }
  static func decode(with coder: NSCoder, forKey key: String) -> Int { coder.decodeInteger(forKey: key) }
}

extension Int32: PropertyValue {
  static func random(_ source: inout RandomVisitor, key: String) -> Int32 { Int32(source.generator.below(2_000_000) - 1_000_000) }
  func encode(with coder: NSCoder, forKey key: String) { coder.encode(self, forKey: key) }
  static func decode(with coder: NSCoder, forKey key: String) -> Int32 { coder.decodeInt32(forKey: key) }
}

extension UInt8: PropertyValue {
  static func random(_ source: inout RandomVisitor, key: String) -> UInt8 { UInt8(source.generator.below(12)) }
  func encode(with coder: NSCoder, forKey key: String) { coder.encode(Int32(self), forKey: key) }
  static func decode(with coder: NSCoder, forKey key: String) -> UInt8 { UInt8(truncatingIfNeeded: coder.decodeInt32(forKey: key)) }
}

extension UInt64: PropertyValue {
  /// All 64 bits, as a number of a chip or a checksum has.
  static func random(_ source: inout RandomVisitor, key: String) -> UInt64 { source.generator.next() }
  func encode(with coder: NSCoder, forKey key: String) { coder.encode(Int64(bitPattern: self), forKey: key) }
  static func decode(with coder: NSCoder, forKey key: String) -> UInt64 { UInt64(bitPattern: coder.decodeInt64(forKey: key)) }
}

extension Double: PropertyValue {
  /// Two digits behind the point.
  static func random(_ source: inout RandomVisitor, key: String) -> Double { Double(source.generator.below(2_000_000)) / 100 }
  func encode(with coder: NSCoder, forKey key: String) { coder.encode(self, forKey: key) }
  static func decode(with coder: NSCoder, forKey key: String) -> Double { coder.decodeDouble(forKey: key) }
}

extension Float: PropertyValue {
  static func random(_ source: inout RandomVisitor, key: String) -> Float { Float(source.generator.below(1 << 20)) / 1_024 }
  func encode(with coder: NSCoder, forKey key: String) { coder.encode(self, forKey: key) }
  static func decode(with coder: NSCoder, forKey key: String) -> Float { coder.decodeFloat(forKey: key) }
}

extension Bool: PropertyValue {
  static func random(_ source: inout RandomVisitor, key: String) -> Bool { source.generator.chance(50) }
  func encode(with coder: NSCoder, forKey key: String) { coder.encode(self, forKey: key) }
  static func decode(with coder: NSCoder, forKey key: String) -> Bool { coder.decodeBool(forKey: key) }
}

extension String: PropertyValue {
  static func random(_ source: inout RandomVisitor, key: String) -> String { source.text(of: key) }
  func encode(with coder: NSCoder, forKey key: String) { coder.encode(self as NSString, forKey: key) }
  static func decode(with coder: NSCoder, forKey key: String) throws -> String {
    guard let text = coder.decodeObject(of: NSString.self, forKey: key) else { throw HandError.malformed }
    return text as String
  }
}

extension Date: PropertyValue {
  /// Whole seconds of about three years.
  static func random(_ source: inout RandomVisitor, key: String) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(700_000_000 + source.generator.below(100_000_000)))
  }
  func encode(with coder: NSCoder, forKey key: String) { coder.encode(self as NSDate, forKey: key) }
  static func decode(with coder: NSCoder, forKey key: String) throws -> Date {
    guard let date = coder.decodeObject(of: NSDate.self, forKey: key) else { throw HandError.malformed }
    return date as Date
  }
}

extension [Int]: PropertyValue {
  static func random(_ source: inout RandomVisitor, key: String) -> [Int] {
    (0..<source.generator.below(7)).map { _ in source.generator.below(5_000) }
  }
  /// A key for each number, for the reason that `NSCoder.encodeElements` has.
  func encode(with coder: NSCoder, forKey key: String) {
    coder.encode(count, forKey: key)
    for (index, number) in enumerated() {
      coder.encode(number, forKey: "\(key).\(index)")
    }
  }
  static func decode(with coder: NSCoder, forKey key: String) -> [Int] {
    (0..<Swift.max(coder.decodeInteger(forKey: key), 0)).map { coder.decodeInteger(forKey: "\(key).\($0)") }
  }
}

extension Fuel: PropertyValue {
  static func random(_ source: inout RandomVisitor, key: String) -> Fuel { allCases[source.generator.below(allCases.count)] }
  func encode(with coder: NSCoder, forKey key: String) { rawValue.encode(with: coder, forKey: key) }
  static func decode(with coder: NSCoder, forKey key: String) throws -> Fuel {
    guard let fuel = Fuel(rawValue: try String.decode(with: coder, forKey: key)) else { throw HandError.malformed }
    return fuel
  }
}

extension Priority: PropertyValue {
  static func random(_ source: inout RandomVisitor, key: String) -> Priority { allCases[source.generator.below(allCases.count)] }
  func encode(with coder: NSCoder, forKey key: String) { rawValue.encode(with: coder, forKey: key) }
  static func decode(with coder: NSCoder, forKey key: String) throws -> Priority {
    guard let priority = Priority(rawValue: Int.decode(with: coder, forKey: key)) else { throw HandError.malformed }
    return priority
  }
}
