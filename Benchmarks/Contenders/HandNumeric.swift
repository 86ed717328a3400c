import Foundation

/// The measurements as they lie in memory.
enum HandNumeric {
  static func encode(_ measurements: Measurements) -> Data {
    let samples = measurements.samples
    let counters = measurements.counters
    let flags = measurements.flags
    var writer = HandWriter(capacity: 64 + 8 * samples.count + 4 * counters.count + flags.count)
    writer.reserve(3 * HandWriter.maximumVarint)
    writer.varint(UInt64(samples.count))
    writer.varint(UInt64(counters.count))
    writer.varint(UInt64(flags.count))
    writer.bulk(samples)
    writer.bulk(counters)
    writer.bulk(flags)
    return writer.finish()
  }

  static func decode(_ data: Data) throws -> Measurements {
    try HandReader.read(data) { reader in
      let samples = try reader.count(minimumSize: 8)
      let counters = try reader.count(minimumSize: 4)
      let flags = try reader.count(minimumSize: 1)
      return Measurements(
        samples: try reader.bulk(samples, of: Double.self), counters: try reader.bulk(counters, of: Int32.self),
        flags: try reader.flags(flags))
    }
  }
}
