extension Goal {
  /// Every goal, in the order of the workloads.
  static let all: [Goal] =
    hand("shop", encode: 0.4, decode: 0.7, size: 0.35)
    + hand("shop-structs", encode: 0.7, decode: 0.8, size: 0.35)
    + hand("tree", encode: 0.8, decode: 1, size: 0.6)
    + [
      ratio("numeric", .encode, 2, to: ContenderName.memoryCopy),
      ratio("numeric", .decode, 2, to: ContenderName.memoryCopy),
      // Doubles that have all their bits, integers of 21 bits, flags of a byte: what they take in memory.
      Goal(workload: "numeric", subject: .size, limit: (1.01 * 8_000_000 + 0.8 * 4_000_000 + 100_000) / 12_100_000, unit: "x the values") {
        $0.value("numeric", .size, ContenderName.mirrorArchive).map { $0 / 12_100_000 }
      },
    ]
    + hand("graph", encode: 1, decode: 1, size: 0.8)
    + [speed("graph", .encode, 150)]
    + hand("text", encode: 1.2, decode: 1, size: 1.02)
    + [
      time("small", .encode, 600),
      time("small", .decode, 600),
      // hand writes the values and nothing else.
      Goal(workload: "small", subject: .size, limit: 24, unit: "bytes beyond values and names") { rows in
        beyondHand("small", rows).map { $0 - Double(Fruit.lengthOfNames) }
      },
      linear("list", .encode),
      linear("list", .decode),
      Goal(workload: "list", subject: .size, limit: 2, unit: "bytes a node beyond its value") { rows in
        guard let objects = rows.row("list", ContenderName.mirrorArchive)?.objects else { return nil }
        return beyondHand("list", rows).map { $0 / Double(objects) }
      },
      speed("hand-coded", .encode, 50),
      speed("hand-coded", .decode, 30),
      ratio("hand-coded", .size, 0.2, to: ContenderName.keyedArchiver),
      linear("shop", .encode),
      linear("shop", .decode),
      linear("tree", .encode),
      linear("tree", .decode),
    ]
    + ["cache-small", "cache-4KB", "cache-64KB", "cache-1MB"].flatMap { workload in
      [
        ratio(workload, .put, 2, to: ContenderName.plainFiles),
        ratio(workload, .diskHit, 1.5, to: ContenderName.plainFiles),
        time(workload, .memoryHit, 1_000),
        ratio(workload, .miss, 2, to: ContenderName.plainFiles),
      ]
    }

  private static func hand(_ workload: String, encode: Double, decode: Double, size: Double) -> [Goal] {
    [
      ratio(workload, .encode, encode, to: ContenderName.hand), ratio(workload, .decode, decode, to: ContenderName.hand),
      ratio(workload, .size, size, to: ContenderName.hand),
    ]
  }

  private static func ratio(_ workload: String, _ subject: Subject, _ limit: Double, to contender: String) -> Goal {
    Goal(workload: workload, subject: subject, limit: limit, unit: "x \(contender)") { $0.ratio(workload, subject, to: contender) }
  }

  /// At least so many times as fast as `NSKeyedArchiver`.
  private static func speed(_ workload: String, _ subject: Subject, _ limit: Double) -> Goal {
    Goal(workload: workload, subject: subject, limit: limit, unit: "x as fast as NSKeyedArchiver", isFloor: true) { rows in
      rows.ratio(workload, subject, to: ContenderName.keyedArchiver).map { 1 / $0 }
    }
  }

  private static func time(_ workload: String, _ subject: Subject, _ limit: Double) -> Goal {
    Goal(workload: workload, subject: subject, limit: limit, unit: "ns") { $0.value(workload, subject, subject.contender) }
  }

  /// Only `--growth` has rows that tell. A small graph may be dear: what every archive costs has few objects there to be shared by.
  private static func linear(_ workload: String, _ subject: Subject) -> Goal {
    Goal(workload: workload, subject: subject, limit: 1.25, unit: "x the cost at 1,000") { rows in
      Operation(rawValue: subject.rawValue).flatMap { rows.growth(workload, ContenderName.mirrorArchive, $0)?.rise }
    }
  }

  private static func beyondHand(_ workload: String, _ rows: Measured) -> Double? {
    guard let mine = rows.value(workload, .size, ContenderName.mirrorArchive), let hand = rows.value(workload, .size, ContenderName.hand)
    else { return nil }
    return mine - hand
  }
}

extension Fruit {
  /// Of the class and of its properties: they are what an archive with keys has to hold.
  fileprivate static let lengthOfNames = ["Benchmarks.Fruit", "name", "count", "price", "onSale", "tag"].map(\.utf8.count).reduce(0, +)
}

/// How much more an object costs in one graph of `--growth` than in another, up to 1,000,000 objects: 1 is not at all.
struct Growth {
  /// The most expensive size against the smallest.
  var rise: Double
  /// The most expensive size against the cheapest.
  var range: Double
}

extension Measured {
  /// nil without rows of at least two sizes.
  func growth(_ workload: String, _ contender: String, _ operation: Operation) -> Growth? {
    let costs = rows.compactMap { row -> (size: Int, cost: Double)? in
      let parts = row.workload.split(separator: "/")
      guard parts.count == 2, parts[0] == workload, let size = Int(parts[1]), size <= 1_000_000, row.contender == contender,
        row.operation == operation
      else { return nil }
      return (size, row.nanosecondsPerObject)
    }
    guard costs.count > 1, let first = costs.min(by: { $0.size < $1.size })?.cost, let cheapest = costs.map(\.cost).min(),
      let dearest = costs.map(\.cost).max(), cheapest > 0
    else { return nil }
    return Growth(rise: dearest / first, range: dearest / cheapest)
  }
}
