import Foundation
import MirrorArchive

/// Values without parts in words.
package enum ScalarText {
  static func span(_ value: ArchiveValue) -> TreeLine.Span {
    switch value {
    case .string(let text), .substring(let text): TreeLine.Span(Text.quoted(text, limit: TreeLines.textLimit), .text)
    case .character(let character): TreeLine.Span(Text.quoted(String(character), limit: TreeLines.textLimit), .text)
    case .unicodeScalar(let scalar):
      TreeLine.Span("\(Text.quoted(String(scalar))) U+\(String(scalar.value, radix: 16, uppercase: true))", .text)
    case .data(let data): TreeLine.Span(bytes(data), .text)
    case .uuid(let uuid): TreeLine.Span(uuid.uuidString, .text)
    case .date(let date): TreeLine.Span(self.date(date.timeIntervalSinceReferenceDate), .number)
    case .duration(let duration): TreeLine.Span("\(duration)", .number)
    case .decimal(let decimal): TreeLine.Span(DecimalText.text(decimal), .number)
    case .float16(let bits): TreeLine.Span(HalfFloat(bits: bits).text ?? "\(HalfFloat(bits: bits).value)", .number)
    case .void: TreeLine.Span("()")
    case .metatype(let type): TreeLine.Span("\(Text.safe(type.description)).self", .type)
    default: TreeLine.Span(Text.safe("\(value)"), .number)
    }
  }

  /// The first bytes.
  private static func bytes(_ data: Data) -> String {
    let digits = data.prefix(TreeLines.byteLimit).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let count = Text.count(data.count, "byte")
    return data.isEmpty ? count : "\(count) \(digits)\(data.count > TreeLines.byteLimit ? "…" : "")"
  }

  /// A point in time in UTC; one that no calendar reaches in seconds.
  package static func date(_ seconds: Double) -> String {
    // Years 1 to 9999.
    guard seconds >= -63_113_904_000, seconds < 252_423_993_600 else { return "\(seconds) s since 2001" }
    let whole = seconds.rounded(.down)
    let days = (whole / 86_400).rounded(.down)
    let second = Int(whole - days * 86_400)
    // Days since the first of March of the year 0; years that begin in March end in the day that leap years have.
    let count = Int(days) + 730_791
    let era = count / 146_097
    let inEra = count % 146_097
    let yearOfEra = (inEra - inEra / 1_460 + inEra / 36_524 - inEra / 146_096) / 365
    let inYear = inEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * inYear + 2) / 153
    let day = inYear - (153 * month + 2) / 5 + 1
    let year = era * 400 + yearOfEra + (month >= 10 ? 1 : 0)
    let calendarMonth = month < 10 ? month + 3 : month - 9
    var text = "\(padded(year, 4))-\(padded(calendarMonth, 2))-\(padded(day, 2)) "
    text += "\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    let milliseconds = Int((seconds - whole) * 1_000)
    if milliseconds > 0 { text += ".\(padded(milliseconds, 3))" }
    return text + " UTC"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
