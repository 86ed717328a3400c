import ArchiveFormat
import ArchiveReflection

/// `Set`: archived like an array; reading checks that no element is there twice.
final class SetCodec<Element: Hashable>: ValueCodec, @unchecked Sendable {
  private let emptyMark = NoneMark.empty(Set<Element>())
  private var element: ValueCodec!

  func resolve(_ element: ValueCodec) { self.element = element }

  /// What an entry counts with towards what an archive may become.
  fileprivate static var entrySize: Int { DecodedSize.hashTable(stride: MemoryLayout<Element>.stride) }

  override var children: [ValueCodec] { [element] }
  // What stands in `Any` counts itself.
  override var nests: Bool { !(element is AnyCodec) }
  override var ownTraits: Traits { Traits(needsCompleteGraph: !HashedByLibrary.covers(Element.self)) }

  override func describe(_ types: inout TypeTableBuilder) throws -> TypeID {
    try types.id(for: self) { .set(try element.describe(&$0)) }
  }

  private func forEachChunk(
    _ rows: Rows, _ e: inout EncodingState, isEncoding: Bool, _ body: (Rows, inout EncodingState) throws -> Void
  ) throws {
    if !e.sortsKeys && HashTableLayout.isKnown {
      var isEntered = false
      defer { if isEntered { e.leave() } }
      return unsafe try HashTableEntries.forEachChunk(
        rows, key: element, value: nil, isDiscovering: !isEncoding, &e,
        begin: { counts, e in
          if isEncoding { unsafe Flattened.encode(counts: counts, rows: rows.count, each: Self.entrySize, &e) }
          if nests { try e.enter() }
          isEntered = nests
        }, component: { _ in nil }, { elements, _, e in try body(elements, &e) })
    }
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    let counts = unsafe e.scratch.allocate(Int64.self, rows.count)
    // SAFETY: every row holds a set of this type; the copies in `elements` live until the column is written.
    var elements: [[Element]] = []
    elements.reserveCapacity(rows.count)
    unsafe rows.visit { i, p in
      let set = unsafe Array(p.assumingMemoryBound(to: Set<Element>.self).pointee)
      unsafe counts[i] = Int64(set.count)
      elements.append(set)
    }
    if e.sortsKeys, var order = KeyOrder(element) {
      for i in elements.indices {
        if let places = order.places(of: elements[i][...], &e) { elements[i] = places.map { elements[i][$0] } }
      }
    }
    if isEncoding { unsafe Flattened.encode(counts: counts, rows: rows.count, each: Self.entrySize, &e) }
    if nests { try e.enter() }
    defer { if nests { e.leave() } }
    try withExtendedLifetime(elements) {
      unsafe try Flattened.forEachChunk(
        rows: rows.count, counts: counts, &e,
        elements: { i in
          let base = unsafe elements[i].withUnsafeBufferPointer {
            unsafe UnsafeMutableRawPointer(mutating: UnsafeRawPointer($0.baseAddress))
          }
          return unsafe (base.unsafelyUnwrapped, MemoryLayout<Element>.stride)
        }, body)
    }
  }

  override func discover(_ rows: Rows, _ e: inout EncodingState) throws {
    try forEachChunk(rows, &e, isEncoding: false) { elements, e in try element.discover(elements, &e) }
  }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    if OddKeys<Element>.isPossible {
      // SAFETY: every row holds a set of this type.
      unsafe try rows.visit { i, p in
        unsafe try OddKeys.check(p.assumingMemoryBound(to: Set<Element>.self).pointee, "elements of the set", row: i)
      }
    }
    try forEachChunk(rows, &e, isEncoding: true) { elements, e in try e.encodeKeys(elements, as: element) }
  }

  override var vacancy: NoneMark? { emptyMark }
  override var hasBlank: Bool { true }
  // SAFETY: the caller hands over uninitialised memory of this type.
  override func initializeBlank(_ p: UnsafeMutableRawPointer) { unsafe p.initializeMemory(as: Set<Element>.self, to: []) }

  override func unlink(_ rows: Rows) {
    // SAFETY: every row holds such a collection, before and after.
    unsafe rows.visit { _, p in unsafe p.assumingMemoryBound(to: Set<Element>.self).pointee = Set<Element>() }
  }

  override func makeReader(_ id: TypeID, _ binder: inout Binder) throws -> ColumnReader {
    guard let inner = binder.elements(of: id) else { throw binder.mismatch(id, type) }
    return try binder.reader(for: id, self) { reader, binder in
      reader.element = try binder.reader(element, inner, below: "{}")
      reader.isLenient = binder.options.conversionPolicy == .lenient
    } make: {
      SetReader<Element>(self)
    }
  }
}

