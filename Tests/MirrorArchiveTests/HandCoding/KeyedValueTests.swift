import Foundation
import MirrorArchive
import Testing

/// Every value by key, at the bounds of its type, in every place where keys can stand.
@Suite("Values by key")
struct KeyedValueTests {
  @Test("Bool") func bool() {
    expectKeyed([true, false], get: { try $0.decodeBool(forKey: $1) }, getIfPresent: { try $0.decodeBoolIfPresent(forKey: $1) })
  }

  @Test("Signed integers") func signed() {
    expectKeyed(
      [0, 1, -1, .min, .max], get: { try $0.decodeInt(forKey: $1) }, getIfPresent: { try $0.decodeIntIfPresent(forKey: $1) })
    expectKeyed(
      [0, -1, .min, .max] as [Int8], get: { try $0.decodeInt8(forKey: $1) }, getIfPresent: { try $0.decodeInt8IfPresent(forKey: $1) })
    expectKeyed(
      [0, -1, .min, .max] as [Int16], get: { try $0.decodeInt16(forKey: $1) }, getIfPresent: { try $0.decodeInt16IfPresent(forKey: $1) })
    expectKeyed(
      [0, -1, .min, .max] as [Int32], get: { try $0.decodeInt32(forKey: $1) }, getIfPresent: { try $0.decodeInt32IfPresent(forKey: $1) })
    expectKeyed(
      [0, -1, .min, .max] as [Int64], get: { try $0.decodeInt64(forKey: $1) }, getIfPresent: { try $0.decodeInt64IfPresent(forKey: $1) })
    expectKeyed([0, -1, .min, .max] as [Int128])
  }

  @Test("Unsigned integers") func unsigned() {
    expectKeyed(
      [0, 1, .max] as [UInt], get: { try $0.decodeUInt(forKey: $1) }, getIfPresent: { try $0.decodeUIntIfPresent(forKey: $1) })
    expectKeyed(
      [0, .max] as [UInt8], get: { try $0.decodeUInt8(forKey: $1) }, getIfPresent: { try $0.decodeUInt8IfPresent(forKey: $1) })
    expectKeyed(
      [0, .max] as [UInt16], get: { try $0.decodeUInt16(forKey: $1) }, getIfPresent: { try $0.decodeUInt16IfPresent(forKey: $1) })
    expectKeyed(
      [0, .max] as [UInt32], get: { try $0.decodeUInt32(forKey: $1) }, getIfPresent: { try $0.decodeUInt32IfPresent(forKey: $1) })
    expectKeyed(
      [0, .max] as [UInt64], get: { try $0.decodeUInt64(forKey: $1) }, getIfPresent: { try $0.decodeUInt64IfPresent(forKey: $1) })
    expectKeyed([0, .max] as [UInt128])
  }

  @Test("Double and Float keep every bit: -0.0, infinities, payloads of NaN, subnormal numbers") func floatingPoint() {
    let doubles: [Double] = [
      0, -0.0, 0.1, -1.5, .pi, .infinity, -.infinity, .nan, -.nan, .signalingNaN, Double(bitPattern: 0x7FF8_0000_DEAD_BEEF),
      Double(bitPattern: 0xFFF0_0000_0000_0001), .greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude, 6.23, 1e300,
    ]
    expectKeyed(
      doubles, get: { try $0.decodeDouble(forKey: $1) }, getIfPresent: { try $0.decodeDoubleIfPresent(forKey: $1) },
      where: {
        $0.bitPattern == $1.bitPattern
      })
    let floats: [Float] = [0, -0.0, 0.1, .infinity, .nan, Float(bitPattern: 0x7FC0_BEEF), .leastNonzeroMagnitude, .greatestFiniteMagnitude]
    expectKeyed(
      floats, get: { try $0.decodeFloat(forKey: $1) }, getIfPresent: { try $0.decodeFloatIfPresent(forKey: $1) },
      where: {
        $0.bitPattern == $1.bitPattern
      })
  }

  @Test("String keeps every scalar") func string() {
    let texts = [
      "", "a", "a\0b", "\0", "fifteen bytes..", "sixteen bytes...", "é", "e\u{301}", "苹果🍎", "👨‍👩‍👧‍👦", "\u{FEFF}bom", "\r\n\t", "\u{10FFFF}",
      String(repeating: "long ", count: 20_000),
    ]
    expectKeyed(
      texts, get: { try $0.decodeString(forKey: $1) }, getIfPresent: { try $0.decodeStringIfPresent(forKey: $1) },
      where: {
        Array($0.utf8) == Array($1.utf8)
      })
    expectKeyed(["a", "é", "👨‍👩‍👧‍👦"] as [Character])
  }

