import Foundation
import MirrorArchive
import Testing

@Suite("Numbers")
struct NumberTests {
  /// Limits, neighbours of limits, small numbers and numbers of every byte length.
  private func edges<Number: FixedWidthInteger>(_: Number.Type) -> [Number] {
    var result: [Number] = [.min, .min + 1, .max - 1, .max, 0, 1, 100]
    var width = 7
    while width < Number.bitWidth - 1 {
      result += [1 << width - 1, 1 << width]
      width += 7
    }
    if Number.isSigned { result += [0 &- 1, 0 &- 100] }
    return result
  }

  @Test("Int and UInt keep their limits") func words() {
    expectSurvival(of: edges(Int.self))
    expectSurvival(of: edges(UInt.self))
  }

  @Test("8-bit integers keep their limits") func bytes() {
    expectSurvival(of: edges(Int8.self))
    expectSurvival(of: edges(UInt8.self))
  }

  @Test("16-bit integers keep their limits") func halves() {
    expectSurvival(of: edges(Int16.self))
    expectSurvival(of: edges(UInt16.self))
  }

  @Test("32-bit integers keep their limits") func singles() {
    expectSurvival(of: edges(Int32.self))
    expectSurvival(of: edges(UInt32.self))
  }

  @Test("64-bit integers keep their limits") func doubles() {
    expectSurvival(of: edges(Int64.self))
    expectSurvival(of: edges(UInt64.self))
  }

  @Test("128-bit integers keep their limits") func quads() {
    expectSurvival(of: edges(Int128.self))
    expectSurvival(of: edges(UInt128.self))
  }

  @Test("Bool keeps true and false") func booleans() {
    expectSurvival(of: [true, false, false, true, true])
    expectSurvival(of: [true])
    expectSurvival(of: [false])
  }

  @Test("A Double keeps every bit: NaN payloads, -0.0, subnormal numbers") func doubleBits() {
    let values: [Double] = [
      0, -0.0, 1.5, -1.5, .pi, .infinity, -.infinity, .nan, .signalingNaN, Double(nan: 0x1234, signaling: false),
      -Double(nan: 77, signaling: false), .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, .ulpOfOne, 0.1,
      9_007_199_254_740_992,
    ]
    expectSurvival(of: values) { $0.bitPattern == $1.bitPattern }
  }

  @Test("Prices stay exact, whatever a column does to make them small") func prices() {
    let cents = (0..<3_000).map { Double($0 * 7 % 100_000) / 100 }
    expectSurvival(of: cents) { $0.bitPattern == $1.bitPattern }
    expectSurvival(of: cents + [-0.0]) { $0.bitPattern == $1.bitPattern }
    expectSurvival(of: cents + [.nan]) { $0.bitPattern == $1.bitPattern }
    expectSurvival(of: cents + [1e300]) { $0.bitPattern == $1.bitPattern }
  }

  @Test("A Float keeps every bit") func floatBits() {
    let values: [Float] = [
      0, -0.0, 0.1, -3.75, .infinity, -.infinity, .nan, Float(nan: 9, signaling: false), .leastNonzeroMagnitude, .greatestFiniteMagnitude,
    ]
    expectSurvival(of: values) { $0.bitPattern == $1.bitPattern }
  }

  #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    @Test("A Float16 keeps every bit") func halfBits() {
      let values: [Float16] = [
        0, -0.0, 0.1, -3.75, .infinity, .nan, Float16(nan: 3, signaling: false), .leastNonzeroMagnitude, .greatestFiniteMagnitude,
      ]
      expectSurvival(of: values) { $0.bitPattern == $1.bitPattern }
    }
  #endif

  @Test("A CGFloat keeps every bit") func graphicsBits() {
    let values: [CGFloat] = [0, -0.0, 0.1, -3.75, .infinity, .nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
    expectSurvival(of: values) { $0.native.bitPattern == $1.native.bitPattern }
  }

  @Test("Random integers survive in columns of every length", arguments: [1, 2, 7, 8, 9, 1_023, 1_024, 1_025, 5_000])
  func randomColumns(count: Int) throws {
    let seed: UInt64 = 0x5EED_0001
    var generator = SeededGenerator(seed: seed &+ UInt64(count))
    for width in [0, 3, 8, 20, 33, 57, 58, 63] {
      let limit: Int64 = width == 63 ? .max : (1 << width)
      let numbers = (0..<count).map { _ in Int64.random(in: -limit...limit, using: &generator) }
      #expect(try roundTrip(numbers) == numbers, "seed \(seed), \(count) numbers of \(width) bits")
      #expect(try roundTrip(numbers.sorted()) == numbers.sorted(), "seed \(seed), \(count) sorted numbers of \(width) bits")
      let objects = try roundTrip(numbers.map { Slot($0) })
      #expect(objects.map(\.value) == numbers, "seed \(seed), \(count) objects with numbers of \(width) bits")
    }
  }

  @Test("Runs, constants and progressions survive") func patterns() throws {
    for count in [1, 8, 1_024, 3_000] {
      let patterns: [[Int]] = [
        Array(repeating: .min, count: count), Array(0..<count), (0..<count).map { $0 / 100 }, (0..<count).map { .max - $0 * 3 },
        (0..<count).map { $0.isMultiple(of: 2) ? .min : .max },
      ]
      for numbers in patterns {
        #expect(try roundTrip(numbers) == numbers)
        #expect(try roundTrip(numbers.map { Slot($0) }).map(\.value) == numbers)
        #expect(try roundTrip(numbers.map { UInt64(bitPattern: Int64($0)) }) == numbers.map { UInt64(bitPattern: Int64($0)) })
      }
    }
  }

  /// Every width next to every other: a store of the wrong width would damage the neighbour.
  final class Widths: MirrorCoding {
    var a: Int8 = -1
    var b: UInt16 = 0xFFFF
    var c: Bool = true
    var d: Int32 = -1
    var e: Float = -0.0
    var f: UInt8 = 0xFF
    var g: Int64 = -1
    var h: Bool = false
    var i: UInt128 = .max
    var j: Int16 = -1
    var k: Double = -0.0
    var l: UInt8? = 0xFF
    var m: Bool? = true
    var n: Int8 = .min
    var o: UInt64? = .max
    var p: UInt32 = .max
  }

  @Test("Neighbours of different widths don't touch each other") func neighbours() throws {
    let written = Widths()
    written.a = 1
    written.c = false
    written.e = 1.25
    written.h = true
    written.i = 1 << 127
    written.l = nil
    written.m = .some(false)
    let read = try roundTrip(written)
    #expect(read.a == 1 && read.b == 0xFFFF && !read.c && read.d == -1)
    #expect(read.e == 1.25 && read.f == 0xFF && read.g == -1 && read.h)
    #expect(read.i == 1 << 127 && read.j == -1 && read.k.bitPattern == (-0.0).bitPattern && read.l == nil)
    #expect(read.m == .some(false) && read.n == .min && read.o == .max && read.p == .max)
  }
}
