import MirrorArchive

/// The flights of a cache: for each key one at a time.
final class FlightTable<Outcome: Sendable>: Sendable {
  private let flights = Locked<[EntryKey: Flight<Outcome>]>([:])

  enum Boarding: Sendable {
    /// Nobody else makes the value: the caller does, and says `land`.
    case leader(Flight<Outcome>)
    /// Somebody makes it.
    case passenger(Flight<Outcome>)
  }

  func board(_ key: EntryKey) -> Boarding {
    flights.withLock { flights in
      if let flight = flights[key] { return .passenger(flight) }
      let flight = Flight<Outcome>()
      flights[key] = flight
      return .leader(flight)
    }
  }

  /// Ends a flight: whoever comes now finds the value in the cache, or makes it anew.
  func land(_ flight: Flight<Outcome>, _ key: EntryKey, _ landing: Flight<Outcome>.Landing) {
    flights.withLock { flights in
      if flights[key] === flight { flights[key] = nil }
    }
    flight.land(landing)
  }
}
