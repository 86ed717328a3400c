import Foundation
import MirrorArchive
import Testing

/// Calls that append to data of the caller's, and that read bytes where they are.
@Suite("Archives in memory of the caller's")
struct BorrowingTests {
  final class Reading: MirrorCoding {
    var sensor = "a sensor whose name takes more than fifteen bytes"
    var values = [1.5, 2.25]
    var bytes = Data([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
    var next: Reading?
    var open: Any? = ["a text that takes more than fifteen bytes": 3]
  }
  final class Failing: MirrorCoding {
    struct Failure: Error {}
    var text = "text"
    override func willEncode() throws { throw Failure() }
  }
  struct Point: Equatable { var x = 0.0, y = 0.0 }

  private func check(_ reading: Reading) {
    #expect(reading.sensor == "a sensor whose name takes more than fifteen bytes" && reading.values == [1.5, 2.25])
    #expect(reading.bytes == Data(1...20) && reading.open as? [String: Int] == ["a text that takes more than fifteen bytes": 3])
  }

  // MARK: Appending

  @Test("archive(_:into:) appends the bytes of archivedData and says how many they are") func appending() throws {
    var data = Data([7, 8, 9])
    let count = try KeyedArchiver.archive(Reading(), into: &data)
    let alone = try KeyedArchiver.archivedData(withRootObject: Reading())
    #expect(data == Data([7, 8, 9]) + alone && count == alone.count)
    #expect(try KeyedArchiver.archive(Point(x: 1), into: &data) == data.count - 3 - count)
    check(try KeyedUnarchiver.unarchivedObject(ofClass: Reading.self, from: data[3..<3 + count]))
    #expect(try KeyedUnarchiver.unarchivedObject(of: Point.self, from: data[(3 + count)...]) == Point(x: 1))
  }

  @Test("archive(_:into:) takes any root") func appendingRoots() throws {
    var data = Data()
    try KeyedArchiver.archive(["a": [1, 2]], into: &data)
    #expect(try KeyedUnarchiver.unarchivedObject(of: [String: [Int]].self, from: data) == ["a": [1, 2]])
    data.removeAll(keepingCapacity: true)
    try KeyedArchiver.archive(17 as Any, into: &data)
    #expect(try KeyedUnarchiver.unarchivedObject(of: Int.self, from: data) == 17)
    data.removeAll()
    try KeyedArchiver.archive([Reading(), Reading()], into: &data)
    for reading in try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Reading.self, from: data) { check(reading) }
    let large = (0..<20_000).map { "text \($0 &* 7919) of many" + String(repeating: ".", count: $0 % 7) }
    data = Data([1])
    let count = try KeyedArchiver.archive(large, into: &data)
    #expect(data.count == 1 + count && count > 65_536)
    #expect(try KeyedUnarchiver.unarchivedObject(of: [String].self, from: data.dropFirst()) == large)
  }

  @Test("An error leaves the data as it was") func unchanged() throws {
    var data = Data([1, 2, 3])
    #expect(throws: Failing.Failure.self) { try KeyedArchiver.archive(Failing(), into: &data) }
    #expect(throws: ArchiveError.self) { try KeyedArchiver.archive([NSObject()], into: &data) }
    #expect(throws: ArchiveError.self) { try KeyedArchiver.archive(1, into: &data, allowing: [MirrorCoding.self]) }
    #expect(data == Data([1, 2, 3]))
  }

  #if DEBUG
    private static let isOptimized = false
  #else
    private static let isOptimized = true
  #endif

  @Test("Emptied data keeps its memory for the next archive", .enabled(if: isOptimized, "Foundation copies data in debug builds"))
  func memory() throws {
    var data = Data(capacity: 4_096)
    try KeyedArchiver.archive(Reading(), into: &data)
    let address = unsafe data.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    for _ in 0..<20 {
      data.removeAll(keepingCapacity: true)
      try KeyedArchiver.archive(Reading(), into: &data)
      #expect(unsafe data.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } == address)
    }
  }

  // MARK: Borrowing

