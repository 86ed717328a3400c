import ArchiveFormat
import ArchiveReflection

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The objects of an archive that is being read, by number. All objects of a block are made before the first of its properties is filled.
@safe
struct DecodedObjects: ~Copyable {
  /// Null for objects that have not been made.
  private var pointers: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  /// One more than there are blocks, which says where the last one ends.
  private var blocks: UnsafeMutablePointer<Block>
  private(set) var blockCount: Int
  private(set) var total: Int
  /// How many objects and blocks there is memory for.
  private var capacity: Int
  private var blockCapacity: Int
  /// Blocks of objects that were allocated without an initializer: which of their fields hold values so far.
  private var filled: [Int: [(codec: ValueCodec, offset: Int)]] = [:]
  /// Of those the blocks all of whose fields hold values.
  private var complete: Set<Int> = []
  /// And of those the ones from which no object with memory that holds no values can be reached.
  private var settled: Set<Int> = []
  /// Blocks whose objects somebody has: they are not taken apart any more.
  private var delivered: Set<Int> = []
  /// Whether objects that no initializer fills may still have fields without values.
  var hasBareMemory = true
  /// Per object: how many references to it were stored that are not counted yet.
  private var owed: UnsafeMutablePointer<UInt8>
  /// Counting waits until all is filled, so that no object is touched for a reference to it, and most of them get the one count that this table
  /// holds. Only while no user code but `init()` can run, which might let go of an object that is still needed.
  private(set) var isOwing = false
  /// Per object: how far it is, in graphs with objects that code of the program makes; nil in others, where all are there before the first
  /// reference is stored.
  private var states: UnsafeMutablePointer<UInt8>?
  /// What stands for an object everywhere, found by the object's own code or by a delegate.
  private var substitutes: [Int: AnyObject] = [:]

  @safe
  private struct Block {
    /// The place of its first object.
    var start: Int
    /// The place of its class in the type table.
    var entry: Int
    /// Retained here. Nil while its objects are not made.
    var plan: Unmanaged<ClassPlan>?
  }

  /// How far an object is.
  enum Progress: UInt8 {
    /// There, and what it will stay.
    case final
    /// Waits for its `init(coder:)`.
    case unmade
    case inProgress
    /// There; somebody may still put another object in its place.
    case raw
    /// The same, and references to it were stored already.
    case rawHandedOut
    case substituted
  }

  /// - Parameter isGradual: Objects come about one after another, and not all of them.
  init(_ headers: [BlockHeader], isGradual: Bool = false) {
    total = headers.reduce(0) { $0 + $1.count }
    capacity = total
    blockCount = headers.count
    blockCapacity = blockCount
    unsafe blocks = .allocate(capacity: blockCount + 1)
    unsafe pointers = Self.zeroed(UnsafeMutableRawPointer?.self, total)
    unsafe owed = Self.zeroed(UInt8.self, total)
    unsafe states = isGradual ? Self.zeroed(UInt8.self, total) : nil
    _ = list(headers)
  }

  /// Lists the blocks, for which there is memory, and returns how many objects they have.
  private func list(_ headers: [BlockHeader]) -> Int {
    var start = 0
    for i in headers.indices {
      unsafe (blocks + i).initialize(to: Block(start: start, entry: headers[i].type.entryIndex ?? 0))
      start += headers[i].count
    }
    unsafe (blocks + headers.count).initialize(to: Block(start: start, entry: 0))
    return start
  }

  /// Memory full of zeros, which costs nothing where nobody looks at it.
  private static func zeroed<T>(_: T.Type, _ count: Int) -> UnsafeMutablePointer<T> {
    guard let memory = unsafe calloc(max(count, 1), MemoryLayout<T>.stride) else { fatalError("there is no memory for \(count) objects") }
    return unsafe memory.bindMemory(to: T.self, capacity: max(count, 1))
  }

  deinit {
    releaseAll()
    releasePlans()
    unsafe free(owed)
    unsafe free(pointers)
    unsafe free(states)
    unsafe blocks.deallocate()
  }

  private func releaseAll() {
    // SAFETY: every pointer that is not null is an object that this table retains. All are counted before the first one is let go of.
    if isOwing {
      for i in 0..<total where unsafe owed[i] > 1 {
        // One reference gets the table's count.
        if let object = unsafe pointers[i] { unsafe retain(object, times: Int(owed[i]) &- 1) }
      }
    }
    for i in 0..<total where unsafe owed[i] == 0 {
      if let object = unsafe pointers[i] { unsafe Unmanaged<AnyObject>.fromOpaque(object).release() }
    }
  }

  private func releasePlans() {
    for block in 0..<blockCount { setPlan(nil, ofBlock: block) }
  }

  private func setPlan(_ plan: ClassPlan?, ofBlock block: Int) {
    // SAFETY: a block's plan is retained as long as it is the block's.
    let old = unsafe blocks[block].plan
    unsafe blocks[block].plan = plan.map { unsafe .passRetained($0) }
    unsafe old?.release()
  }

