import ArchiveFormat
import ArchiveReflection

/// Everything one decoding carries along; passed down as `inout`, so that no access needs a check at run time.
struct DecodingState: ~Copyable {
  var reader: ByteReader
  var scratch = Scratch()
  var objects: DecodedObjects
  /// Makes the binder when it is first needed.
  private let binding: Binding?
  /// Reads what only the archive names; for hand-coded objects everything they ask for.
  var binder: Binder?
  let skipper: ColumnSkipper
  private var pools: [UInt64: StringPoolReader] = [:]
  /// The one that was asked for last: records ask string by string.
  private var lastPool: (id: UInt64, pool: StringPoolReader)?
  /// The pools of an archive that is read in parts, until the first string of one is asked for.
  private var unreadPools: ByteReader?
  private let verifier: SegmentVerifier?
  /// The property whose strings are being read.
  var poolID: UInt64 = 0
  private var depth = 0
  /// What the archive may still become, in bytes, and the limits for single values.
  var allowance = 0
  var maximumDepth = EncodingState.maximumDepth
  var maximumStringLength = Int.max
  /// In how many sets and keys of dictionaries, inside each other, the value is that is being read.
  var keyDepth = 0
  /// Whether a value is being read for code of the program, which keeps what it gets.
  var isHandingOut = false
  /// What was read in another way than it was written.
  var notices = Notices()
  /// What structs become objects and objects structs with; nil as long as nobody asks for it.
  var converted: ConvertedObjects?
  /// Whether objects may be half filled: then no user code may look at them.
  var isFilling = true

  /// - Parameter allowance: What the archive may become; see `allowance(_:_:)`.
  init(layout: borrowing ArchiveLayout, binding: Binding, allowance: Int) throws {
    reader = unsafe ByteReader(UnsafeRawBufferPointer(start: nil, count: 0))
    skipper = ColumnSkipper(types: layout.types)
    self.binding = binding
    verifier = nil
    objects = DecodedObjects(layout.blocks)
    apply(binding.limits, allowance)
    try begin(layout, binding)
  }

  /// Begins with another archive, after `recycle`.
  mutating func restart(_ layout: borrowing ArchiveLayout, _ binding: Binding) throws {
    apply(binding.limits, try Self.allowance(layout, binding.limits))
    objects.begin(layout.blocks)
    try begin(layout, binding)
  }

  private mutating func begin(_ layout: borrowing ArchiveLayout, _ binding: Binding) throws {
    if !binding.valueEntries.isEmpty { converted = ConvertedObjects(layout.blockReaders) }
    if var section = layout.pools {
      for pool in try StringPoolSection(parsing: &section).pools {
        pools[pool.id] = StringPoolReader(count: pool.count, reader: pool.reader)
      }
    }
  }

  /// For a graph that comes about piece by piece.
  init(layout: borrowing ArchiveLayout, binder: Binder, allowance: Int) {
    reader = unsafe ByteReader(UnsafeRawBufferPointer(start: nil, count: 0))
    skipper = ColumnSkipper(types: layout.types)
    // Which classes are read as values turns out later.
    converted = ConvertedObjects(layout.blockReaders)
    binding = nil
    self.binder = binder
    verifier = layout.verifier
    unreadPools = layout.pools
    objects = DecodedObjects(layout.blocks, isGradual: true)
    isFilling = false
    apply(binder.options.limits, allowance)
  }

  /// Lets go of the objects and of everything that refers to the archive, and keeps the memory for another one that is read with the same
  /// binding. Lets go of objects, so code of the program may run.
  ///
  /// - Returns: False after anything out of the ordinary; then the state is of no more use.
  mutating func recycle() -> Bool {
    guard binding != nil, binder == nil, converted == nil, refusals == nil, notices.isUnused, objects.recycle() else { return false }
    reader = unsafe ByteReader(UnsafeRawBufferPointer(start: nil, count: 0))
    if !pools.isEmpty {
      pools = [:]
      lastPool = nil
    }
    scratch.recycle(limit: 65_536)
    depth = 0
    isFilling = true
    return true
  }

