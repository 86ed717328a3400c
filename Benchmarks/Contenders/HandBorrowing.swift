extension Array where Element: AnyObject {
  /// Visits the elements without retaining them: two atomic operations saved for each, and more for one that somebody refers to weakly.
  @inline(__always)
  func forEachBorrowed(_ body: (Element) throws -> Void) rethrows {
    try unsafe withUnsafeBufferPointer { buffer in
      // SAFETY: an element is one pointer, as is `Unmanaged`; this array keeps the objects alive until the loop has ended.
      try unsafe buffer.withMemoryRebound(to: Unmanaged<Element>.self) { references in
        for index in references.indices {
          try unsafe references[index]._withUnsafeGuaranteedRef { try body($0) }
        }
      }
    }
  }
}
