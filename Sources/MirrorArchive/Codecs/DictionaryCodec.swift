import ArchiveFormat
import ArchiveReflection

/// `Dictionary` with any supported key: counts, then per chunk the column of keys and the column of values.
final class DictionaryCodec<Key: Hashable, Value>: ValueCodec, @unchecked Sendable {
  private var key: ValueCodec!
  private var value: ValueCodec!
  private let emptyMark = NoneMark.empty([Key: Value]())

  func resolve(_ key: ValueCodec, _ value: ValueCodec) {
    self.key = key
    self.value = value
  }

  /// What an entry counts with towards what an archive may become.
  fileprivate static var entrySize: Int { DecodedSize.hashTable(stride: MemoryLayout<Key>.stride + MemoryLayout<Value>.stride) }

  override var children: [ValueCodec] { [key, value] }
  // What stands in `Any` counts itself.
  override var nests: Bool { !(value is AnyCodec) }
  override var ownTraits: Traits { Traits(needsCompleteGraph: !HashedByLibrary.covers(Key.self)) }

  override func describe(_ types: inout TypeTableBuilder) throws -> TypeID {
    try types.id(for: self) { types in .dictionary(key: try key.describe(&types), value: try value.describe(&types)) }
  }

  private func forEachChunk(
    _ rows: Rows, _ e: inout EncodingState, isEncoding: Bool, _ body: (Rows, Rows, inout EncodingState) throws -> Void
  ) throws {
    if e.sortsKeys || !HashTableLayout.isKnown {
      return unsafe try withCopies(rows, &e) { counts, keys, values, e in
        if isEncoding { unsafe Flattened.encode(counts: counts, rows: rows.count, each: Self.entrySize, &e) }
        if nests { try e.enter() }
        defer { if nests { e.leave() } }
        unsafe try forEachChunk(of: keys, values, counts, rows: rows.count, &e, body)
      }
    }
    var isEntered = false
    defer { if isEntered { e.leave() } }
    unsafe try HashTableEntries.forEachChunk(
      rows, key: key, value: value, isDiscovering: !isEncoding, &e,
      begin: { counts, e in
        if isEncoding { unsafe Flattened.encode(counts: counts, rows: rows.count, each: Self.entrySize, &e) }
        if nests { try e.enter() }
        isEntered = nests
      }, component: { unsafe "\($0.assumingMemoryBound(to: Key.self).pointee)" }, body)
  }

