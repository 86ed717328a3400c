import Foundation

/// The part of a snapshot's file name that tells it from the other ones of its model.
///
/// The date is kept to its last bit. Snapshots of the same date are numbered in the order in which they were made; the random part keeps
/// those apart that are made by several writers at the same moment.
struct SnapshotStamp: Hashable {
  /// The bits of the seconds since 2001, changed so that later dates are larger numbers.
  private let orderedDate: UInt64
  let number: UInt32
  private let random: String

  init(_ date: Date, number: UInt32, random: String) {
    let bits = date.timeIntervalSinceReferenceDate.bitPattern
    orderedDate = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    self.number = number
    self.random = random
  }

  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, let date = UInt64(parts[0], radix: 16), let number = UInt32(parts[1]) else { return nil }
    guard (1...13).contains(parts[2].utf8.count), parts[2].utf8.allSatisfy(Self.isRandomPart) else { return nil }
    (orderedDate, self.number, random) = (date, number, String(parts[2]))
    // Written in the one way in which it is written here.
    if self.text != text { return nil }
  }

  private static func isRandomPart(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }

  var date: Date {
    let bits = orderedDate >> 63 == 0 ? ~orderedDate : orderedDate & ~(1 << 63)
    return Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
  }

  var text: String { "\(ModelStem.hexadecimal(orderedDate))-\(number)-\(random)" }

  /// Whether both are of the same date.
  func hasDate(of other: SnapshotStamp) -> Bool { orderedDate == other.orderedDate }

  /// Whether this one is newer.
  func isNewer(than other: SnapshotStamp) -> Bool {
    (orderedDate, UInt64(number), random) > (other.orderedDate, UInt64(other.number), other.random)
  }
}
