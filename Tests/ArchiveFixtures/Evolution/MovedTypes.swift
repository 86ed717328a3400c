public import MirrorArchive

// Types that stood in another module before, where the tests have them under the same names.

/// A class that needs a remap of its module.
public final class MovedEntry: MirrorCoding {
  public var added = "new in this module"
  public var title = ""
  public var part: Part?
  public var kind = Kind.plain
  public var size = MovedSize(width: 1)
  public var box: MovedBox<MovedEntry.Part>?

  public final class Part: MirrorCoding {
    public var number = 0
  }
  public enum Kind: Equatable, Sendable {
    case plain
    case special(Int)
  }
}

public struct MovedSize: Hashable, Sendable, MirrorCodable {
  public static var archiveRules: ArchiveRules { ArchiveRules(formerNames: ["MirrorArchiveTests.MovedSize"]) }
  public var width: Int
}

public final class MovedBox<Value>: MirrorCoding {
  public var value: Value?
}

/// A class that knows its former names.
public final class MovedParcel: MirrorCoding {
  public override class var archiveRules: ArchiveRules { ArchiveRules(formerNames: ["MirrorArchiveTests.MovedParcel"]) }
  public var labels: [MovedSize] = []
  public var sender = "nobody"
  public var weight = 0.0
}
