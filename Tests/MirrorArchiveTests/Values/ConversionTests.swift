import Foundation
import MirrorArchive
import Testing

@Suite("Numbers read as another type of number")
struct ConversionTests {
  private static var integers: [any FixedWidthInteger.Type] {
    [
      Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
      UInt128.self,
    ]
  }

  /// Bounds of `Target` that `Source` has, the numbers next to them, and small ones.
  private func edges<Source: FixedWidthInteger, Target: FixedWidthInteger>(_: Source.Type, near _: Target.Type) -> [Source] {
    var values: Set<Source> = [.min, .max, 0, 1, 100]
    for bound in [Source(exactly: Target.min), Source(exactly: Target.max), Source(exactly: -1)] {
      guard let bound else { continue }
      values.insert(bound)
      if bound > .min { values.insert(bound - 1) }
      if bound < .max { values.insert(bound + 1) }
    }
    return values.sorted()
  }

  @Test("Every integer type is read as every other one, if the number fits", arguments: 0..<12, 0..<12) func integers(from: Int, to: Int) {
    if from == to { return }
    func pair<Source: FixedWidthInteger, Target: FixedWidthInteger>(_: Source.Type, _: Target.Type) {
      for value in edges(Source.self, near: Target.self) { expectConversion(of: value, to: Target(exactly: value)) }
    }
    func first<Source: FixedWidthInteger>(_ source: Source.Type) {
      func second<Target: FixedWidthInteger>(_ target: Target.Type) { pair(source, target) }
      let target = Self.integers[to]
      second(target)
    }
    let source = Self.integers[from]
    first(source)
  }

  @Test("Integers in every place are converted: fields, elements, keys, payloads, Optionals", arguments: 0..<12)
  func places(to: Int) throws {
    func check<Target: FixedWidthInteger>(_: Target.Type) throws {
      let values = [5, 0, 1, 100, 77]
      let read = try converted(RetypedPlaces(values), to: RetypedPlaces<Target>.self)
      #expect(read == RetypedPlaces(values.map { Target($0) }))
      let back = try converted(RetypedPlaces(values.map { Target($0) }), to: RetypedPlaces<Int>.self)
      #expect(back == RetypedPlaces(values))
      let asText = try converted(RetypedPlaces(values.map { Target($0) }), to: RetypedPlaces<String>.self)
      #expect(asText == RetypedPlaces(values.map { "\($0)" }))
    }
    let target = Self.integers[to]
    try check(target)
  }

