#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension ArchiveCacheError {
  /// What a failed call of the system means for a cache.
  init(_ error: SystemError) {
    switch error.number {
    case ENOSPC, EDQUOT, EFBIG: self.init(.noSpace, error.description)
    default: self.init(.unavailable, error.description)
    }
  }
}
