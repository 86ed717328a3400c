import Foundation
import MirrorArchive
import Synchronization
import Testing

/// The archive that an archiver makes of what the body hands over.
func keyedArchive(
  requiringSecureCoding: Bool = true, allowing types: [Any.Type] = [], _ body: (KeyedArchiver) throws -> Void
) throws -> Data {
  let archiver = KeyedArchiver(requiringSecureCoding: requiringSecureCoding, allowing: types)
  try body(archiver)
  return try archiver.encodedData
}

/// What writes and what reads the keys of a ``KeyedScripted`` object.
final class Script: @unchecked Sendable {
  let write: (KeyedArchiver) throws -> Void
  let read: (KeyedUnarchiver) throws -> Void

  init(write: @escaping (KeyedArchiver) throws -> Void, read: @escaping (KeyedUnarchiver) throws -> Void) {
    self.write = write
    self.read = read
  }

  private static let lock = NSRecursiveLock()
  private static let running = Mutex<Script?>(nil)

  /// The script of the call that is under way, whatever thread the object is made on.
  static var current: Script? { running.withLock { $0 } }

  /// Runs the work while this is the script; other threads wait.
  func run<Result>(_ work: () throws -> Result) rethrows -> Result {
    Self.lock.lock()
    let before = Self.current
    Self.running.withLock { $0 = self }
    defer {
      Self.running.withLock { $0 = before }
      Self.lock.unlock()
    }
    return try work()
  }
}

/// A hand-coded object whose keys are what the test at hand says.
final class KeyedScripted: KeyedCoding {
  init() {}
  init(coder: KeyedUnarchiver) throws { try Script.current?.read(coder) }
  func encode(with coder: KeyedArchiver) throws { try Script.current?.write(coder) }
}

/// The same keys beside properties that reflection finds.
final class KeyedScriptedExtras: MirrorCoding, KeyedExtras {
  var before = "a property"
  var list = [1, 2, 3]
  func encodeExtras(with coder: KeyedArchiver) throws { try Script.current?.write(coder) }
  func decodeExtras(with coder: KeyedUnarchiver) throws { try Script.current?.read(coder) }
}

/// A reflected object with a hand-coded one between its properties.
final class KeyedScriptedHolder: MirrorCoding {
  var before = 1
  var scripted: KeyedScripted?
  var after = "after"
}

/// Where keys can stand.
enum KeyedPlace: String, CaseIterable, Sendable {
  /// The root keys of a coder.
  case top
  /// The keys of a hand-coded root object.
  case object
  /// A nested container among the root keys.
  case container
  /// A container in a container of a hand-coded object.
  case inner
  /// Beside reflected properties.
  case extras
  /// A hand-coded object that is a reflected object's property.
  case member
  /// A hand-coded object in an array with others.
  case element

  /// What the path of an error begins with, in front of the key.
  var path: String {
    switch self {
    case .top: ""
    case .object, .extras: "root."
    case .container: "box."
    case .inner: "root.outer.inner."
    case .member: "root.scripted."
    case .element: "root[8]."
    }
  }

  /// Whether unkeyed values may stand there.
  var takesUnkeyed: Bool { self != .top }

  /// Writes keys at this place and reads them back, with nothing but the default, secure calls.
  @discardableResult
  func pass<Result>(
    allowing types: [Any.Type] = [], write: @escaping (KeyedArchiver) throws -> Void,
    read: @escaping (KeyedUnarchiver) throws -> Result
  ) throws -> Result {
    try self.read(self.write(allowing: types, write), read)
  }

  /// The archive with the keys at this place.
  /// - Parameter types: what the writer allows: root keys are checked like the roots of the one-shot calls.
  func write(allowing types: [Any.Type] = [], _ write: @escaping (KeyedArchiver) throws -> Void) throws -> Data {
    switch self {
    case .top:
      return try keyedArchive(allowing: types, write)
    case .container:
      return try keyedArchive(allowing: types) { try $0.encodeContainer(forKey: "box", write) }
    case .object:
      return try Script(write: write, read: { _ in }).run { try KeyedArchiver.archivedData(withRootObject: KeyedScripted()) }
    case .inner:
      let script = Script(
        write: { try $0.encodeContainer(forKey: "outer") { try $0.encodeContainer(forKey: "inner", write) } }, read: { _ in })
      return try script.run { try KeyedArchiver.archivedData(withRootObject: KeyedScripted()) }
    case .extras:
      return try Script(write: write, read: { _ in }).run { try KeyedArchiver.archivedData(withRootObject: KeyedScriptedExtras()) }
    case .member:
      let holder = KeyedScriptedHolder()
      (holder.before, holder.scripted, holder.after) = (7, KeyedScripted(), "written")
      return try Script(write: write, read: { _ in }).run { try KeyedArchiver.archivedData(withRootObject: holder) }
    case .element:
      // One element tells what is read; the others are there so that the columns are long.
      let script = Script(write: write, read: { _ in })
      return try script.run { try KeyedArchiver.archivedData(withRootObject: (0..<9).map { _ in KeyedScripted() }) }
    }
  }

