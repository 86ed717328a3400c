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

extension Array {
  /// Visits the elements where they lie: a copy of a struct would retain and release everything in it.
  @inline(__always)
  func forEachInPlace(_ body: (UnsafePointer<Element>) -> Void) {
    unsafe withUnsafeBufferPointer { buffer in
      guard let first = buffer.baseAddress else { return }
      // SAFETY: the indices are those of the buffer, which this array keeps alive until the loop has ended.
      for index in buffer.indices { unsafe body(first + index) }
    }
  }
}
