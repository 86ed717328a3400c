import Foundation

/// Calls that wait for a disk, on threads that may wait: those of tasks are few and must not.
enum DiskWork {
  private static let queue: OperationQueue = {
    let queue = OperationQueue()
    queue.name = "ArchiveCache"
    // A thousand calls at once must not be a thousand threads.
    queue.maxConcurrentOperationCount = 4
    return queue
  }()

  /// Runs the work and hands its result over.
  static func run<Result>(_ work: @escaping @Sendable () throws -> Result) async throws -> sending Result {
    let parcel: Parcel<Result> = try await withCheckedThrowingContinuation { continuation in
      queue.addOperation { continuation.resume(with: Swift.Result { Parcel(value: try work()) }) }
    }
    return parcel.value
  }

  /// A result on its way from the thread that made it to the only one that gets it.
  private struct Parcel<Value>: @unchecked Sendable { let value: Value }
}
