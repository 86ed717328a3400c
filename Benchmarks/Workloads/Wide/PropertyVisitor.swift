/// Goes through the properties of a truck by their types: what random values, the comparison and the slow contenders share. The hand-written
/// row coder has code of its own for each property.
protocol PropertyVisitor {
  /// - Returns: the value that the property is to have afterwards.
  mutating func visit<Value: PropertyValue>(_ value: Value, _ key: String) throws -> Value
  mutating func visit<Value: PropertyValue>(_ value: Value?, _ key: String) throws -> Value?
}

/// Gives every property a value that depends on the seed alone.
struct RandomVisitor: PropertyVisitor {
  var generator: SeededGenerator
  /// The texts of each property: a few where they are like names of countries, hardly one twice where they are like notes.
  private var pools: [String: [String]] = [:]

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  mutating func visit<Value: PropertyValue>(_ value: Value, _ key: String) -> Value {
    Value.random(&self, key: key)
  }

  mutating func visit<Value: PropertyValue>(_ value: Value?, _ key: String) -> Value? {
    generator.chance(50) ? Value.random(&self, key: key) : nil
  }

  mutating func text(of key: String) -> String {
    if let pool = pools[key] { return pool[generator.below(pool.count)] }
    let size = [5, 20, 300, 5_000][pools.count % 4]
    let pool = (0..<size).map { _ in generator.words(length: 4 + generator.below(21)) }
    pools[key] = pool
    return pool[generator.below(size)]
  }
}

/// Takes the values of an object, for the comparison with those of another one.
struct ValueCollector: PropertyVisitor {
  private(set) var values: [(key: String, value: AnyHashable?)] = []

  mutating func visit<Value: PropertyValue>(_ value: Value, _ key: String) -> Value {
    values.append((key, AnyHashable(value)))
    return value
  }

  mutating func visit<Value: PropertyValue>(_ value: Value?, _ key: String) -> Value? {
    values.append((key, value.map { AnyHashable($0) }))
    return value
  }
}

/// A key of the properties of all four levels, which share one container.
struct PropertyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) {
    self.stringValue = stringValue
  }

  init?(intValue: Int) {
    nil
  }
}

/// For `Codable`.
struct EncodingVisitor: PropertyVisitor {
  var container: KeyedEncodingContainer<PropertyKey>

  mutating func visit<Value: PropertyValue>(_ value: Value, _ key: String) throws -> Value {
    try container.encode(value, forKey: PropertyKey(stringValue: key))
    return value
  }

  mutating func visit<Value: PropertyValue>(_ value: Value?, _ key: String) throws -> Value? {
    try container.encodeIfPresent(value, forKey: PropertyKey(stringValue: key))
    return value
  }
}

/// For `Codable`.
struct DecodingVisitor: PropertyVisitor {
  let container: KeyedDecodingContainer<PropertyKey>

  func visit<Value: PropertyValue>(_ value: Value, _ key: String) throws -> Value {
    try container.decode(Value.self, forKey: PropertyKey(stringValue: key))
  }

  func visit<Value: PropertyValue>(_ value: Value?, _ key: String) throws -> Value? {
    try container.decodeIfPresent(Value.self, forKey: PropertyKey(stringValue: key))
  }
}
