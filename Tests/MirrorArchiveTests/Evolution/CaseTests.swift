import Foundation
import MirrorArchive
import Testing

/// Enums of which one program has cases that the other has not.
enum Cases {
  enum V1: String, MirrorCodable, Hashable, CaseIterable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "cases.Color") }
    case red, green, blue
  }
  enum V2: String, MirrorCodable, Hashable, CaseIterable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "cases.Color") }
    case ultraviolet, blue, infrared, green, red
  }
  /// With a value for what it does not know.
  enum Forgiving: MirrorCodable, Hashable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "cases.Color", unknownCase: .value(Forgiving.other)) }
    case red, green, blue, other
  }
  enum Shape1: MirrorCodable, Hashable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "cases.Shape") }
    case none
    case circle(Double)
    case rectangle(width: Int, height: Int)
  }
  enum Shape2: MirrorCodable, Hashable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "cases.Shape") }
    case polygon([Int])
    case circle(Double)
    case none
    case star
  }
  enum ForgivingShape: MirrorCodable, Hashable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "cases.Shape", unknownCase: .value(ForgivingShape.none)) }
    case circle(Double)
    case none
  }
  /// The same case has a payload in one program and none in the other.
  enum Plain: MirrorCodable, Hashable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "cases.Payload") }
    case idle, busy, done
  }
  enum Loaded: MirrorCodable, Hashable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "cases.Payload") }
    case idle
    case busy(Int)
    case done
  }

  final class Holder<Color>: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "cases.Holder") }
    var colors: [Color]
    var table: [String: Color]
    var optional: Color?
    init(_ colors: [Color]) {
      self.colors = colors
      table = Dictionary(uniqueKeysWithValues: colors.enumerated().map { ("k\($0.offset)", $0.element) })
      optional = colors.first
    }
  }

  final class Car<Color: Hashable & Sendable>: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "cases.Car") }
    var name = ""
    var color: Color?
    var second: Color?
    convenience init(_ name: String, _ color: Color, _ second: Color? = nil) {
      self.init()
      (self.name, self.color, self.second) = (name, color, second)
    }
  }
  final class DefaultingCar: MirrorCoding {
    override class var archiveRules: ArchiveRules {
      ArchiveRules(
        name: "cases.Car",
        properties: [
          PropertyRule("color", usesDefaultForUnknownCases: true),
          PropertyRule("second", default: .value(V1.blue), usesDefaultForUnknownCases: true),
        ])
    }
    var name = ""
    var color = V1.green
    var second: V1?
  }
  struct DefaultingWheel: MirrorCodable, Hashable {
    static var archiveRules: ArchiveRules {
      ArchiveRules(
        name: "cases.Wheel", properties: [PropertyRule("color", default: .value(V1.blue), usesDefaultForUnknownCases: true)])
    }
    var size: Int
    var color: V1
    var end = "end"
  }
  struct Wheel: MirrorCodable, Hashable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "cases.Wheel") }
    var color: V2
    var size: Int
    var end = "end"
  }
}

@Suite("Enum cases that came or went")
struct CaseTests {
  @Test("Cases are found by name, whatever their order", arguments: Cases.V1.allCases) func known(color: Cases.V1) {
    expectEverywhere(color, as: Cases.V2.self) { $0.rawValue == color.rawValue }
    expectEverywhere(color, as: Cases.Forgiving.self) { "\($0)" == "\(color)" }
    if let new = Cases.V2(rawValue: color.rawValue) { expectEverywhere(new, as: Cases.V1.self) { $0 == color } }
  }

  @Test("An unknown case is an error that names it, where it stands") func unknown() {
    expectRefusalEverywhere(.invalidValue, of: Cases.V2.infrared, as: Cases.V1.self, at: "", naming: ["infrared", "V1"])
    expectRefusalEverywhere(.invalidValue, of: Cases.Shape2.star, as: Cases.Shape1.self, at: "", naming: ["star", "Shape1"])
    expectRefusalEverywhere(.invalidValue, of: Cases.Shape2.polygon([1]), as: Cases.Shape1.self, at: "", naming: ["polygon", "Shape1"])
    expectRefusal(.invalidValue, at: "root[1].color", naming: ["ultraviolet"]) {
      try converted([Cases.Car("a", Cases.V2.red), Cases.Car("b", .ultraviolet)], to: [Cases.Car<Cases.V1>].self)
    }
  }

