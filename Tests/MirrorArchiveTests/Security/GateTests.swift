import Foundation
import MirrorArchive
import Testing

/// CASES row 28 and DESIGN 7: no object of a class that was not asked for is ever made.
@Suite("The gate", .serialized)
struct GateTests {
  /// Expects the archive to be refused for its types, and that nothing of the evil classes ran.
  private func expectClosed<Result>(naming name: String, sourceLocation: SourceLocation = #_sourceLocation, _ decode: () throws -> Result) {
    let before = [Evil.made.value, Evil.decoded.value, EvilHost.made.value]
    do {
      let result = try decode()
      Issue.record("the gate let \(result) through", sourceLocation: sourceLocation)
    } catch let error as ArchiveError {
      #expect([.typeNotAllowed, .unknownType].contains(error.code), "\(error)", sourceLocation: sourceLocation)
      #expect(error.message.contains(name), "\(error)", sourceLocation: sourceLocation)
    } catch {
      Issue.record(error, sourceLocation: sourceLocation)
    }
    #expect(
      [Evil.made.value, Evil.decoded.value, EvilHost.made.value] == before, "an initializer or a hook ran", sourceLocation: sourceLocation)
  }

  @Test("Evil as the root is refused before its init runs, by every call") func root() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: Evil())
    expectClosed(naming: "Evil") { try KeyedUnarchiver.unarchivedObject(of: Allowed.self, from: data) }
    expectClosed(naming: "Evil") { try KeyedUnarchiver.unarchivedObject(ofClass: Allowed.self, from: data) }
    expectClosed(naming: "Evil") { try KeyedUnarchiver.unarchivedObject(ofClasses: [Allowed.self, Host.self], from: data) }
    expectClosed(naming: "Evil") { try KeyedUnarchiver.unarchivedObject(of: Allowed.self, from: data, allowing: [Host.self]) }
    #expect(try KeyedUnarchiver.unarchivedObject(ofClass: Evil.self, from: data).payload == "evil")
  }

  @Test("Evil in a root array or dictionary is refused before its init runs") func rootCollection() throws {
    let list = try KeyedArchiver.archivedData(withRootObject: [Evil(), Evil()])
    expectClosed(naming: "Evil") { try KeyedUnarchiver.unarchivedObject(of: [Allowed].self, from: list) }
    expectClosed(naming: "Evil") { try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Allowed.self, from: list) }
    let table = try KeyedArchiver.archivedData(withRootObject: ["a": Evil()])
    expectClosed(naming: "Evil") {
      try KeyedUnarchiver.unarchivedDictionary(ofKeyClass: String.self, objectClass: Allowed.self, from: table)
    }
    expectClosed(naming: "Evil") { try KeyedUnarchiver.unarchivedObject(of: [String: Allowed].self, from: table) }
  }

  @Test("A class that the writer allowed and the reader did not is refused, wherever it hides", arguments: Hideout.allCases)
  func hidden(place: Hideout) throws {
    let data = try KeyedArchiver.archivedData(withRootObject: place.graph(), allowing: [EvilHost.self])
    expectClosed(naming: "EvilHost") { try KeyedUnarchiver.unarchivedObject(ofClass: Hideouts.self, from: data) }
    let read = try KeyedUnarchiver.unarchivedObject(of: Hideouts.self, from: data, allowing: [EvilHost.self])
    #expect(read.name(of: place) == "EvilHost")
  }

  @Test("A reader that switched the writer's check off is still protected", arguments: Hideout.allCases)
  func writtenInsecurely(place: Hideout) throws {
    let data = try KeyedArchiver.archivedData(withRootObject: place.graph(), requiringSecureCoding: false)
    expectClosed(naming: "EvilHost") { try KeyedUnarchiver.unarchivedObject(of: Hideouts.self, from: data) }
  }

  @Test("The gate holds in a process where nothing was planned before") func freshProcess() async throws {
    let root = try HandOver.write(KeyedArchiver.archivedData(withRootObject: Evil()))
    let hidden = try HandOver.write(KeyedArchiver.archivedData(withRootObject: Hideout.anyNested.graph(), allowing: [EvilHost.self]))
    defer {
      HandOver.remove(root)
      HandOver.remove(hidden)
    }
    await #expect(processExitsWith: .success) { [root = root as String, hidden = hidden as String] in
      let rootData = try HandOver.read(root)
      let hiddenData = try HandOver.read(hidden)
      #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(ofClass: Allowed.self, from: rootData) }
      #expect(throws: ArchiveError.self) { try KeyedUnarchiver.unarchivedObject(ofClass: Hideouts.self, from: hiddenData) }
      #expect(Evil.made.value == 0 && EvilHost.made.value == 0)
    }
  }

  /// Two views of one archive name: what the first wrote as one class, the second declares as another.
  final class WriterView: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "gate.view") }
    var first: Evil?
    var item: Evil?
    var list: [Evil] = []
  }
  final class ReaderView: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "gate.view") }
    var first: Evil?
    var item: Allowed?
    var list: [Allowed] = []
  }

  @Test("A back reference is checked like a first reference: an allowed class in a property of another class is refused")
  func backReference() throws {
    let written = WriterView()
    let evil = Evil()
    written.first = evil
    written.item = evil
    let data = try KeyedArchiver.archivedData(withRootObject: written)
    let error = expectMismatch { try KeyedUnarchiver.unarchivedObject(ofClass: ReaderView.self, from: data) }
    #expect(error?.path.contains("item") == true, "\(String(describing: error))")
    written.item = nil
    written.list = [evil]
    let inList = try KeyedArchiver.archivedData(withRootObject: written)
    let listError = expectMismatch { try KeyedUnarchiver.unarchivedObject(ofClass: ReaderView.self, from: inList) }
    #expect(listError?.path.contains("list") == true, "\(String(describing: listError))")
  }

  @Test("The check of a reference against its property holds when any class is allowed") func unsafeStillChecked() throws {
    let written = WriterView()
    written.item = Evil()
    let data = try KeyedArchiver.archivedData(withRootObject: written)
    expectMismatch {
      try KeyedUnarchiver.unarchivedObject(of: ReaderView.self, from: data, allowing: [Evil.self], unsafelyAllowingAnyClass: true)
    }
  }

  @discardableResult
  private func expectMismatch<Result>(_ decode: () throws -> Result) -> ArchiveError? {
    do {
      Issue.record("read \(try decode())")
    } catch let error as ArchiveError {
      #expect([.typeMismatch, .typeNotAllowed].contains(error.code), "\(error)")
      return error
    } catch {
      Issue.record(error)
    }
    return nil
  }

  final class ListView: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "gate.retyped") }
    var value: [Int] = [1, 2, 3]
  }
  final class TextView: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "gate.retyped") }
    var value = ""
  }

  @Test("A property of quite another type throws instead of being reinterpreted") func retyped() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: ListView())
    expectRefusal(.typeMismatch, at: "value") { try KeyedUnarchiver.unarchivedObject(ofClass: TextView.self, from: data) }
    let text = try KeyedArchiver.archivedData(withRootObject: TextView())
    expectRefusal(.typeMismatch, at: "value") { try KeyedUnarchiver.unarchivedObject(ofClass: ListView.self, from: text) }
  }
}

extension Hideouts {
  /// The class name of the object that was found at a place.
  fileprivate func name(of place: Hideout) -> String {
    let found: Any? =
      switch place {
      case .host: host
      case .hosts: hosts[1]
      case .hostByName: hostByName["b"]
      case .any: any
      case .anyList: anyList[2]
      case .anyTable: anyTable["b"]
      case .anyNested: ((anyTable["a"] as? [Any])?.first as? [String: Any])?["b"]
      case .object: object
      case .choice: if case .left(let host) = choice { host } else { nil }
      case .pair: pair.first
      case .optional: optional ?? nil
      case .tuple: tuple.1
      case .weak: weakHost
      case .inline: inline[1]
      }
    return found.map { "\(type(of: $0))" } ?? "nothing"
  }
}