  /// Calls `body` with the archive at an odd address in memory that is overwritten afterwards.
  private func lend<Result>(_ data: Data, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count + 1, alignment: 16)
    defer { unsafe memory.deallocate() }
    let place = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[1...])
    unsafe place.copyBytes(from: data)
    defer { unsafe place.initializeMemory(as: UInt8.self, repeating: 0xAA) }
    return try unsafe body(UnsafeRawBufferPointer(place))
  }

  @Test("Every call reads from a buffer, and nothing of it is needed afterwards") func buffers() throws {
    let reading = Reading()
    reading.next = Reading()
    let data = try KeyedArchiver.archivedData(withRootObject: reading)
    let read = unsafe try lend(data) { unsafe try KeyedUnarchiver.unarchivedObject(ofClass: Reading.self, from: $0) }
    check(read)
    check(try #require(read.next))
    check(unsafe try lend(data) { unsafe try KeyedUnarchiver.unarchivedObject(of: Reading.self, from: $0, allowing: [Point.self]) })
    let any = unsafe try lend(data) { unsafe try KeyedUnarchiver.unarchivedObject(ofClasses: [Failing.self, Reading.self], from: $0) }
    check(try #require(any as? Reading))
    let array = try KeyedArchiver.archivedData(withRootObject: [Reading(), Reading()])
    let elements = unsafe try lend(array) { unsafe try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Reading.self, from: $0) }
    #expect(elements.count == 2)
    elements.forEach(check)
    let table = try KeyedArchiver.archivedData(withRootObject: ["a key of more than fifteen bytes": Reading()])
    let dictionary = unsafe try lend(table) {
      unsafe try KeyedUnarchiver.unarchivedDictionary(ofKeyClass: String.self, objectClass: Reading.self, from: $0)
    }
    check(try #require(dictionary["a key of more than fifteen bytes"]))
    let point = try KeyedArchiver.archivedData(withRootObject: Point(x: 2))
    let value = unsafe try lend(point) { unsafe try KeyedUnarchiver.unarchivedObject(ofClasses: [Reading.self, Point.self], from: $0) }
    #expect(value as? Point == Point(x: 2))
  }

  @Test("Every call reads from a span") func spans() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Reading())
    check(try KeyedUnarchiver.unarchivedObject(ofClass: Reading.self, from: data.bytes))
    check(try KeyedUnarchiver.unarchivedObject(of: Reading.self, from: data.bytes))
    let any = try KeyedUnarchiver.unarchivedObject(ofClasses: [Failing.self, Reading.self], from: data.bytes)
    check(try #require(any as? Reading))
    let array = Data([0, 0]) + (try KeyedArchiver.archivedData(withRootObject: [Reading()]))
    let elements = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Reading.self, from: array.bytes.extracting(droppingFirst: 2))
    check(try #require(elements.first))
    let table = try KeyedArchiver.archivedData(withRootObject: [1: Reading()])
    check(
      try #require(try KeyedUnarchiver.unarchivedDictionary(ofKeyClass: Int.self, objectClass: Reading.self, from: table.bytes)[1]))
  }

  @Test("Damage and foreign types throw as they do for data") func refusals() throws {
    var data = try KeyedArchiver.archivedData(withRootObject: Reading())
    let read = { (data: Data, type: MirrorCoding.Type) -> ArchiveError.Code? in
      do {
        _ = unsafe try self.lend(data) { unsafe try KeyedUnarchiver.unarchivedObject(ofClasses: [type], from: $0) }
        return nil
      } catch { return (error as? ArchiveError)?.code }
    }
    #expect(read(data, Failing.self) == .unknownType || read(data, Failing.self) == .typeNotAllowed)
    #expect(read(Data(), Reading.self) == .truncated)
    #expect(read(data.dropLast(), Reading.self) == .truncated)
    data[data.count / 2] ^= 1
    #expect(read(data, Reading.self) == .corrupt)
  }

  @Test("A slice of data is read from where it begins") func slices() throws {
    let data = Data([9, 9, 9]) + (try KeyedArchiver.archivedData(withRootObject: [Reading()])) + Data([9])
    let slice = data[3..<data.count - 1]
    check(try #require(try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Reading.self, from: slice).first))
    let unarchiver = try KeyedUnarchiver(forReadingFrom: slice)
    check(try #require(try unarchiver.decodeArrayOfObjects(ofClass: Reading.self, forKey: "root").first))
  }
}
