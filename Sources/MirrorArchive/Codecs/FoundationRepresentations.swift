#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct CharacterRepresentation: Representation {
  static let archiveName = "Character"
  var text: String
  init(_ value: Character) { text = String(value) }
  func restored() -> Character? { text.count == 1 ? text.first : nil }
}

struct SubstringRepresentation: Representation {
  static let archiveName = "Substring"
  var text: String
  init(_ value: Substring) { text = String(value) }
  func restored() -> Substring? { Substring(text) }
}

struct URLRepresentation: Representation {
  static let archiveName = "URL"
  var text: String
  var base: String?
  init(_ value: URL) {
    text = value.relativeString
    base = value.baseURL?.absoluteString
  }
  func restored() -> URL? {
    guard let base else { return URL(string: text) }
    guard let baseURL = URL(string: base) else { return nil }
    return URL(string: text, relativeTo: baseURL)
  }
}

struct DateIntervalRepresentation: Representation {
  static let archiveName = "DateInterval"
  var start: Date
  var duration: Double
  init(_ value: DateInterval) {
    start = value.start
    duration = value.duration
  }
  func restored() -> DateInterval? { duration >= 0 ? DateInterval(start: start, duration: duration) : nil }
}

struct TimeZoneRepresentation: Representation {
  static let archiveName = "TimeZone"
  var identifier: String
  var secondsFromGMT: Int
  init(_ value: TimeZone) {
    identifier = value.identifier
    secondsFromGMT = value.secondsFromGMT()
  }
  func restored() -> TimeZone? {
    TimeZone(identifier: identifier) ?? (secondsFromGMT.magnitude <= 18 * 3600 ? TimeZone(secondsFromGMT: secondsFromGMT) : nil)
  }
}

struct LocaleRepresentation: Representation {
  static let archiveName = "Locale"
  var identifier: String
  init(_ value: Locale) { identifier = value.identifier }
  func restored() -> Locale? { Locale(identifier: identifier) }
}

struct CalendarRepresentation: Representation {
  static let archiveName = "Calendar"
  var identifier: String
  var locale: Locale?
  var timeZone: TimeZone
  var firstWeekday: Int
  var minimumDaysInFirstWeek: Int

  private static let identifiers: [Calendar.Identifier] = [
    .gregorian, .buddhist, .chinese, .coptic, .ethiopicAmeteMihret, .ethiopicAmeteAlem, .hebrew, .iso8601, .indian, .islamic,
    .islamicCivil, .japanese, .persian, .republicOfChina, .islamicTabular, .islamicUmmAlQura,
  ]

  init(_ value: Calendar) {
    identifier = "\(value.identifier)"
    locale = value.locale
    timeZone = value.timeZone
    firstWeekday = value.firstWeekday
    minimumDaysInFirstWeek = value.minimumDaysInFirstWeek
  }
  func restored() -> Calendar? {
    guard let known = Self.identifiers.first(where: { "\($0)" == identifier }), (1...7).contains(firstWeekday),
      (1...7).contains(minimumDaysInFirstWeek)
    else { return nil }
    var calendar = Calendar(identifier: known)
    if let locale { calendar.locale = locale }
    calendar.timeZone = timeZone
    if calendar.firstWeekday != firstWeekday { calendar.firstWeekday = firstWeekday }
    if calendar.minimumDaysInFirstWeek != minimumDaysInFirstWeek { calendar.minimumDaysInFirstWeek = minimumDaysInFirstWeek }
    return calendar
  }
}

