import Foundation
import MirrorArchive
import Testing

@Suite("Properties that became Optional, or no longer are")
struct OptionalConversionTests {
  final class Leaf: MirrorCoding {
    var name = ""
    convenience init(_ name: String) {
      self.init()
      self.name = name
    }
  }

  private func check<Value: Equatable>(_ values: [Value], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let optionals = values.map { Optional($0) }
    #expect(try converted(values, to: [Value?].self) == optionals, sourceLocation: sourceLocation)
    #expect(try converted(optionals, to: [Value].self) == values, sourceLocation: sourceLocation)
    #expect(try converted(values, to: [Value]?.self) == values, sourceLocation: sourceLocation)
    #expect(try converted(Optional(values), to: [Value].self) == values, sourceLocation: sourceLocation)
    let objects = values.map { Retyped($0) }
    #expect(try converted(objects, to: [Retyped<Value?>].self).map(\.value) == optionals, sourceLocation: sourceLocation)
    #expect(try converted(optionals.map { Retyped($0) }, to: [Retyped<Value>].self).map(\.value) == values, sourceLocation: sourceLocation)
    let cells = values.map { RetypedCell(value: $0) }
    #expect(try converted(cells, to: [RetypedCell<Value?>].self).map(\.value) == optionals, sourceLocation: sourceLocation)
    #expect(
      try converted(optionals.map { RetypedCell(value: $0) }, to: [RetypedCell<Value>].self) == cells, sourceLocation: sourceLocation)
    guard let first = values.first else { return }
    var missing = Array(repeating: Optional(first), count: 40)
    missing[33] = nil
    expectRefusal(.missingValue, at: "root[33]", naming: ["nil", "\(Value.self)"], sourceLocation: sourceLocation) {
      try converted(missing, to: [Value].self)
    }
    expectRefusal(.missingValue, at: "root[33].value", naming: ["nil", "\(Value.self)"], sourceLocation: sourceLocation) {
      try converted(missing.map { Retyped($0) }, to: [Retyped<Value>].self)
    }
    expectRefusal(.missingValue, at: "root.value", naming: ["nil"], sourceLocation: sourceLocation) {
      try converted(Retyped(Value?.none), to: Retyped<Value>.self)
    }
  }

  @Test("Values of every kind become Optional and back, unless they are nil", arguments: [1, 7, 8, 1_025]) func values(count: Int) throws {
    let numbers = Array(0..<count)
    try check(numbers)
    try check(numbers.map { "text \($0 % 20)" })
    try check(numbers.map { Double($0) / 3 })
    try check(numbers.map { $0 % 2 == 0 })
    try check(numbers.map { Int128($0) << 70 })
    try check(numbers.map { Date(timeIntervalSince1970: Double($0)) })
    try check(numbers.map { Data("\($0)".utf8) })
    try check(numbers.map { Array(0..<($0 % 4)) })
    try check(numbers.map { Pair(first: $0, second: "\($0)") })
    try check(numbers.map { $0 % 3 == 0 ? Either<Int, String>.left($0) : $0 % 3 == 1 ? .right("\($0)") : .neither })
    try check(numbers.map { Set([$0, 1]) })
    try check(numbers.map { [$0: "v"] })
    try check(numbers.map { URL(fileURLWithPath: "/\($0)") })
  }

  @Test("References become Optional and back, and stay the same objects") func references() throws {
    let shared = Leaf("shared")
    let leaves = [shared, Leaf("a"), shared]
    let optional = try converted(Retyped(leaves), to: Retyped<[Leaf?]>.self).value
    #expect(optional.map { $0?.name } == ["shared", "a", "shared"] && optional[0] === optional[2])
    let present = try converted(leaves.map { Optional($0) }, to: [Leaf].self)
    #expect(present.map(\.name) == ["shared", "a", "shared"] && present[0] === present[2])
    #expect(try converted(Retyped(shared), to: Retyped<Leaf?>.self).value?.name == "shared")
    #expect(try converted(Retyped(Optional(shared)), to: Retyped<Leaf>.self).value.name == "shared")
    expectRefusal(.missingValue, at: "root.value", naming: ["nil", "Leaf"]) {
      try converted(Retyped(Leaf?.none), to: Retyped<Leaf>.self)
    }
    expectRefusal(.missingValue, at: "root[1]", naming: ["nil", "Leaf"]) { try converted([shared, nil], to: [Leaf].self) }
  }

  @Test("A reference that became Optional is still checked against its class") func gate() throws {
    final class Other: MirrorCoding { override class var archiveRules: ArchiveRules { ArchiveRules(name: "conversion.Other") } }
    let data = try KeyedArchiver.archivedData(withRootObject: Retyped(Leaf("a")))
    expectRefusal(.typeNotAllowed) {
      try KeyedUnarchiver.unarchivedObject(of: Retyped<Other?>.self, from: data, allowing: [Leaf.self])
    }
  }

  @Test("Each Optional around another one counts") func nested() throws {
    let some: Int? = 5
    let none: Int? = nil
    // As an assignment would do it: the value that is there is wrapped once more, be it nil.
    #expect(try converted(Retyped(none), to: Retyped<Int??>.self).value == .some(.none))
    #expect(try converted(Retyped(some), to: Retyped<Int??>.self).value == .some(.some(5)))
    #expect(try converted(Retyped(5), to: Retyped<Int??>.self).value == .some(.some(5)))
    #expect(try converted(Retyped(Optional(some)), to: Retyped<Int?>.self).value == .some(5))
    #expect(try converted(Retyped(Optional(none)), to: Retyped<Int?>.self).value == .none)
    expectRefusal(.missingValue, at: "root.value") { try converted(Retyped(Int??.none), to: Retyped<Int?>.self) }
    #expect(try converted(Retyped(Optional(some)), to: Retyped<Int>.self).value == 5)
    expectRefusal(.missingValue, at: "root.value") { try converted(Retyped(Optional(none)), to: Retyped<Int>.self) }
    #expect(try converted(Retyped(Int??.none), to: Retyped<Int??>.self).value == .none)
  }

  @Test("The number inside is converted too") func both() throws {
    #expect(try converted(Retyped(5), to: Retyped<Double?>.self).value == 5)
    #expect(try converted(Retyped(Optional(5)), to: Retyped<String>.self).value == "5")
    #expect(try converted([Optional("7"), "8"], to: [Int8].self) == [7, 8])
    expectRefusal(.invalidValue, at: "root[1]", naming: ["300", "Int8"]) { try converted([Optional(5), 300], to: [Int8].self) }
  }

  @Test("A property with a default is replaced, or kept when the archive is refused") func assigned() throws {
    let written = RetypedPreset<Int?>()
    written.value = 8
    #expect(try converted(written, to: RetypedPreset<Int>.self).value == 8)
    written.value = nil
    expectRefusal(.missingValue, at: "root.value") { try converted(written, to: RetypedPreset<Int>.self) }
    let text = RetypedPreset<String?>()
    text.value = "new"
    #expect(try converted(text, to: RetypedPreset<String>.self).value == "new")
    let list = RetypedPreset<[String]>()
    #expect(try converted(list, to: RetypedPreset<[String]?>.self).value == [.preset])
  }

  indirect enum Chain: MirrorCodable, Equatable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "conversion.Chain") }
    case end
    case link(Int, Chain)
  }
  indirect enum OptionalChain: MirrorCodable, Equatable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "conversion.Chain") }
    case end
    case link(Int?, OptionalChain?)
  }

  @Test("Types that contain themselves are converted at every level") func recursive() throws {
    let chain = Chain.link(1, .link(2, .end))
    let optional = OptionalChain.link(1, .link(2, .end))
    #expect(try converted(chain, to: OptionalChain.self) == optional)
    #expect(try converted(optional, to: Chain.self) == chain)
    expectRefusal(.missingValue) { try converted(OptionalChain.link(1, .link(nil, .end)), to: Chain.self) }
  }

  @Test("An Optional of itself in an archive ends") func endless() throws {
    // A table with one entry, the Optional of that entry, as the type of the root.
    let data = try KeyedArchiver.archivedData(withRootObject: Optional(Pair(first: 1, second: 2)))
    let forgery = try #require(Forgery(data))
    for index in forgery.body.indices {
      for byte: UInt8 in [64, 65, 66] {
        var copy = forgery
        copy.body[index] = byte
        do {
          _ = try KeyedUnarchiver.unarchivedObject(of: Pair<Int, Int>.self, from: copy.sealed())
        } catch is ArchiveError {}
        do {
          _ = try KeyedUnarchiver.unarchivedObject(of: Pair<Int, Int>???.self, from: copy.sealed())
        } catch is ArchiveError {}
      }
    }
  }
}
