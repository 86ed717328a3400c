import Foundation
import MirrorArchive

/// Arrays of one type with values of one shape each: whether what a value costs depends on what the values are.
///
/// No shape may cost more than three times the median of its kind. Strings are compared with strings, because making one takes memory,
/// and numbers with numbers.
struct Shapes {
  private static let count = 65_536
  private static let rounds = 7

  private struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private struct Figure {
    var name: String
    var bytes: Double
    var encode: Double
    var decode: Double
  }

  private let clock: LapClock
  private var generator = SeededGenerator(seed: 0x5a9e)
  private var numbers: [Figure] = []
  private var strings: [Figure] = []

  /// Measures all shapes and prints the medians and the worst ones of each kind.
  static func run(_ options: Options) throws {
    var shapes = Shapes(clock: options.clock)
    try shapes.measureIntegers()
    try shapes.measureFractions()
    try shapes.measureSmallTypes()
    try shapes.measureStrings()
    print("\(shapes.numbers.count + shapes.strings.count) shapes of \(Figures.grouped(count)) values each\n")
    print(table("numbers", shapes.numbers))
    print(table("strings", shapes.strings))
  }

  private init(clock: LapClock) { self.clock = clock }

  // MARK: Shapes

  private enum Whole: String, CaseIterable {
    case constant, runs, sorted, steps, small, large, full, fewDistinct, manyDistinct, outlier, alternating, powers, bursts
  }

  private mutating func whole<Value: FixedWidthInteger>(_ shape: Whole, as: Value.Type) -> [Value] {
    var last: UInt64 = 0
    let distinct = (0..<20).map { _ in generator.next() }
    return (0..<Self.count).map { i in
      let random = generator.next()
      let bits: UInt64 =
        switch shape {
        case .constant: 42
        case .runs: UInt64(i / 37) &* 0x9e37_79b9
        case .sorted:
          {
            last &+= random % 100
            return last
          }()
        case .steps: UInt64(i) &* 3
        case .small: random % 100
        case .large: random % 1_000_000_000
        case .full: random
        case .fewDistinct: distinct[Int(random % 20)]
        case .manyDistinct: (random % 30_000) &* 0x9e37_79b9
        case .outlier: i % 1_000 == 500 ? random : random % 50
        case .alternating: i & 1 == 0 ? 0 : 1 << 40 | 12_345
        case .powers: 1 << (random % 63)
        case .bursts: (i >> 7) & 1 == 0 ? 5 : random % 100_000
        }
      return Value(truncatingIfNeeded: bits)
    }
  }

  private mutating func measureIntegers() throws {
    for shape in Whole.allCases {
      let name = shape.rawValue
      try measure("Int \(name)", whole(shape, as: Int.self))
      try measure("Int32 \(name)", whole(shape, as: Int32.self))
      try measure("UInt64 \(name)", whole(shape, as: UInt64.self))
      try measure("Int16 \(name)", whole(shape, as: Int16.self))
      try measure("UInt8 \(name)", whole(shape, as: UInt8.self))
      for percent in [5, 50, 95] {
        let values = whole(shape, as: Int.self)
        try measure("Int? \(name), \(percent) % nil", values.map { generator.chance(percent) ? nil : $0 })
      }
    }
  }

  private enum Fraction: String, CaseIterable {
    case constant, runs, whole, cents, nanos, nearDecimal, random, sorted, fewDistinct, outlier, special, alternating, prices
  }

  private mutating func fraction(_ shape: Fraction) -> [Double] {
    var last = 0.0
    return (0..<Self.count).map { i in
      let random = generator.next()
      let unit = Double(random &>> 11) * 0x1p-53
      return switch shape {
      case .constant: 0.1
      case .runs: Double(i / 37) * 0.37
      case .whole: Double(random % 10_000)
      case .cents: Double(random % 100_000) / 100
      case .nanos: Double(random % 1_000_000_000) / 1e9
      case .nearDecimal: i % 1_024 == 1_000 ? unit : Double(random % 100_000) / 100
      case .random: unit
      case .sorted:
        {
          last += unit
          return last
        }()
      case .fewDistinct: Double(random % 20) / 7
      case .outlier: i % 1_000 == 500 ? .infinity : Double(random % 50)
      case .special: [.nan, -.infinity, -0.0, .leastNonzeroMagnitude][Int(random % 4)]
      case .alternating: i & 1 == 0 ? 0.5 : 0.123_456_789_123
      case .prices: i % 3 == 0 ? 9.99 : Double(i % 512) + Double(random % 4) / 4
      }
    }
  }

  private mutating func measureFractions() throws {
    for shape in Fraction.allCases {
      try measure("Double \(shape.rawValue)", fraction(shape))
      try measure("Float \(shape.rawValue)", fraction(shape).map { Float($0) })
      try measure("Double? \(shape.rawValue), 30 % nil", fraction(shape).map { generator.chance(30) ? nil : $0 })
    }
  }

  private enum Suit: String, CaseIterable { case clubs, diamonds, hearts, spades, joker }
  private enum Event: Equatable {
    case none
    case number(Int)
    case pair(Int32, Bool)
  }

