import Foundation
import MirrorArchive
import Testing

/// Cases that one of two programs does not have.
@Suite("Rules for cases")
struct RulesCaseTests {
  enum Old {
    enum Color: MirrorCodable, Equatable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "RulesCaseTests.Color") }
      case red, green, blue
      case custom(hex: Int)
      case named(String)
      case mixed([Color])
    }
    final class Car: MirrorCoding {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "RulesCaseTests.Car") }
      var color = Color.red
      var optional: Color?
      var wasOptional: Color?
      var becameOptional = Color.green
      let fixed: Color
      required init() { fixed = .green }
      init(_ color: Color) {
        self.color = color
        (optional, wasOptional, becameOptional, fixed) = (color, color, color, color)
      }
    }
    final class Bare: MirrorCodable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "RulesCaseTests.Bare") }
      var before = "before"
      var color: Color
      var optional: Color?
      var after = "after"
      init(_ color: Color) { (self.color, optional) = (color, color) }
    }
  }

  enum New {
    enum Color: MirrorCodable, Equatable {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "RulesCaseTests.Color") }
      case red, green
      case custom(hex: Int)
      case named(String)
      case mixed([Color])
    }
    final class Car: MirrorCoding {
      override class var archiveRules: ArchiveRules {
        ArchiveRules(
          name: "RulesCaseTests.Car",
          properties: [
            PropertyRule("color", default: .value(Color.named("default")), usesDefaultForUnknownCases: true),
            PropertyRule("optional", usesDefaultForUnknownCases: true), PropertyRule("wasOptional", usesDefaultForUnknownCases: true),
            PropertyRule("becameOptional", usesDefaultForUnknownCases: true), PropertyRule("fixed", usesDefaultForUnknownCases: true),
          ])
      }
      var color = Color.red
      var optional: Color? = .named("init")
      var wasOptional = Color.named("init")
      var becameOptional: Color? = .named("init")
      let fixed: Color
      required init() { fixed = .named("fixed") }
    }
    final class Bare: MirrorCodable {
      static var archiveRules: ArchiveRules {
        ArchiveRules(
          name: "RulesCaseTests.Bare",
          properties: [
            PropertyRule("color", default: .value(Color.named("default")), usesDefaultForUnknownCases: true),
            PropertyRule("optional", usesDefaultForUnknownCases: true),
          ])
      }
      var before: String
      var color: Color
      var optional: Color?
      var after: String
      init() { fatalError("never called") }
    }
    final class Strict: MirrorCodable {
      static var archiveRules: ArchiveRules {
        ArchiveRules(name: "RulesCaseTests.Bare", properties: [PropertyRule("color", usesDefaultForUnknownCases: true)])
      }
      var color: Color
      init() { fatalError("never called") }
    }
    final class Plain: MirrorCoding {
      override class var archiveRules: ArchiveRules { ArchiveRules(name: "RulesCaseTests.Car") }
      var color = Color.red
    }
  }

  static let pairs: [(Old.Color, New.Color?)] = [
    (.red, .red), (.blue, nil), (.custom(hex: 5), .custom(hex: 5)), (.named("n"), .named("n")),
    (.mixed([.red, .named("x")]), .mixed([.red, .named("x")])),
  ]

  @Test("Each kind of property keeps its default where the case is unknown", arguments: [1, 3, 60]) func properties(count: Int) throws {
    let written = (0..<count).map { Old.Car(Self.pairs[$0 % 5].0) }
    let data = try KeyedArchiver.archivedData(withRootObject: written)
    let read = try KeyedUnarchiver.unarchivedObject(of: [New.Car].self, from: data)
    for (i, car) in read.enumerated() {
      let known = Self.pairs[i % 5].1
      #expect(car.color == known ?? .named("default"))
      #expect(car.optional == known ?? .named("init"))
      #expect(car.wasOptional == known ?? .named("init"))
      #expect(car.becameOptional == known ?? .named("init"))
      #expect(car.fixed == known ?? .named("fixed"))
    }
  }

  @Test("So do those of objects that no initializer fills: the rule's default, or nil", arguments: [1, 3, 60]) func bare(count: Int) throws
  {
    let written = (0..<count).map { Old.Bare(Self.pairs[$0 % 5].0) }
    let data = try KeyedArchiver.archivedData(withRootObject: written)
    let read = try KeyedUnarchiver.unarchivedObject(of: [New.Bare].self, from: data)
    for (i, bare) in read.enumerated() {
      let known = Self.pairs[i % 5].1
      #expect(bare.color == known ?? .named("default") && bare.optional == known)
      #expect(bare.before == "before" && bare.after == "after")
    }
    if count == 1 { return }
    expectRefusal(.missingValue, at: "root[1].color") { try KeyedUnarchiver.unarchivedObject(of: [New.Strict].self, from: data) }
  }

  @Test("Without rules an unknown case is an error that names it") func refused() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: [Old.Car(.red), Old.Car(.blue)])
    expectRefusal(.invalidValue, at: "root[1].color", naming: ["'blue'", "unknownCase"]) {
      try KeyedUnarchiver.unarchivedObject(of: [New.Plain].self, from: data)
    }
    #expect(
      try KeyedUnarchiver.unarchivedObject(of: New.Plain.self, from: KeyedArchiver.archivedData(withRootObject: Old.Car(.named("a")))).color
        == .named("a"))
  }

  @Test("What was read with a default is in the report, with its place") func report() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: [Old.Car(.red), Old.Car(.blue)])
    let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
    _ = try unarchiver.decode([New.Car].self, forKey: "root")
    let unknown = unarchiver.report.entries.filter { $0.kind == .unknownCase }.map(\.path)
    #expect(unknown.count == 5)
    #expect(unknown.contains("root[1].color") && unknown.contains("root[1].fixed") && unknown.contains("root[1].optional"))
  }

  // MARK: Payloads that come and go

  enum Before: MirrorCodable, Equatable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "RulesCaseTests.Event") }
    case start
    case stop(code: Int)
    case note(String)
  }
  enum After: MirrorCodable, Equatable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "RulesCaseTests.Event") }
    case start(at: Int)
    case stop
    case note(String)
  }
  enum AfterAll: MirrorCodable, Equatable {
    static var archiveRules: ArchiveRules {
      ArchiveRules(
        name: "RulesCaseTests.Event", cases: [CaseRule("text", formerKeys: ["note", "remark"])], unknownCase: .value(AfterAll.other))
    }
    case start(at: Int)
    case text(String)
    case other
  }

  @Test("A case whose payload came or went is an error only where a value has it") func payloads() throws {
    let fine = try KeyedArchiver.archivedData(withRootObject: [Before.note("a"), .note("b")])
    #expect(try KeyedUnarchiver.unarchivedObject(of: [After].self, from: fine) == [.note("a"), .note("b")])
    let data = try KeyedArchiver.archivedData(withRootObject: [Before.note("a"), .stop(code: 3), .start])
    expectRefusal(.typeMismatch, at: "root[1]", naming: ["'stop'", "payload"]) {
      try KeyedUnarchiver.unarchivedObject(of: [After].self, from: data)
    }
    #expect(try KeyedUnarchiver.unarchivedObject(of: [AfterAll].self, from: data) == [.text("a"), .other, .other])
  }

  @Test("An unknown case stands in dictionaries and payloads too") func nested() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: ["a": [Before.start, .note("x")], "b": []])
    #expect(try KeyedUnarchiver.unarchivedObject(of: [String: [AfterAll]].self, from: data) == ["a": [.other, .text("x")], "b": []])
  }
}
