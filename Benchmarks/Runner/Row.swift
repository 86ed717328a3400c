/// One measured cell, as `--json` writes it.
struct Row: Codable {
  var workload: String
  var contender: String
  var operation: Operation
  var objects: Int
  /// Not part of the file.
  var rounds = 0
  /// Nanoseconds of one operation.
  var medianNanoseconds: Double
  /// 90th minus 10th percentile, in nanoseconds.
  var spreadNanoseconds: Double
  var bytes: Int
  /// Memory beyond the graph or the archive, the result included; nil unless it was asked for.
  var peakBytes: Int?
  var ratioToHand: Double?
  var ratioToMemcpy: Double?

  /// Whether the workload is one size of several, as `shop/1000` is.
  var isOfGrowingGraph: Bool { workload.contains("/") }

  var nanosecondsPerObject: Double { medianNanoseconds / Double(objects) }

  private enum CodingKeys: String, CodingKey {
    case workload, contender, operation, objects
    case medianNanoseconds = "median_ns"
    case spreadNanoseconds = "spread_ns"
    case bytes
    case peakBytes = "peak_bytes"
    case ratioToHand = "ratio_to_hand"
    case ratioToMemcpy = "ratio_to_memcpy"
  }

  /// By hand only because a missing figure has to appear as `null`.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(workload, forKey: .workload)
    try container.encode(contender, forKey: .contender)
    try container.encode(operation, forKey: .operation)
    try container.encode(objects, forKey: .objects)
    try container.encode(medianNanoseconds, forKey: .medianNanoseconds)
    try container.encode(spreadNanoseconds, forKey: .spreadNanoseconds)
    try container.encode(bytes, forKey: .bytes)
    try container.encode(peakBytes, forKey: .peakBytes)
    try container.encode(ratioToHand, forKey: .ratioToHand)
    try container.encode(ratioToMemcpy, forKey: .ratioToMemcpy)
  }
}

/// Median and spread of the laps of one cell.
struct Statistics {
  var median: Double
  var spread: Double

  init?(_ laps: [Double]) {
    guard !laps.isEmpty else { return nil }
    let sorted = laps.sorted()
    func percentile(_ share: Double) -> Double {
      let position = share * Double(sorted.count - 1)
      let below = Int(position)
      let above = min(below + 1, sorted.count - 1)
      return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
    }
    median = percentile(0.5)
    spread = percentile(0.9) - percentile(0.1)
  }
}