extension SetCodec: CollectionCodec {
  var elementCodec: ValueCodec { element }
  func wrap(taking element: UnsafeMutableRawPointer, at p: UnsafeMutableRawPointer) {
    // SAFETY: the caller hands over an element and uninitialised memory of this type.
    let only = unsafe element.assumingMemoryBound(to: Element.self).move()
    unsafe p.initializeMemory(as: Set<Element>.self, to: [only])
  }
}

private final class SetReader<Element: Hashable>: ColumnReader, @unchecked Sendable {
  var element: ColumnReader! {
    didSet { isPartial = element is PartialReader }
  }
  /// Single elements may be left out.
  private var isPartial = false
  /// An element that equals an earlier one is left out.
  var isLenient = false
  private let mayBeOdd = OddKeys<Element>.isPossible
  override func unbind() { element = nil }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    let noticeCount = d.notices.count
    if codec.ownTraits.needsCompleteGraph { try d.requireCompleteGraph("elements of a set", codec.type) }
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    let (counts, total) = unsafe try d.counts(rows: rows.count, each: SetCodec<Element>.entrySize)
    let nests = codec.nests
    if nests { try d.enter() }
    defer { if nests { d.leave() } }
    defer { unsafe d.notices.moveElements(since: noticeCount, counts, rows: rows.count) }
    d.keyDepth &+= 1
    defer { d.keyDepth &-= 1 }
    if isPartial { return unsafe try readPresent(rows, counts, total, &d) }
    var feed = ElementFeed(element, total: total, &d)
    var (row, first) = (0, 0)
    do {
      while row < rows.count {
        let count = Int(unsafe counts[row])
        var set = Set<Element>(minimumCapacity: min(count, 4096))
        var odd = OddKeys<Element>(mayBeOdd)
        for place in 0..<count {
          // SAFETY: the feed hands out initialised elements of this type, each once.
          let value = unsafe try feed.next(&d).assumingMemoryBound(to: Element.self).move()
          if odd.isTooMany(value) {
            let error = d.tooManyOddKeys("elements of the set", row: row)
            withExtendedLifetime(value) {}
            throw error
          }
          if !set.insert(value).inserted {
            guard isLenient else { throw d.invalid("an element of the set is there twice", row: row) }
            withExtendedLifetime(value) { leaveOut(first &+ place, &d) }
          }
        }
        unsafe rows[row].initializeMemory(as: Set<Element>.self, to: set)
        row += 1
        first &+= count
      }
    } catch {
      feed.abandon()
      codec.destroy(rows.slice(0, row))
      throw unsafe Flattened.located(error, row: row, counts, rows: rows.count)
    }
  }

  /// - Parameter place: That of the element among those of all rows.
  private func leaveOut(_ place: Int, _ d: inout DecodingState) {
    d.objects.holdAll()  // The element is given up.
    d.notices.add(Notice(.keptDefault, row: place, "the element equals one in front of it, and is left out of the set"))
  }

  /// Reads sets of the elements that are there.
  private func readPresent(_ rows: Rows, _ counts: UnsafePointer<Int64>, _ total: Int, _ d: inout DecodingState) throws {
    var feed = PresentFeed(element, total: total, &d)
    var (row, first) = (0, 0)
    do {
      while row < rows.count {
        let count = Int(unsafe counts[row])
        var set = Set<Element>()
        var odd = OddKeys<Element>(mayBeOdd)
        for place in 0..<count {
          // SAFETY: the feed hands out initialised elements of this type, each once.
          guard let element = unsafe try feed.next(&d) else { continue }
          let value = unsafe element.assumingMemoryBound(to: Element.self).move()
          if odd.isTooMany(value) {
            let error = d.tooManyOddKeys("elements of the set", row: row)
            withExtendedLifetime(value) {}
            throw error
          }
          if !set.insert(value).inserted {
            guard isLenient else { throw d.invalid("an element of the set is there twice", row: row) }
            withExtendedLifetime(value) { leaveOut(first &+ place, &d) }
          }
        }
        // SAFETY: the row is uninitialised room for such a set.
        unsafe rows[row].initializeMemory(as: Set<Element>.self, to: set)
        row += 1
        first &+= count
      }
    } catch {
      feed.abandon(&d)
      codec.destroy(rows.slice(0, row))
      throw unsafe Flattened.located(error, row: row, counts, rows: rows.count)
    }
  }
}
