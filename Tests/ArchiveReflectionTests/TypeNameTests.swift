import ArchiveReflection
import ReflectionFixtures
import Testing

private struct Hidden { struct Inside {} }
struct Naming<T> {
  struct Inner {}
  enum AyXZ {}
}
extension Int { struct Nested {} }

@Suite("Type names")
struct TypeNameTests {
  @Test func `names of visible types are stable`() {
    #expect(Reflection.stableName(of: Int.self) == "Swift.Int")
    #expect(Reflection.stableName(of: Vehicle.self) == "ReflectionFixtures.Vehicle")
    #expect(Reflection.stableName(of: Naming<Int>.self) == "ArchiveReflectionTests.Naming<Swift.Int>")
    #expect(Reflection.stableName(of: Naming<[String]>.Inner.self) == "ArchiveReflectionTests.Naming<Swift.Array<Swift.String>>.Inner")
    #expect(Reflection.stableName(of: Naming<Int>.AyXZ.self) == "ArchiveReflectionTests.Naming<Swift.Int>.AyXZ")
    #expect(Reflection.stableName(of: Int.Nested.self) == "(extension in ArchiveReflectionTests):Swift.Int.Nested")
    #expect(Reflection.stableName(of: (Int, x: Bool).self) == "(Swift.Int, x: Swift.Bool)")
  }

  @Test func `private and local types have no stable name`() {
    struct Local {}
    let closureLocal: Any.Type = {
      struct InClosure {}
      return InClosure.self
    }()
    let types: [Any.Type] = [
      Hidden.self, Hidden.Inside.self, Local.self, closureLocal, Naming<Hidden>.self, Naming<Hidden>.Inner.self, [Local].self,
      (Int, Hidden).self,
    ]
    for type in types { #expect(Reflection.stableName(of: type) == nil) }
    // The optimiser knows these types.
    #expect(Reflection.stableName(of: Hidden.self) == nil)
    #expect(Reflection.stableName(of: Local.self) == nil)
    #expect(Reflection.stableName(of: Naming<Hidden>.self) == nil)
  }

  @Test func `unqualified names never contain an address`() {
    struct Local {}
    #expect(Reflection.unqualifiedName(of: Hidden.self) == "Hidden")
    #expect(Reflection.unqualifiedName(of: Hidden.Inside.self) == "Inside")
    #expect(Reflection.unqualifiedName(of: Local.self) == "Local")
    #expect(Reflection.unqualifiedName(of: Naming<Hidden>.self) == "Naming<Hidden>")
    #expect(Reflection.unqualifiedName(of: Naming<Local>.Inner.self) == "Inner")
    #expect(Reflection.unqualifiedName(of: [String: Vehicle].self) == "Dictionary<String, Vehicle>")
  }
}
