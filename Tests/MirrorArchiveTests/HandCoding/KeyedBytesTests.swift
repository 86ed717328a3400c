import Foundation
import MirrorArchive
import Testing

/// Bytes that are handed over and looked at without being copied.
@Suite("Bytes by key")
struct KeyedBytesTests {
  static let samples: [[UInt8]] = [
    [], [0], [0xFF, 0, 0xFF], Array(0...255), Array(repeating: 7, count: 15), Array(repeating: 8, count: 16),
    (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) },
  ]

  @Test("They come back, empty ones and a mebibyte", arguments: KeyedPlace.allCases) func bytes(place: KeyedPlace) throws {
    try place.pass(
      write: { coder throws in
        for (index, bytes) in Self.samples.enumerated() {
          unsafe try bytes.withUnsafeBytes { unsafe try coder.encodeBytes($0, forKey: "bytes \(index)") }
        }
        unsafe try coder.encodeBytes(UnsafeRawBufferPointer(start: nil, count: 0), forKey: "nowhere")
        try coder.encode(1, forKey: "behind")
      },
      read: { coder throws in
        #expect(try coder.decodeInt(forKey: "behind") == 1)
        for (index, bytes) in Self.samples.enumerated().reversed() {
          #expect(try coder.decodeBytes(forKey: "bytes \(index)") == bytes)
          let copy = unsafe try coder.withBytes(forKey: "bytes \(index)") { unsafe Array($0) }
          #expect(copy == bytes)
        }
        #expect(try coder.decodeBytes(forKey: "nowhere").isEmpty)
        let count = unsafe try coder.withBytes(forKey: "nowhere") { $0.count }
        #expect(count == 0)
      })
  }

  @Test("Bytes and Data are read as each other", arguments: KeyedPlace.allCases) func asData(place: KeyedPlace) throws {
    try place.pass(
      write: { coder throws in
        try coder.encode(Data([1, 2, 3]), forKey: "data")
        unsafe try ([4, 5, 6] as [UInt8]).withUnsafeBytes { unsafe try coder.encodeBytes($0, forKey: "bytes") }
      },
      read: { coder throws in
        #expect(try coder.decodeBytes(forKey: "data") == [1, 2, 3])
        #expect(try coder.decodeData(forKey: "bytes") == Data([4, 5, 6]))
        let sum = unsafe try coder.withBytes(forKey: "data") { unsafe $0.reduce(0) { $0 + Int($1) } }
        #expect(sum == 6)
      })
  }

  @Test("What the body throws and returns passes through") func body() throws {
    struct Stop: Error {}
    try KeyedPlace.object.pass(
      write: { try $0.encode(Data([1, 2]), forKey: "data") },
      read: { coder throws in
        #expect(throws: Stop.self) { unsafe try coder.withBytes(forKey: "data") { _ in throw Stop() } }
        let result = unsafe try coder.withBytes(forKey: "data") { _ in "result" }
        #expect(result == "result")
        // The coder may be asked for something else meanwhile.
        let count = unsafe try coder.withBytes(forKey: "data") { try coder.decodeData(forKey: "data").count + $0.count }
        #expect(count == 4)
      })
  }

  @Test("A mebibyte costs a mebibyte") func size() throws {
    let bytes = Self.samples[6]
    let data = try KeyedPlace.object.write { coder throws in
      unsafe try bytes.withUnsafeBytes { unsafe try coder.encodeBytes($0, forKey: "bytes") }
    }
    #expect(data.count < bytes.count + 300)
  }
}
