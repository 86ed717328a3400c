package import Foundation

/// A value that says which key it belongs to, who wrote it and when, and whether all of its bytes are of that one time.
package struct Stamped: Sendable, Equatable {
  package var key: String
  package var writer: Int
  package var version: Int
  package var filler: Data

  package init(key: String, writer: Int = 0, version: Int, size: Int) {
    self.key = key
    self.writer = writer
    self.version = version
    filler = Self.filler(key, writer, version, size)
  }

  /// What is wrong with a value that was found under a key; nil if nothing is.
  package func flaw(under key: String, size: Int? = nil) -> String? {
    if self.key != key { return "under '\(key)' lies the value of '\(self.key)'" }
    if let size, filler.count != size { return "'\(key)' has \(filler.count) bytes instead of \(size)" }
    if filler != Self.filler(key, writer, version, filler.count) { return "'\(key)', version \(version), is mixed of several" }
    return nil
  }

  private static func filler(_ key: String, _ writer: Int, _ version: Int, _ size: Int) -> Data {
    let sum = key.utf8.reduce(version &* 31 &+ writer &* 7) { $0 &* 33 &+ Int($1) }
    return Data(repeating: UInt8(truncatingIfNeeded: sum), count: size)
  }
}

/// SplitMix64: the same numbers from the same seed on every platform, so that a failure can be repeated.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