  /// The most objects whose memory is kept for another archive.
  private static let maximumKept = 1_024

  /// Lets go of all objects and keeps the memory for those of another archive, which `begin` says.
  ///
  /// - Returns: False if there were many, or some out of the ordinary; then nothing may be asked any more.
  mutating func recycle() -> Bool {
    guard capacity <= Self.maximumKept, blockCapacity <= Self.maximumKept, filled.isEmpty, delivered.isEmpty, substitutes.isEmpty,
      unsafe states == nil
    else { return false }
    releaseAll()
    releasePlans()
    // SAFETY: there is memory for that many. Null and false are zeros.
    for i in 0..<total {
      unsafe pointers[i] = nil
      unsafe owed[i] = 0
    }
    total = 0
    blockCount = 0
    isOwing = false
    hasBareMemory = true
    return true
  }

  /// Begins with the objects of an archive, after `recycle`.
  mutating func begin(_ headers: [BlockHeader]) {
    blockCount = headers.count
    if blockCount > blockCapacity {
      unsafe blocks.deallocate()
      unsafe blocks = .allocate(capacity: blockCount + 1)
      blockCapacity = blockCount
    }
    total = list(headers)
    if total <= capacity { return }
    unsafe free(pointers)
    unsafe free(owed)
    unsafe pointers = Self.zeroed(UnsafeMutableRawPointer?.self, total)
    unsafe owed = Self.zeroed(UInt8.self, total)
    capacity = total
  }

  /// Lets go of all objects: nothing may be asked any more.
  mutating func close() {
    releaseAll()
    releasePlans()
    for i in 0..<total { unsafe pointers[i] = nil }
    substitutes = [:]
  }

  // MARK: Numbers

  /// The place of the object with this number, or nil if there is none.
  @inline(__always)
  func index(of number: Int64) -> Int? {
    if number < 0 { return nil }
    let block = Int(truncatingIfNeeded: number >> 10)
    if block >= blockCount { return nil }
    let index = unsafe blocks[block].start + Int(truncatingIfNeeded: number & 1023)
    return unsafe index < blocks[block + 1].start ? index : nil
  }

  /// The object at a place, without a count of its own.
  @inline(__always)
  subscript(index: Int) -> UnsafeMutableRawPointer {
    // SAFETY: `resolve` admits only places of objects that have been made.
    let own = unsafe pointers[index].unsafelyUnwrapped
    return unsafe isGradual ? substitute(at: index) ?? own : own
  }

  /// The object at a place, with a count that the caller owns, though it may still be owed.
  @inline(__always)
  mutating func retained(_ index: Int) -> UnsafeMutableRawPointer {
    if unsafe isOwing && owed[index] < .max {
      unsafe owed[index] &+= 1
      return unsafe pointers[index].unsafelyUnwrapped
    }
    let object = unsafe self[index]
    _ = unsafe Unmanaged<AnyObject>.fromOpaque(object).retain()
    return unsafe object
  }

  /// References that are stored from here on may be counted later. Objects that come about one after another are counted at once.
  mutating func owe() { isOwing = !isGradual }

  /// Counts all references, and holds every object beside them, from here on to the end.
  mutating func holdAll() {
    if !isOwing { return }
    isOwing = false
    for i in 0..<total where unsafe owed[i] > 0 {
      if let object = unsafe pointers[i] { unsafe retain(object, times: Int(owed[i])) }
      unsafe owed[i] = 0
    }
  }

  func entry(ofBlock block: Int) -> Int { unsafe blocks[block].entry }
  func plan(ofBlock block: Int) -> ClassPlan? { unsafe blocks[block].plan?.takeUnretainedValue() }
  /// Whether the objects of a block exist, or are expected one by one.
  func isMade(block: Int) -> Bool { unsafe blocks[block].plan != nil }
  func count(ofBlock block: Int) -> Int { unsafe blocks[block + 1].start - blocks[block].start }
  func places(ofBlock block: Int) -> Range<Int> { unsafe Range(uncheckedBounds: (blocks[block].start, blocks[block + 1].start)) }

  /// The objects of one block, all of which have been made.
  func rows(ofBlock block: Int, offset: Int = 0) -> Rows {
    let count = unsafe blocks[block + 1].start - blocks[block].start
    // SAFETY: an Optional of a pointer is the pointer, and none of these is null.
    return unsafe (pointers + blocks[block].start).withMemoryRebound(to: UnsafeMutableRawPointer.self, capacity: count) {
      unsafe Rows(pointers: $0, offset: offset, count: count)
    }
  }

  // MARK: Making

  /// Makes all objects of a block.
  mutating func make(block: Int, _ plan: ClassPlan) throws {
    setPlan(plan, ofBlock: block)
    if plan.isAllocated { filled[block] = [] }
    let count = count(ofBlock: block)
    // SAFETY: an Optional of a pointer is the pointer; the memory is this block's.
    unsafe try (pointers + blocks[block].start).withMemoryRebound(to: UnsafeMutableRawPointer.self, capacity: count) {
      unsafe try plan.make(count, into: $0)
    }
    if !isBare(block: block) { try verify(block: block, plan) }
  }