  @Test("A case that no value has is no error") func unusedCases() {
    expectEverywhere(Cases.Shape1.circle(2.5), as: Cases.Shape2.self) { $0 == .circle(2.5) }
    expectEverywhere(Cases.Shape2.circle(2.5), as: Cases.Shape1.self) { $0 == .circle(2.5) }
    expectEverywhere(Cases.Plain.idle, as: Cases.Loaded.self) { $0 == .idle }
    expectEverywhere(Cases.Loaded.done, as: Cases.Plain.self) { $0 == .done }
  }

  @Test("The value for unknown cases stands wherever one is") func unknownCaseValue() throws {
    expectEverywhere(Cases.V2.infrared, as: Cases.Forgiving.self) { $0 == .other }
    expectEverywhere(Cases.Shape2.polygon([1, 2]), as: Cases.ForgivingShape.self) { $0 == .none }
    expectEverywhere(Cases.Shape2.star, as: Cases.ForgivingShape.self) { $0 == .none }
    expectEverywhere(Cases.Shape1.rectangle(width: 1, height: 2), as: Cases.ForgivingShape.self) { $0 == .none }
    let colors: [Cases.V2] = [.red, .ultraviolet, .blue, .infrared, .infrared, .green, .red, .red, .ultraviolet, .blue]
    let read = try converted(Cases.Holder(colors), to: Cases.Holder<Cases.Forgiving>.self)
    #expect(read.colors == [.red, .other, .blue, .other, .other, .green, .red, .red, .other, .blue])
    #expect(read.table["k1"] == .other && read.table["k9"] == .blue && read.optional == .red)
    let shapes: [Cases.Shape1] = [
      .circle(1), .rectangle(width: 1, height: 2), .circle(3), .none, .rectangle(width: 5, height: 6), .circle(4),
    ]
    let readShapes = try converted(Cases.Holder(shapes), to: Cases.Holder<Cases.ForgivingShape>.self)
    #expect(readShapes.colors == [.circle(1), .none, .circle(3), .none, .none, .circle(4)])
  }

  @Test("Unknown cases that become the same key or element are refused") func collisions() {
    expectRefusal(.invalidValue, at: "root") { try converted([Cases.V2.infrared: 1, .ultraviolet: 2], to: [Cases.Forgiving: Int].self) }
    expectRefusal(.invalidValue, at: "root") { try converted(Set([Cases.V2.infrared, .ultraviolet]), to: Set<Cases.Forgiving>.self) }
  }

  @Test("A property keeps its default for an unknown case, if the rules say so", arguments: [1, 9, 1_030]) func keepsDefault(count: Int)
    throws
  {
    let old = (0..<count).map {
      Cases.Car("car \($0)", $0 % 2 == 0 ? Cases.V2.infrared : .red, [nil, Cases.V2.ultraviolet, .green][$0 % 3])
    }
    let read = try converted(old, to: [Cases.DefaultingCar].self)
    for (number, car) in read.enumerated() {
      #expect(car.name == "car \(number)" && car.color == (number % 2 == 0 ? .green : .red), "car \(number)")
      #expect(car.second == [nil, Cases.V1.blue, .green][number % 3], "car \(number)")
    }
  }

  @Test("A field of a struct takes its default for an unknown case") func structDefault() {
    expectEverywhere(Cases.Wheel(color: .infrared, size: 5), as: Cases.DefaultingWheel.self) {
      $0 == Cases.DefaultingWheel(size: 5, color: .blue)
    }
    expectEverywhere(Cases.Wheel(color: .red, size: 5), as: Cases.DefaultingWheel.self) {
      $0 == Cases.DefaultingWheel(size: 5, color: .red)
    }
  }

  @Test("A payload that came or went is an error only where the case is used") func payloads() throws {
    expectRefusalEverywhere(.typeMismatch, of: Cases.Plain.busy, as: Cases.Loaded.self, at: "", naming: ["busy"])
    expectRefusalEverywhere(.typeMismatch, of: Cases.Loaded.busy(5), as: Cases.Plain.self, at: "", naming: ["busy"])
    #expect(try converted([Cases.Plain.idle, .done], to: [Cases.Loaded].self) == [.idle, .done])
    expectRefusal(.typeMismatch, at: "root[3]", naming: ["busy"]) {
      try converted([Cases.Loaded.idle, .done, .idle, .busy(5), .done], to: [Cases.Plain].self)
    }
  }
}
