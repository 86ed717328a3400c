import ArchiveFormat
import MirrorArchive

/// Goes over a whole archive from its first byte to its last, and says what each of them means.
///
/// Reads as the format is described and not as objects are made, so that it can also show what is wrong with an archive: it ends at the first
/// contradiction, wherever that is. Holds what the tables say and a chunk of 1,024 rows at a time.
@safe package struct Anatomist<Sink: AnatomySink> {
  package var sink: Sink
  private let bytes: UnsafeRawBufferPointer
  let words: Bool
  /// At the next byte; inside of a column at most to its end.
  var reader: ByteReader

  // MARK: What has been read

  var flags: UInt8 = 0
  /// Behind the body: the seal.
  var behindBody: ByteReader
  /// What is wrong with the length of the archive, which need not keep anybody from looking at what is there.
  var wrongLength: FormatError?
  private var wrongChecksum: FormatError?
  var types = TypeTable()
  var blocks: [BlockHeader] = []
  var roots: [RootKey] = []
  /// The columns of the classes that have objects.
  var columnsByEntry: [Int: [(level: Int, property: Property)]] = [:]
  /// How many strings the pools have.
  var poolCounts: [UInt64: Int] = [:]
  /// Gives values in words.
  var values: ArchiveValues?

  // MARK: Where the walk is

  var labels = Labels()
  var poolID: UInt64 = 0
  var tasks: [Task] = []
  var waitingBodies: [(shape: Int64, length: Int)] = []
  var enclosing: [Enclosing] = []
  var firstOwnTask = 0

  /// - Parameter bytes: The archive, which has to outlive the walk.
  package init(_ bytes: UnsafeRawBufferPointer, _ sink: Sink) {
    self.sink = sink
    // SAFETY: the caller keeps the bytes for as long as the walk takes.
    unsafe self.bytes = unsafe bytes
    words = sink.wantsWords
    reader = unsafe ByteReader(bytes)
    behindBody = unsafe ByteReader(bytes)
  }

  /// Goes over the archive.
  ///
  /// - Throws: `FormatError` at the first contradiction, and what the sink throws.
  /// - Complexity: O(bytes).
  package mutating func run() throws {
    try head()
    do {
      try body()
    } catch let error as FormatError {
      // The reason of whatever else is wrong.
      throw wrongLength ?? error
    }
    if let wrongLength { throw wrongLength }
    guard reader.remaining == 0 else { throw reader.fail(.malformed, "\(reader.remaining) bytes of the body belong to nothing") }
    try seal()
  }

  private mutating func body() throws {
    try typeTable()
    if flags & FrameConstants.pools != 0 { try pools() }
    if flags & FrameConstants.simple != 0 {
      guard types[TypeID(entry: 0)]?.isObject == true else { throw reader.fail(.malformed, "the type of the object is not a class") }
      blocks = [BlockHeader(type: TypeID(entry: 0), count: 1, byteCount: reader.remaining)]
      knowObjects()
    } else {
      try tables()
      try rootValues()
    }
    try allBlocks()
    if flags & FrameConstants.filled != 0 { try filling() }
  }

  /// Tells the sink what the bytes from `start` up to where the reader is mean.
  mutating func emit(from start: ByteReader, _ depth: Int, _ meaning: String) throws {
    let length = reader.offset &- start.offset
    if length > 0 { try sink.annotate(Annotation(offset: start.offset, length: length, depth: depth, meaning: meaning)) }
  }

  /// The name of a column in words.
  func name(_ label: Labels.Label) -> String {
    labels.text(label, types) { component in
      switch component {
      case .root(let index): Text.quoted(roots[index].key, limit: 40)
      case .property(let entry, let ordinal): columnsByEntry[entry]?[ordinal].property.key ?? ""
      default: ""
      }
    }
  }

  // MARK: Head and seal

  private mutating func head() throws {
    try sink.begin(.head)
    var start = reader
    for byte in FrameConstants.magic {
      let at = reader
      guard reader.remaining > 0 else { throw reader.fail(.truncated, "the archive ends within its first bytes") }
      guard try reader.readByte() == byte else { throw at.fail(.notAnArchive, "the bytes do not begin like an archive") }
    }
    try emit(from: start, 0, words ? "magic" : "")
    start = reader
    let version = try reader.readByte()
    try emit(from: start, 0, words ? "format version \(version >> 4), for readers of version \(version & 15)" : "")
    guard version & 15 <= ArchiveFormatVersion.current else {
      throw start.fail(.newerFormat, "the archive needs a reader of format version \(version & 15)")
    }
    guard version & 15 > 0, version & 15 <= version >> 4 else {
      throw start.fail(.malformed, "the format version \(version >> 4) is impossible")
    }
    start = reader
    flags = try reader.readByte()
    try emit(from: start, 0, words ? "flags: \(Flag.text(flags))" : "")
    guard flags & ~FrameConstants.knownFlags == 0 else { throw start.fail(.malformed, "unknown flags") }
    guard flags & FrameConstants.simple == 0 || flags & FrameConstants.filled == 0 else {
      throw start.fail(.malformed, "a simple archive is never filled up")
    }
    start = reader
    let length = try reader.readCount()
    try emit(from: start, 0, words ? "the body has \(Text.count(length, "byte"))" : "")
    try findBody(length)
  }

  private mutating func findBody(_ length: Int) throws {
    let available = reader.remaining &- ArchiveSeal.hashLength
    if available < length {
      wrongLength = reader.fail(.truncated, "the archive ends before the \(length) bytes it announces and its checksum")
    }
    var whole = reader
    let body = try whole.slice(min(length, reader.remaining))
    behindBody = whole
    reader = body
  }

  private mutating func seal() throws {
    try sink.begin(.seal)
    let covered = behindBody.offset
    reader = behindBody
    let isSegmented = flags & FrameConstants.segmented != 0
    let length = ArchiveSeal.length(covering: covered, isSegmented: isSegmented)
    guard reader.remaining >= length else { throw reader.fail(.truncated, "the archive ends within its checksums") }
    let checksum = ArchiveSeal.Checksum(flags: flags)
    if isSegmented {
      for index in 0..<ArchiveSeal.segmentCount(covering: covered) {
        let first = index &* ArchiveSeal.segmentLength
        let end = min(first &+ ArchiveSeal.segmentLength, covered)
        try hash(checksum, first..<end, "checksum of segment \(index), bytes \(first)..<\(end)")
      }
      try hash(checksum, covered..<reader.offset, "checksum of these checksums")
    } else {
      try hash(checksum, 0..<covered, "checksum of all in front of it")
    }
    if let wrongChecksum { throw wrongChecksum }
    guard reader.remaining == 0 else { throw reader.fail(.trailingBytes, "\(reader.remaining) bytes follow the archive") }
  }

  private mutating func hash(_ checksum: ArchiveSeal.Checksum, _ range: Range<Int>, _ meaning: String) throws {
    let start = reader
    let stored = try reader.readLE64()
    guard words, sink.wants(from: start.offset, to: reader.offset) else { return try emit(from: start, 0, "") }
    // SAFETY: the range ends where the reader is, or before.
    let isRight = unsafe checksum.hash(UnsafeRawBufferPointer(rebasing: bytes[range])) == stored
    try emit(from: start, 0, "\(meaning): \(checksum == .xxh3 ? "XXH3" : "xxHash64"), \(isRight ? "right" : "WRONG")")
    if !isRight, wrongChecksum == nil {
      wrongChecksum = start.fail(.checksumMismatch, "the archive is damaged: the checksum of its bytes \(range) does not match")
    }
  }
}