  /// Checks the plan against what `Mirror` sees in the block's first object, which must hold values.
  func verify(block: Int, _ plan: ClassPlan) throws {
    guard unsafe blocks[block + 1].start > blocks[block].start, let first = unsafe pointers[blocks[block].start] else { return }
    try plan.verify(with: unsafe Unmanaged<AnyObject>.fromOpaque(first).takeUnretainedValue())
  }

  /// Whether the block's fields were uninitialised memory before they were filled.
  func isBare(block: Int) -> Bool { !filled.isEmpty && filled[block] != nil }
  /// Whether that is so for any block.
  var hasBareBlocks: Bool { !filled.isEmpty }

  mutating func fill(block: Int, _ codec: ValueCodec, _ offset: Int) { filled[block]?.append((codec, offset)) }

  /// All fields of a block hold values.
  mutating func completeMemory(ofBlock block: Int) { if filled[block] != nil { complete.insert(block) } }
  /// No object that exists has memory without values.
  mutating func settleMemory() {
    hasBareMemory = false
    settled.formUnion(filled.keys)
  }
  /// Whether any object that exists has memory without values, right now.
  var hasIncompleteMemory: Bool { complete.count < filled.count }
  func hasCompleteMemory(block: Int) -> Bool { !isBare(block: block) || complete.contains(block) }

  // MARK: Objects that come about one after another

  /// Whether code of the program makes or replaces objects of this graph.
  var isGradual: Bool { unsafe states != nil }

  func progress(at index: Int) -> Progress {
    guard let states = unsafe states else { return .final }
    return unsafe Progress(rawValue: states[index]) ?? .final
  }

  mutating func setProgress(_ progress: Progress, at index: Int) {
    if let states = unsafe states { unsafe states[index] = progress.rawValue }
  }

  /// A block whose objects are made one by one.
  mutating func expect(block: Int, _ plan: ClassPlan) {
    setPlan(plan, ofBlock: block)
    for i in unsafe blocks[block].start..<blocks[block + 1].start { setProgress(.unmade, at: i) }
  }

  /// A block of objects in whose place others may be put.
  mutating func expectSubstitutes(block: Int) {
    for i in unsafe blocks[block].start..<blocks[block + 1].start { setProgress(.raw, at: i) }
  }

  /// The object at a place as it was made, nil if it has not been.
  func original(at index: Int) -> AnyObject? {
    unsafe pointers[index].map { unsafe Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
  }

  mutating func put(_ object: AnyObject, at index: Int) {
    unsafe pointers[index] = Unmanaged.passRetained(object).toOpaque()
    setProgress(.final, at: index)
  }

  /// Takes back an object that was made one by one and then refused.
  mutating func withdraw(at index: Int) {
    if let object = unsafe pointers[index] {
      unsafe pointers[index] = nil
      unsafe Unmanaged<AnyObject>.fromOpaque(object).release()
    }
    setProgress(.unmade, at: index)
  }

  /// Puts another object in the place of one, for every reference that is stored from now on.
  mutating func substitute(_ object: AnyObject, at index: Int) {
    substitutes[index] = object
    setProgress(.substituted, at: index)
  }

  @inline(never)
  private func substitute(at index: Int) -> UnsafeMutableRawPointer? {
    guard progress(at: index) == .substituted, let object = substitutes[index] else { return nil }
    return unsafe Unmanaged.passUnretained(object).toOpaque()
  }

  /// The object that stands at a place.
  func object(at index: Int) -> AnyObject? { progress(at: index) == .substituted ? substitutes[index] : original(at: index) }

  /// Somebody has the objects of these blocks.
  mutating func deliver(blocks: [Int]) { delivered.formUnion(blocks) }

  // MARK: Giving up

  /// Gives up a graph: bare objects lose the fields they have and are freed without running `deinit`; the others lose their references,
  /// so that no chain of releases runs through the whole graph.
  mutating func abandon() {
    holdAll()
    for block in 0..<blockCount {
      guard let plan = plan(ofBlock: block), !plan.isHandCoded, !delivered.contains(block), count(ofBlock: block) > 0,
        unsafe pointers[blocks[block].start] != nil
      else { continue }
      let rows = rows(ofBlock: block)
      if hasBareMemory, !settled.contains(block), let fields = filled[block] {
        for (codec, offset) in fields { codec.destroy(rows.advanced(by: offset)) }
        unsafe rows.visit { _, p in unsafe ObjectAllocation.abandon(Unmanaged<AnyObject>.fromOpaque(p).takeUnretainedValue()) }
      } else {
        for level in plan.levels {
          for property in level.properties where property.codec.traits.hasReferences {
            property.codec.unlink(rows.advanced(by: property.offset))
          }
        }
      }
    }
    filled = [:]
    substitutes = [:]
  }
}
