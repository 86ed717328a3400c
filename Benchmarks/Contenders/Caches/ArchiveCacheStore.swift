import ArchiveCache
import Foundation

/// ArchiveCache, with the limits that it has by itself.
final class ArchiveCacheStore: PageStore {
  let operations: [Operation]
  private let directory: URL
  private let cache: ArchiveCache<String, Page>
  /// The same entries without the memory.
  private let disk: ArchiveCache<String, Page>

  init(_ directory: URL, operations: [Operation] = Operation.caching, configuration: ArchiveCacheConfiguration = .init()) throws {
    self.operations = operations
    self.directory = directory
    cache = try ArchiveCache(directory: directory, configuration: configuration)
    var diskOnly = configuration
    diskOnly.limits.memoryCount = 0
    disk = try ArchiveCache(directory: directory, configuration: diskOnly)
  }

  func put(_ page: Page, _ key: String) throws { try cache.set(page, forKey: key) }

  func diskHit(_ key: String) throws -> Page? { try disk.value(forKey: key) }

  func memoryHit(_ key: String) throws -> Page? { try cache.value(forKey: key) }

  func open() throws -> AnyObject? { try ArchiveCache<String, Page>(directory: directory) }

  func remove(_ key: String) throws { try cache.remove(key) }

  /// Of any entry: they differ by the digits of their keys.
  func byteCount(_ key: String) throws -> Int {
    let files = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: [.fileSizeKey])
    while let file = files?.nextObject() as? URL {
      if file.lastPathComponent.count == 32, let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize { return size }
    }
    return 0
  }
}

/// ArchiveCache for values that are not Sendable: it keeps archives in memory, and every hit decodes a value of its own.
final class CopyingCacheStore<Value>: PageStore {
  let operations = [Operation.memoryHit]
  private let cache: ArchiveCache<String, Value>

  init(_ directory: URL, of _: Value.Type) throws { cache = try ArchiveCache(directory: directory) }

  func put(_ page: Page, _ key: String) throws { if let value = page as? Value { try cache.set(value, forKey: key) } }

  func memoryHit(_ key: String) throws -> Page? { try cache.value(forKey: key) as? Page }

  func remove(_ key: String) throws { try cache.remove(key) }

  func byteCount(_ key: String) throws -> Int { 0 }
}
