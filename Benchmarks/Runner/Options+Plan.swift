extension Options {
  /// Nanoseconds for encoding and decoding once, above which `--quick` leaves a contender out.
  static let quickLimit = 1e9

  /// How many rounds a cell gets, from the length of one lap: at least 7, unless `--quick` has to do with 3.
  func rounds(lapNanoseconds: Double) -> Int {
    let budget = isQuick ? 0.2e9 : 1.2e9
    let affordable = Int(min(budget / max(lapNanoseconds, 1), 31))
    return max(affordable, isQuick && lapNanoseconds > 0.06e9 ? 3 : 7)
  }

  /// Whether a workload runs at all. A filter that names no workload is about contenders.
  func includes(workload name: String) -> Bool {
    guard let filter, Self.namesWorkload(filter) else { return true }
    return name.contains(filter)
  }

  /// Whether a contender takes part. The yardsticks always do.
  func includes(_ contender: String, in workload: String) -> Bool {
    guard let filter, !Self.namesWorkload(filter) else { return true }
    return [ContenderName.hand, ContenderName.memoryCopy, ContenderName.plainFiles].contains(contender) || Self.matches(contender, filter)
  }

  static func namesWorkload(_ filter: String) -> Bool {
    Workload.all.contains { $0.name.contains(filter) }
  }

  static func namesContender(_ filter: String) -> Bool {
    ContenderName.all.contains { matches($0, filter) }
  }

  private static func matches(_ name: String, _ filter: String) -> Bool {
    name.lowercased().contains(filter.lowercased())
  }
}
