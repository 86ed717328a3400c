import ArchiveReflection
import Foundation
import Testing

struct Point<T> {
  var x: T
  let y: T
  private(set) var note: String = "n"
  var nested: Inner
  struct Inner { var deep: (T, UInt8) }
}

@Suite("Struct and tuple shapes")
struct StructShapeTests {
  @Test func `a generic struct lists its properties`() throws {
    let shape = try Reflection.structShape(of: Point<Int16>.self)
    #expect(shape.fields.map(\.name) == ["x", "y", "note", "nested"])
    #expect(shape.fields.map(\.isVar) == [true, false, true, true])
    #expect(shape.fields.map(\.offset) == [0, 2, 8, 24])
    #expect(shape.fields.map(\.size) == [2, 2, 16, 3])
    #expect(same(shape.fields[0].type, Int16.self))
    #expect(same(shape.fields[3].type, Point<Int16>.Inner.self))
    let inner = try Reflection.structShape(of: Point<Int16>.Inner.self)
    #expect(inner.fields.map(\.name) == ["deep"])
    #expect(same(inner.fields[0].type, (Int16, UInt8).self))
  }

  @Test func `struct properties are read and written in place`() throws {
    var point = Point(x: 1, y: 2, note: "a", nested: .init(deep: (3, 4)))
    let shape = try Reflection.structShape(of: Point<Int>.self)
    let note = try shape.field("note")
    unsafe withUnsafeMutableBytes(of: &point) { bytes in
      let base = unsafe bytes.baseAddress.unsafelyUnwrapped
      #expect(unsafe (base + note.offset).assumingMemoryBound(to: String.self).pointee == "a")
      unsafe (base + note.offset).assumingMemoryBound(to: String.self).pointee = "a long string that is on the heap"
    }
    #expect(point.note == "a long string that is on the heap")
    #expect(point.x == 1 && point.y == 2 && point.nested.deep == (3, 4))
  }

  @Test func `tuples list labels and positions`() throws {
    let shape = try Reflection.structShape(of: (lat: Double, Int8, name: String).self)
    #expect(shape.fields.map(\.name) == ["lat", ".1", "name"])
    #expect(shape.fields.map(\.offset) == [0, 8, 16])
    #expect(shape.fields.map(\.size) == [8, 1, 16])
    #expect(shape.fields.map(\.isVar) == [true, true, true])
    #expect(try Reflection.structShape(of: Void.self).fields.isEmpty)
  }

  @Test func `an imported struct is reflected or refused, never emptied`() throws {
    let shape = try Reflection.structShape(of: timespec.self)
    #expect(shape.fields.map(\.name) == ["tv_sec", "tv_nsec"])
    #expect(shape.fields.map(\.offset) == [0, 8])
    let union = #expect(throws: ReflectionError.self) { unsafe try Reflection.structShape(of: sigval.self) }
    #expect(union?.code == .missingMetadata)
    #if os(Linux) && arch(x86_64)
      // Bit fields between ordinary ones.
      let bitFields = #expect(throws: ReflectionError.self) { try Reflection.structShape(of: fenv_t.self) }
      #expect(bitFields?.code == .missingMetadata)
    #endif
  }

  @Test func `an empty struct has no fields`() throws {
    #expect(try Reflection.structShape(of: Nothing.self).fields.isEmpty)
  }

  @Test func `other types are not structs`() {
    for type in [Int?.self, Animal.self, Any.self, (() -> Void).self] as [Any.Type] {
      let error = #expect(throws: ReflectionError.self) { try Reflection.structShape(of: type) }
      #expect(error?.code == .unsupportedType)
    }
  }

  @Test func `kinds are told apart`() {
    #expect(Reflection.kind(of: Int.self) == .structure)
    #expect(Reflection.kind(of: Never.self) == .enumeration)
    #expect(Reflection.kind(of: Int??.self) == .optional)
    #expect(Reflection.kind(of: (Int, Int).self) == .tuple)
    #expect(Reflection.kind(of: Animal.self) == .classType)
    #expect(Reflection.kind(of: Any.self) == .existential)
    #expect(Reflection.kind(of: AnyObject.self) == .existential)
    #expect(Reflection.kind(of: (any Error).self) == .existential)
    #expect(Reflection.kind(of: (any Sequence<Int>).self) == .existential)
    #expect(Reflection.kind(of: (() -> Void).self) == .function)
    #expect(Reflection.kind(of: Int.Type.self) == .metatype)
    #expect(Reflection.kind(of: Any.Type.self) == .existentialMetatype)
  }
}
