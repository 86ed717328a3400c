/// Keeps pages by key, in files and perhaps in memory.
protocol PageStore: AnyObject {
  var operations: [Operation] { get }
  func put(_ page: Page, _ key: String) throws
  /// Not asked for where the operations do not have it; as the others below.
  func diskHit(_ key: String) throws -> Page?
  func memoryHit(_ key: String) throws -> Page?
  /// Opens the directory as a program does that begins.
  func open() throws -> AnyObject?
  func remove(_ key: String) throws
  /// The bytes that a page takes; 0 if that is not known.
  func byteCount(_ key: String) throws -> Int
}

extension PageStore {
  func diskHit(_ key: String) throws -> Page? { nil }
  func memoryHit(_ key: String) throws -> Page? { nil }
  func open() throws -> AnyObject? { nil }
}

/// A store that takes part in a contest of caches: some pages are there to be read, others come and go.
final class CacheContender<Store: PageStore>: Contender {
  let name: String
  private(set) var byteCount = 0
  private let store: Store
  private let pages: [Page]
  private let readKeys: [String]
  private let writtenKeys: [String]
  private let absentKeys: [String]

  init(_ name: String, _ store: Store, pages: [Page]) {
    self.name = name
    self.store = store
    self.pages = pages
    readKeys = pages.indices.map { "page-\($0)" }
    writtenKeys = pages.indices.map { "new-page-\($0)" }
    absentKeys = pages.indices.map { "no-page-\($0)" }
  }

  var operations: [Operation] { store.operations }

  func verify(clock: LapClock) throws -> [Operation: Double] {
    for index in pages.indices {
      try store.put(pages[index], readKeys[index])
      try store.put(pages[index], writtenKeys[index])
    }
    byteCount = try store.byteCount(readKeys[0])
    var durations: [Operation: Double] = [:]
    for operation in operations {
      try prepare(operation)
      for index in pages.indices {
        let start = clock.now()
        let page = try perform(operation, index)
        durations[operation] = Double(clock.now() &- start)
        let isRight = operation == .diskHit || operation == .memoryHit ? page == pages[index] : page == nil
        if !isRight { throw Mismatch(description: "\(operation.rawValue) found another page than was stored") }
      }
    }
    return durations
  }

  func lap(_ operation: Operation, iterations: Int, clock: LapClock) throws -> Double {
    try prepare(operation)
    let iterations = iterations * Self.repetitions(operation)
    var results = ContiguousArray<Page?>()
    results.reserveCapacity(iterations)
    Allocator.settle()
    var next = 0
    let start = clock.now()
    try timedRegion(iterations, &results) {
      let index = next
      next = index + 1 == pages.count ? 0 : index + 1
      return try perform(operation, index)
    }
    let end = clock.now()
    blackHole(results)
    return Double(end &- start) / Double(iterations)
  }

  /// How many times each page: what leaves nothing behind can be done again, until it is long enough for the clock.
  private static func repetitions(_ operation: Operation) -> Int {
    switch operation {
    case .memoryHit: 128
    case .miss: 16
    default: 1
    }
  }

  private func prepare(_ operation: Operation) throws {
    if operation == .put { for key in writtenKeys { try store.remove(key) } }
  }

  @inline(__always)
  private func perform(_ operation: Operation, _ index: Int) throws -> Page? {
    switch operation {
    case .put, .replace:
      try store.put(pages[index], writtenKeys[index])
      return nil
    case .diskHit: return try store.diskHit(readKeys[index])
    case .memoryHit: return try store.memoryHit(readKeys[index])
    case .miss: return try store.diskHit(absentKeys[index])
    case .open:
      blackHole(try store.open())
      return nil
    case .encode, .decode: throw Mismatch(description: "a store does not \(operation.rawValue)")
    }
  }
}
