import Foundation

/// A thread that can be waited for to its very end.
///
/// Foundation's `Thread` says that it is finished while it still holds what its block refers to: a process that ends then looks as if it had
/// lost all of that.
@safe
struct JoinedThread: ~Copyable {
  private var thread: pthread_t

  /// Starts a thread.
  /// - Parameters:
  ///   - stackSize: Bytes.
  ///   - body: What it does.
  init(stackSize: Int, _ body: @escaping @Sendable () -> Void) {
    final class Body {
      let run: @Sendable () -> Void
      init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    func start(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      // SAFETY: the one reference that was handed over when the thread was made.
      unsafe context.map { unsafe Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run() }
      return nil
    }
    let context = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
    // SAFETY: initialised before it is used, and given back at the end.
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    unsafe pthread_attr_init(attributes)
    defer {
      unsafe pthread_attr_destroy(attributes)
      unsafe attributes.deallocate()
    }
    unsafe pthread_attr_setstacksize(attributes, stackSize)
    #if canImport(Darwin)
      var made: pthread_t?
      let result = unsafe pthread_create(&made, attributes, { unsafe start($0) }, context)
      guard result == 0, let made else { fatalError("no thread: error \(result)") }
      thread = made
    #else
      thread = 0
      let result = unsafe pthread_create(&thread, attributes, { unsafe start($0) }, context)
      if result != 0 { fatalError("no thread: error \(result)") }
    #endif
  }

  /// Waits until the thread is gone, with everything it has held.
  consuming func join() {
    // SAFETY: a thread that was made and that nobody else waits for.
    pthread_join(thread, nil)
  }
}
