extension Array {
  /// Removes all elements and keeps the memory, as `removeAll(keepingCapacity:)` does, at a lower price for the few elements of a small archive.
  @inlinable @inline(__always)
  package mutating func empty() {
    if count > 4 { return removeAll(keepingCapacity: true) }
    while popLast() != nil {}
  }
}
