/// A contender of one workload, whatever its model and its archive are.
protocol Contender: AnyObject {
  var name: String { get }
  /// The size of its archive; 0 before `verify`.
  var byteCount: Int { get }
  /// What it is timed at: both ways of coding, as a rule, or what caches do.
  var operations: [Operation] { get }
  /// Does what it is timed at, encoding and decoding, say, and compares every property of what came back with the original.
  /// - Returns: the nanoseconds that each operation took, the comparison left out.
  func verify(clock: LapClock) throws -> [Operation: Double]
  /// Nanoseconds for one operation, averaged over `iterations` in a row. What was made is released outside the timed region.
  func lap(_ operation: Operation, iterations: Int, clock: LapClock) throws -> Double
  /// The archive of the graph, for whoever looks at something else than the time.
  func encodeOnce() throws -> Any
  /// Decodes the archive of the graph, and does not keep the graph alive.
  func detachedDecode() throws -> () throws -> Any
  /// The floor for this contender: its own bytes, copied.
  func floor() -> (any Contender)?
}

extension Contender {
  func encodeOnce() throws -> Any { throw Unavailable(description: "\(name) has no archive of its own") }

  func detachedDecode() throws -> () throws -> Any { throw Unavailable(description: "\(name) has no archive of its own") }

  func floor() -> (any Contender)? { nil }
}

/// A decoded graph was not the one that had been encoded.
struct Mismatch: Error, CustomStringConvertible {
  var description: String
}

/// A contender with a model, and closures that encode and decode it.
final class Coder<Model, Archive>: Contender {
  let name: String
  private(set) var byteCount = 0
  private let model: Model
  private var archive: Archive?
  private let size: (Archive) -> Int
  private let encode: (Model) throws -> Archive
  private let decode: ((Archive) throws -> Model)?
  private let difference: (Model) -> String?
  private let discard: (Model) -> Void
  private let discardArchive: (Archive) -> Void
  private let makeFloor: (Archive) -> (any Contender)?

  /// - Parameters:
  ///   - decode: nil where the contender cannot read what it has written; then only encoding is timed.
  ///   - difference: says what differs between the original and a decoded graph, nil when nothing does.
  ///   - discard: takes a decoded graph apart where releasing it would recurse too deep.
  init(
    _ name: String, model: Model, size: @escaping (Archive) -> Int, encode: @escaping (Model) throws -> Archive,
    decode: ((Archive) throws -> Model)?, difference: @escaping (Model) -> String?, discard: @escaping (Model) -> Void = { _ in },
    discardArchive: @escaping (Archive) -> Void = { _ in }, floor: @escaping (Archive) -> (any Contender)? = { _ in nil }
  ) {
    self.name = name
    self.model = model
    self.size = size
    self.encode = encode
    self.decode = decode
    self.difference = difference
    self.discard = discard
    self.discardArchive = discardArchive
    makeFloor = floor
  }

  var operations: [Operation] {
    decode == nil ? [.encode] : Operation.coding
  }

  func verify(clock: LapClock) throws -> [Operation: Double] {
    let start = clock.now()
    let archive = try encode(model)
    var durations = [Operation.encode: Double(clock.now() &- start)]
    if let decode {
      let start = clock.now()
      let copy = try decode(archive)
      durations[.decode] = Double(clock.now() &- start)
      defer { discard(copy) }
      if let text = difference(copy) { throw Mismatch(description: "the decoded graph differs: \(text)") }
    }
    byteCount = size(archive)
    self.archive = archive
    return durations
  }

  func lap(_ operation: Operation, iterations: Int, clock: LapClock) throws -> Double {
    switch operation {
    case .encode:
      return try time(iterations, clock: clock, discard: discardArchive) { try encode(model) }
    case .decode:
      guard let archive, let decode else { throw Mismatch(description: "not verified") }
      return try time(iterations, clock: clock, discard: discard) { try decode(archive) }
    default: throw Mismatch(description: "a coder has no \(operation.rawValue)")
    }
  }

  @inline(__always)
  private func time<Result>(
    _ iterations: Int, clock: LapClock, discard: (Result) -> Void, _ operation: () throws -> Result
  ) throws -> Double {
    var results = ContiguousArray<Result>()
    results.reserveCapacity(iterations)
    Allocator.settle()
    let start = clock.now()
    try timedRegion(iterations, &results, operation)
    let end = clock.now()
    blackHole(results)
    results.forEach(discard)
    return Double(end &- start) / Double(iterations)
  }

  func encodeOnce() throws -> Any {
    try encode(model)
  }

  func detachedDecode() throws -> () throws -> Any {
    guard let decode else { throw Mismatch(description: "\(name) does not decode") }
    let archive = try encode(model)
    return { try decode(archive) }
  }

  func floor() -> (any Contender)? {
    archive.flatMap(makeFloor)
  }
}

/// A function of its own for valgrind, which collects nothing outside of it.
@inline(never)
func timedRegion<Result>(_ iterations: Int, _ results: inout ContiguousArray<Result>, _ operation: () throws -> Result) rethrows {
  for _ in 0..<iterations {
    results.append(try operation())
  }
}

/// Keeps the optimiser from removing the work that made `value`.
@inline(never)
@_optimize(none)
func blackHole<Value>(_ value: borrowing Value) where Value: ~Copyable {}
