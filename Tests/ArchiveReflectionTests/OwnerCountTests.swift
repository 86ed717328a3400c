import ArchiveReflection
import Testing

@Suite("Counting owners")
struct OwnerCountTests {
  private final class Thing {}

  private func isOne(_ things: [Thing], _ index: Int) -> Bool {
    unsafe things.withUnsafeBytes { bytes in
      unsafe OwnerCount.isOne(bytes.load(fromByteOffset: index * MemoryLayout<UInt>.size, as: UnsafeRawPointer.self))
    }
  }

  @Test("The layout of headers is the one this build knows") func known() {
    #if canImport(ObjectiveC)
      #expect(!OwnerCount.isKnown)
    #else
      #expect(OwnerCount.isKnown)
    #endif
  }

  @Test("An object in one place has one owner, in two places it has several") func owners() {
    guard OwnerCount.isKnown else { return }
    let things = (0..<3).map { _ in Thing() }
    #expect(isOne(things, 0) && isOne(things, 1))
    let copy = [things[1], things[1]]
    #expect(isOne(things, 0) && !isOne(things, 1))
    #expect(copy.count == 2)
  }

  @Test("An object that a weak reference points to counts as one with several owners") func weakReference() {
    guard OwnerCount.isKnown else { return }
    let things = [Thing()]
    weak let target = things.first
    #expect(!isOne(things, 0))
    #expect(target === things[0])
  }
}
