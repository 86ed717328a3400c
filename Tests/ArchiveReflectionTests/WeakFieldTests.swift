import ArchiveReflection
import Testing

protocol Friend: AnyObject { var greeting: String { get } }
protocol Colleague: AnyObject { var task: String { get } }

class Person: Friend, Colleague {
  let name: String
  init(_ name: String) { self.name = name }
  var greeting: String { "hello \(name)" }
  var task: String { "task of \(name)" }
}
final class Boss: Person {}
final class Stranger {}

@safe final class Links {
  weak var person: Person?
  var between = 1
  weak var friend: (any Friend)?
  weak var both: (any Friend & Colleague)?
  weak var anything: AnyObject?
  unowned var owner: Person
  unowned var maybeOwner: Person?
  unowned var friendOwner: any Friend
  unowned var maybeFriendOwner: (any Friend)?
  unowned(unsafe) var raw: Person
  unowned(unsafe) var maybeRaw: Person?
  unowned(unsafe) var maybeRawFriend: (any Friend)?
  var last = 2

  init(_ person: Person) {
    owner = person
    friendOwner = person
    unsafe raw = person
  }
}

@Suite("Weak and unowned properties")
struct WeakFieldTests {
  let ann = Person("ann")
  let bob = Boss("bob")

  @Test func `ownership is read from the records`() throws {
    let shape = try Reflection.classShape(of: Links.self, instance: Links(ann))
    let found = Dictionary(uniqueKeysWithValues: shape.levels[0].fields.map { ($0.name, $0.ownership) })
    #expect(
      found == [
        "person": .weak, "between": .strong, "friend": .weak, "both": .weak, "anything": .weak, "owner": .unowned, "maybeOwner": .unowned,
        "friendOwner": .unowned, "maybeFriendOwner": .unowned, "raw": .unmanaged, "maybeRaw": .unmanaged, "maybeRawFriend": .unmanaged,
        "last": .strong,
      ])
    #expect(same(try shape.field("person").type, Person?.self))
    #expect(same(try shape.field("friend").type, (any Friend)?.self))
    #expect(same(try shape.field("owner").type, Person.self))
    #expect(same(try shape.field("maybeRawFriend").type, (any Friend)?.self))
    #expect(try shape.field("both").size == 24)
    for field in shape.levels[0].fields { #expect(Reflection.refusal(for: field, in: "Links") == nil) }
  }

  static let optionalNames = ["person", "friend", "both", "anything", "maybeOwner", "maybeFriendOwner", "maybeRaw", "maybeRawFriend"]
  static let requiredNames = ["owner", "friendOwner", "raw"]

  private func assign(_ object: AnyObject?, _ name: String, of links: Links) throws -> Bool {
    let field = try Reflection.classShape(of: Links.self, instance: nil).field(name)
    return unsafe WeakField.assign(
      object, to: address(of: field, in: links), declared: WeakField.DeclaredType(field.type), ownership: field.ownership)
  }

  private func load(_ name: String, of links: Links) throws -> AnyObject? {
    let field = try Reflection.classShape(of: Links.self, instance: nil).field(name)
    return unsafe WeakField.load(address(of: field, in: links), ownership: field.ownership)
  }

  @Test(arguments: optionalNames + requiredNames)
  func `what is assigned is loaded`(name: String) throws {
    let links = Links(ann)
    for _ in 0..<3 {
      #expect(try assign(bob, name, of: links))
      #expect(try load(name, of: links) as? Person === bob)
      #expect(try assign(ann, name, of: links))
      #expect(try load(name, of: links) as? Person === ann)
    }
    #expect(links.between == 1 && links.last == 2)
  }

  @Test func `ordinary code sees what was assigned`() throws {
    let links = Links(ann)
    for name in Self.optionalNames + Self.requiredNames { #expect(try assign(bob, name, of: links)) }
    #expect(links.person === bob)
    #expect(links.friend?.greeting == "hello bob")
    #expect(links.both?.greeting == "hello bob" && links.both?.task == "task of bob")
    #expect(links.anything as? Person === bob)
    #expect(links.owner === bob)
    #expect(links.maybeOwner === bob)
    #expect(links.friendOwner.greeting == "hello bob")
    #expect(links.maybeFriendOwner?.greeting == "hello bob")
    unsafe #expect(links.raw === bob)
    unsafe #expect(links.maybeRaw === bob)
    unsafe #expect(links.maybeRawFriend?.greeting == "hello bob")
    for name in Self.optionalNames { #expect(try assign(nil, name, of: links)) }
    #expect(links.person == nil && links.friend == nil && links.both == nil && links.anything == nil)
    #expect(links.maybeOwner == nil && links.maybeFriendOwner == nil)
    unsafe #expect(links.maybeRaw == nil && links.maybeRawFriend == nil)
    for name in Self.requiredNames {
      #expect(try !assign(nil, name, of: links))
      #expect(try load(name, of: links) as? Person === bob)
    }
  }

  @Test func `an object of another type is not assigned`() throws {
    let links = Links(ann)
    let stranger = Stranger()
    for name in Self.optionalNames where name != "anything" {
      #expect(try assign(ann, name, of: links))
      #expect(try !assign(stranger, name, of: links), "\(name)")
      #expect(try load(name, of: links) as? Person === ann, "\(name)")
    }
  }

  @Test func `references do not keep their target and survive its end`() throws {
    let links = Links(ann)
    weak var gone: Person?
    do {
      let short = Person("short")
      gone = short
      for name in ["person", "friend", "both", "anything", "owner", "maybeOwner", "friendOwner"] {
        #expect(try assign(short, name, of: links))
      }
    }
    #expect(gone == nil)
    for name in ["person", "friend", "both", "anything", "owner", "maybeOwner", "friendOwner"] {
      #expect(try load(name, of: links) == nil, "\(name)")
    }
    #expect(links.person == nil)
    for name in ["owner", "maybeOwner", "friendOwner"] { #expect(try assign(ann, name, of: links)) }
    #expect(links.owner === ann)
  }
}