  @Test("Data; a slice comes back with indices from zero") func data() throws {
    let base = Data((0..<200).map(UInt8.init))
    expectKeyed(
      [Data(), Data([0]), Data(repeating: 7, count: 15), base, base[100..<110], base[5..<5], Data(repeating: 1, count: 70_000)],
      get: { try $0.decodeData(forKey: $1) }, getIfPresent: { try $0.decodeDataIfPresent(forKey: $1) })
    for place in KeyedPlace.allCases {
      let read = try place.pass(write: { try $0.encode(base[100..<110], forKey: "slice") }, read: { try $0.decodeData(forKey: "slice") })
      #expect(read.startIndex == 0 && Array(read) == Array(100..<110), "\(place)")
    }
  }

  @Test("Date keeps every bit") func date() {
    let dates = [
      Date(timeIntervalSinceReferenceDate: 542_911_754.165_382_98), Date(timeIntervalSinceReferenceDate: 0), .distantPast, .distantFuture,
      Date(timeIntervalSinceReferenceDate: -0.1), Date(timeIntervalSinceReferenceDate: .infinity),
    ]
    expectKeyed(
      dates, get: { try $0.decodeDate(forKey: $1) }, getIfPresent: { try $0.decodeDateIfPresent(forKey: $1) },
      where: {
        $0.timeIntervalSinceReferenceDate.bitPattern == $1.timeIntervalSinceReferenceDate.bitPattern
      })
  }

  @Test("URL keeps its text and its base") func url() throws {
    let base = try #require(URL(string: "https://example.com/a/b/"))
    let urls = [
      base, try #require(URL(string: "c/d?q=1#f", relativeTo: base)), try #require(URL(string: "relative/only")),
      URL(fileURLWithPath: "/tmp/x y"), try #require(URL(string: "https://example.com/%E6%9E%9C?a=%20")),
    ]
    expectKeyed(
      urls, get: { try $0.decodeURL(forKey: $1) }, getIfPresent: { try $0.decodeURLIfPresent(forKey: $1) },
      where: {
        $0.relativeString == $1.relativeString && $0.baseURL == $1.baseURL && $0.absoluteString == $1.absoluteString
      })
  }

  @Test("UUID keeps its sixteen bytes") func uuid() throws {
    let some = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    let full = try #require(UUID(uuidString: "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"))
    expectKeyed(
      [some, full, UUID()], get: { try $0.decodeUUID(forKey: $1) }, getIfPresent: { try $0.decodeUUIDIfPresent(forKey: $1) })
  }

  @Test("Decimal keeps its digits, and NaN") func decimal() throws {
    let tenth = try #require(Decimal(string: "0.1"))
    let fifth = try #require(Decimal(string: "0.2"))
    let long = try #require(Decimal(string: "12345678901234567890123456789012345678"))
    let values: [Decimal] = [tenth + fifth, 0, -1, long, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .nan]
    expectKeyed(values) { (read: Decimal, written: Decimal) -> Bool in
      if written.isNaN { return read.isNaN }
      return read == written && read.description == written.description && read.exponent == written.exponent
    }
  }

  @Test("The other values of Foundation and of the standard library") func others() {
    expectKeyed([DateInterval(start: .distantPast, duration: 5)] as [DateInterval])
    let components: [DateComponents] = [DateComponents(timeZone: TimeZone(identifier: "GMT"), year: 2024, month: 2), DateComponents()]
    expectKeyed(components)
    let zones: [TimeZone?] = [TimeZone(identifier: "Asia/Shanghai"), TimeZone(secondsFromGMT: 3_600)]
    expectKeyed(zones.compactMap { $0 })
    expectKeyed([Locale(identifier: "zh_CN"), Locale(identifier: "en")] as [Locale])
    let calendars: [Calendar] = [Calendar(identifier: .chinese), Calendar(identifier: .gregorian)]
    expectKeyed(calendars) { (read: Calendar, written: Calendar) -> Bool in read.identifier == written.identifier }
    expectKeyed([IndexPath(), IndexPath(indexes: [1, 2, .max])] as [IndexPath])
    expectKeyed([CGRect(x: 1, y: -2, width: 0.1, height: 4), CGRect.zero] as [CGRect])
    expectKeyed([CGPoint(x: 0.1, y: 3)] as [CGPoint])
    expectKeyed([Duration.milliseconds(1_500), .zero] as [Duration])
    expectKeyed([3..<9, 0..<0] as [Range<Int>])
    expectKeyed([1.5...2.5] as [ClosedRange<Double>])
    // Not in Any: a reader could not tell its type.
    expectKeyed([SIMD2<Double>(1, -2)] as [SIMD2<Double>], isOpen: false)
  }

  @Test("A key without a value of its own: an empty tuple", arguments: KeyedPlace.allCases) func void(place: KeyedPlace) throws {
    let found = try place.pass(
      write: { try $0.encode((), forKey: "void") },
      read: { coder throws in
        try coder.decode(Void.self, forKey: "void")
        return coder.containsValue(forKey: "void") && coder.allKeys == ["void"]
      })
    #expect(found)
  }

