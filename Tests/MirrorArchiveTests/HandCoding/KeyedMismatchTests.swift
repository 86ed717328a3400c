import Foundation
import MirrorArchive
import Testing

/// Everything that can be stored, asked for as everything else, again and again by the same coder.
@Suite("Everything asked as everything")
struct KeyedMismatchTests {
  struct Point: Hashable { var x = 1, y = 2.5 }
  enum Choice: Hashable {
    case number(Int)
    case text(String?)
    case none
  }
  final class Leaf: MirrorCoding, Hashable {
    var number = 5
    static func == (left: Leaf, right: Leaf) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// One kind of value: written under its name, and asked for.
  struct Kind {
    let name: String
    let write: (KeyedArchiver) throws -> Void
    /// Whether the value under the key was read as this kind.
    let read: (KeyedUnarchiver, String) throws -> Bool

    init<Value>(_ value: Value) {
      name = "\(Value.self)"
      let key = name
      write = { try $0.encode(value, forKey: key) }
      read = { coder, key in
        let first = Result { try coder.decode(Value.self, forKey: key) }
        let second = Result { try coder.decodeIfPresent(Value.self, forKey: key) }
        let third = Result { try coder.decode(Value?.self, forKey: key) }
        let fourth = Result { try coder.decode([Value].self, forKey: key) }
        for error in [first.failure, second.failure, third.failure, fourth.failure] {
          if let error, !(error is ArchiveError) { Issue.record(error, "\(Value.self) from \(key)") }
        }
        if first.failure == nil { #expect(second.failure == nil && third.failure == nil, "\(Value.self) from \(key)") }
        return first.failure == nil
      }
    }
  }

  static var kinds: [Kind] {
    [
      Kind(5), Kind(UInt8(5)), Kind(2.5), Kind(true), Kind("text"), Kind(Date.distantPast), Kind(Data([1])), Kind(UUID()),
      Kind(URL(fileURLWithPath: "/tmp")), Kind(Decimal(5)), Kind(Character("c")), Kind(Int?.some(3)), Kind(String?.none),
      Kind(Int??.some(3)),
      Kind([1, 2]), Kind([1.5]), Kind(["a"]), Kind([Date.distantPast]), Kind([[1], []]), Kind([Int?.none, 1]), Kind([true]),
      Kind([UInt8(1)]),
      Kind(["a": 1]), Kind(["a": "b"]), Kind([1: "b"]), Kind(["a": [1]]), Kind(Set([1])), Kind(Set(["a"])), Kind(Point()), Kind([Point()]),
      Kind(["p": Point()]), Kind(Choice.number(1)), Kind([Choice.text(nil), .none]), Kind((1, "a")), Kind([(1, 2.5)]), Kind(Leaf()),
      Kind([Leaf()]), Kind(["l": Leaf()]), Kind([Leaf?.none]), Kind(Set([Leaf()])), Kind([Leaf(): 1]), Kind(Hand(1)), Kind([Hand(1)]),
      Kind(["h": Hand(1)]), Kind(Hand<Int>?.none), Kind(Pair(first: Hand(1), second: [Leaf()])),
      Kind(Either<Hand<Int>, Leaf>.right(Leaf())),
      Kind(Slot([Leaf()])), Kind(Box([Hand(1)])), Kind(Hand([Leaf()])), Kind(1..<3), Kind([1...3]), Kind(Duration.seconds(1)),
      Kind([1: [Hand(1)]]), Kind([[Leaf()], []]), Kind([1, "a"] as [Any]), Kind(["a": 1] as [String: Any]), Kind(()),
      Kind(InlineSample(values: [1, 2])), Kind([[String: [Date?]]]()), Kind([Date?.some(.distantPast)]),
    ]
  }
  struct InlineSample { var values: InlineArray<2, Int> }

  /// Asks for every value as every kind, twice round.
  static func ask(_ coder: KeyedUnarchiver) throws {
    for round in 0..<2 {
      for key in kinds {
        for kind in kinds {
          let isRead = try kind.read(coder, key.name)
          if kind.name == key.name, !isRead, !kind.name.hasPrefix("Optional<String>"), !kind.name.hasPrefix("Optional<Hand") {
            Issue.record("\(kind.name) is not read as itself, round \(round)")
          }
        }
      }
    }
  }

  @Test("Each is read or refused, never a crash, and the coder goes on", arguments: [KeyedPlace.top, .object, .inner, .extras, .member])
  func all(place: KeyedPlace) async {
    await #expect(processExitsWith: .success) { [name = place.rawValue as String] in
      reported {
        let place = try #require(KeyedPlace(rawValue: name))
        let data = try place.write { coder in for kind in KeyedMismatchTests.kinds { try kind.write(coder) } }
        try place.read(data) { try KeyedMismatchTests.ask($0) }
      }
    }
  }
}

extension Result {
  /// The error, if it is one.
  fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
