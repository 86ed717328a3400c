import Foundation

/// Types that a small whole number can be archived as and read as: each is read as every integer, and every integer as each.
protocol Guise: Hashable, Sendable {
  init(guise number: Int)
  /// The number; nil if the value is none of the small ones, which is a failure.
  var number: Int? { get }
}

extension Guise where Self: BinaryInteger {
  init(guise number: Int) { self.init(number) }
  var number: Int? { Int(exactly: self) }
}
extension Int8: Guise {}
extension UInt16: Guise {}
extension Int32: Guise {}
extension Int: Guise {}
extension UInt64: Guise {}
extension Int128: Guise {}
extension Double: Guise {
  init(guise number: Int) { self.init(number) }
  var number: Int? { Int(exactly: self) }
}
extension Float: Guise {
  init(guise number: Int) { self.init(number) }
  var number: Int? { Int(exactly: self) }
}
extension Decimal: Guise {
  init(guise number: Int) { self.init(number) }
  var number: Int? { Int("\(self)") }
}
extension String: Guise {
  init(guise number: Int) { self.init(number) }
  var number: Int? { Int(self) }
}
extension Optional: Guise where Wrapped: Guise {
  init(guise number: Int) { self = .some(Wrapped(guise: number)) }
  var number: Int? { flatMap { $0.number } }
}

extension Guise {
  /// The number in words; a value that is none is told apart from every number.
  var text: String { number.map { "\($0)" } ?? "?\(self)" }
}
