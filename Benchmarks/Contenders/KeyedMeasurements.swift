import Foundation

/// `Measurements` as it is written for `NSKeyedArchiver` by somebody who knows what an `NSNumber` costs: the bytes of each array.
final class KeyedMeasurements: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let measurements: Measurements

  init(_ measurements: Measurements) {
    self.measurements = measurements
  }

  func encode(with coder: NSCoder) {
    coder.encode(Self.data(measurements.samples), forKey: "samples")
    coder.encode(Self.data(measurements.counters), forKey: "counters")
    coder.encode(Self.data(measurements.flags), forKey: "flags")
  }

  init?(coder: NSCoder) {
    guard let samples: [Double] = Self.values(coder, "samples"), let counters: [Int32] = Self.values(coder, "counters"),
      let flags: [UInt8] = Self.values(coder, "flags"), flags.allSatisfy({ $0 <= 1 })
    else { return nil }
    measurements = Measurements(samples: samples, counters: counters, flags: flags.map { $0 == 1 })
  }

  private static func data<Value: BitwiseCopyable>(_ values: [Value]) -> NSData {
    unsafe values.withUnsafeBytes { unsafe NSData(bytes: $0.baseAddress, length: $0.count) }
  }

  /// nil for a missing array, and for one that ends within a value.
  private static func values<Value: BitwiseCopyable>(_ coder: NSCoder, _ key: String) -> [Value]? {
    guard let data = coder.decodeObject(of: NSData.self, forKey: key), data.length % MemoryLayout<Value>.stride == 0 else { return nil }
    let count = data.length / MemoryLayout<Value>.stride
    return unsafe [Value](unsafeUninitializedCapacity: count) { buffer, initialized in
      // SAFETY: the buffer has room for `count` values, which is the length of the data; every pattern of bits is a value of the types
      // that this is called for.
      if let target = buffer.baseAddress { unsafe data.getBytes(target, length: data.length) }
      initialized = count
    }
  }
}
