import Foundation
import MirrorArchive
import Testing

/// DESIGN 7.8: nobody writes a file that the default call can't read, and the error says how to go on.
@Suite("The gate while encoding")
struct EncodeGateTests {
  class Animal: MirrorCoding { var name = "" }
  final class Cat: Animal { var lives = 9 }
  final class Stable: MirrorCoding {
    var animals: [Animal] = []
    var star: Animal?
    var any: Any?
  }

  class RuledAnimal: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(subclasses: [RuledCat.self]) }
    var name = ""
  }
  final class RuledCat: RuledAnimal { var lives = 9 }
  final class RuledStable: MirrorCoding { var animals: [RuledAnimal] = [] }

  final class RegisteredCat: Animal { var lives = 9 }

  private func stable(_ animal: Animal) -> Stable {
    let stable = Stable()
    stable.animals = [Animal(), animal]
    stable.star = animal
    return stable
  }

  @Test("An undeclared subclass is refused with the place and the three cures") func refused() {
    for _ in 0..<2 {
      let error = expectRefusal(.typeNotAllowed, at: "root.", naming: ["Cat", "subclasses", "register", "allowing"]) {
        try KeyedArchiver.archivedData(withRootObject: stable(Cat()))
      }
      #expect(error?.path.contains("star") == true || error?.path.contains("animals[1]") == true, "\(String(describing: error?.path))")
    }
  }

  @Test("First cure: the base class declares its subclasses") func declared() throws {
    let stable = RuledStable()
    let cat = RuledCat()
    cat.lives = 7
    stable.animals = [RuledAnimal(), cat]
    let read = try roundTrip(stable)
    #expect((read.animals.last as? RuledCat)?.lives == 7 && !(read.animals[0] is RuledCat))
  }

  @Test("Second cure: the subclass is registered") func registered() throws {
    try KeyedArchiver.register(RegisteredCat.self)
    let cat = RegisteredCat()
    cat.lives = 6
    let read = try roundTrip(stable(cat))
    #expect((read.star as? RegisteredCat)?.lives == 6 && read.star === read.animals[1])
  }

  @Test("Third cure: the call names the subclass, on both sides") func allowed() throws {
    let cat = Cat()
    cat.lives = 5
    let data = try KeyedArchiver.archivedData(withRootObject: stable(cat), allowing: [Cat.self])
    let read = try KeyedUnarchiver.unarchivedObject(of: Stable.self, from: data, allowing: [Cat.self])
    #expect((read.star as? Cat)?.lives == 5 && read.star === read.animals[1])
    #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(of: Stable.self, from: data) }
  }

  @Test("Without secure coding the archive is written, and only a call that allows the class reads it") func insecure() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: stable(Cat()), requiringSecureCoding: false)
    #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(of: Stable.self, from: data) }
    #expect(try KeyedUnarchiver.unarchivedObject(of: Stable.self, from: data, allowing: [Cat.self]).star is Cat)
  }

  @Test("An undeclared object in an Any, directly or in collections, is refused where it stands") func inAny() throws {
    let stable = Stable()
    stable.any = Cat()
    expectRefusal(.typeNotAllowed, at: "any", naming: ["Cat", "register"]) { try KeyedArchiver.archivedData(withRootObject: stable) }
    stable.any = [1, [Cat()] as [Any]] as [Any]
    expectRefusal(.typeNotAllowed, at: "any", naming: ["Cat", "register"]) { try KeyedArchiver.archivedData(withRootObject: stable) }
    stable.any = ["a": Pair(first: 1, second: 2)]
    expectRefusal(.typeNotAllowed, at: "any", naming: ["Pair", "register"]) { try KeyedArchiver.archivedData(withRootObject: stable) }
    stable.any = ["a": [1, 2.5, "s", Date.distantPast] as [Any]] as [String: Any]
    #expect(throws: Never.self) { try KeyedArchiver.archivedData(withRootObject: stable) }
  }

  @Test("A class that the root reaches elsewhere is admitted in its Any") func reachedElsewhere() throws {
    let stable = Stable()
    stable.any = Animal()
    #expect(try roundTrip(stable).any is Animal)
  }

  @Test("Several subclasses in the call are admitted with what they reach") func reachedThroughAllowed() throws {
    final class Collar: MirrorCoding {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "EncodeGateTests.Collar") }
      var text = ""
    }
    final class Dog: Animal {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "EncodeGateTests.Dog") }
      var collar: Collar?
    }
    let dog = Dog()
    dog.collar = Collar()
    dog.collar?.text = "Rex"
    let read = try roundTrip(stable(dog), allowing: [Cat.self, Dog.self])
    #expect((read.star as? Dog)?.collar?.text == "Rex")
  }
}