  deinit { binder?.unbind() }

  // MARK: What is reported

  /// Attributes all notices to the rows of a block.
  @inline(never)
  mutating func report(block: Int, place: String) { notices.report(place: place) { block << 10 | $0 } }

  /// The same for a value of a record.
  /// - Parameter object: The number of the object whose record it is; nil for the root.
  @inline(never)
  mutating func report(object: Int64?, place: String) {
    let object = object.map { Int(truncatingIfNeeded: $0) }
    notices.report(place: place) { _ in object }
  }

  // MARK: Nesting

  @inline(__always)
  mutating func enter() throws {
    depth &+= 1
    if depth > maximumDepth {
      depth &-= 1
      throw LocatedError(
        .nestingTooDeep, row: 0, offset: reader.offset, "values are nested more than \(maximumDepth) deep, which is maximumNestingDepth")
    }
  }

  @inline(__always)
  mutating func leave() { depth &-= 1 }

  // MARK: Errors

  mutating func invalid(_ message: String, row: Int) -> LocatedError { fail(.invalidValue, message, row) }
  mutating func malformed(_ message: String, row: Int) -> LocatedError { fail(.malformed, message, row) }
  mutating func missing(_ message: String) -> LocatedError { fail(.missingUnownedTarget, message, 0) }

  mutating func fail(_ code: ArchiveError.Code, _ message: String, _ row: Int) -> LocatedError {
    objects.holdAll()  // What was read so far is about to be given up, and with it counts that were handed over.
    return LocatedError(code, row: row, offset: reader.offset, message)
  }

  /// Throws while objects are half filled: hashing and comparing values of the program's types would show them to its code.
  func requireCompleteGraph(_ what: String, _ type: Any.Type) throws {
    if isFilling {
      throw LocatedError(
        .unsupportedType, row: 0, offset: reader.offset,
        "the \(what) in \(type) are hashed or compared by the program's own code, which has to wait until the object is complete, "
          + "and the object has no init() to begin with; let its class conform to MirrorInitializable")
    }
  }

  // MARK: Columns

  /// Passes over a column of any type.
  mutating func skip(_ type: TypeID, count: Int) throws {
    try skipper.skip(type, count: count, depth: depth, from: &reader)
  }

  /// Begins at the top again, after an error.
  mutating func forgetDepth() { (depth, keyDepth) = (0, 0) }

  /// Makes sure that a column is all there, and stays in front of it.
  func check(_ type: TypeID, count: Int) throws {
    var cursor = reader
    try skipper.skip(type, count: count, depth: depth, from: &cursor)
  }

  // MARK: Objects that are not made

  /// Why objects are not made; nil while there are none.
  var refusals: Refusals?

  final class Refusals {
    /// Per block.
    var blocks: [Int: ArchiveError] = [:]
    /// Why the first object of the last column was left out from which some were.
    var last: ArchiveError?
  }

  /// A reader for a type that only the archive names.
  mutating func openReader(for id: TypeID) throws -> ColumnReader {
    if binder == nil { binder = binding?.makeOpenBinder() }
    guard var taken = binder else { throw malformed("type \(id.rawValue) does not exist", row: 0) }
    binder = nil
    defer { binder = taken }
    return try taken.undoing { try $0.openReader(id) }
  }

  private mutating func readPools() throws {
    guard var section = unreadPools else { return }
    unreadPools = nil
    try verifier?.verify(section)
    for pool in try StringPoolSection(parsing: &section).pools {
      pools[pool.id] = StringPoolReader(count: pool.count, reader: pool.reader)
    }
  }