  /// Reads the keys at this place.
  @discardableResult
  func read<Result>(_ data: Data, _ read: @escaping (KeyedUnarchiver) throws -> Result) throws -> Result {
    let result = Outcome<Result>()
    func keep(_ coder: KeyedUnarchiver) throws {
      let value = try read(coder)
      if result.value == nil { result.value = value }
    }
    let script = Script(
      write: { _ in },
      read: self == .inner
        ? { try $0.decodeContainer(forKey: "outer") { try $0.decodeContainer(forKey: "inner") { try keep($0) } } } : { try keep($0) })
    try script.run {
      switch self {
      case .top:
        try keep(KeyedUnarchiver(forReadingFrom: data))
      case .container:
        try KeyedUnarchiver(forReadingFrom: data).decodeContainer(forKey: "box") { try keep($0) }
      case .object, .inner:
        _ = try KeyedUnarchiver.unarchivedObject(ofClass: KeyedScripted.self, from: data)
      case .extras:
        let object = try KeyedUnarchiver.unarchivedObject(ofClass: KeyedScriptedExtras.self, from: data)
        #expect(object.before == "a property" && object.list == [1, 2, 3])
      case .member:
        let holder = try KeyedUnarchiver.unarchivedObject(ofClass: KeyedScriptedHolder.self, from: data)
        #expect(holder.before == 7 && holder.scripted != nil && holder.after == "written")
      case .element:
        #expect(try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: KeyedScripted.self, from: data).count == 9)
      }
    }
    return try #require(result.value, "nobody asked for the keys")
  }

  private final class Outcome<Value> { var value: Value? }
}

/// A hand-coded object with one value of any type.
final class Hand<Value>: KeyedCoding {
  let value: Value
  init(_ value: Value) { self.value = value }
  init(coder: KeyedUnarchiver) throws { value = try coder.decode(Value.self, forKey: "value") }
  func encode(with coder: KeyedArchiver) throws { try coder.encode(value, forKey: "value") }
}

/// Writes the values under keys and reads each back, in every place where keys can stand.
/// - Parameters:
///   - get: the getters of this type by name; without, the generic ones alone are asked.
///   - same: whether the value that was read is the value that was written.
func expectKeyed<Value>(
  _ values: [Value], isOpen: Bool = true, get: ((KeyedUnarchiver, String) throws -> Value)? = nil,
  getIfPresent: ((KeyedUnarchiver, String) throws -> Value?)? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  where same: @escaping (Value, Value) -> Bool
) {
  for place in KeyedPlace.allCases {
    do {
      let wrong = try place.pass(
        write: { coder throws in
          for (index, value) in values.enumerated() {
            try coder.encode(value, forKey: "value \(index)")
            try coder.encode(Value?.some(value), forKey: "optional \(index)")
            if isOpen { try coder.encode(value as Any, forKey: "any \(index)") }
            if place.takesUnkeyed { try coder.encode(value) }
          }
          try coder.encode(Value?.none, forKey: "nil")
          try coder.encode(values, forKey: "all")
        },
        read: { coder throws in
          var wrong: [String] = []
          func check(_ what: String, _ read: Value?, _ written: Value) {
            if read.map({ same($0, written) }) != true { wrong.append("\(what): \(read as Any) for \(written)") }
          }
          // Backwards, because the order of asking is the reader's affair.
          for (index, value) in values.enumerated().reversed() {
            for (name, key) in [("value", "value \(index)"), ("optional", "optional \(index)")] {
              check(name, try coder.decode(Value.self, forKey: key), value)
              check("\(name) as Optional", try coder.decode(Value?.self, forKey: key), value)
              check("\(name) if present", try coder.decodeIfPresent(Value.self, forKey: key), value)
              if let get { check("\(name) by getter", try get(coder, key), value) }
              if let getIfPresent { check("\(name) by getter if present", try getIfPresent(coder, key), value) }
            }
            if isOpen { check("any", try coder.decode(Any.self, forKey: "any \(index)") as? Value, value) }
          }
          if try coder.decode(Value?.self, forKey: "nil") != nil { wrong.append("nil") }
          if try coder.decodeIfPresent(Value.self, forKey: "nil") != nil { wrong.append("nil if present") }
          if try coder.decodeIfPresent(Value.self, forKey: "missing") != nil { wrong.append("missing") }
          if let getIfPresent, try getIfPresent(coder, "nil") != nil { wrong.append("nil by getter") }
          if let getIfPresent, try getIfPresent(coder, "missing") != nil { wrong.append("missing by getter") }
          let all = try coder.decode([Value].self, forKey: "all")
          if all.count != values.count || !zip(all, values).allSatisfy(same) { wrong.append("array: \(all)") }
          if place.takesUnkeyed {
            for value in values { check("unkeyed", try coder.decode(Value.self), value) }
            if !coder.isAtEnd { wrong.append("more unkeyed values") }
          }
          return wrong
        })
      #expect(wrong.isEmpty, "\(Value.self) at \(place)", sourceLocation: sourceLocation)
    } catch {
      Issue.record(error, "\(Value.self) at \(place)", sourceLocation: sourceLocation)
    }
  }
}

/// The same, for values whose `==` is exact.
func expectKeyed<Value: Equatable>(
  _ values: [Value], isOpen: Bool = true, get: ((KeyedUnarchiver, String) throws -> Value)? = nil,
  getIfPresent: ((KeyedUnarchiver, String) throws -> Value?)? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
  expectKeyed(values, isOpen: isOpen, get: get, getIfPresent: getIfPresent, sourceLocation: sourceLocation, where: ==)
}
