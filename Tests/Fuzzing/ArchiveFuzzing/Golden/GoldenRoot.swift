import Foundation
import MirrorArchive

/// Values under keys at the top level of a golden archive: how they are encoded, and whether what is read is right.
struct GoldenRoot: Sendable {
  let keys: [String]
  let encode: @Sendable (KeyedArchiver) throws -> Void
  let isRight: @Sendable (KeyedUnarchiver) throws -> Bool

  init(
    _ key: String, encode: @escaping @Sendable (KeyedArchiver) throws -> Void, isRight: @escaping @Sendable (KeyedUnarchiver) throws -> Bool
  ) {
    self.init(keys: [key], encode: encode, isRight: isRight)
  }

  /// For values that belong together.
  init(
    keys: [String], encode: @escaping @Sendable (KeyedArchiver) throws -> Void,
    isRight: @escaping @Sendable (KeyedUnarchiver) throws -> Bool
  ) {
    (self.keys, self.encode, self.isRight) = (keys, encode, isRight)
  }

  /// - Parameter meaning: what has to be equal, where two values of the type do not say it themselves.
  init<Value: Sendable, Meaning: Equatable & SendableMetatype>(
    _ key: String, _ value: Value, by meaning: @escaping @Sendable (Value) -> Meaning
  ) {
    self.init(
      key, encode: { try $0.encode(value, forKey: key) },
      isRight: { meaning(try $0.decode(Value.self, forKey: key)) == meaning(value) })
  }

  /// For values with objects, which are made where they are encoded.
  init<Value>(_ key: String, making make: @escaping @Sendable () -> Value, isRight: @escaping @Sendable (Value) -> Bool) {
    self.init(key, encode: { try $0.encode(make(), forKey: key) }, isRight: { isRight(try $0.decode(Value.self, forKey: key)) })
  }

  init<Value: Sendable & Equatable & SendableMetatype>(_ key: String, _ value: Value) { self.init(key, value) { $0 } }
}

extension GoldenArchive {
  /// For archives of several roots.
  init(_ name: String, roots: @escaping @Sendable () -> [GoldenRoot]) {
    self.init(
      name,
      make: {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.outputFormatting = .sortedKeys
        for root in roots() { try root.encode(archiver) }
        return try archiver.encodedData
      },
      isRight: { data in
        let coder = try KeyedUnarchiver(forReadingFrom: data)
        let roots = roots()
        return try coder.allKeys == roots.flatMap(\.keys) && roots.allSatisfy { try $0.isRight(coder) }
      })
  }
}
