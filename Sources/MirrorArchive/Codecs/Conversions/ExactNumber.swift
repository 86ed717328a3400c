/// A number on its way from the type it was archived with to the type it is declared with today.
enum ExactNumber: BitwiseCopyable {
  case whole(isNegative: Bool, magnitude: UInt128)
  case floating(Double)
  /// A number with decimals, or one too large for the first form: digits that do not end in 0, times a power of ten.
  case decimal(isNegative: Bool, digits: UInt128, exponent: Int)
}

/// A type whose values are converted when an archive holds them where another such type is declared, and only as long as they stay the same
/// number: every type knows the way to `ExactNumber` and back, so that no pair of types needs code of its own.
protocol ExactScalar: SendableMetatype {
  /// What conversions the type takes part in.
  static var family: ExactFamily { get }
  /// The value as a number; nil if it is none.
  var exact: ExactNumber? { get }
  /// The value that is exactly this number, or nil.
  init?(exact number: ExactNumber)
  /// The value as error messages show it.
  var shown: String { get }
  /// What the value means to types of other families, in lenient mode.
  var meaning: Meaning { get }
  /// The value as text, in lenient mode.
  var plainText: String { get }
  /// What comes nearest to a value of another type; nil if nothing does.
  init?(leniently value: some ExactScalar)

  // One call for a whole column. Requirements, so that each type has its own specialised loops.

  /// Reads values that lie one after another. Returns the first row whose value is no number.
  static func export(_ values: UnsafeRawPointer, count: Int, into numbers: UnsafeMutablePointer<ExactNumber>) -> Int?
  /// Initialises the rows, which are taken from uninitialised memory of this type. Returns the first row whose number the type doesn't have;
  /// only types without reference counting may fail.
  static func store(_ numbers: UnsafePointer<ExactNumber>, in rows: Rows) -> Int?
}

/// Types that are converted alike.
enum ExactFamily {
  case bool, integer, floating, decimal, text

  /// Whether values of this family may become values of the other one.
  func converts(to other: ExactFamily) -> Bool {
    switch (self, other) {
    case (.integer, _), (_, .integer), (.floating, .floating): true
    case (.decimal, .floating), (.floating, .decimal), (.decimal, .text), (.text, .decimal): true
    default: false
    }
  }
}

extension ExactScalar {
  var shown: String { "\(self)" }

  static func export(_ values: UnsafeRawPointer, count: Int, into numbers: UnsafeMutablePointer<ExactNumber>) -> Int? {
    // SAFETY: the caller hands over `count` values of this type and room for as many numbers.
    let values = unsafe values.assumingMemoryBound(to: Self.self)
    for i in 0..<count {
      guard let number = unsafe values[i].exact else { return i }
      unsafe numbers[i] = number
    }
    return nil
  }

  static func store(_ numbers: UnsafePointer<ExactNumber>, in rows: Rows) -> Int? {
    for i in 0..<rows.count {
      // SAFETY: there is a number for every row, and every row is uninitialised room for a value of this type.
      guard let value = unsafe Self(exact: numbers[i]) else { return i }
      unsafe rows[i].initializeMemory(as: Self.self, to: value)
    }
    return nil
  }
}

// MARK: Integers

extension ExactScalar where Self: FixedWidthInteger {
  static var family: ExactFamily { .integer }
  var exact: ExactNumber? { .whole(isNegative: self < 0, magnitude: UInt128(magnitude)) }
  init?(exact number: ExactNumber) {
    switch number {
    case .whole(false, let magnitude): self.init(exactly: magnitude)
    case .whole(true, let magnitude):
      // The most negative number there is has the magnitude 2^127.
      guard magnitude <= 1 << 127 else { return nil }
      self.init(exactly: Int128(truncatingIfNeeded: 0 &- magnitude))
    case .floating(let value): self.init(exactly: value)
    case .decimal: return nil
    }
  }
}

extension Int: ExactScalar {}
extension Int8: ExactScalar {}
extension Int16: ExactScalar {}
extension Int32: ExactScalar {}
extension Int64: ExactScalar {}
extension Int128: ExactScalar {}
extension UInt: ExactScalar {}
extension UInt8: ExactScalar {}
extension UInt16: ExactScalar {}
extension UInt32: ExactScalar {}
extension UInt64: ExactScalar {}
extension UInt128: ExactScalar {}

extension Bool: ExactScalar {
  static var family: ExactFamily { .bool }
  var exact: ExactNumber? { .whole(isNegative: false, magnitude: self ? 1 : 0) }
  init?(exact number: ExactNumber) {
    switch number {
    case .whole(_, 0): self = false
    case .whole(false, 1): self = true
    default: return nil
    }
  }
}
