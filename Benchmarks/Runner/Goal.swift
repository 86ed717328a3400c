/// What is asked of MirrorArchive, or of ArchiveCache, on one workload, in one respect.
struct Goal: Sendable {
  enum Subject: String, Codable, CaseIterable, Sendable {
    case encode
    case decode
    case size
    case put
    case diskHit = "disk hit"
    case memoryHit = "memory hit"
    case miss

    static let coding: [Subject] = [.encode, .decode, .size]
    static let caching: [Subject] = [.put, .diskHit, .memoryHit, .miss]

    /// Whose times or sizes are meant.
    var contender: String { Self.caching.contains(self) ? ContenderName.archiveCache : ContenderName.mirrorArchive }
  }

  /// What came of it.
  struct Outcome: Codable {
    var workload: String
    var subject: Subject
    /// The limit and what it is measured in: "<= 0.40 x hand".
    var asked: String
    var limit: Double
    var reached: Double
    var isReached: Bool
  }

  let workload: String
  let subject: Subject
  let limit: Double
  /// Of the limit and of the figure.
  let unit: String
  /// Whether more is better.
  var isFloor = false
  /// nil where the rows do not say.
  let figure: @Sendable (Measured) -> Double?

  func outcome(_ rows: Measured) -> Outcome? {
    figure(rows).map { reached in
      Outcome(
        workload: workload, subject: subject, asked: "\(isFloor ? ">=" : "<=") \(Figures.limit(limit)) \(unit)", limit: limit,
        reached: reached, isReached: isFloor ? reached >= limit : reached <= limit)
    }
  }

  static func outcomes(_ rows: [Row]) -> [Outcome] {
    all.compactMap { $0.outcome(Measured(rows: rows)) }
  }
}

/// The rows of a run, by what they are about.
struct Measured {
  let rows: [Row]

  func row(_ workload: String, _ contender: String, _ operation: Operation = .encode) -> Row? {
    rows.first { $0.workload == workload && $0.contender == contender && $0.operation == operation }
  }

  /// Time or size of MirrorArchive, or of ArchiveCache, divided by that of another contender.
  func ratio(_ workload: String, _ subject: Goal.Subject, to contender: String) -> Double? {
    guard let mine = value(workload, subject, subject.contender), let other = value(workload, subject, contender), other > 0
    else { return nil }
    return mine / other
  }

  func value(_ workload: String, _ subject: Goal.Subject, _ contender: String) -> Double? {
    switch subject {
    case .size: row(workload, contender).map { Double($0.bytes) }
    default: Operation(rawValue: subject.rawValue).flatMap { row(workload, contender, $0)?.medianNanoseconds }
    }
  }
}

/// Each goal with what was reached, a line for each workload: those of the coder, then those of the cache.
struct GoalTable: CustomStringConvertible {
  let outcomes: [Goal.Outcome]

  var description: String { [table(Goal.Subject.coding), table(Goal.Subject.caching)].filter { !$0.isEmpty }.joined(separator: "\n") }

  private func table(_ subjects: [Goal.Subject]) -> String {
    let outcomes = outcomes.filter { subjects.contains($0.subject) }
    guard let contender = outcomes.first?.subject.contender else { return "" }
    var lines = [["workload"] + subjects.flatMap { ["\($0.rawValue) asked", "reached", ""] }]
    var workloads: [String] = []
    for outcome in outcomes where !workloads.contains(outcome.workload) {
      workloads.append(outcome.workload)
    }
    for workload in workloads {
      let columns = subjects.map { subject in outcomes.filter { $0.workload == workload && $0.subject == subject } }
      for index in 0..<(columns.map(\.count).max() ?? 0) {
        lines.append(
          [workload]
            + columns.flatMap { column in
              index < column.count
                ? [column[index].asked, Figures.ratio(column[index].reached), column[index].isReached ? "yes" : "NO"] : ["", "", ""]
            })
      }
    }
    let reached = outcomes.count { $0.isReached }
    return "Goals of \(contender): \(reached) of \(outcomes.count) reached\n" + Figures.aligned(lines)
  }
}
