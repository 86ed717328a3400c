import Foundation

/// What somebody writes who has no cache: JSON in files that are written atomically, and NSCache before them.
final class FoundationCache: PageStore {
  let operations = Operation.caching
  private let directory: URL
  private let memory = NSCache<NSString, Box>()

  private final class Box {
    let page: Page
    init(_ page: Page) { self.page = page }
  }

  init(_ directory: URL) throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    self.directory = directory
  }

  func put(_ page: Page, _ key: String) throws {
    try JSONEncoder().encode(page).write(to: directory.appendingPathComponent(key), options: .atomic)
    memory.setObject(Box(page), forKey: key as NSString)
  }

  func diskHit(_ key: String) throws -> Page? {
    guard let data = try? Data(contentsOf: directory.appendingPathComponent(key)) else { return nil }
    return try JSONDecoder().decode(Page.self, from: data)
  }

  func memoryHit(_ key: String) throws -> Page? { memory.object(forKey: key as NSString)?.page }

  func open() throws -> AnyObject? { try FoundationCache(directory) }

  func remove(_ key: String) throws {
    memory.removeObject(forKey: key as NSString)
    try? FileManager.default.removeItem(at: directory.appendingPathComponent(key))
  }

  func byteCount(_ key: String) throws -> Int { try Data(contentsOf: directory.appendingPathComponent(key)).count }
}
