import Foundation
import MirrorArchive
import Synchronization
import Testing

/// CASES row R5: what can't be archived is refused at encode with type, property and cure.
@Suite("Refused properties")
struct RefusalTests {
  final class WithClosure: MirrorCoding {
    var name = ""
    var onTap: () -> Void = {}
  }
  final class WithOptionalClosure: MirrorCoding { var onTap: ((Int) -> String)? }
  final class WithClosureList: MirrorCoding { var handlers: [() -> Void] = [] }
  final class WithClosureTuple: MirrorCoding { var entry: (name: String, run: () -> Void) = ("", {}) }
  final class WithClosureTable: MirrorCoding { var byName: [String: () -> Void] = [:] }
  enum Action {
    case none
    case run(() -> Void)
  }
  final class WithClosureEnum: MirrorCoding { var action = Action.none }
  final class WithMutex: MirrorCoding { let state = Mutex(0) }
  final class WithAtomic: MirrorCoding { let counter = Atomic<Int>(0) }
  final class WithThinMetatype: MirrorCoding { var kind: Int.Type = Int.self }
  @safe final class WithPointer: MirrorCoding { var memory: UnsafeMutableRawPointer? }
  @safe final class WithBuffer: MirrorCoding { var memory = unsafe UnsafeBufferPointer<Int>(start: nil, count: 0) }
  final class WithKeyPath: MirrorCoding { var path: KeyPath<String, Int> = \.count }
  final class WithThread: MirrorCoding { var worker: Thread? = Thread() }
  final class WithLock: MirrorCoding { var lock = NSLock() }
  final class WithTask: MirrorCoding { var task: Task<Void, Never>? }
  struct Single: ~Copyable { var value = 1 }
  final class WithNoncopyable: MirrorCoding { var single = Single() }
  final class Nested: MirrorCoding {
    var fine = 1
    var inner: WithClosure? = WithClosure()
  }
  class Parent: MirrorCoding { private var hidden: () -> Void = {} }
  final class Heir: Parent { var own = 1 }

  /// A property, the class it is in, and an object of that class.
  struct Sample: CustomTestStringConvertible, Sendable {
    let property: String
    let type: String
    let make: @Sendable () -> MirrorCoding
    var testDescription: String { "\(type).\(property)" }
  }

  static let samples = [
    Sample(property: "onTap", type: "WithClosure") { WithClosure() },
    Sample(property: "onTap", type: "WithOptionalClosure") { WithOptionalClosure() },
    Sample(property: "handlers", type: "WithClosureList") { WithClosureList() },
    Sample(property: "entry", type: "WithClosureTuple") { WithClosureTuple() },
    Sample(property: "byName", type: "WithClosureTable") { WithClosureTable() },
    Sample(property: "action", type: "WithClosureEnum") { WithClosureEnum() },
    Sample(property: "state", type: "WithMutex") { WithMutex() },
    Sample(property: "counter", type: "WithAtomic") { WithAtomic() },
    Sample(property: "kind", type: "WithThinMetatype") { WithThinMetatype() },
    Sample(property: "memory", type: "WithPointer") { WithPointer() },
    Sample(property: "memory", type: "WithBuffer") { WithBuffer() },
    Sample(property: "path", type: "WithKeyPath") { WithKeyPath() },
    Sample(property: "worker", type: "WithThread") { WithThread() },
    Sample(property: "lock", type: "WithLock") { WithLock() },
    Sample(property: "task", type: "WithTask") { WithTask() },
    Sample(property: "single", type: "WithNoncopyable") { WithNoncopyable() },
    Sample(property: "onTap", type: "WithClosure") { Nested() },
    Sample(property: "hidden", type: "Parent") { Heir() },
  ]

  @Test("Archiving names the type, the property and the cure", arguments: samples) func refusal(sample: Sample) {
    let error = expectRefusal(.unsupportedType, naming: [sample.property, sample.type, "Transient"]) {
      try KeyedArchiver.archivedData(withRootObject: sample.make())
    }
    if let error { #expect("\(error)".contains(sample.property)) }
  }

  @Test("A refusal is the same the second time") func again() {
    for _ in 0..<3 {
      expectRefusal(.unsupportedType, naming: ["onTap"]) { try KeyedArchiver.archivedData(withRootObject: WithClosure()) }
    }
  }

  /// A class of somebody else's.
  final class Stranger {
    var number = 1
    init() {}
  }
  final class WithStranger: MirrorCoding { var stranger: Stranger? = Stranger() }
  final class WithStrangers: MirrorCoding { var list: [Stranger] = [Stranger()] }
  final class WithAnyStranger: MirrorCoding { var value: Any = Stranger() }

  @Test("A class without MirrorCoding or MirrorCodable is refused by name, with the cure") func stranger() {
    expectRefusal(.notArchivable, naming: ["Stranger", "MirrorCodable"]) { try KeyedArchiver.archivedData(withRootObject: Stranger()) }
    expectRefusal(.notArchivable, at: "stranger", naming: ["Stranger", "MirrorCodable"]) {
      try KeyedArchiver.archivedData(withRootObject: WithStranger())
    }
    expectRefusal(.notArchivable, at: "list", naming: ["Stranger", "MirrorCodable"]) {
      try KeyedArchiver.archivedData(withRootObject: WithStrangers())
    }
  }

  @Test("A class without MirrorCodable in an Any is refused") func strangerInAny() {
    do {
      _ = try KeyedArchiver.archivedData(withRootObject: WithAnyStranger())
      Issue.record("no error")
    } catch let error as ArchiveError {
      #expect([.notArchivable, .typeNotAllowed].contains(error.code))
      #expect(error.message.contains("Stranger") && error.path.contains("value"))
    } catch {
      Issue.record(error)
    }
  }

  @Test("Closures in an Any are refused") func closureInAny() {
    let written = Slot<Any>({ 1 } as () -> Int)
    do {
      _ = try KeyedArchiver.archivedData(withRootObject: written)
      Issue.record("no error")
    } catch let error as ArchiveError {
      #expect([.unsupportedType, .typeNotAllowed].contains(error.code))
      #expect(error.path.contains("value"))
    } catch {
      Issue.record(error)
    }
  }
}
