import Foundation
import MirrorArchive
import Testing

@Suite("Dates, durations, calendars and places")
struct DateTests {
  @Test("A Date keeps every bit of its seconds") func date() {
    let seconds: [Double] = [
      542_911_754.165_382_98, 0, -0.0, 1, -1, 1e-9, 63_113_904_000, -63_113_904_000, .infinity, .greatestFiniteMagnitude,
    ]
    expectSurvival(of: seconds.map { Date(timeIntervalSinceReferenceDate: $0) }) {
      $0.timeIntervalSinceReferenceDate.bitPattern == $1.timeIntervalSinceReferenceDate.bitPattern
    }
    expectSurvival(of: [Date.distantPast, .distantFuture, Date()])
  }

  @Test("Many dates keep every bit in a column", arguments: [8, 1_025]) func manyDates(count: Int) throws {
    let dates = (0..<count).map { Date(timeIntervalSinceReferenceDate: 542_911_754.165_382_98 + Double($0) * 0.1) }
    let read = try roundTrip(dates.map { Slot($0) })
    #expect(read.map(\.value.timeIntervalSinceReferenceDate.bitPattern) == dates.map(\.timeIntervalSinceReferenceDate.bitPattern))
  }

  @Test("A Duration keeps its attoseconds") func duration() {
    let values: [Duration] = [
      .zero, .seconds(1), .seconds(-1), .milliseconds(1), .nanoseconds(-3), Duration(secondsComponent: 0, attosecondsComponent: 1),
      Duration(secondsComponent: -1, attosecondsComponent: -999_999_999_999_999_999), .seconds(Int64.max), .seconds(Int64.min),
    ]
    expectSurvival(of: values)
  }

  @Test("A DateInterval keeps start and duration") func interval() {
    let start = Date(timeIntervalSinceReferenceDate: 542_911_754.165_382_98)
    expectSurvival(of: [DateInterval(start: start, duration: 0), DateInterval(start: start, duration: 86_400.125)])
  }

  @Test("DateComponents keep what is set, what is not set, calendar and time zone") func components() throws {
    var full = DateComponents(
      calendar: Calendar(identifier: .gregorian), timeZone: TimeZone(identifier: "Asia/Shanghai"), era: 1, year: 2016, month: 2, day: 29,
      hour: 23,
      minute: 59, second: 58, nanosecond: 123_456_789, weekday: 2, weekdayOrdinal: 5, quarter: 1, weekOfMonth: 5, weekOfYear: 10,
      yearForWeekOfYear: 2016)
    full.isLeapMonth = false
    let values = [DateComponents(), DateComponents(year: 2024), DateComponents(hour: 0, minute: 0), full]
    expectSurvival(of: values)
    let read = try roundTrip(Slot(full)).value
    #expect(read.timeZone?.identifier == "Asia/Shanghai")
    #expect(read.calendar?.identifier == .gregorian)
    #expect(read.nanosecond == 123_456_789 && read.isLeapMonth == false && read.yearForWeekOfYear == 2016)
    #expect(try roundTrip(Slot(DateComponents(year: 1))).value.month == nil)
  }

  @Test("A TimeZone keeps its identifier or its offset") func timeZone() throws {
    let zones = ["Asia/Shanghai", "America/New_York", "Europe/Berlin", "GMT"].compactMap(TimeZone.init(identifier:))
    try #require(zones.count == 4)
    expectSurvival(of: zones) {
      $0.identifier == $1.identifier && $0.secondsFromGMT(for: .distantPast) == $1.secondsFromGMT(for: .distantPast)
    }
    let fixed = try #require(TimeZone(secondsFromGMT: -5 * 3_600 - 1_800))
    #expect(try roundTrip(Slot(fixed)).value.secondsFromGMT() == -19_800)
  }

  @Test("A Locale keeps its identifier") func locale() {
    expectSurvival(of: ["zh_CN", "en_US_POSIX", "de_DE@currency=EUR", "ar"].map(Locale.init(identifier:))) {
      $0.identifier == $1.identifier
    }
  }

  @Test("A Calendar keeps its identifier, locale, time zone and first weekday") func calendar() throws {
    let identifiers: [Calendar.Identifier] = [.gregorian, .buddhist, .chinese, .hebrew, .iso8601, .japanese, .islamicUmmAlQura]
    expectSurvival(of: identifiers.map { Calendar(identifier: $0) }) { $0.identifier == $1.identifier }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "Asia/Tokyo"))
    calendar.locale = Locale(identifier: "de_DE")
    calendar.firstWeekday = 4
    calendar.minimumDaysInFirstWeek = 3
    let read = try roundTrip(Slot(calendar)).value
    #expect(read.timeZone.identifier == "Asia/Tokyo")
    #expect(read.locale?.identifier == "de_DE")
    #expect(read.firstWeekday == 4 && read.minimumDaysInFirstWeek == 3)
  }
}
