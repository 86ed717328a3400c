/// SplitMix64: small, fast and the same numbers on every machine.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed &>> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed &>> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed &>> 31)
  }

  /// A number below `bound`, by multiplication: the standard library's algorithm may change between releases, this one must not.
  mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  mutating func chance(_ percent: Int) -> Bool {
    below(100) < percent
  }

  /// Lower-case ASCII words, `length` characters in all.
  mutating func words(length: Int) -> String {
    var text = ""
    for index in 0..<length {
      let isInside = index > 0 && index < length - 1
      text.unicodeScalars.append(isInside && below(7) == 0 ? " " : Unicode.Scalar(UInt8(97 + below(26))))
    }
    return text
  }
}
