import ArchiveFormat

extension UnknownColumnWriter {
  /// Puts parts of a set or dictionary into the order that `KeyOrder` describes, if the archive is to have it.
  ///
  /// What refers to objects, or stands in `Any`, keeps its order.
  func sorted<Part>(
    _ parts: [Part], by type: ArchiveType, _ key: (Part) -> ArchiveValue, _ e: inout EncodingState
  ) -> [Part] {
    if !e.sortsKeys || parts.count < 2 || type.table.types.mayRefer(type.id) { return parts }
    let start = e.writer.count
    let usesPools = e.pools.isOn
    e.pools.isOn = false
    defer {
      e.writer.truncate(to: start)
      e.pools.isOn = usesPools
    }
    var ends = [start]
    for part in parts {
      var writer = UnknownColumnWriter(contents: Array(contents.prefix(1)), isDiscovery: false)
      // What cannot be encoded is left to whoever encodes it in earnest.
      guard (try? writer.run(type, [key(part)], &e)) != nil else { return parts }
      ends.append(e.writer.count)
    }
    // SAFETY: the writer is not changed while its bytes are looked at, and every key's bytes lie between its ends.
    let bytes = unsafe e.writer.bytes
    let places = parts.indices.sorted { left, right in
      let (one, other) = unsafe (bytes[ends[left]..<ends[left + 1]], bytes[ends[right]..<ends[right + 1]])
      if unsafe one.lexicographicallyPrecedes(other) { return true }
      return unsafe left < right && !other.lexicographicallyPrecedes(one)
    }
    return places.map { parts[$0] }
  }
}
