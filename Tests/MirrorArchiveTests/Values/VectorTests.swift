import Foundation
import MirrorArchive
import Testing

/// Vectors come back lane by lane, in any nesting.
@Suite("Vectors")
struct VectorTests {
  final class Body: MirrorCoding {
    var position = SIMD3<Float>(1, -0.0, .infinity)
    var mask: SIMD4<UInt8>?
    var path: [SIMD2<Double>] = []
    let origin: SIMD3<Double>
    required init() { origin = .zero }
    init(origin: SIMD3<Double>) { self.origin = origin }
  }

  @Test("Properties, Optionals, arrays and constants", arguments: [1, 40]) func properties(count: Int) throws {
    let written = (0..<count).map { index in
      let body = Body(origin: SIMD3(Double(index), 2, 3))
      body.mask = index.isMultiple(of: 2) ? SIMD4(0, 1, 254, 255) : nil
      body.path = (0..<index).map { SIMD2(Double($0), -0.5) }
      return body
    }
    let read = try roundTrip(written)
    #expect(read.allSatisfy { $0.position == SIMD3(1, 0, .infinity) && $0.position.y.sign == .minus })
    #expect(read.map(\.mask) == written.map(\.mask))
    #expect(read.map(\.path) == written.map(\.path))
    #expect(read.map(\.origin) == written.map(\.origin))
  }

  @Test("Every width") func widths() throws {
    func check<Vector: SIMD>(_: Vector.Type) throws where Vector.Scalar == Int16 {
      let vector = Vector((0..<Vector.scalarCount).map { Int16($0 * 100 - 500) })
      #expect(try roundTrip(vector) == vector)
      #expect(try roundTrip(Slot([vector: "key"])).value == [vector: "key"])
    }
    try check(SIMD2<Int16>.self)
    try check(SIMD3<Int16>.self)
    try check(SIMD4<Int16>.self)
    try check(SIMD8<Int16>.self)
    try check(SIMD16<Int16>.self)
    try check(SIMD32<Int16>.self)
    try check(SIMD64<Int16>.self)
  }

  @Test("Another width is another type") func otherWidth() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: SIMD2<Int>(1, 2))
    expectRefusal(.typeMismatch) { try KeyedUnarchiver.unarchivedObject(of: SIMD4<Int>.self, from: data) }
  }
}