  /// Copies of the entries of all rows, sorted by their keys if that was asked for.
  private func withCopies(
    _ rows: Rows, _ e: inout EncodingState,
    _ body: (UnsafeMutablePointer<Int64>, UnsafeMutableRawBufferPointer, UnsafeMutableRawBufferPointer, inout EncodingState) throws -> Void
  ) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    let counts = unsafe e.scratch.allocate(Int64.self, rows.count)
    // SAFETY: every row holds a dictionary of this type; the copies of its entries live until the column is written.
    var keys: [Key] = []
    var values: [Value] = []
    var total = 0
    unsafe rows.visit { i, p in
      let count = unsafe p.assumingMemoryBound(to: [Key: Value].self).pointee.count
      unsafe counts[i] = Int64(count)
      total &+= count
    }
    keys.reserveCapacity(total)
    values.reserveCapacity(total)
    unsafe rows.visit { _, p in
      for (key, value) in unsafe p.assumingMemoryBound(to: [Key: Value].self).pointee {
        keys.append(key)
        values.append(value)
      }
    }
    if e.sortsKeys { unsafe sort(&keys, &values, counts, rows: rows.count, &e) }
    unsafe try keys.withUnsafeMutableBytes { keyBytes in
      unsafe try values.withUnsafeMutableBytes { valueBytes in unsafe try body(counts, keyBytes, valueBytes, &e) }
    }
  }

  private func forEachChunk(
    of keys: UnsafeMutableRawBufferPointer, _ values: UnsafeMutableRawBufferPointer, _ counts: UnsafeMutablePointer<Int64>, rows: Int,
    _ e: inout EncodingState, _ body: (Rows, Rows, inout EncodingState) throws -> Void
  ) throws {
    var total = 0
    for row in 0..<rows { total &+= Int(unsafe counts[row]) }
    // SAFETY: as many keys and values as were counted. An empty type has no memory to point to; its rows are never looked at.
    let keyBase = unsafe keys.baseAddress ?? UnsafeMutableRawPointer(counts)
    let valueBase = unsafe values.baseAddress ?? UnsafeMutableRawPointer(counts)
    var start = 0
    while start < total {
      let count = min(total - start, maximumChunkRows)
      do {
        unsafe try body(
          Rows(base: keyBase + start * MemoryLayout<Key>.stride, stride: MemoryLayout<Key>.stride, count: count),
          Rows(base: valueBase + start * MemoryLayout<Value>.stride, stride: MemoryLayout<Value>.stride, count: count), &e)
      } catch let error as LocatedError {
        var row = 0
        var entry = start + error.row
        while row < rows - 1, entry >= Int(unsafe counts[row]) {
          entry -= Int(unsafe counts[row])
          row += 1
        }
        let name = unsafe "\((keyBase + (start + error.row) * MemoryLayout<Key>.stride).assumingMemoryBound(to: Key.self).pointee)"
        throw error.moved(to: row, below: "[\(name)]")
      }
      start += count
    }
  }

  /// Puts the entries of each dictionary into the order of its encoded keys.
  private func sort(_ keys: inout [Key], _ values: inout [Value], _ counts: UnsafePointer<Int64>, rows: Int, _ e: inout EncodingState) {
    guard var order = KeyOrder(key) else { return }
    var start = 0
    for row in 0..<rows {
      let end = start + Int(unsafe counts[row])
      if let places = order.places(of: keys[start..<end], &e) {
        keys.replaceSubrange(start..<end, with: places.map { keys[start + $0] })
        values.replaceSubrange(start..<end, with: places.map { values[start + $0] })
      }
      start = end
    }
  }

  override func discover(_ rows: Rows, _ e: inout EncodingState) throws {
    try forEachChunk(rows, &e, isEncoding: false) { keys, values, e in
      if key.traits.hasReferences { try key.discover(keys, &e) }
      if value.traits.hasReferences { try value.discover(values, &e) }
    }
  }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    if OddKeys<Key>.isPossible {
      // SAFETY: every row holds a dictionary of this type.
      unsafe try rows.visit { i, p in
        unsafe try OddKeys.check(p.assumingMemoryBound(to: [Key: Value].self).pointee.keys, "keys of the dictionary", row: i)
      }
    }
    try forEachChunk(rows, &e, isEncoding: true) { keys, values, e in
      try e.encodeKeys(keys, as: key)
      try value.encode(values, &e)
    }
  }

  override var vacancy: NoneMark? { emptyMark }
  override var hasBlank: Bool { true }
  // SAFETY: the caller hands over uninitialised memory of this type.
  override func initializeBlank(_ p: UnsafeMutableRawPointer) { unsafe p.initializeMemory(as: [Key: Value].self, to: [:]) }

  override func unlink(_ rows: Rows) {
    // SAFETY: every row holds such a collection, before and after.
    unsafe rows.visit { _, p in unsafe p.assumingMemoryBound(to: [Key: Value].self).pointee = [Key: Value]() }
  }

  override func makeReader(_ id: TypeID, _ binder: inout Binder) throws -> ColumnReader {
    guard case .dictionary(let keyType, let valueType) = binder.types[id] else { throw binder.mismatch(id, type) }
    return try binder.reader(for: id, self) { reader, binder in
      reader.key = try binder.reader(key, keyType, below: "[key]")
      reader.value = try binder.reader(value, valueType, below: "[value]")
      reader.isLenient = binder.options.conversionPolicy == .lenient
    } make: {
      DictionaryReader<Key, Value>(self)
    }
  }
}

