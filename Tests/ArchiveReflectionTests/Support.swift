import ArchiveReflection
import Synchronization
import Testing

/// Counts the tokens that are alive.
final class Tracker: Sendable {
  private let count = Atomic<Int>(0)

  var live: Int { count.load(ordering: .relaxed) }

  fileprivate func add(_ change: Int) { count.add(change, ordering: .relaxed) }
}

/// An object whose life is counted.
final class Token: Equatable, CustomStringConvertible {
  let number: Int
  private let tracker: Tracker

  init(_ number: Int, _ tracker: Tracker) {
    self.number = number
    self.tracker = tracker
    tracker.add(1)
  }

  deinit { tracker.add(-1) }

  var description: String { "Token(\(number))" }

  static func == (a: Token, b: Token) -> Bool { a === b }
}

extension ClassShape {
  /// The only field of that name in all levels.
  func field(_ name: String) throws -> Field {
    let found = levels.flatMap(\.fields).filter { $0.name == name }
    try #require(found.count == 1, "\(name) occurs \(found.count) times")
    return found[0]
  }

  var names: [[String]] { levels.map { $0.fields.map(\.name) } }
}

extension StructShape {
  func field(_ name: String) throws -> Field {
    try #require(fields.first { $0.name == name }, "no field \(name)")
  }
}

/// Reads a property of an object through the offset of its field.
func read<T>(_ field: Field, of object: AnyObject, as type: T.Type = T.self) throws -> T {
  try #require(same(field.type, type), "\(field.name) is a \(field.type)")
  try #require(field.size == MemoryLayout<T>.size)
  return withExtendedLifetime(object) {
    unsafe address(of: field, in: object).assumingMemoryBound(to: T.self).pointee
  }
}

/// Writes a property of a live object through the offset of its field.
func write<T>(_ value: T, to field: Field, of object: AnyObject) throws {
  try #require(same(field.type, T.self), "\(field.name) is a \(field.type)")
  withExtendedLifetime(object) {
    unsafe address(of: field, in: object).assumingMemoryBound(to: T.self).pointee = value
  }
}

/// Initialises a weak or unowned property of a fresh object.
func initializeReference(_ target: AnyObject?, _ field: Field, of object: AnyObject) throws -> Bool {
  unsafe WeakField.initialize(
    address(of: field, in: object), to: target, declared: WeakField.DeclaredType(field.type), ownership: field.ownership)
}

func address(of field: Field, in object: AnyObject) -> UnsafeMutableRawPointer {
  unsafe Unmanaged.passUnretained(object).toOpaque() + field.offset
}

/// Whether two metatypes are the same; the testing macros cannot compare them.
func same(_ a: Any.Type?, _ b: Any.Type?) -> Bool { a == b }

/// Hides from the optimiser where a value comes from.
@inline(never)
func opaque<T>(_ value: T) -> T { value }

/// Takes an enum value apart and makes another one of the pieces.
func rebuilt<E>(_ value: E, caseNamed name: String, payload: Any.Type?) throws -> E {
  let shape = try Reflection.enumShape(of: E.self)
  let access = EnumAccess(shape)
  let tag = unsafe withUnsafePointer(to: value) { unsafe access.tag(of: $0) }
  try #require(shape.cases.indices.contains(tag))
  #expect(shape.cases[tag].name == name)
  #expect(same(shape.cases[tag].payload, payload))
  let payloadSize = access.payloads[tag]?.size ?? 0
  let alignment = (access.payloads[tag]?.alignmentMask ?? 0) + 1
  let memory = UnsafeMutableRawPointer.allocate(byteCount: max(payloadSize, 1), alignment: alignment)
  defer { unsafe memory.deallocate() }
  unsafe withUnsafePointer(to: value) { unsafe access.copyPayload(of: $0, tag: tag, to: memory) }
  let result = UnsafeMutablePointer<E>.allocate(capacity: 1)
  defer { unsafe result.deallocate() }
  unsafe access.initialize(result, tag: tag, takingPayload: payloadSize == 0 && access.payloads[tag] == nil ? nil : memory)
  return unsafe result.move()
}
