import ArchiveFormat

/// What code of the program takes part in during one encoding: hand-coded objects, replacements, root keys.
@safe
struct Recorder: ~Copyable {
  /// Lives longer than this, unless this owns it.
  private let coderReference: Unmanaged<KeyedArchiver>
  private let ownsCoder: Bool
  var shapes = ShapeTrie()
  private var classes: [ObjectIdentifier: ClassRecording] = [:]
  private var blocks: [RecordBlock?] = []

  // MARK: The record being taken

  /// Where it goes; nil between records.
  var block: RecordBlock?
  /// The object's number; nil for containers at the top level.
  var object: Int?
  var frame = RecordFrame(start: 0)
  /// The frames around it.
  var outer: [RecordFrame] = []
  /// At the top level: the key of the value that is being encoded.
  var rootKey = ""

  // MARK: The archive

  /// What is at the top level, where the coder encodes key by key.
  var roots = RootRecords()
  /// The value at the top level that is being encoded, as long as it lies in memory.
  var currentRoot: CurrentRoot?
  /// The bytes of records that are not among the archive's own yet.
  var pendingByteCount = 0

  init(_ coder: KeyedArchiver, owned: Bool) {
    ownsCoder = owned
    unsafe coderReference = owned ? Unmanaged.passRetained(coder) : Unmanaged.passUnretained(coder)
  }

  deinit {
    if ownsCoder {
      coder.retire()
      unsafe coderReference.release()
    }
  }

  /// The coder that code of the program gets to see.
  var coder: KeyedArchiver { unsafe coderReference.takeUnretainedValue() }

  /// The records of a block that has some.
  func records(of block: Int) -> RecordBlock? { block < blocks.count ? blocks[block] : nil }

  /// The same, made on first use.
  mutating func records(of index: Int, _ plan: ClassPlan, _ types: inout TypeTableBuilder) throws -> RecordBlock {
    if let known = records(of: index) { return known }
    let key = ObjectIdentifier(plan.type)
    let recording: ClassRecording
    if let known = classes[key] {
      recording = known
    } else {
      recording = try ClassRecording(plan, &types)
      classes[key] = recording
    }
    while blocks.count <= index { blocks.append(nil) }
    let block = RecordBlock(recording)
    blocks[index] = block
    return block
  }
}

/// One object or nested container whose values are being handed over.
struct RecordFrame {
  /// The shape so far.
  var node = ShapeTrie.root
  /// The edge that will probably be taken next.
  var guess = 0
  /// The first edge that was taken.
  var firstEdge = 0
  /// The edge that was taken last, and where it begins.
  var taken = (node: 0, edge: 0)
  /// The keys so far, from the first one on that this shape never had before.
  var keys: Set<String>?
  /// How many values without a key there were.
  var unkeyedCount = 0
  /// Where its body begins in the bytes that are being written.
  let start: Int
  /// The way from the object to this container, such as `.position`.
  var place = ""
  /// For a container: the edge that led to it.
  var opener: (node: Int, edge: Int)?
  /// For a container: where it stands in the list of deferred values.
  var deferredIndex = 0
}

/// The recorder of an encoding, made when it is needed.
@safe
struct RecorderBox: ~Copyable {
  private(set) var pointer: UnsafeMutablePointer<Recorder>?

  deinit {
    // SAFETY: allocated and initialised by `fill` alone.
    if let pointer = unsafe pointer {
      unsafe pointer.deinitialize(count: 1)
      unsafe pointer.deallocate()
    }
  }

  mutating func fill(_ recorder: consuming Recorder) {
    let pointer = UnsafeMutablePointer<Recorder>.allocate(capacity: 1)
    unsafe pointer.initialize(to: recorder)
    unsafe self.pointer = unsafe pointer
  }
}

/// A value at the top level, for paths.
struct CurrentRoot {
  let rows: Rows
  let codec: ValueCodec
  let key: String
}

/// The values at the top level of an archive that is encoded key by key.
struct RootRecords {
  var keys: [(key: String, type: TypeID)] = []
  var used: Set<String> = []
  /// Their bytes, a row for each.
  let block = RecordBlock(nil)
  /// The bytes of the blocks: where each of them begins and how many there are; nil for those that wait for the end.
  var places: [(start: Int, count: Int)?] = []
  var deferredBlocks: [Int] = []
  /// Blocks that nobody has been told of, if there is somebody to tell.
  var writtenBlocks: [Int] = []
}
