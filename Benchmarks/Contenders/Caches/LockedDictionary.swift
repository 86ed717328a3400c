import Foundation

/// The floor of a look into memory: no limits, no order, no time.
final class LockedDictionary: PageStore {
  let operations = [Operation.memoryHit]
  private let lock = NSLock()
  private var pages: [String: Page] = [:]

  func put(_ page: Page, _ key: String) throws { lock.withLock { pages[key] = page } }

  func memoryHit(_ key: String) throws -> Page? { lock.withLock { pages[key] } }

  func remove(_ key: String) throws { lock.withLock { pages[key] = nil } }

  func byteCount(_ key: String) throws -> Int { 0 }
}
