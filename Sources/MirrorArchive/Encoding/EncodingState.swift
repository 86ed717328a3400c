import ArchiveFormat
import ArchiveReflection

/// Everything one encoding carries along; passed down as `inout`, so that no access needs a check at run time.
struct EncodingState: ~Copyable {
  /// Where columns go.
  ///
  /// In the end it holds the archive, from `archiveStart` on.
  var writer = ByteWriter(capacity: 2_048)
  /// Where the bytes of one string column are put together.
  var text = ByteWriter()
  var scratch = Scratch()
  var types = TypeTableBuilder()
  var graph = ObjectGraph()
  var pools = StringPools()
  var admission: EncodingGate
  /// Descriptions of graphs that were encoded before.
  var shapes = KnownShapes()
  /// Where the blocks of the archive stand.
  var headers: [BlockHeader] = []
  /// The only value at the top level, if there is one.
  var soleRoot = [RootKey(key: "root", type: .reference, byteCount: 0)]
  /// What code of the program takes part in; nothing while there is none.
  var recorder = RecorderBox()
  /// A value in `Any` was met that holds weak or unowned references.
  var hasMetConditional = false
  /// Whether dictionaries and sets are written in the order of their encoded keys instead of their own order of iteration.
  var sortsKeys = false
  private var depth = 0
  /// The most bytes the archive may have.
  var byteLimit = Int.max
  /// In how many sets and keys of dictionaries, inside each other, the value is that is being encoded.
  var keyDepth = 0
  /// The bytes that the collections of the archive become; objects come on top.
  var decodedByteCount = 0
  /// What the archive of a document that nobody has changed is filled up to; nil where that is reckoned from what it becomes.
  var documentLength: Int?
  /// What the archive is filled up to at least.
  var leastLength = 0

  /// How deeply values may be nested in values. Deep enough for any honest model, shallow enough for a 512 KiB stack.
  static let maximumDepth = 512

  /// Bytes in front of the first block that wait for header and tables, so that the blocks need not be moved.
  static let headroom = 1_024
  /// Where the archive begins in the writer.
  var archiveStart = 0

  init(universe: Universe?) {
    admission = EncodingGate(universe)
    _ = unsafe writer.appendUninitialized(Self.headroom)
  }

  /// Types of values in `Any` that a reader can make again from their description.
  private var readable: Set<ObjectIdentifier> = []

  /// Throws unless a reader can make exactly this type again from its description in the type table.
  mutating func requireReadable(_ type: Any.Type, as id: TypeID) throws {
    guard let universe = admission.widestUniverse, readable.insert(ObjectIdentifier(type)).inserted else { return }
    let binder = Binder(types: types.ownNamesTable, universe: universe, allowsAnyClass: false, names: nil)
    if let found = try? OpenTypes.type(id, binder), found == type { return }
    throw ArchiveError(
      .unsupportedType,
      message: "values of type \(type) cannot stand where Any or a protocol is declared, because a reader could not tell their exact type; "
        + "declare the property with this type, or hold the value in a struct of your own")
  }

  /// Counts one level of nesting; every call is matched by `leave`.
  @inline(__always)
  mutating func enter() throws {
    depth &+= 1
    if depth > Self.maximumDepth {
      throw LocatedError(
        .nestingTooDeep, row: 0,
        "values are nested more than \(Self.maximumDepth) deep; hold the nested values in objects of a class instead")
    }
  }

  @inline(__always)
  mutating func leave() { depth &-= 1 }

  /// Begins at the top again, after an error.
  mutating func forgetDepth() { depth = 0 }

  /// The most bytes of one buffer that are kept for another encoding.
  private static let keptCapacity = 65_536

  /// Lets go of the graph and the archive, and keeps memory and knowledge for another encoding that admits the same. Lets go of objects, so
  /// code of the program may run.
  ///
  /// - Returns: False after anything out of the ordinary; then the state is of no more use.
  mutating func recycle() -> Bool {
    guard unsafe recorder.pointer == nil, writer.allocatedCount <= Self.keptCapacity, text.allocatedCount <= Self.keptCapacity,
      graph.recycle()
    else { return false }
    writer.removeAll()
    writer.reserve(2_048)
    _ = unsafe writer.appendUninitialized(Self.headroom)
    text.removeAll()
    scratch.recycle(limit: Self.keptCapacity)
    if !types.table.entries.isEmpty { types = TypeTableBuilder() }
    if !pools.isEmpty { pools = StringPools() }
    if !readable.isEmpty { readable = [] }
    hasMetConditional = false
    archiveStart = 0
    depth = 0
    keyDepth = 0
    decodedByteCount = 0
    return true
  }
}
