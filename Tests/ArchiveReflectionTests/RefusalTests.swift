import ArchiveReflection
import Dispatch
import Foundation
import Synchronization
import Testing

struct Unique: ~Copyable { var x = 1 }

final class NoncopyableBox<T: ~Copyable> {
  var before = 1
  var value: T
  var after = 2
  init(_ value: consuming T) { self.value = value }
}

struct HasClosure {
  var a = 1
  var f: () -> Void = {}
}

@safe final class Awkward {
  var fine = 1
  var closure: () -> Void = {}
  var closureWithValue: (Int) -> String = { "\($0)" }
  var optionalClosure: (() -> Void)?
  var tupleWithClosure: (Int, () -> Void) = (1, {})
  var optionalTuple: (Int, (() -> Void)?)?
  var pointer = unsafe UnsafeMutablePointer<Int>(bitPattern: 8)
  var rawPointer = unsafe UnsafeRawPointer(bitPattern: 8)
  var buffer = unsafe UnsafeBufferPointer<Int>(start: nil, count: 0)
  var opaquePointer = unsafe OpaquePointer(bitPattern: 8)
  var unmanaged: Unmanaged<Animal>?
  var thin: Int.Type = Int.self
  var optionalThin: Int.Type?
  var afterThin = 7
  var thick: Animal.Type = Animal.self
  var anyType: Any.Type = Int.self
  let mutex = Mutex(0)
  let atomic = Atomic<Int>(0)
  let unique = Unique()
  var keyPath: KeyPath<Animal, String> = \.name
  var anyKeyPath: AnyKeyPath?
  var task: Task<Void, Never>?
  var queue = DispatchQueue(label: "q")
  var lock = NSLock()
  var thread: Thread?
  var stream: AsyncStream<Int>.Continuation?
  lazy var lazyClosure: () -> Void = {}
  var array: [Int] = []
  var existential: Any = 1
  var error: (any Error)?
  var date = Date()
  var range = 1..<2
  var decimal = Decimal(1)
  weak var parent: Animal?
  var last = 9
}

@Suite("Refusals")
struct RefusalTests {
  static let expected: [(String, ReflectionError.Code)] = [
    ("closure", .closure), ("closureWithValue", .closure), ("optionalClosure", .closure), ("tupleWithClosure", .closure),
    ("optionalTuple", .closure), ("pointer", .unsafePointer), ("rawPointer", .unsafePointer), ("buffer", .unsafePointer),
    ("opaquePointer", .unsafePointer), ("unmanaged", .unsafePointer), ("thin", .thinMetatype), ("optionalThin", .thinMetatype),
    ("mutex", .noncopyable), ("atomic", .noncopyable), ("unique", .noncopyable), ("keyPath", .processLocal),
    ("anyKeyPath", .processLocal), ("task", .processLocal), ("queue", .processLocal), ("lock", .processLocal),
    ("thread", .processLocal), ("stream", .processLocal), ("$__lazy_storage_$_lazyClosure", .closure),
  ]

  @Test(arguments: expected)
  func `a property that cannot be archived says so`(name: String, code: ReflectionError.Code) throws {
    let shape = try Reflection.classShape(of: Awkward.self, instance: Awkward())
    let error = try #require(try Reflection.refusal(for: shape.field(name), in: "Awkward"), "\(name) is not refused")
    #expect(error.code == code)
    #expect(error.typeName == "Awkward")
    #expect(error.property == name.split(separator: "_").last.map(String.init))
    #expect(error.message.contains("@Transient"))
  }

  @Test func `all other properties are accepted`() throws {
    let refused = Set(Self.expected.map(\.0))
    let shape = try Reflection.classShape(of: Awkward.self, instance: Awkward())
    let accepted = shape.levels[0].fields.filter { !refused.contains($0.name) }
    #expect(
      accepted.map(\.name) == [
        "fine", "afterThin", "thick", "anyType", "array", "existential", "error", "date", "range", "decimal", "parent", "last",
      ])
    for field in accepted { #expect(Reflection.refusal(for: field, in: "Awkward") == nil) }
  }

  @Test func `properties beside a refused one keep their offsets`() throws {
    let object = Awkward()
    let shape = try Reflection.classShape(of: Awkward.self, instance: object)
    #expect(try read(shape.field("fine"), of: object) == 1)
    #expect(try read(shape.field("afterThin"), of: object) == 7)
    #expect(try read(shape.field("last"), of: object) == 9)
    try write(70, to: shape.field("afterThin"), of: object)
    #expect(object.afterThin == 70)
    #expect(object.thin == Int.self)
  }

  @Test func `a noncopyable generic argument is refused`() throws {
    let object = NoncopyableBox(Unique())
    let shape = try Reflection.classShape(of: NoncopyableBox<Unique>.self, instance: object)
    let error = try Reflection.refusal(for: shape.field("value"), in: "Box")
    #expect(error?.code == .noncopyable)
    #expect(try read(shape.field("after"), of: object) == 2)
    let copyable = NoncopyableBox("text")
    let copyableShape = try Reflection.classShape(of: NoncopyableBox<String>.self, instance: copyable)
    #expect(try Reflection.refusal(for: copyableShape.field("value"), in: "Box") == nil)
    #expect(try read(copyableShape.field("value"), of: copyable) == "text")
  }

  @Test func `a struct's closure is found when the struct is looked at`() throws {
    let shape = try Reflection.structShape(of: HasClosure.self)
    #expect(Reflection.refusal(for: shape.fields[0], in: "HasClosure") == nil)
    #expect(Reflection.refusal(for: shape.fields[1], in: "HasClosure")?.code == .closure)
  }

  @Test func `types of no property are refused too`() {
    #expect(Reflection.refusal(forType: (() -> Void).self, property: nil, in: "T")?.code == .closure)
    #expect(Reflection.refusal(forType: (any CustomStringConvertible).Protocol.self, property: nil, in: "T")?.code == .thinMetatype)
    #expect(Reflection.refusal(forType: Animal.self, property: nil, in: "T") == nil)
    #expect(Reflection.refusal(forType: [Int].self, property: nil, in: "T") == nil)
    #expect(Reflection.refusal(forType: Never?.self, property: nil, in: "T") == nil)
    unsafe #expect(Reflection.refusal(forType: pthread_mutex_t.self, property: nil, in: "T")?.code == .processLocal)
  }

  @Test func `an error prints its place`() {
    let error = ReflectionError(code: .closure, typeName: "Shop.Cart", property: "onTap", message: "A closure; make it @Transient.")
    #expect("\(error)" == "Shop.Cart.onTap: A closure; make it @Transient.")
  }
}
