import MirrorArchive

/// Enums of every kind; none of them conforms to anything of the archiver.
enum Enums {
  enum Mode: String, CaseIterable {
    case off
    case slow = "very slow"
    case fast
  }
  enum Level: Int, CaseIterable {
    case low = -5
    case middle = 0
    case high = 1_000_000_007
  }
  enum Letter: Character, CaseIterable {
    case a = "a"
    case fruit = "🍎"
  }
  enum Plain: CaseIterable { case north, east, south, west }
  enum Only: CaseIterable { case one }

  enum Shape: Equatable {
    case circle(r: Double)
    case rectangle(width: Double, height: Double)
    case named(String)
    case none
    case unlabelled(Int, String?)
    case list([Int])
  }

  /// Cases that differ by their labels alone.
  enum Size: Equatable {
    case of(width: Int)
    case of(height: Int)
    case unknown
    case of(name: String)
  }

  /// A payload without size.
  enum Hollow {
    case void(Void)
    case empty(Empty)
    case full(Int)
    struct Empty {}
  }

  /// One payload case and one without: the layout that `Optional` has.
  enum Single: Equatable {
    case value(String)
    case nothing
    case less
  }

  enum Kind: Equatable {
    case daily
    case weekly(day: Int)
  }

  indirect enum Tree: Equatable {
    case leaf(Int)
    case node(Tree, Tree)
    case nothing
  }

  enum Chain: Equatable {
    case end
    indirect case link(Int, Chain)
  }

  enum Owner {
    case none
    case fruit(Fruit)
    case pair(Fruit, extra: Fruit?)
    case many([Fruit])
  }

  final class Fruit: MirrorCoding { var name = "" }

  enum Failure: Error, Equatable {
    case offline
    case status(Int, body: String)
  }

  enum Hashed: Hashable {
    case number(Int)
    case text(String)
    case neither
  }

  struct Outer<Element> {
    enum Inner {
      case element(Element)
      case nothing
    }
  }

  enum Nested: Equatable {
    case optional(Int?)
    case shape(Shape)
    case deep(Shape?, [Plain], [String: Mode])
  }
}
