import ArchiveReflection
import Testing

@Suite("Making strings")
struct StringStorageTests {
  private func make(_ bytes: [UInt8]) -> String? { unsafe bytes.withUnsafeBytes { unsafe StringStorage.make($0) } }

  @Test("Layout is the one this build knows") func known() {
    #if canImport(ObjectiveC)
      #expect(!StringStorage.isKnown)
    #else
      #expect(StringStorage.isKnown)
    #endif
  }

  @Test("A string that is made is like every other", arguments: 16...63) func equal(count: Int) throws {
    guard StringStorage.isKnown else { return }
    let bytes = (0..<count).map { UInt8(($0 &* 37 &+ count) & 0x7f) }
    let string = String(decoding: bytes, as: UTF8.self)
    var made = try #require(make(bytes))
    #expect(made == string && made.hashValue == string.hashValue && made.utf8.elementsEqual(bytes))
    #expect(made.count == string.count && made.utf16.count == count && made.dropFirst(3) == string.dropFirst(3))
    #expect(Dictionary([(made, 1)]) { $1 }[string] == 1)
    let copy = made
    made += "é and more than fits into what was allocated for it, whatever that was"
    #expect(copy == string && made.hasPrefix(string) && made.utf8.count > count + 64)
    made.removeAll()
    #expect(copy.utf8.elementsEqual(bytes))
    let cString = unsafe copy.withCString { unsafe String(cString: $0) }
    #expect(cString.utf8.elementsEqual(bytes.prefix { $0 != 0 }))
  }

  @Test("A string that is made has one owner", arguments: [16, 40, 63]) func owners(count: Int) throws {
    guard StringStorage.isKnown, OwnerCount.isKnown else { return }
    var made = [try #require(make([UInt8](repeating: 0x62, count: count)))]
    #expect(Self.hasOneOwner(made))
    let copy = made[0]
    made.append(copy)
    #expect(!Self.hasOneOwner(made) && copy.utf8.count == count)
  }

  /// Whether only the array holds the first string.
  @inline(never)
  private static func hasOneOwner(_ strings: [String]) -> Bool {
    // SAFETY: the second word of a string that has a storage is its address.
    unsafe strings.withUnsafeBytes { unsafe OwnerCount.isOne($0.load(fromByteOffset: 8, as: UnsafeRawPointer.self)) }
  }

  @Test("What is not ASCII anywhere, shorter or longer is left to the standard library", arguments: [16, 17, 31, 32, 47, 48, 63])
  func others(count: Int) {
    let bytes = [UInt8](repeating: 0x61, count: count)
    for place in bytes.indices {
      var other = bytes
      other[place] = 0xe9
      #expect(make(other) == nil)
    }
    for length in [0, 1, 15, 64, 65, 1_000] { #expect(make(.init(repeating: 0x61, count: length)) == nil) }
  }
}
