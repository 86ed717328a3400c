import Foundation
import MirrorArchive
import Testing

@Suite("Data, URL, UUID, Decimal and index paths")
struct FoundationValueTests {
  @Test("Data keeps its bytes, whatever its length") func data() {
    let long = Data((0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    expectSurvival(of: [Data(), Data([0]), Data([0xFF, 0, 0xFF]), Data(repeating: 7, count: 15), Data(repeating: 8, count: 16), long])
  }

  @Test("A slice of Data comes back with indices from zero and nothing of what was around it") func slicedData() throws {
    let base = Data((0..<200).map(UInt8.init))
    let slice = base[100..<110]
    try #require(slice.startIndex == 100)
    for read in [
      try roundTrip(Slot(slice)).value, try roundTrip(slice), try roundTrip([slice])[0], try #require(roundTrip(Box(slice)).value),
    ] {
      #expect(read.startIndex == 0)
      #expect(Array(read) == Array(100..<110))
    }
    #expect(try roundTrip(Slot(base[5..<5])).value.isEmpty)
    #expect(try roundTrip(Slot<Any>(slice)).value as? Data == Data(100..<110))
  }

  @Test("A URL keeps its text and its base") func url() throws {
    let base = try #require(URL(string: "https://example.com/a/b/"))
    let urls = [
      base, try #require(URL(string: "c/d?q=1#f", relativeTo: base)), try #require(URL(string: "relative/only")),
      URL(fileURLWithPath: "/tmp/x y"),
      try #require(URL(string: "mailto:someone@example.com")), try #require(URL(string: "https://例子.com/果")),
      try #require(URL(string: "https://example.com/%E6%9E%9C?a=%20")),
    ]
    expectSurvival(of: urls) {
      $0.relativeString == $1.relativeString && $0.baseURL == $1.baseURL && $0.absoluteString == $1.absoluteString
    }
    let read = try roundTrip(Slot(urls[1])).value
    #expect(read.relativeString == "c/d?q=1#f")
    #expect(read.baseURL == base)
  }

  @Test("A UUID keeps its sixteen bytes") func uuid() throws {
    let zero = try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000000"))
    let full = try #require(UUID(uuidString: "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"))
    let some = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    expectSurvival(of: [zero, full, some])
    let many = (0..<1_100).map { _ in UUID() }
    #expect(try roundTrip(many) == many)
  }

  @Test("A Decimal keeps its digits: the sum of 0.1 and 0.2, huge, tiny and negative numbers") func decimal() throws {
    let tenth = try #require(Decimal(string: "0.1"))
    let fifth = try #require(Decimal(string: "0.2"))
    let values: [Decimal] = [
      tenth + fifth, 0, 1, -1, Decimal(string: "-0.000000000000000000001") ?? 0,
      Decimal(string: "12345678901234567890123456789012345678") ?? 0,
      .greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastFiniteMagnitude, .pi, Decimal(sign: .minus, exponent: -127, significand: 3),
      Decimal(sign: .plus, exponent: 127, significand: 9),
    ]
    expectSurvival(of: values) { $0 == $1 && $0.description == $1.description && $0.exponent == $1.exponent }
    #expect(try roundTrip(Slot(tenth + fifth)).value.description == "0.3")
  }

  @Test("Decimal.nan stays NaN") func decimalNaN() throws {
    #expect(try roundTrip(Slot(Decimal.nan)).value.isNaN)
    #expect(try roundTrip([Decimal.nan, 1])[0].isNaN)
    #expect(try #require(roundTrip(Box(Decimal.nan)).value).isNaN)
  }

  @Test("An IndexPath keeps every index") func indexPath() {
    expectSurvival(of: [IndexPath(), IndexPath(index: 3), IndexPath(indexes: [1, 2]), IndexPath(indexes: [0, .max, 5, 7])])
  }

  @Test("Points, sizes and rectangles keep every bit") func geometry() {
    let point = CGPoint(x: -0.0, y: 0.1)
    let size = CGSize(width: 1e300, height: -3)
    expectSurvival(of: [point, .zero]) { $0 == $1 && $0.x.sign == $1.x.sign }
    expectSurvival(of: [size, .zero])
    expectSurvival(of: [CGRect(origin: point, size: size), .zero, CGRect(x: 1, y: 2, width: 3, height: 4)])
  }

  /// One object with all of them, as an app would have.
  final class Everything: MirrorCoding {
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var data = Data()
    var url = URL(fileURLWithPath: "/")
    var uuid = UUID()
    var decimal = Decimal()
    var interval = DateInterval(start: .distantPast, duration: 1)
    var components = DateComponents()
    var zone = TimeZone(secondsFromGMT: 0)
    var locale = Locale(identifier: "en")
    var calendar = Calendar(identifier: .gregorian)
    var path = IndexPath()
    var rect = CGRect.zero
    var duration = Duration.zero
  }

  @Test("All of them live side by side in one object") func together() throws {
    let written = Everything()
    written.date = Date(timeIntervalSinceReferenceDate: 542_911_754.165_382_98)
    written.data = Data([1, 2, 3])
    written.url = try #require(URL(string: "b", relativeTo: URL(string: "https://a.example/")))
    written.decimal = try #require(Decimal(string: "998.12"))
    written.components.day = 3
    written.zone = TimeZone(identifier: "Asia/Shanghai")
    written.locale = Locale(identifier: "zh_CN")
    written.calendar = Calendar(identifier: .chinese)
    written.path = [1, 2, 3]
    written.rect = CGRect(x: 1, y: 2, width: 3, height: 4)
    written.duration = .milliseconds(1_500)
    let read = try roundTrip(written)
    #expect(read.date == written.date && read.data == written.data && read.url == written.url && read.uuid == written.uuid)
    #expect(read.decimal == written.decimal && read.interval == written.interval && read.components == written.components)
    #expect(read.zone == written.zone && read.locale.identifier == "zh_CN" && read.calendar.identifier == .chinese)
    #expect(read.path == [1, 2, 3] && read.rect == written.rect && read.duration == .milliseconds(1_500))
  }
}
