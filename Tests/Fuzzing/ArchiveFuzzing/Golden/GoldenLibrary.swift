import Foundation
import MirrorArchive

/// Values of the libraries: alone, in columns of several rows, and in one another.
enum GoldenLibrary {
  static func roots() -> [GoldenRoot] {
    dates() + numbers()
  }

  private static func dates() -> [GoldenRoot] {
    let zones = (0..<9).compactMap { TimeZone(secondsFromGMT: $0 % 3 * 3_600 - 1_800) }
    var calendar = Calendar(identifier: .iso8601)
    (calendar.timeZone, calendar.locale, calendar.firstWeekday, calendar.minimumDaysInFirstWeek) = (
      zones[0], Locale(identifier: "fr_CA"), 3, 2
    )
    var other = Calendar(identifier: .hebrew)
    (other.timeZone, other.locale) = (zones[1], nil)
    var components = DateComponents(
      calendar: calendar, timeZone: zones[2], era: 1, year: 2024, month: 2, day: 29, hour: 23, minute: 59, second: 58,
      nanosecond: 999_999_999, weekday: 5, weekdayOrdinal: 5, quarter: 1, weekOfMonth: 4, weekOfYear: 9, yearForWeekOfYear: 2024)
    components.isLeapMonth = false
    let interval = DateInterval(start: Date(timeIntervalSinceReferenceDate: -1.5), duration: 0.25)
    return [
      GoldenRoot("dates", [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 0)]),
      GoldenRoot("ids", (0..<9).compactMap { UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E\($0)F") }),
      GoldenRoot("data", (0..<9).map { Data(repeating: UInt8($0), count: $0 % 4) }),
      GoldenRoot("addresses", ["https://example.com/a%20b?c=d#e", "file:///tmp", "mailto:a@example.com"].compactMap { URL(string: $0) }),
      GoldenRoot("relative", URL(string: "../x", relativeTo: URL(string: "https://example.com/a/b/"))) {
        [$0?.relativeString, $0?.baseURL?.absoluteString]
      },
      GoldenRoot("zones", zones),
      GoldenRoot("locales", ["de_DE", "zh_Hant_TW", ""].map { Locale(identifier: $0) }),
      GoldenRoot("calendars", [calendar, other]),
      GoldenRoot("components", [components, DateComponents()]),
      GoldenRoot("intervals", [interval, DateInterval(start: .distantPast, end: .distantFuture)]),
    ]
  }

  private static func numbers() -> [GoldenRoot] {
    [
      GoldenRoot("paths", [IndexPath(), IndexPath(indexes: [0, 5, 7]), IndexPath(index: 1)]),
      GoldenRoot("ranges", (0..<9).map { $0..<($0 * 3) }),
      GoldenRoot("closed ranges", ["a"..."f", ""..."é"]),
      GoldenRoot("ranges of dates", Date.distantPast..<Date.distantFuture),
      GoldenRoot("from", UInt8(7)...) { $0.lowerBound },
      GoldenRoot("up to", ..<Decimal(5)) { $0.upperBound },
      GoldenRoot("through", [...1.5, ...(-2.5)]) { $0.map(\.upperBound) },
      GoldenRoot("SIMD2", SIMD2<Double>(1, -2)),
      GoldenRoot("SIMD3", [SIMD3<Int8>(1, 2, 3), SIMD3(-4, -5, -6)]),
      GoldenRoot("SIMD4", (0..<9).map { SIMD4<UInt16>(0, 1, 2, UInt16($0)) }),
      GoldenRoot("SIMD8", SIMD8<Float>(repeating: 0.5)),
      GoldenRoot("SIMD16", SIMD16<Int64>(repeating: -1)),
      GoldenRoot("SIMD32", SIMD32<UInt8>(repeating: 9)),
      GoldenRoot("SIMD64", SIMD64<Float16>(repeating: 1.5)),
      GoldenRoot("rectangles", [CGRect(x: 1, y: 2, width: 3, height: 4), .zero]),
      GoldenRoot("points", (0..<9).map { CGPoint(x: $0, y: -$0) }),
      GoldenRoot("options", [Data.Base64EncodingOptions.lineLength64Characters, []]) { $0.map(\.rawValue) },
      GoldenRoot("results", [Result<Int, Golden.Library.Failure>.success(1), .failure(.status(2, body: "b"))]),
      GoldenRoot("optional ranges", [0..<1, nil, 5..<9]),
    ]
  }
}
