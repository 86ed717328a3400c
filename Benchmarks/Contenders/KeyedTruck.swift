import Foundation

/// `Truck` as it is written for `NSKeyedArchiver`, with the properties of all four levels. It holds a truck and has no properties of its own:
/// that saves the copy, not work of the coder.
final class KeyedTruck: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let truck: Truck

  init(_ truck: Truck) {
    self.truck = truck
  }

  func encode(with coder: NSCoder) {
    var visitor = WritingVisitor(coder: coder)
    // This visitor does not throw.
    try? truck.visit(&visitor)
  }

  init?(coder: NSCoder) {
    truck = Truck()
    var visitor = ReadingVisitor(coder: coder)
    guard (try? truck.visit(&visitor)) != nil else { return nil }
  }

  private struct WritingVisitor: PropertyVisitor {
    let coder: NSCoder

    func visit<Value: PropertyValue>(_ value: Value, _ key: String) -> Value {
      value.encode(with: coder, forKey: key)
      return value
    }

    func visit<Value: PropertyValue>(_ value: Value?, _ key: String) -> Value? {
      value?.encode(with: coder, forKey: key)
      return value
    }
  }

  private struct ReadingVisitor: PropertyVisitor {
    let coder: NSCoder

    func visit<Value: PropertyValue>(_ value: Value, _ key: String) throws -> Value {
      try Value.decode(with: coder, forKey: key)
    }

    func visit<Value: PropertyValue>(_ value: Value?, _ key: String) throws -> Value? {
      coder.containsValue(forKey: key) ? try Value.decode(with: coder, forKey: key) : nil
    }
  }
}