/// The flags of an archive in words.
enum Flag {
  static let names: [(flag: UInt8, name: String, words: String)] = [
    (FrameConstants.simple, "simple", "simple"), (FrameConstants.pools, "pools", "string pools"),
    (FrameConstants.segmented, "segmented", "segmented"), (FrameConstants.xxh3, "xxh3", "XXH3"),
    (FrameConstants.filled, "filled", "filled"),
  ]

  static func text(_ flags: UInt8) -> String {
    let words = names.filter { flags & $0.flag != 0 }.map(\.words)
    let unknown = flags & ~FrameConstants.knownFlags
    let all = words + (unknown == 0 ? [] : ["unknown ones"])
    return all.isEmpty ? "none" : all.joined(separator: ", ")
  }
}

extension TypeTable {
  /// The columns of the blocks of a class: the properties of the topmost superclass first, with the entry of the class that declares each.
  func columns(ofClass entry: Int) -> [(level: Int, property: Property)] {
    var chain: [(level: Int, properties: [Property])] = []
    var next: Int? = entry
    while let index = next, entries.indices.contains(index), case .object(_, _, let superclass, let properties) = entries[index] {
      chain.append((index, properties))
      next = superclass?.entryIndex
    }
    return chain.reversed().flatMap { level in level.properties.map { (level.level, $0) } }
  }

  /// The name of a class, structure or enumeration; nil for other entries.
  func name(ofEntry index: Int) -> String? {
    guard entries.indices.contains(index) else { return nil }
    switch entries[index] {
    case .object(let name, _, _, _), .structure(let name, _, _), .enumeration(let name, _, _): return name
    default: return nil
    }
  }
}
