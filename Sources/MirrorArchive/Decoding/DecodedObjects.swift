import ArchiveFormat
import ArchiveReflection

/// The objects of an archive that is being read, by number. All of them are made before the first property is filled.
@safe
struct DecodedObjects: ~Copyable {
  private let pointers: UnsafeMutablePointer<UnsafeMutableRawPointer>
  /// Where each block begins; one more than there are blocks.
  private let starts: UnsafeMutablePointer<Int>
  private let entries: [Int]
  let blockCount: Int
  let total: Int
  private var made = 0
  /// Blocks of objects that were allocated without an initializer: which of their fields hold values so far.
  private var filled: [Int: [(codec: ValueCodec, offset: Int)]] = [:]
  private var plans: [ClassPlan?]
  /// Whether objects that no initializer fills may still have fields without values.
  var hasBareMemory = true
  /// Per object: whether the one count this table holds was handed over to the first reference that was stored.
  private let isHandedOver: UnsafeMutablePointer<Bool>
  /// Counts are handed over only while no user code but `init()` can run, which might let go of an object that is still needed.
  var mayHandOver = false

  init(_ blocks: [BlockHeader]) {
    blockCount = blocks.count
    unsafe starts = .allocate(capacity: blocks.count + 1)
    var total = 0
    for (i, block) in blocks.enumerated() {
      unsafe starts[i] = total
      total += block.count
    }
    unsafe starts[blocks.count] = total
    self.total = total
    entries = blocks.map { $0.type.entryIndex ?? 0 }
    plans = Array(repeating: nil, count: blocks.count)
    unsafe pointers = .allocate(capacity: max(total, 1))
    unsafe isHandedOver = .allocate(capacity: max(total, 1))
    unsafe isHandedOver.initialize(repeating: false, count: total)
  }

  deinit {
    // SAFETY: the first `made` pointers are objects that this table retains.
    for i in 0..<made where unsafe !isHandedOver[i] { unsafe Unmanaged<AnyObject>.fromOpaque(pointers[i]).release() }
    unsafe isHandedOver.deallocate()
    unsafe pointers.deallocate()
    unsafe starts.deallocate()
  }

  /// The place of the object with this number, or nil if there is none.
  @inline(__always)
  func index(of number: Int64) -> Int? {
    if number < 0 { return nil }
    let block = Int(truncatingIfNeeded: number >> 10)
    if block >= blockCount { return nil }
    let index = unsafe starts[block] + Int(truncatingIfNeeded: number & 1023)
    return unsafe index < starts[block + 1] ? index : nil
  }

  /// The object at a place, without a count of its own.
  @inline(__always)
  subscript(index: Int) -> UnsafeMutableRawPointer { unsafe pointers[index] }

  /// The object at a place, with a count that the caller owns.
  @inline(__always)
  mutating func retained(_ index: Int) -> UnsafeMutableRawPointer {
    let object = unsafe pointers[index]
    if unsafe mayHandOver && !isHandedOver[index] {
      unsafe isHandedOver[index] = true
    } else {
      _ = unsafe Unmanaged<AnyObject>.fromOpaque(object).retain()
    }
    return unsafe object
  }

  /// Holds every object again, from here on to the end.
  mutating func holdAll() {
    if !mayHandOver { return }
    mayHandOver = false
    for i in 0..<made where unsafe isHandedOver[i] {
      _ = unsafe Unmanaged<AnyObject>.fromOpaque(pointers[i]).retain()
      unsafe isHandedOver[i] = false
    }
  }

  func entry(ofBlock block: Int) -> Int { entries[block] }

  /// The objects of one block.
  func rows(ofBlock block: Int, offset: Int = 0) -> Rows {
    unsafe Rows(pointers: pointers + starts[block], offset: offset, count: starts[block + 1] - starts[block])
  }

  /// Makes all objects of a block.
  mutating func make(block: Int, _ plan: ClassPlan) throws {
    plans[block] = plan
    if case .allocation = plan.construction { filled[block] = [] }
    let count = unsafe starts[block + 1] - starts[block]
    unsafe try plan.make(count, into: pointers + starts[block], made: &made)
    if filled[block] == nil { try verify(block: block, plan) }
  }

  /// Checks the plan against what `Mirror` sees in the block's first object, which must hold values.
  func verify(block: Int, _ plan: ClassPlan) throws {
    if unsafe starts[block + 1] == starts[block] { return }
    try plan.verify(with: unsafe Unmanaged<AnyObject>.fromOpaque(pointers[starts[block]]).takeUnretainedValue())
  }

  /// Whether the block's fields are still uninitialised memory until they are filled.
  func isBare(block: Int) -> Bool { filled[block] != nil }

  mutating func fill(block: Int, _ codec: ValueCodec, _ offset: Int) { filled[block]?.append((codec, offset)) }

  /// Gives up a graph: bare objects lose the fields they have and are freed without running `deinit`; the others lose their references,
  /// so that no chain of releases runs through the whole graph.
  mutating func abandon() {
    holdAll()
    for block in 0..<blockCount {
      guard let plan = plans[block] else { continue }
      // Only the objects that were made: the last block may be incomplete.
      let count = unsafe min(starts[block + 1], made) - starts[block]
      if count <= 0 { continue }
      let rows = rows(ofBlock: block).slice(0, count)
      if hasBareMemory, let fields = filled[block] {
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
  }
}
