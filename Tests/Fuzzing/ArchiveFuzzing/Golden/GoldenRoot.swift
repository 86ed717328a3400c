import Foundation
import MirrorArchive

/// A value under a key at the top level of a golden archive: what is to be encoded, and whether what is read is it.
struct GoldenRoot: Sendable {
  let key: String
  let encode: @Sendable (KeyedArchiver) throws -> Void
  let isRight: @Sendable (KeyedUnarchiver) throws -> Bool

  init(
    _ key: String, encode: @escaping @Sendable (KeyedArchiver) throws -> Void, isRight: @escaping @Sendable (KeyedUnarchiver) throws -> Bool
  ) {
    (self.key, self.encode, self.isRight) = (key, encode, isRight)
  }

  /// - Parameter meaning: what has to be equal, where two values of the type do not say it themselves.
  init<Value: Sendable, Meaning: Equatable & SendableMetatype>(
    _ key: String, _ value: Value, by meaning: @escaping @Sendable (Value) -> Meaning
  ) {
    self.init(
      key, encode: { try $0.encode(value, forKey: key) },
      isRight: { meaning(try $0.decode(Value.self, forKey: key)) == meaning(value) })
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
        return try coder.allKeys == roots.map(\.key) && roots.allSatisfy { try $0.isRight(coder) }
      })
  }
}