  @Test("The value is the one of the time of the call, not of the end") func snapshot() throws {
    final class Counter: MirrorCoding {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "KeyedValueTests.Counter") }
      var number = 1
    }
    var list = [1, 2]
    let counter = Counter()
    let data = try keyedArchive {
      try $0.encode(list, forKey: "list")
      try $0.encode(counter, forKey: "counter")
      list.append(3)
      counter.number = 2
      try $0.encode(list, forKey: "longer")
    }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    #expect(try coder.decode([Int].self, forKey: "list") == [1, 2])
    #expect(try coder.decode([Int].self, forKey: "longer") == [1, 2, 3])
    #expect(try coder.decodeObject(of: Counter.self, forKey: "counter").number == 1)
  }

  /// Every typed getter in a class of its own, as an app would write it.
  final class Everything: KeyedCoding {
    let bool: Bool, int: Int, int8: Int8, int16: Int16, int32: Int32, int64: Int64
    let uint: UInt, uint8: UInt8, uint16: UInt16, uint32: UInt32, uint64: UInt64
    let float: Float, double: Double, string: String, data: Data, date: Date, url: URL, uuid: UUID
    let later: String?

    init(_ number: Int) {
      bool = number.isMultiple(of: 2)
      (int, int8, int16, int32, int64) = (number, Int8(number), Int16(number), Int32(number), Int64(number))
      (uint, uint8, uint16, uint32, uint64) = (UInt(number), UInt8(number), UInt16(number), UInt32(number), UInt64(number))
      (float, double, string) = (Float(number) / 4, Double(number) / 10, "number \(number)")
      data = Data(repeating: UInt8(number), count: number)
      date = Date(timeIntervalSinceReferenceDate: Double(number))
      url = URL(fileURLWithPath: "/tmp/\(number)")
      uuid = UUID()
      later = number.isMultiple(of: 3) ? nil : "later"
    }
    init(coder: KeyedUnarchiver) throws {
      later = try coder.decodeStringIfPresent(forKey: "later")
      uuid = try coder.decodeUUID(forKey: "uuid")
      bool = try coder.decodeBool(forKey: "bool")
      int = try coder.decodeInt(forKey: "int")
      int8 = try coder.decodeInt8(forKey: "int8")
      int16 = try coder.decodeInt16(forKey: "int16")
      int32 = try coder.decodeInt32(forKey: "int32")
      int64 = try coder.decodeInt64(forKey: "int64")
      uint = try coder.decodeUInt(forKey: "uint")
      uint8 = try coder.decodeUInt8(forKey: "uint8")
      uint16 = try coder.decodeUInt16(forKey: "uint16")
      uint32 = try coder.decodeUInt32(forKey: "uint32")
      uint64 = try coder.decodeUInt64(forKey: "uint64")
      float = try coder.decodeFloat(forKey: "float")
      double = try coder.decodeDouble(forKey: "double")
      string = try coder.decodeString(forKey: "string")
      data = try coder.decodeData(forKey: "data")
      date = try coder.decodeDate(forKey: "date")
      url = try coder.decodeURL(forKey: "url")
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(bool, forKey: "bool")
      try coder.encode(int, forKey: "int")
      try coder.encode(int8, forKey: "int8")
      try coder.encode(int16, forKey: "int16")
      try coder.encode(int32, forKey: "int32")
      try coder.encode(int64, forKey: "int64")
      try coder.encode(uint, forKey: "uint")
      try coder.encode(uint8, forKey: "uint8")
      try coder.encode(uint16, forKey: "uint16")
      try coder.encode(uint32, forKey: "uint32")
      try coder.encode(uint64, forKey: "uint64")
      try coder.encode(float, forKey: "float")
      try coder.encode(double, forKey: "double")
      try coder.encode(string, forKey: "string")
      try coder.encode(data, forKey: "data")
      try coder.encode(date, forKey: "date")
      try coder.encode(url, forKey: "url")
      try coder.encode(uuid, forKey: "uuid")
      if let later { try coder.encode(later, forKey: "later") }
    }
    var summary: String {
      "\(bool) \(int) \(int8) \(int16) \(int32) \(int64) \(uint) \(uint8) \(uint16) \(uint32) \(uint64) \(float) \(double) \(string) "
        + "\(data.count) \(date.timeIntervalSinceReferenceDate) \(url) \(uuid) \(later ?? "-")"
    }
  }

  @Test("Objects with every getter come back, one or thousands", arguments: [1, 7, 8, 100, 1_025]) func everything(count: Int) throws {
    let written = (0..<count).map { Everything($0 % 120) }
    let read = try roundTrip(written)
    #expect(read.map(\.summary) == written.map(\.summary))
    #expect(try roundTrip(Box(written[0])).value?.summary == written[0].summary)
  }
}