private final class DictionaryReader<Key: Hashable, Value>: ColumnReader, @unchecked Sendable {
  var key: ColumnReader! {
    didSet { isPartial = isPartial || key is PartialReader }
  }
  var value: ColumnReader! {
    didSet { isPartial = isPartial || value is PartialReader }
  }
  /// Single entries may be left out.
  private var isPartial = false
  /// An entry whose key equals an earlier one is left out.
  var isLenient = false
  private let mayBeOdd = OddKeys<Key>.isPossible
  override func unbind() { (key, value) = (nil, nil) }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    let noticeCount = d.notices.count
    if codec.ownTraits.needsCompleteGraph { try d.requireCompleteGraph("keys of a dictionary", codec.type) }
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    let (counts, total) = unsafe try d.counts(rows: rows.count, each: DictionaryCodec<Key, Value>.entrySize)
    let nests = codec.nests
    if nests { try d.enter() }
    defer { if nests { d.leave() } }
    defer { unsafe d.notices.moveElements(since: noticeCount, counts, rows: rows.count, isNamed: true) }
    if isPartial { return unsafe try readPresent(rows, counts, total, &d) }
    let chunk = min(total, maximumChunkRows)
    // SAFETY: room for one chunk of keys and of values; what was read and not moved out is destroyed below.
    let keys = unsafe d.scratch.bytes(chunk &* MemoryLayout<Key>.stride, alignmentMask: MemoryLayout<Key>.alignment - 1)
    let values = unsafe d.scratch.bytes(chunk &* MemoryLayout<Value>.stride, alignmentMask: MemoryLayout<Value>.alignment - 1)
    var remaining = total
    var held = 0
    var start = 0
    var (row, first) = (0, 0)
    do {
      while row < rows.count {
        let count = Int(unsafe counts[row])
        var dictionary = [Key: Value](minimumCapacity: min(count, 4096))
        var odd = OddKeys<Key>(mayBeOdd)
        for place in 0..<count {
          if held == 0 {
            let next = min(remaining, maximumChunkRows)
            let keyRows = unsafe Rows(base: keys, stride: MemoryLayout<Key>.stride, count: next)
            let mark = d.notices.count
            let begin = total - remaining
            do {
              try d.readKeys(keyRows, by: key)
            } catch let error as LocatedError {
              throw ElementError(error: error, place: begin + error.row, component: "")
            }
            do {
              try value.read(unsafe Rows(base: values, stride: MemoryLayout<Value>.stride, count: next), &d)
            } catch {
              defer { key.codec.destroy(keyRows) }
              guard let error = error as? LocatedError else { throw error }
              let component = error.row < next ? unsafe Self.plain(keyRows[error.row]) : nil
              throw ElementError(error: error, place: begin + error.row, component: component)
            }
            if d.notices.count > mark {
              d.notices.move(since: mark) { notice in
                notice.move(to: begin + notice.row, below: unsafe Self.component(keyRows[notice.row], notice.row))
              }
            }
            remaining -= next
            held = next
            start = 0
          }
          let newKey = unsafe (keys + start &* MemoryLayout<Key>.stride).assumingMemoryBound(to: Key.self).move()
          let newValue = unsafe (values + start &* MemoryLayout<Value>.stride).assumingMemoryBound(to: Value.self).move()
          start += 1
          held -= 1
          if odd.isTooMany(newKey) {
            let error = d.tooManyOddKeys("keys of the dictionary", row: row)
            withExtendedLifetime((newKey, newValue)) {}
            throw error
          }
          let replaced = dictionary.updateValue(newValue, forKey: newKey)
          if let replaced { try keep(replaced, newKey, in: &dictionary, row, place: first &+ place, &d) }
        }
        unsafe rows[row].initializeMemory(as: [Key: Value].self, to: dictionary)
        row += 1
        first &+= count
      }
    } catch {
      key.codec.destroy(unsafe Rows(base: keys + start &* MemoryLayout<Key>.stride, stride: MemoryLayout<Key>.stride, count: held))
      value.codec.destroy(unsafe Rows(base: values + start &* MemoryLayout<Value>.stride, stride: MemoryLayout<Value>.stride, count: held))
      codec.destroy(rows.slice(0, row))
      throw unsafe Flattened.located(error, row: row, counts, rows: rows.count)
    }
  }

  /// The key is there twice: the first entry stays, or this is an error.
  private func keep(
    _ replaced: Value, _ key: Key, in dictionary: inout [Key: Value], _ row: Int, place: Int, _ d: inout DecodingState
  ) throws {
    guard isLenient else {
      // The error makes sure that somebody holds what the replaced value referred to; until then this does.
      let error = d.invalid("a key of the dictionary is there twice", row: row)
      withExtendedLifetime(replaced) {}
      throw error
    }
    d.objects.holdAll()  // The value that came later is given up.
    dictionary[key] = replaced
    var notice = Notice(.keptDefault, row: place, "the key equals one in front of it, and the entry is left out")
    notice.move(to: place, below: Self.plain(key) ?? "")
    d.notices.add(notice)
  }

  /// The place of an entry in a path: by its key if that is one of the plain kinds, so that no code of the program runs.
  private static func component(_ key: UnsafeMutableRawPointer?, _ index: Int) -> String {
    unsafe key.flatMap { unsafe plain($0) } ?? "[\(index)]"
  }

  private static func plain(_ key: UnsafeMutableRawPointer) -> String? {
    // SAFETY: what is there is an initialised key.
    unsafe plain(key.assumingMemoryBound(to: Key.self).pointee)
  }

  private static func plain(_ key: Key) -> String? {
    switch key {
    case let text as String: return "[\(text)]"
    case let number as Int: return "[\(number)]"
    default: return nil
    }
  }

  /// Reads dictionaries of the entries that are there: those whose key and value both are.
  private func readPresent(_ rows: Rows, _ counts: UnsafePointer<Int64>, _ total: Int, _ d: inout DecodingState) throws {
    let chunk = min(total, maximumChunkRows)
    var keys = PresentChunk(key, capacity: chunk, &d)
    var values = PresentChunk(value, capacity: chunk, &d)
    var remaining = total
    var (row, first) = (0, 0)
    do {
      while row < rows.count {
        let count = Int(unsafe counts[row])
        var dictionary: [Key: Value] = [:]
        var odd = OddKeys<Key>(mayBeOdd)
        for place in 0..<count {
          if keys.held == 0 {
            let next = min(remaining, maximumChunkRows)
            let begin = total - remaining
            let mark = d.notices.count
            do {
              d.keyDepth &+= 1
              defer { d.keyDepth &-= 1 }
              try keys.fill(next, first: begin, &d)
            } catch let error as LocatedError {
              throw ElementError(error: error, place: begin + error.row, component: "")
            }
            do {
              try values.fill(next, first: begin, &d)
            } catch let error as LocatedError {
              let component = unsafe keys.element(error.row).flatMap { unsafe Self.plain($0) }
              throw ElementError(error: error, place: begin + error.row, component: component)
            }
            if d.notices.count > mark {
              d.notices.move(since: mark) { notice in
                notice.move(to: notice.row, below: unsafe Self.component(keys.element(notice.row - begin), notice.row - begin))
              }
            }
            remaining -= next
          }
          // SAFETY: what is there is an initialised key or value of this type, and taken once.
          let newKey = unsafe keys.take()?.assumingMemoryBound(to: Key.self).move()
          let newValue = unsafe values.take()?.assumingMemoryBound(to: Value.self).move()
          guard let newKey, let newValue else {
            d.objects.holdAll()  // One of the two may be given up here.
            continue
          }
          if odd.isTooMany(newKey) {
            let error = d.tooManyOddKeys("keys of the dictionary", row: row)
            withExtendedLifetime((newKey, newValue)) {}
            throw error
          }
          let replaced = dictionary.updateValue(newValue, forKey: newKey)
          if let replaced { try keep(replaced, newKey, in: &dictionary, row, place: first &+ place, &d) }
        }
        // SAFETY: the row is uninitialised room for such a dictionary.
        unsafe rows[row].initializeMemory(as: [Key: Value].self, to: dictionary)
        row += 1
        first &+= count
      }
    } catch {
      keys.abandon(&d)
      values.abandon(&d)
      codec.destroy(rows.slice(0, row))
      throw unsafe Flattened.located(error, row: row, counts, rows: rows.count)
    }
  }
}
