import ArchiveCache
import Foundation
import MirrorArchive
import Testing

/// A path for a store, at which nothing is yet; whatever is there is gone with this object.
final class ScratchStore: Sendable {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("model-store-\(UUID().uuidString)").path
  var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func store(_ change: (inout ModelStore.Options) -> Void = { _ in }) throws -> ModelStore {
    var options = ModelStore.Options()
    change(&options)
    return try ModelStore(directory: url, options: options)
  }

  /// What is in the directory, in alphabetical order.
  func contents() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

  func file(_ name: String) -> String { path + "/" + name }

  /// Replaces a file's contents in place, as nobody should.
  func overwrite(_ name: String, with data: Data) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: file(name)))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: data)
    try file.close()
  }

  func data(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: file(name))) }

  /// Makes a file that its owner has last changed so long ago, in seconds.
  func make(_ name: String, age: TimeInterval = 0) throws {
    #expect(FileManager.default.createFile(atPath: file(name), contents: Data("mine".utf8)))
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: file(name))
  }
}

/// A file system whose calls are counted, and fail where a test wants it.
final class FaultyFiles: Sendable {
  private struct State {
    var calls: [FileSystem.Call] = []
    var fault: @Sendable (Int, FileSystem.Call) -> FileSystem.Fault? = { _, _ in nil }
  }
  private let state = Locked(State())

  var fileSystem: FileSystem {
    FileSystem { [self] call, _ in
      state.withLock { state in
        state.calls.append(call)
        return state.fault(state.calls.count - 1, call)
      }
    }
  }

  /// The calls since the last time, in their order.
  func takeCalls() -> [FileSystem.Call] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }

  /// Begins to count at 0.
  func fail(_ fault: @escaping @Sendable (Int, FileSystem.Call) -> FileSystem.Fault?) {
    state.withLock { $0 = State(fault: fault) }
  }
}

/// The code of the error that a call of a store throws; nil if it throws none.
func storeError(_ body: () throws -> Void) throws -> ModelStoreError? {
  do {
    try body()
    return nil
  } catch let error as ModelStoreError {
    return error
  }
}

final class StoredNote: MirrorCoding {
  var text = ""
  var next: StoredNote?
  convenience init(_ text: String) {
    self.init()
    self.text = text
  }
}

class StoredShape: MirrorCoding { var name = "" }
final class StoredCircle: StoredShape { var radius = 0.0 }

/// 1, 2, 3, ... for any number of threads.
final class Counter: Sendable {
  private let last = Locked(0)
  func next() -> Int {
    last.withLock {
      $0 += 1
      return $0
    }
  }
}

/// A clock that a test sets.
final class TestClock: Sendable {
  private let time = Locked<Int64>(0)
  var seconds: Int64 {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }
  var clock: WallClock { WallClock { [self] in seconds * 1_000_000_000 } }
}
