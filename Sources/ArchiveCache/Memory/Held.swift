/// What a cache has at hand of a value: the value itself, for everybody, or its archive, of which everybody gets a copy.
///
/// Not generic, as are all that deal with it: generic code of another module finds its types at run time, several times for each look into memory,
/// which takes longer than the look.
enum Held: Sendable {
  case value(SharedValue)
  case entry(Entry)
}

/// A value of any type.
class SharedValue: @unchecked Sendable {
  // Only values of types that were known to be Sendable when their cache was made are put into boxes.
  fileprivate init() {}
}

private final class Box<Value>: SharedValue, @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

extension SharedValue {
  static func of<Value>(_ value: Value) -> SharedValue { Box(value) }

  /// The value that was put in.
  /// - Parameter type: Its type.
  @unsafe
  func value<Value>(of type: Value.Type) -> Value {
    // SAFETY: the caller says that it was put in as this type.
    unsafe unsafeDowncast(self, to: Box<Value>.self).value
  }
}
