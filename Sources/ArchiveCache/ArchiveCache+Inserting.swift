public import Foundation
import MirrorArchive

extension ArchiveCache {
  /// The value of a key, which is made and stored if there is none.
  ///
  /// However many threads and tasks of this cache object ask at the same time, one of them makes the value and the others wait for it; if
  /// making it throws, all of them get the error, and the next one who asks tries again. Caches in other processes do not wait.
  ///
  /// The value is returned even if it cannot be stored, because the disk is full, say.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - timeToLive: See ``set(_:forKey:timeToLive:cost:isPinned:)``; of a value that is made.
  ///   - cost: See ``set(_:forKey:timeToLive:cost:isPinned:)``.
  ///   - isPinned: See ``set(_:forKey:timeToLive:cost:isPinned:)``.
  ///   - make: Makes the value. It may use this and other caches, but not ask for the value that it makes.
  /// - Throws: What `make` throws; ``ArchiveCacheError`` with the code `reentrant` if that asks for its own value, or `unavailable` if the disk
  ///   cannot be read; what archiving the value throws.
  /// - Complexity: That of ``value(forKey:)``, and of `make`.
  // In tasks a closure that does not suspend would prefer this form, which blocks the task's thread.
  @_disfavoredOverload
  public func value(
    forKey key: Key, timeToLive: TimeInterval? = nil, cost: Int? = nil, isPinned: Bool = false, orInsert make: () throws -> Value
  ) throws -> Value {
    let key = try entryKey(key)
    let terms = Terms(timeToLive: timeToLive, cost: cost, isPinned: isPinned)
    while true {
      if let value = try look(key) { return value }
      switch flights.board(key) {
      case .leader(let flight):
        do {
          if let value = try lookAgain(key, flight) { return value }
          let value = try FlightGraph.$leading.withValue(FlightGraph.leading + [flight]) { try make() }
          flights.land(flight, key, .success(try keep(value, key, terms)))
          return value
        } catch {
          flights.land(flight, key, error is CancellationError ? .abandoned : .failure(error))
          throw error
        }
      case .passenger(let flight):
        try FlightGraph.willWait(for: flight)
        let landing = flight.wait()
        FlightGraph.didWait(for: flight)
        if let value = try arrival(landing) { return value }
      }
    }
  }

  /// The value of a key, which is made and stored if there is none, without a thread that waits.
  ///
  /// As ``value(forKey:timeToLive:cost:isPinned:orInsert:)-(_,_,_,_,()->Value)``, with which it shares the values that are being made. If the
  /// task that makes a value is cancelled, and `make` throws for that, one of those who wait makes it.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - timeToLive: See ``set(_:forKey:timeToLive:cost:isPinned:)``; of a value that is made.
  ///   - cost: See ``set(_:forKey:timeToLive:cost:isPinned:)``.
  ///   - isPinned: See ``set(_:forKey:timeToLive:cost:isPinned:)``.
  ///   - make: Makes the value.
  /// - Throws: What `make` throws; `CancellationError` if the task is cancelled while it waits for another one's value; ``ArchiveCacheError`` with
  ///   the code `reentrant` or `unavailable`; what archiving the value throws.
  /// - Complexity: That of ``value(forKey:)``, and of `make`.
  public nonisolated(nonsending) func value(
    forKey key: Key, timeToLive: TimeInterval? = nil, cost: Int? = nil, isPinned: Bool = false,
    orInsert make: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    let key = try entryKey(key)
    let terms = Terms(timeToLive: timeToLive, cost: cost, isPinned: isPinned)
    while true {
      if let value = try look(key) { return value }
      switch flights.board(key) {
      case .leader(let flight):
        do {
          if let value = try lookAgain(key, flight) { return value }
          let value = try await FlightGraph.$leading.withValue(FlightGraph.leading + [flight]) { try await make() }
          flights.land(flight, key, .success(try keep(value, key, terms)))
          return value
        } catch {
          flights.land(flight, key, error is CancellationError ? .abandoned : .failure(error))
          throw error
        }
      case .passenger(let flight):
        try FlightGraph.willWait(for: flight)
        defer { FlightGraph.didWait(for: flight) }
        if let value = try arrival(await flight.landing()) { return value }
      }
    }
  }

  /// Looks once more, when nobody else can be making the value: another flight may have landed since the last look. What is found is not
  /// stored again, and those who wait find it as well.
  private func lookAgain(_ key: EntryKey, _ flight: Flight<Held>) throws -> Value? {
    guard let value = try look(key) else { return nil }
    flights.land(flight, key, .abandoned)
    return value
  }

  /// Stores a value that was made, and answers what those who wait for it get.
  private func keep(_ value: Value, _ key: EntryKey, _ terms: Terms) throws -> Held {
    do {
      return try store(value, key, terms).held
    } catch let error as ArchiveCacheError {
      // The disk has refused, which is no reason to lose what was made. Those who wait cannot be given an object of somebody else's.
      if sharesValues { return .value(.of(value)) }
      if error.code == .noSpace || error.code == .unavailable {
        return .entry(try entry(value, key, terms))
      }
      throw error
    }
  }

  private func arrival(_ landing: Flight<Held>.Landing) throws -> Value? {
    switch landing {
    case .success(let held): try open(held)
    case .failure(let error): throw error
    case .abandoned: nil
    }
  }
}
