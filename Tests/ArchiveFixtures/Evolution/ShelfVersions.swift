public import MirrorArchive

/// A base class of a library, as its first release had it.
public enum FirstRelease {
  open class Shelf: MirrorCoding {
    open override class var archiveRules: ArchiveRules { ArchiveRules(name: "fixtures.Shelf", version: 1) }
    private var id = 1
    public var label = ""

    public final func setID(_ id: Int) { self.id = id }
    public final var shelfID: Int { id }
  }
}

/// The same class in a later release: it gained properties, one of which has the name of a property that subclasses have long had.
public enum SecondRelease {
  open class Shelf: MirrorCoding {
    open override class var archiveRules: ArchiveRules { ArchiveRules(name: "fixtures.Shelf", version: 2) }
    public var width = 80.5
    private var tags: [String] = ["of the library"]
    public var label = ""
    private var id = 2

    public final func setID(_ id: Int) { self.id = id }
    public final var shelfID: Int { id }
    public final var shelfTags: [String] { tags }
  }
}
