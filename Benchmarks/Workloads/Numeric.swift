import MirrorArchive

/// Measurements: nothing but long arrays of trivial elements.
final class Measurements: MirrorCoding, Codable {
  var samples: [Double] = []
  var counters: [Int32] = []
  var flags: [Bool] = []

  required init() {
    super.init()
  }

  init(samples: [Double], counters: [Int32], flags: [Bool]) {
    self.samples = samples
    self.counters = counters
    self.flags = flags
    super.init()
  }

  /// Samples with all their bits, counters within a million of zero (21 of 32 bits), flags of which two in five are set.
  static func random(samples: Int, counters: Int, flags: Int, seed: UInt64 = 0x9e3a) -> Measurements {
    var generator = SeededGenerator(seed: seed)
    return Measurements(
      samples: (0..<samples).map { _ in Double(generator.next() &>> 11) * 0x1p-53 * 1_000 - 500 },
      counters: (0..<counters).map { _ in Int32(generator.below(2_000_000) - 1_000_000) },
      flags: (0..<flags).map { _ in generator.chance(40) })
  }

  func difference(from other: Measurements) -> String? {
    if samples != other.samples { return "samples" }
    if counters != other.counters { return "counters" }
    if flags != other.flags { return "flags" }
    return nil
  }
}

extension Contest {
  /// 1,000,000 doubles, 1,000,000 integers, 100,000 flags in one object.
  static func numeric() -> Contest {
    let measurements = Measurements.random(samples: 1_000_000, counters: 1_000_000, flags: 100_000)
    return Contest(
      "numeric", objects: 2_100_000, unit: "values",
      contenders: [
        mirrorArchive(measurements, difference: measurements.difference),
        hand(measurements, encode: HandNumeric.encode, decode: HandNumeric.decode, difference: measurements.difference),
        json(measurements, difference: measurements.difference),
        propertyList(measurements, difference: measurements.difference),
        keyedArchiver(KeyedMeasurements(measurements)) { measurements.difference(from: $0.measurements) },
      ],
      notes: [
        "\(ContenderName.keyedArchiver): each array as one NSData. An NSNumber for each of 2,100,000 values would take over a minute."
      ])
  }
}
