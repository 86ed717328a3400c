import Foundation

extension Truck {
  static func random(count: Int, seed: UInt64 = 0x31de) throws -> [Truck] {
    var visitor = RandomVisitor(seed: seed)
    return try (0..<count).map { _ in
      let truck = Truck()
      try truck.visit(&visitor)
      return truck
    }
  }

  fileprivate func values() -> [(key: String, value: AnyHashable?)] {
    var collector = ValueCollector()
    // This visitor does not throw.
    try? visit(&collector)
    return collector.values
  }
}

extension [Truck] {
  /// Says what differs, or nil when every property of every level is equal and every truck is an object of its own.
  func difference(from others: [Truck]) -> String? {
    if others.count != count { return "\(others.count) trucks instead of \(count)" }
    for (index, (mine, theirs)) in zip(self, others).enumerated() {
      let pairs = zip(mine.values(), theirs.values())
      if let (mine, _) = pairs.first(where: { $0.key != $1.key || $0.value != $1.value }) { return "[\(index)].\(mine.key)" }
    }
    if Set(others.map { ObjectIdentifier($0) }).count != count { return "trucks that were distinct are one object" }
    return nil
  }
}

extension Contest {
  /// 1,000 objects of 60 properties, 15 for each of four classes.
  static func wide() throws -> Contest {
    let trucks = try Truck.random(count: 1_000)
    return Contest(
      "wide", objects: trucks.count,
      contenders: [
        mirrorArchive(trucks, difference: trucks.difference),
        hand(trucks, encode: HandTrucks.encode, decode: HandTrucks.decode, difference: trucks.difference),
        json(trucks, difference: trucks.difference),
        propertyList(trucks, difference: trucks.difference),
        keyedArchiver(trucks.map { KeyedTruck($0) }) { trucks.difference(from: $0.map(\.truck)) },
      ])
  }
}
