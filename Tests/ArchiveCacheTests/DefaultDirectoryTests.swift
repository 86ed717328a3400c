import ArchiveCache
import Foundation
import Testing

@Suite("Where a store of models and a cache are by default")
struct DefaultDirectoryTests {
  @Test(
    "The XDG specification is followed",
    arguments: [
      (["XDG_DATA_HOME": "/data", "HOME": "/home/me"], "/data"), (["XDG_DATA_HOME": "", "HOME": "/home/me"], "/home/me/.local/share"),
      (["XDG_DATA_HOME": "data", "HOME": "/home/me"], "/home/me/.local/share"), (["HOME": "/home/me"], "/home/me/.local/share"),
      (["XDG_DATA_HOME": "/data"], "/data"),
    ])
  func xdg(environment: [String: String], path: String) throws {
    #expect(try BaseDirectory.data.url(in: environment).path == path)
    let caches = Dictionary(uniqueKeysWithValues: environment.map { ($0 == "XDG_DATA_HOME" ? "XDG_CACHE_HOME" : $0, $1) })
    #expect(try BaseDirectory.caches.url(in: caches).path == path.replacing("/.local/share", with: "/.cache"))
  }

  @Test("Without a home there is no default", arguments: [[:], ["HOME": ""], ["HOME": "me"], ["XDG_DATA_HOME": "data"]])
  func noHome(environment: [String: String]) throws {
    for kind in [BaseDirectory.data, .caches] {
      let error = #expect(throws: BaseDirectory.Failure.self) { _ = try kind.url(in: environment) }
      if case .place? = error {} else { Issue.record("\(String(describing: error))") }
    }
  }

  @Test("The store's name is the directory's") func named() throws {
    let name = "mirror-archive-tests.\(UUID().uuidString)"
    let store = try ModelStore(name: name)
    #expect(store.directory.lastPathComponent == name)
    #expect(store.directory.deletingLastPathComponent().path.hasPrefix("/"))
    // Nothing is made before something is saved.
    #expect(!FileManager.default.fileExists(atPath: store.directory.path))
  }

  @Test("A name that no directory can have is refused", arguments: ["", ".", "..", "a/b", "/", "a\0", String(repeating: "a", count: 256)])
  func invalid(name: String) throws {
    let error = try storeError { _ = try ModelStore(name: name) }
    #expect(error?.code == .invalidName && error?.name == name)
    #expect(throws: ArchiveCacheError.self) { try ArchiveCache<Int, Int>(name: name) }
  }
}