struct DateComponentsRepresentation: Representation {
  static let archiveName = "DateComponents"
  var calendar: Calendar?
  var timeZone: TimeZone?
  var era, year, month, day, hour, minute, second, nanosecond: Int?
  var weekday, weekdayOrdinal, quarter, weekOfMonth, weekOfYear, yearForWeekOfYear, dayOfYear: Int?
  var isLeapMonth: Bool?
  init(_ value: DateComponents) {
    (calendar, timeZone, isLeapMonth) = (value.calendar, value.timeZone, value.isLeapMonth)
    (era, year, month, day) = (value.era, value.year, value.month, value.day)
    (hour, minute, second, nanosecond) = (value.hour, value.minute, value.second, value.nanosecond)
    (weekday, weekdayOrdinal, quarter, weekOfMonth) = (value.weekday, value.weekdayOrdinal, value.quarter, value.weekOfMonth)
    (weekOfYear, yearForWeekOfYear, dayOfYear) = (value.weekOfYear, value.yearForWeekOfYear, value.dayOfYear)
  }
  func restored() -> DateComponents? {
    var value = DateComponents(
      calendar: calendar, timeZone: timeZone, era: era, year: year, month: month, day: day, hour: hour, minute: minute, second: second,
      nanosecond: nanosecond, weekday: weekday, weekdayOrdinal: weekdayOrdinal, quarter: quarter, weekOfMonth: weekOfMonth,
      weekOfYear: weekOfYear, yearForWeekOfYear: yearForWeekOfYear)
    value.dayOfYear = dayOfYear
    value.isLeapMonth = isLeapMonth
    return value
  }
}

struct IndexPathRepresentation: Representation {
  static let archiveName = "IndexPath"
  var indexes: [Int]
  init(_ value: IndexPath) { indexes = Array(value) }
  func restored() -> IndexPath? { IndexPath(indexes: indexes) }
}

struct RangeRepresentation<Bound: Comparable>: Representation {
  static var comparesParts: Bool { true }
  static var archiveName: String { "Range" }
  var lowerBound, upperBound: Bound
  init(_ value: Range<Bound>) { (lowerBound, upperBound) = (value.lowerBound, value.upperBound) }
  func restored() -> Range<Bound>? { lowerBound <= upperBound ? lowerBound..<upperBound : nil }
}

struct ClosedRangeRepresentation<Bound: Comparable>: Representation {
  static var comparesParts: Bool { true }
  static var archiveName: String { "ClosedRange" }
  var lowerBound, upperBound: Bound
  init(_ value: ClosedRange<Bound>) { (lowerBound, upperBound) = (value.lowerBound, value.upperBound) }
  func restored() -> ClosedRange<Bound>? { lowerBound <= upperBound ? lowerBound...upperBound : nil }
}

struct PartialRangeFromRepresentation<Bound: Comparable>: Representation {
  static var comparesParts: Bool { true }
  static var archiveName: String { "PartialRangeFrom" }
  var lowerBound: Bound
  init(_ value: PartialRangeFrom<Bound>) { lowerBound = value.lowerBound }
  // A bound that does not equal itself is no number; the operators stop the program there.
  func restored() -> PartialRangeFrom<Bound>? { lowerBound == lowerBound ? lowerBound... : nil }
}

struct PartialRangeUpToRepresentation<Bound: Comparable>: Representation {
  static var comparesParts: Bool { true }
  static var archiveName: String { "PartialRangeUpTo" }
  var upperBound: Bound
  init(_ value: PartialRangeUpTo<Bound>) { upperBound = value.upperBound }
  func restored() -> PartialRangeUpTo<Bound>? { upperBound == upperBound ? ..<upperBound : nil }
}

struct PartialRangeThroughRepresentation<Bound: Comparable>: Representation {
  static var comparesParts: Bool { true }
  static var archiveName: String { "PartialRangeThrough" }
  var upperBound: Bound
  init(_ value: PartialRangeThrough<Bound>) { upperBound = value.upperBound }
  func restored() -> PartialRangeThrough<Bound>? { upperBound == upperBound ? ...upperBound : nil }
}

struct SIMDRepresentation<Vector: SIMD>: Representation {
  static var archiveName: String { "SIMD\(Vector.scalarCount)" }
  var scalars: [Vector.Scalar]
  init(_ value: Vector) { scalars = value.indices.map { value[$0] } }
  func restored() -> Vector? { scalars.count == Vector.scalarCount ? Vector(scalars) : nil }
}