  /// Reads a column of strings. `store` gets each one, once all are known to be UTF-8.
  @inline(__always)
  mutating func strings(count: Int, store: (Int, String) -> Void) throws {
    if count == 0 { return }
    let mark = scratch.mark()
    defer { scratch.release(mark) }
    let lengths = unsafe scratch.allocate(Int64.self, count)
    let bytes: UnsafeRawBufferPointer
    var isASCII = false
    if count >= firstEncodedRowCount {
      switch try reader.readByte() {
      case BytesColumn.plainEncoding:
        unsafe bytes = try BytesColumn.decodeBody(count: count, from: &reader, lengths: lengths)
      case BytesColumn.pooledEncoding:
        return unsafe try pooled(count: count, lengths, store)
      case BytesColumn.numberedEncoding:
        let numbered = try NumberedStrings(from: &reader)
        try spend(count, each: numbered.maximumStringLength)
        let text = unsafe scratch.bytes(numbered.maximumByteCount(count), alignmentMask: 0)
        unsafe bytes = try numbered.decode(count: count, from: &reader, lengths: lengths, text: text)
        isASCII = numbered.hasOnlyASCII
      case let other: throw malformed("encoding \(other) of a column of strings does not exist", row: 0)
      }
    } else {
      unsafe bytes = try BytesColumn.decode(count: count, from: &reader, lengths: lengths)
    }
    if bytes.count > maximumStringLength { unsafe try checkLengths(lengths, count) }
    if !isASCII {
      switch unsafe UTF8Check.check(bytes) {
      case .ascii: isASCII = true
      case .valid: if unsafe !UTF8Check.begin(lengths, count: count, in: bytes) { throw unsafe notUTF8(lengths, count, bytes) }
      case .invalid: throw unsafe notUTF8(lengths, count, bytes)
      }
    }
    unsafe StringMaker.make(lengths, count: count, of: bytes, isASCII: isASCII, store)
  }

  /// The error of the first string that is not UTF-8.
  @inline(never)
  private mutating func notUTF8(_ lengths: UnsafePointer<Int64>, _ count: Int, _ bytes: UnsafeRawBufferPointer) -> LocatedError {
    var place = 0
    var row = 0
    while row < count - 1 {
      let end = place + Int(truncatingIfNeeded: unsafe lengths[row])
      if unsafe UTF8Check.check(UnsafeRawBufferPointer(rebasing: bytes[place..<end])) == .invalid { break }
      place = end
      row += 1
    }
    return invalid("the string is not valid UTF-8", row: row)
  }

  /// Reads a column of one string.
  mutating func string() throws -> String {
    let bytes = unsafe try BytesColumn.decodeOne(from: &reader)
    try checkLength(bytes.count)
    guard let string = unsafe StringMaker.make(checking: bytes) else {
      throw invalid("the string is not valid UTF-8", row: 0)
    }
    return string
  }

  /// Reads one string that stands in a pool.
  mutating func pooledString() throws -> String {
    let place = try reader.readZigzag()
    let pool = try pool()
    guard let place = Int(exactly: place), pool.strings.indices.contains(place) else {
      throw malformed("string \(place) is not in the property's pool", row: 0)
    }
    if keyDepth > 0 { try spend(1, each: KeyText.cost(pool.strings[place])) }
    return pool.strings[place]
  }

  private mutating func pool() throws -> StringPoolReader {
    if let lastPool, lastPool.id == poolID { return lastPool.pool }
    try readPools()
    guard let pool = pools[poolID] else { throw malformed("the string pool of this property is missing", row: 0) }
    if !pool.isLoaded {
      try spend(pool.count, each: MemoryLayout<String>.stride)
      try pool.load(maximumLength: maximumStringLength)
    }
    lastPool = (poolID, pool)
    return pool
  }

  @inline(__always)
  private mutating func pooled(count: Int, _ places: UnsafeMutablePointer<Int64>, _ store: (Int, String) -> Void) throws {
    unsafe try IntegerColumn.decode(count: count, from: &reader, into: places)
    let pool = try pool()
    for i in 0..<count {
      let place = unsafe places[i]
      guard place >= 0, place < pool.strings.count else { throw malformed("string \(place) is not in the property's pool", row: i) }
    }
    if keyDepth > 0 {
      for i in 0..<count { try spend(1, each: KeyText.cost(pool.strings[Int(truncatingIfNeeded: unsafe places[i])])) }
    }
    unsafe pool.strings.withUnsafeBufferPointer { strings in
      for i in 0..<count { unsafe store(i, strings[Int(truncatingIfNeeded: places[i])]) }
    }
  }
}