  @Test("Columns of every length and form are converted", arguments: [1, 7, 8, 1_023, 1_024, 1_025, 3_000]) func columns(count: Int) throws
  {
    let seed: UInt64 = 0xC0DE
    var generator = SeededGenerator(seed: seed &+ UInt64(count))
    for width in [0, 3, 8, 15] {
      let numbers = (0..<count).map { _ in Int.random(in: 0...(1 << width), using: &generator) - (1 << width) / 3 }
      #expect(try converted(numbers, to: [Int16].self) == numbers.map { Int16($0) }, "seed \(seed)")
      #expect(try converted(numbers, to: [Double].self) == numbers.map { Double($0) }, "seed \(seed)")
      #expect(try converted(numbers, to: [String].self) == numbers.map { "\($0)" }, "seed \(seed)")
      #expect(try converted(numbers.map { "\($0)" }, to: [Int128].self) == numbers.map { Int128($0) }, "seed \(seed)")
      #expect(
        try converted(numbers.map { Retyped($0) }, to: [Retyped<Int32>].self).map(\.value) == numbers.map { Int32($0) }, "seed \(seed)")
      let optionals = numbers.map { $0 % 3 == 0 ? nil : $0 }
      #expect(try converted(optionals, to: [Int16?].self) == optionals.map { $0.map { Int16($0) } }, "seed \(seed)")
    }
  }

  @Test("The error names the first value that doesn't fit, with its path", arguments: [0, 3, 8, 1_500, 2_047]) func place(bad: Int) throws {
    var numbers = Array(repeating: 5, count: 2_048)
    numbers[bad] = 300
    expectRefusal(.invalidValue, at: "root[\(bad)]", naming: ["Int 300", "UInt8"]) { try converted(numbers, to: [UInt8].self) }
    let objects = numbers.map { Retyped($0) }
    expectRefusal(.invalidValue, at: "root[\(bad)].value", naming: ["Int 300", "UInt8"]) {
      try converted(objects, to: [Retyped<UInt8>].self)
    }
    let cells = Retyped(numbers.map { RetypedCell(value: $0) })
    expectRefusal(.invalidValue, at: "root.value[\(bad)].value", naming: ["Int 300", "UInt8"]) {
      try converted(cells, to: Retyped<[RetypedCell<UInt8>]>.self)
    }
    let optionals = numbers.map { Retyped($0 == 5 ? nil : $0) }
    expectRefusal(.invalidValue, at: "root[\(bad)].value", naming: ["Int 300", "UInt8"]) {
      try converted(optionals, to: [Retyped<UInt8?>].self)
    }
  }

  @Test("Integers and floating point are each other where the number is whole and exact") func wholeNumbers() {
    func check<Whole: FixedWidthInteger, Float: BinaryFloatingPoint>(_ whole: Whole, _: Float.Type) {
      let float = Float(exactly: whole)
      expectConversion(of: whole, to: float, naming: ["\(Whole.self)", "\(Float.self)", "\(whole)"])
      if let float { expectConversion(of: float, to: whole) }
    }
    func widths<Float: BinaryFloatingPoint>(_: Float.Type) {
      for power in [0, 8, 11, 24, 53, 62] {
        for difference in [-1, 0, 1] { check(1 << power + difference, Float.self) }
      }
      for number in [0, -1, -100, 5, .max, .min] { check(number, Float.self) }
      check(UInt64.max, Float.self)
      check(Int8.min, Float.self)
      check(UInt8.max, Float.self)
      check(Int128.min, Float.self)
      check(Int128.min + 1, Float.self)
      check(Int128(1) << 100, Float.self)
      check(UInt128.max, Float.self)
      check(UInt128(1) << 127, Float.self)
    }
    widths(Double.self)
    widths(Float.self)
    for number in [0, -1, 5, 1 << 53] {
      expectConversion(of: number, to: CGFloat(number))
      expectConversion(of: CGFloat(number), to: number)
    }
    expectConversion(of: 1 << 53 + 1, to: CGFloat?.none)
    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
      widths(Float16.self)
      for number in [65_504, 65_505, 65_520, 70_000, 2_049] { check(number, Float16.self) }
    #endif
  }

  @Test("A fraction, an infinity, a NaN is no integer", arguments: [3.75, -0.5, 1e300, .infinity, -.infinity, .nan, 9.3e18, -1e40])
  func fractions(value: Double) {
    expectConversion(of: value, to: Int?.none, naming: ["Double", "Int", "\(value)"])
    expectConversion(of: value, to: UInt8?.none, naming: ["Double", "UInt8", "\(value)"])
    expectConversion(of: CGFloat(value), to: Int?.none, naming: ["CGFloat", "Int", "\(value)"])
    if abs(value) < 1e38 { expectConversion(of: Float(value), to: Int?.none, naming: ["Float", "Int", "\(Float(value))"]) }
  }

  @Test("Zero with a sign is the integer 0, and keeps its sign as floating point") func negativeZero() {
    expectConversion(of: -0.0, to: 0)
    expectConversion(of: Float(-0.0), to: -0.0) { $0.bitPattern == $1.bitPattern }
    expectConversion(of: -0.0, to: Float(-0.0)) { $0.bitPattern == $1.bitPattern }
  }

  @Test("A Float is always a Double; a Double is a Float where nothing is lost") func floats() {
    let floats: [Float] = [0, 0.1, -3.75, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .pi]
    for value in floats {
      expectConversion(of: value, to: Double(value)) { $0.bitPattern == $1.bitPattern }
      expectConversion(of: value, to: CGFloat(value)) { $0.native.bitPattern == $1.native.bitPattern }
      expectConversion(of: Double(value), to: value) { $0.bitPattern == $1.bitPattern }
    }
    for value in [0.1, 1e300, -.leastNonzeroMagnitude, 16_777_217, .greatestFiniteMagnitude] {
      expectConversion(of: value, to: Float?.none, naming: ["Double", "Float", "\(value)"])
    }
    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
      for value: Float16 in [0, 0.1, -.infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude] {
        expectConversion(of: value, to: Double(value)) { $0.bitPattern == $1.bitPattern }
        expectConversion(of: Float(value), to: value) { $0.bitPattern == $1.bitPattern }
      }
      expectConversion(of: Float(70_000), to: Float16?.none, naming: ["Float", "Float16", "70000"])
      expectConversion(of: 0.1, to: Float16?.none, naming: ["Double", "Float16", "0.1"])
    #endif
  }

  @Test("A CGFloat and a Double are the same, bit for bit") func graphics() {
    for value in [0, -0.0, 0.1, .infinity, .signalingNaN, Double(nan: 0x77, signaling: false), .leastNonzeroMagnitude] {
      expectConversion(of: value, to: CGFloat(value)) { $0.native.bitPattern == $1.native.bitPattern }
      expectConversion(of: CGFloat(value), to: value) { $0.bitPattern == $1.bitPattern }
    }
  }

  @Test("Bool is 0 and 1") func booleans() {
    func check<Number: FixedWidthInteger>(_: Number.Type) {
      expectConversion(of: true, to: Number(1))
      expectConversion(of: false, to: Number(0))
      expectConversion(of: Number(1), to: true)
      expectConversion(of: Number(0), to: false)
      for other in [Number.max, 2, 100] { expectConversion(of: other, to: Bool?.none) }
      if Number.isSigned { expectConversion(of: Number(0) &- 1, to: Bool?.none) }
    }
    for type in Self.integers { check(type) }
  }

  @Test("An integer is its decimal digits, and they are the integer") func text() {
    func check<Number: FixedWidthInteger>(_: Number.Type) {
      for number in edges(Number.self, near: Number.self) {
        expectConversion(of: number, to: "\(number)")
        expectConversion(of: "\(number)", to: number)
      }
    }
    for type in Self.integers { check(type) }
    expectConversion(of: "128", to: Int8?.none, naming: ["String", "Int8", "\"128\""])
    expectConversion(of: "-1", to: UInt?.none, naming: ["String", "UInt", "\"-1\""])
  }

  @Test(
    "Only the digits that an integer prints itself with are read as one",
    arguments: [
      "+5", " 5", "5 ", "05", "00", "-0", "-05", "", "-", "--5", "5.0", "1e3", "0x5", "five", "٥", "1_000", "5\0", "９",
      "340282366920938463463374607431768211456", "999999999999999999999999999999999999999999999999999",
    ])
  func oddText(text: String) {
    expectConversion(of: text, to: Int?.none, naming: ["String", "Int", String(text.prefix(40))])
    expectConversion(of: text, to: UInt128?.none, naming: ["String", "UInt128"])
  }

  @Test("A long text is not repeated whole in the message") func longText() throws {
    let text = "e" + String(repeating: "\u{301}", count: 100_000)
    let error = try #require(expectRefusal(.invalidValue) { try converted(text, to: Int.self) })
    #expect(error.message.utf8.count < 300)
  }

  @Test("A Decimal is an integer where it is one") func decimals() throws {
    func check<Number: FixedWidthInteger>(_: Number.Type) {
      for number in edges(Number.self, near: Number.self) {
        guard let decimal = Decimal(string: "\(number)") else { continue }
        expectConversion(of: number, to: decimal)
        expectConversion(of: decimal, to: number)
      }
    }
    for type in Self.integers { check(type) }
    expectConversion(of: Decimal(120_000), to: 120_000)
    expectConversion(of: Decimal(sign: .minus, exponent: 3, significand: 12), to: -12_000)
    expectConversion(of: Decimal(sign: .plus, exponent: -3, significand: 12_000), to: 12)
    expectConversion(
      of: Decimal(sign: .plus, exponent: 37, significand: 3), to: Int128(3) * Int128("10000000000000000000000000000000000000")!)
    expectConversion(of: Decimal(sign: .plus, exponent: -2, significand: 375), to: Int?.none, naming: ["Decimal", "Int", "375e-2"])
    expectConversion(of: Decimal(sign: .minus, exponent: 100, significand: 7), to: Int128?.none, naming: ["Decimal", "Int128", "-7e100"])
    expectConversion(of: Decimal.nan, to: Int?.none, naming: ["Decimal", "Int", "NaN"])
    expectConversion(of: Decimal(300), to: UInt8?.none, naming: ["Decimal", "UInt8", "3"])
  }

  @Test("A property with a default takes the converted value, whatever it held") func assigned() throws {
    let written = RetypedPreset<Int>()
    (written.before, written.value, written.behind) = (2, 99, "y")
    let data = try KeyedArchiver.archivedData(withRootObject: written)
    func check<Value: Preset & Equatable>(_ value: Value) throws {
      let read = try KeyedUnarchiver.unarchivedObject(ofClass: RetypedPreset<Value>.self, from: data)
      #expect(read.value == value && read.before == 2 && read.behind == "y")
    }
    try check(Int8(99))
    try check(99.0)
    try check("99")
    try check(Optional(99))
    try check(Optional(Int8(99)))
    try check(Optional("99"))
    let list = (0..<20).map { number in
      let object = RetypedPreset<[Int]>()
      object.value = Array(0..<number)
      return object
    }
    let lists = try KeyedUnarchiver.unarchivedObject(
      of: [RetypedPreset<[String]?>].self, from: KeyedArchiver.archivedData(withRootObject: list))
    #expect(lists.map(\.value) == list.map { $0.value.map { "\($0)" } })
  }

  final class FixedNumber: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "conversion.FixedNumber") }
    let value: Int
    init(_ value: Int) { self.value = value }
  }
  final class FixedText: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "conversion.FixedNumber") }
    let value: String
    init(_ value: String) { self.value = value }
  }

  @Test("A let is converted like a var") func constants() throws {
    #expect(try converted(FixedNumber(5), to: FixedText.self).value == "5")
    #expect(try converted(FixedText("-12"), to: FixedNumber.self).value == -12)
    expectRefusal(.invalidValue, at: "root.value", naming: ["\"x\""]) { try converted(FixedText("x"), to: FixedNumber.self) }
  }

  @Test("Types that are no numbers of one kind are not converted") func mismatches() {
    func check<Source, Target>(_ source: Source, _: Target.Type, sourceLocation: SourceLocation = #_sourceLocation) {
      let names = ["where the program declares \(Target.self)"]
      expectRefusal(.typeMismatch, naming: names, sourceLocation: sourceLocation) { try converted(source, to: Target.self) }
      expectRefusal(.typeMismatch, at: "value", naming: names, sourceLocation: sourceLocation) {
        try converted(Retyped(source), to: Retyped<Target>.self)
      }
      let optionalNames = ["where the program declares Optional<\(Target.self)>"]
      expectRefusal(.typeMismatch, at: "value", naming: optionalNames, sourceLocation: sourceLocation) {
        try converted(Retyped(source), to: Retyped<Target?>.self)
      }
    }
    check(5.0, Date.self)
    check(Date(), Double.self)
    check("5.5", Double.self)
    check(5.5, String.self)
    check(1.0, Bool.self)
    check(true, Double.self)
    check(true, String.self)
    check("true", Bool.self)
    check(5, [Int].self)
    check([5], Int.self)
    check(UUID(), String.self)
    check(5, Duration.self)
    check(Duration.seconds(5), Int128.self)
    check(65, Unicode.Scalar.self)
    check("A" as Unicode.Scalar, UInt32.self)
    check(Data([1]), String.self)
    expectRefusal(.typeMismatch, at: "root.[]", naming: ["Int", "Date"]) { try converted([1, 2], to: [Date].self) }
    expectRefusal(.typeMismatch, at: "root.[]", naming: ["Int", "Date"]) { try converted([1, 2], to: [Date]?.self) }
  }

  @Test("Of several types that a root may have, the archived one is taken and not one it could be converted to") func severalTypes() throws
  {
    func read(_ root: some Any, _ types: [Any.Type]) throws -> Any {
      try KeyedUnarchiver.unarchivedObject(ofClasses: types, from: KeyedArchiver.archivedData(withRootObject: root))
    }
    #expect(try read(3.0, [Int.self, String.self, Double.self, Float.self]) as? Double == 3)
    #expect(try read([3], [[Double].self, [String].self, [Int].self]) as? [Int] == [3])
    #expect(try read(UInt8(3), [Double.self, Int.self]) as? Double == 3)
    #expect(try read([1: "a"], [[Int8: String].self, [Int: String].self]) as? [Int: String] == [1: "a"])
  }

  @Test("Decimals whose bits no arithmetic leaves behind are converted or refused", arguments: 1...20 as ClosedRange<UInt64>)
  func hostileDecimals(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let count = 7
    let decimals = (0..<count).map { Decimal($0) + Decimal(UInt64.max) }
    var forgery = try #require(Forgery(KeyedArchiver.archivedData(withRootObject: decimals)))
    // The column's bytes are the last ones of the body: 20 for each Decimal.
    let start = forgery.body.count - 20 * count
    for _ in 0..<200 {
      for index in 0..<count {
        let place = start + index * 20
        forgery.body[place] = UInt8.random(in: 0...255, using: &generator)
        forgery.body[place + 1] = UInt8.random(in: 0...8, using: &generator) | UInt8.random(in: 0...3, using: &generator) << 4
        (forgery.body[place + 2], forgery.body[place + 3]) = (0, 0)
        for digit in 4..<20 { forgery.body[place + digit] = UInt8.random(in: 0...255, using: &generator) }
      }
      do {
        _ = try KeyedUnarchiver.unarchivedObject(of: [Int128].self, from: forgery.sealed())
      } catch let error as ArchiveError {
        #expect(error.code == .invalidValue, "seed \(seed): \(error)")
      }
    }
  }
}
