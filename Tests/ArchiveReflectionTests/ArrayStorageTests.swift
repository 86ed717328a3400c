import ArchiveReflection
import Testing

@Suite("Making arrays", .serialized)
struct ArrayStorageTests {
  private final class Counted {
    static nonisolated(unsafe) var live = 0
    init() { unsafe Self.live += 1 }
    deinit { unsafe Self.live -= 1 }
  }
  private struct Stop: Error {}
  private struct Wide { var lanes: SIMD8<Double> }

  /// Makes an array of the elements, or of the first `limit` and then fails.
  private func make<Element>(_ elements: [Element], failingAfter limit: Int? = nil) throws -> [Element] {
    let storage = try #require(ArrayStorage(of: Element.self))
    let memory = UnsafeMutablePointer<[Element]>.allocate(capacity: 1)
    defer { unsafe memory.deallocate() }
    // SAFETY: the memory is room for one array, and each element is initialised once.
    unsafe try storage.make(count: elements.count, at: UnsafeMutableRawPointer(memory)) { base, done in
      let base = unsafe base.assumingMemoryBound(to: Element.self)
      for element in elements {
        if done == limit { throw Stop() }
        unsafe (base + done).initialize(to: element)
        done += 1
      }
    }
    return unsafe memory.move()
  }

  private func expectSame<Element: Equatable>(_ elements: [Element]) throws {
    var array = try make(elements)
    #expect(array == elements && array.capacity >= array.count)
    let copy = array
    array.append(elements[0])
    array.removeFirst()
    #expect(copy == elements && array == elements.dropFirst() + [elements[0]])
    array.reserveCapacity(1_000)
    array.removeAll(keepingCapacity: true)
    #expect(array.isEmpty)
  }

  @Test("Layout is the one this build knows") func known() {
    #if canImport(ObjectiveC)
      #expect(!ArrayStorage.isKnown)
    #else
      #expect(ArrayStorage.isKnown)
    #endif
  }

  @Test("An array that is made is like every other", arguments: [1, 2, 3, 7, 8, 100, 5_000]) func equal(count: Int) throws {
    guard ArrayStorage.isKnown else { return }
    try expectSame(Array(0..<count))
    try expectSame((0..<count).map { UInt8(truncatingIfNeeded: $0) })
    try expectSame((0..<count).map { $0.isMultiple(of: 2) ? "\($0)" : "a string that is longer than fifteen bytes, \($0)" })
    try expectSame((0..<count).map { $0.isMultiple(of: 3) ? nil : Double($0) })
    let dynamic = try make((0..<count).map { $0.isMultiple(of: 2) ? $0 as Any : "\($0)" })
    #expect(dynamic.count == count && dynamic[0] as? Int == 0)
  }

  @Test("Elements are released with the array, once, also after a failure") func ownership() throws {
    guard ArrayStorage.isKnown else { return }
    for count in [1, 2, 9] {
      do {
        let elements = (0..<count).map { _ in Counted() }
        #expect(try make(elements).elementsEqual(elements) { $0 === $1 })
        for limit in 0..<count { #expect(throws: Stop.self) { try make(elements, failingAfter: limit) } }
        #expect(unsafe Counted.live == count)
      }
      #expect(unsafe Counted.live == 0)
    }
  }

  @Test("Elements that need more room between them than a header gives are left to the standard library") func aligned() {
    #expect(ArrayStorage(of: Wide.self) == nil)
  }
}
