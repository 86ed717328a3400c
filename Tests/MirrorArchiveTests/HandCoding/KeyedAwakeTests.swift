import MirrorArchive
import Testing

/// What an object may ask the coder for while it decides whether another one should stand in its place.
@Suite("awakeAfter and its keys") struct KeyedAwakeTests {
  final class Named: KeyedCoding {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "KeyedAwakeTests.Named") }
    let name: String
    init(_ name: String) { self.name = name }
    init(coder: KeyedUnarchiver) throws { name = try coder.decodeString(forKey: "name") }
    func encode(with coder: KeyedArchiver) throws { try coder.encode(name, forKey: "name") }
  }

  /// Looks at a key of its own after it has been made.
  class Token: KeyedCoding, ArchiveSubstitution {
    class var archiveRules: ArchiveRules { ArchiveRules(name: "KeyedAwakeTests.Token") }
    let name: String
    let isFailing: Bool
    private(set) var seen = ""
    init(_ name: String, isFailing: Bool = false) { (self.name, self.isFailing) = (name, isFailing) }
    required init(coder: KeyedUnarchiver) throws {
      name = try coder.decodeString(forKey: "name")
      isFailing = try coder.decodeBool(forKey: "isFailing")
    }
    func encode(with coder: KeyedArchiver) throws {
      try coder.encode(name, forKey: "name")
      try coder.encode(isFailing, forKey: "isFailing")
    }
    func awakeAfter(using coder: KeyedUnarchiver) throws -> AnyObject? {
      if isFailing { throw CancellationError() }
      seen = try coder.decodeString(forKey: "name")
      return self
    }
  }

  /// The same with properties and extras.
  final class Card: MirrorCoding, KeyedExtras, ArchiveSubstitution {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "KeyedAwakeTests.Card") }
    var title = ""
    var token: Token?
    @Transient var seen = ""
    func encodeExtras(with coder: KeyedArchiver) throws { try coder.encode(title + " extra", forKey: "extra") }
    func decodeExtras(with coder: KeyedUnarchiver) throws {}
    func awakeAfter(using coder: KeyedUnarchiver) throws -> AnyObject? {
      seen = try coder.decodeString(forKey: "extra")
      return self
    }
  }

  @Test("The keys are the object's own, hand-coded or beside properties") func ownKeys() throws {
    let cards = ["a", "b", "c"].map { name in
      let card = Card()
      (card.title, card.token) = (name, Token("token \(name)"))
      return card
    }
    let archiver = KeyedArchiver()
    try archiver.encode("the root's", forKey: "name")
    try archiver.encode("the root's", forKey: "extra")
    try archiver.encode(cards, forKey: "cards")
    let read = try KeyedUnarchiver(forReadingFrom: archiver.encodedData).decodeArrayOfObjects(ofClass: Card.self, forKey: "cards")
    #expect(read.map(\.seen) == ["a extra", "b extra", "c extra"])
    #expect(read.map { $0.token?.seen } == ["token a", "token b", "token c"])
  }

  @Test("An object whose awakeAfter throws is nobody's, also for the second who asks") func failing() throws {
    final class Asker: KeyedCoding {
      static var archiveRules: ArchiveRules { ArchiveRules(name: "KeyedAwakeTests.Asker") }
      let token: Token
      var results: [String] = []
      init(_ token: Token) { self.token = token }
      init(coder: KeyedUnarchiver) throws {
        token = Token("none")
        for _ in 0..<2 {
          do {
            results.append(try coder.decodeObject(of: Token.self, forKey: "token").name)
          } catch is CancellationError {
            results.append("refused")
          }
        }
      }
      func encode(with coder: KeyedArchiver) throws { try coder.encode(token, forKey: "token") }
    }
    let data = try KeyedArchiver.archivedData(withRootObject: Asker(Token("bad", isFailing: true)))
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Asker.self, from: data)
    #expect(read.results == ["refused", "refused"])
  }
}