  private mutating func measureSmallTypes() throws {
    for percent in [0, 1, 50, 99, 100] {
      try measure("Bool \(percent) % true", (0..<Self.count).map { _ in generator.chance(percent) })
      try measure("Bool? \(percent) % nil", (0..<Self.count).map { i in generator.chance(percent) ? nil : i & 1 == 0 })
    }
    try measure("enum random", (0..<Self.count).map { _ in Suit.allCases[generator.below(5)] })
    try measure("enum constant", (0..<Self.count).map { _ in Suit.joker })
    try measure("enum runs", (0..<Self.count).map { Suit.allCases[$0 / 50 % 5] })
    try measure(
      "enum with values",
      (0..<Self.count).map { i -> Event in
        switch generator.below(3) {
        case 0: .none
        case 1: .number(i)
        default: .pair(Int32(i), true)
        }
      })
  }

  private enum Text: String, CaseIterable {
    case constant, empty, runs, short, fifteen, sixteen, medium, long, chinese, mixed, fewDistinct, manyDistinct, numbered, padded, paths,
      numbers
    case identifiers, nearlyNumbered, alternating, outlier, sorted
  }

  private mutating func text(_ shape: Text) -> [String] {
    let distinct = (0..<600).map { _ in generator.words(length: 8 + generator.below(20)) }
    let values = (0..<Self.count).map { i in
      switch shape {
      case .constant: "the same text for all"
      case .empty: ""
      case .runs: distinct[i / 37 % 600]
      case .short: generator.words(length: 1 + generator.below(10))
      case .fifteen: generator.words(length: 15)
      case .sixteen: generator.words(length: 16)
      case .medium: generator.words(length: 20 + generator.below(20))
      case .long: generator.words(length: 100)
      case .chinese: String(String.UnicodeScalarView((0..<12).map { _ in Unicode.Scalar(UInt16(0x4e00 + generator.below(0x5000))) ?? "?" }))
      case .mixed: generator.words(length: 5 + generator.below(10)) + (generator.chance(50) ? "é" : "😀")
      case .fewDistinct: distinct[generator.below(20)]
      case .manyDistinct: distinct[generator.below(600)]
      case .numbered: "item-\(i)"
      case .padded: "user_" + String("\(1_000_000 + i * 7)".dropFirst())
      case .paths: "/usr/share/\(distinct[i / 200 % 600])/file\(i).txt"
      case .numbers: "\(generator.next() % 1_000_000_000)"
      case .identifiers: String(generator.next(), radix: 36)
      case .nearlyNumbered: i % 1_024 == 1_000 ? "item" : "item-\(i)"
      case .alternating: i & 1 == 0 ? "" : "a text of more than fifteen bytes"
      case .outlier: i % 1_000 == 500 ? String(repeating: "long ", count: 100) : "a\(i % 7)"
      case .sorted: "name " + String(i * 31 + 1_000_000, radix: 26)
      }
    }
    return shape == .sorted ? values.sorted() : values
  }

  private mutating func measureStrings() throws {
    for shape in Text.allCases {
      try measure("String \(shape.rawValue)", text(shape))
      for percent in [10, 90] {
        try measure("String? \(shape.rawValue), \(percent) % nil", text(shape).map { generator.chance(percent) ? nil : $0 })
      }
    }
  }

  // MARK: Measuring

  private mutating func measure<Value: Equatable>(_ name: String, _ values: [Value]) throws {
    var data = Data()
    var encode = Int64.max
    var decode = Int64.max
    for round in 0..<Self.rounds {
      let start = clock.now()
      data = try KeyedArchiver.archivedData(withRootObject: values)
      let middle = clock.now()
      let copy = try KeyedUnarchiver.unarchivedObject(of: [Value].self, from: data)
      let end = clock.now()
      encode = min(encode, middle - start)
      decode = min(decode, end - middle)
      // NaN is not equal to itself.
      let isSame = copy.count == values.count && zip(copy, values).allSatisfy { $0 == $1 || ($0 != $0 && $1 != $1) }
      if round == 0, !isSame { throw Failure(description: "\(name): read back as something else") }
    }
    let count = Double(Self.count)
    let figure = Figure(name: name, bytes: Double(data.count) / count, encode: Double(encode) / count, decode: Double(decode) / count)
    if name.hasPrefix("String") { strings.append(figure) } else { numbers.append(figure) }
  }

  private static func table(_ kind: String, _ figures: [Figure]) -> String {
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    let encode = median(figures.map(\.encode))
    let decode = median(figures.map(\.decode))
    var lines = [[kind, "bytes/each", "encode ns/each", "x median", "decode ns/each", "x median"]]
    func line(_ figure: Figure) -> [String] {
      [
        figure.name, Figures.short(figure.bytes), Figures.short(figure.encode), Figures.ratio(figure.encode / encode),
        Figures.short(figure.decode), Figures.ratio(figure.decode / decode),
      ]
    }
    lines.append(line(Figure(name: "median of \(figures.count)", bytes: median(figures.map(\.bytes)), encode: encode, decode: decode)))
    let worst = figures.sorted { max($0.encode / encode, $0.decode / decode) > max($1.encode / encode, $1.decode / decode) }
    lines += worst.prefix(12).map(line)
    return Figures.aligned(lines)
  }
}
