import Foundation
import MirrorArchive

/// Archives a value with the default, secure calls and reads it back as the type it had.
func roundTrip<Root>(_ root: Root, allowing types: [Any.Type] = []) throws -> Root {
  let data = try KeyedArchiver.archivedData(withRootObject: root, allowing: types)
  return try KeyedUnarchiver.unarchivedObject(of: Root.self, from: data, allowing: types)
}

/// One property of any type, in a class that has no `init()`: the decoder has to make it without one.
final class Slot<Value>: MirrorCodable {
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// One optional property of any type, in a class with nothing written by hand.
final class Box<Value>: MirrorCoding {
  var value: Value?

  convenience init(_ value: Value?) {
    self.init()
    self.value = value
  }
}

/// Properties that say nothing about their value, in a class that has `init()`.
final class AnyBox: MirrorCoding {
  var value: Any = 0
  var optional: Any?
  var list: [Any] = []
  var table: [String: Any] = [:]

  convenience init(_ value: Any) {
    self.init()
    self.value = value
  }
  convenience init(list: [Any]) {
    self.init()
    self.list = list
  }
}

/// Two properties of any types, side by side, so that a write that is too wide damages a neighbour.
struct Pair<First, Second> {
  var first: First
  var second: Second
}

/// A generic enum with two payload cases and one without.
enum Either<Left, Right> {
  case left(Left)
  case right(Right)
  case neither
}

extension Pair: Equatable where First: Equatable, Second: Equatable {}
extension Pair: Hashable where First: Hashable, Second: Hashable {}
extension Either: Equatable where Left: Equatable, Right: Equatable {}
