extension Reflection {
  /// Why a property cannot be archived, nil if nothing speaks against it.
  ///
  /// Looks into optionals and tuples, no deeper: the elements of an array, the payloads of an enum and the properties of a struct are to be
  /// asked about one by one, with `refusal(forType:property:in:)` or field by field.
  package static func refusal(for field: Field, in typeName: String) -> ReflectionError? {
    let name = shownName(of: field)
    switch field.obstacle {
    case .noncopyable:
      return ReflectionError(
        code: .noncopyable, typeName: typeName, property: name,
        message: "A value that cannot be copied cannot be archived; hold it in an object of a class of its own and make that @Transient.")
    case .unresolved:
      return ReflectionError(
        code: .missingMetadata, typeName: typeName, property: name,
        message: "The program does not know its type at run time; make it @Transient.")
    case nil: return refusal(forType: field.type, property: name, in: typeName)
    }
  }

  /// Why a value of `type` cannot be archived, nil if nothing speaks against it.
  package static func refusal(forType type: Any.Type, property: String?, in typeName: String) -> ReflectionError? {
    guard let (code, reason) = objection(to: type) else { return nil }
    return ReflectionError(code: code, typeName: typeName, property: property, message: "\(reason); make it @Transient.")
  }

  /// The property as the programmer wrote it.
  private static func shownName(of field: Field) -> String {
    let lazyPrefix = "$__lazy_storage_$_"
    return field.name.hasPrefix(lazyPrefix) ? String(field.name.dropFirst(lazyPrefix.count)) : field.name
  }

  private static func objection(to type: Any.Type) -> (ReflectionError.Code, String)? {
    switch kind(of: type) {
    case .function: return (.closure, "A closure belongs to the process that made it")
    case .metatype:
      // The metatype of a class is an ordinary pointer, those of all other types are implied by the declaration and take no room.
      if kind(of: instanceType(ofMetatype: type)) == .classType { return nil }
      return (.thinMetatype, "The metatype \(displayName(of: type)) takes no room in memory")
    case .opaque: return (.opaque, "The compiler's own type \(displayName(of: type)) says nothing about its contents")
    case .foreign: return (.unsupportedType, "\(displayName(of: type)) is not a Swift class")
    case .other: return (.unsupportedType, "\(displayName(of: type)) is of a sort that reflection does not know")
    case .optional:
      guard let payload = try? enumShape(of: type).cases.first?.payload else {
        return (.noncopyable, "A value that cannot be copied cannot be archived")
      }
      return objection(to: payload)
    case .tuple:
      for index in 0..<runtimeFieldCount(type) {
        guard let element = try? field(of: type, at: index, record: nil) else { continue }
        if let objection = objection(to: element.type) { return objection }
      }
      return nil
    case .structure, .enumeration, .classType:
      if !ValueWitnesses(type).isCopyable { return (.noncopyable, "A value that cannot be copied cannot be archived") }
      return ProcessLocalTypes.objection(to: type)
    case .existential, .existentialMetatype: return nil
    }
  }
}

/// Types whose values mean nothing outside the process.
private enum ProcessLocalTypes {
  private static let pointers: Set<UInt> = unsafe identities([
    UnsafePointer<Int>.self, UnsafeMutablePointer<Int>.self, UnsafeRawPointer.self, UnsafeMutableRawPointer.self,
    UnsafeBufferPointer<Int>.self, UnsafeMutableBufferPointer<Int>.self, UnsafeRawBufferPointer.self, UnsafeMutableRawBufferPointer.self,
    OpaquePointer.self, CVaListPointer.self, Unmanaged<AnyObject>.self, ManagedBufferPointer<Int, Int>.self,
  ])
  private static let concurrency: Set<UInt> = unsafe identities([
    Task<Int, any Error>.self, UnsafeContinuation<Int, any Error>.self, CheckedContinuation<Int, any Error>.self,
    AsyncStream<Int>.self, AsyncStream<Int>.Continuation.self, AsyncThrowingStream<Int, any Error>.self,
    AsyncThrowingStream<Int, any Error>.Continuation.self, UnownedSerialExecutor.self, UnownedJob.self, UnsafeCurrentTask.self,
    TaskLocal<Int>.self,
  ])
  /// Types of modules that this one does not import. Only what comes before a "<" is compared.
  private static let names: Set<String> = [
    "Foundation.Thread", "Foundation.NSLock", "Foundation.NSRecursiveLock", "Foundation.NSCondition", "Foundation.NSConditionLock",
    "Foundation.OperationQueue", "Foundation.Operation", "Foundation.RunLoop", "Foundation.Timer", "Foundation.Process", "Foundation.Pipe",
    "Foundation.FileHandle", "Foundation.Port", "Foundation.NotificationCenter", "Foundation.UserDefaults", "Foundation.FileManager",
    "Foundation.URLSession", "Foundation.URLSessionTask", "Foundation.InputStream", "Foundation.OutputStream", "Foundation.Stream",
    "__C.NSThread", "__C.NSLock", "__C.NSRecursiveLock", "__C.NSCondition", "__C.NSConditionLock", "__C.NSOperationQueue",
    "__C.NSOperation",
    "__C.NSRunLoop", "__C.NSTimer", "__C.NSTask", "__C.NSPipe", "__C.NSFileHandle", "__C.NSPort", "__C.NSNotificationCenter",
    "__C.NSUserDefaults", "__C.NSFileManager", "__C.NSURLSession", "__C.NSURLSessionTask", "__C.NSStream",
    "__C.os_unfair_lock_s", "__C.pthread_mutex_t", "__C.pthread_cond_t", "__C.pthread_rwlock_t", "__C.pthread_once_t", "__C.sem_t",
    "__C._opaque_pthread_mutex_t", "__C._opaque_pthread_cond_t", "__C._opaque_pthread_rwlock_t", "__C._opaque_pthread_t", "__C._IO_FILE",
    "Dispatch.DispatchObject", "Dispatch.DispatchQueue", "Dispatch.DispatchGroup", "Dispatch.DispatchSemaphore", "Dispatch.DispatchSource",
    "Dispatch.DispatchIO", "Dispatch.DispatchWorkItem", "__C.OS_dispatch_queue", "__C.OS_dispatch_group", "__C.OS_dispatch_semaphore",
    "__C.OS_dispatch_source", "__C.OS_dispatch_io", "os.OSAllocatedUnfairLock", "Synchronization.Mutex", "Synchronization.Atomic",
    "Synchronization.AtomicLazyReference", "Synchronization.WordPair",
  ]

  static func objection(to type: Any.Type) -> (ReflectionError.Code, String)? {
    if type is AnyKeyPath.Type { return (.processLocal, "A key path belongs to the process that made it") }
    var next: Any.Type? = type
    while let current = next {
      if let identity = TypeDescriptor(current)?.identity {
        if pointers.contains(identity) { return (.unsafePointer, "An address means nothing in another process") }
        if concurrency.contains(identity) { return (.processLocal, "A task or continuation belongs to the process that made it") }
      }
      let name = _typeName(current, qualified: true)
      if names.contains(String(name.prefix { $0 != "<" })) {
        return (.processLocal, "A \(Reflection.unqualifiedName(of: current)) belongs to the process that made it")
      }
      next = (current as? AnyClass).flatMap { _getSuperclass($0) }
    }
    return nil
  }

  private static func identities(_ types: [Any.Type]) -> Set<UInt> {
    Set(types.compactMap { TypeDescriptor($0)?.identity })
  }
}
