import ArchiveReflection
import Testing

@Suite("Dictionaries and sets, read where they lie")
struct HashTableLayoutTests {
  private func entries<Key: Hashable, Value>(_ dictionary: [Key: Value]) -> [(Key, Value)] {
    unsafe withUnsafePointer(to: dictionary) { field in
      // SAFETY: the field is a dictionary, and lives until this ends.
      var table = unsafe HashTableLayout(of: field, hasValues: true)
      #expect(table.count == dictionary.count)
      var found: [(Key, Value)] = []
      while let entry = unsafe table.next(keyStride: MemoryLayout<Key>.stride, valueStride: MemoryLayout<Value>.stride) {
        unsafe found.append(
          (entry.key.assumingMemoryBound(to: Key.self).pointee, entry.value.assumingMemoryBound(to: Value.self).pointee))
      }
      return found
    }
  }

  @Test("The layout is known here") func isKnown() { #expect(HashTableLayout.isKnown) }

  @Test("Entries come in the order of iteration, whatever the size and the holes", arguments: [0, 1, 2, 3, 12, 13, 48, 49, 50, 200, 5_000])
  func order(count: Int) {
    var numbers: [Int: String] = [:]
    for i in 0..<count { numbers[i &* 7_919] = "number \(i)" }
    #expect(entries(numbers).elementsEqual(numbers) { $0 == $1 })
    for i in stride(from: 0, to: count, by: 2) { numbers[i &* 7_919] = nil }
    #expect(entries(numbers).elementsEqual(numbers) { $0 == $1 })
    numbers.removeAll(keepingCapacity: true)
    #expect(entries(numbers).isEmpty)
  }

  @Test("Keys and values of any size are found") func sizes() {
    let bytes: [UInt8: Bool] = [1: true, 2: false, 255: true]
    #expect(entries(bytes).elementsEqual(bytes) { $0 == $1 })
    let wide: [SIMD4<Int32>: SIMD8<Double>] = [.zero: .one, .one: .zero]
    #expect(entries(wide).elementsEqual(wide) { $0 == $1 })
    let nothing: [String: Void] = ["a": (), "b": ()]
    #expect(entries(nothing).map(\.0) == Array(nothing.keys))
    let optional: [String?: Int??] = [nil: .some(nil), "a": nil, "b": 3]
    #expect(entries(optional).elementsEqual(optional) { $0 == $1 })
  }

  @Test("Elements of sets are found", arguments: [0, 1, 3, 48, 49, 1_000]) func sets(count: Int) {
    let set = Set((0..<count).map { "element \($0)" })
    let found: [String] = unsafe withUnsafePointer(to: set) { field in
      // SAFETY: the field is a set, and lives until this ends.
      var table = unsafe HashTableLayout(of: field, hasValues: false)
      var found: [String] = []
      while let entry = unsafe table.next(keyStride: MemoryLayout<String>.stride, valueStride: 0) {
        unsafe found.append(entry.key.assumingMemoryBound(to: String.self).pointee)
      }
      return found
    }
    #expect(found == Array(set))
  }
}
