import ArchiveFormat
import ArchiveReflection

/// The objects of one archive: which there are, in which block and row each one stands.
///
/// An object's number is `block * 1024 + row`: objects of one class that are reached one after another have consecutive numbers, whatever
/// other classes lie between them, so that columns of references become runs. Objects are kept alive until the encoding has finished.
@safe
struct ObjectGraph: ~Copyable {
  @safe
  struct Block {
    let plan: ClassPlan
    var objects: UnsafeMutablePointer<UnsafeMutableRawPointer>
    var capacity: Int
    var count = 0
    /// Rows already looked through for further objects.
    var scanned = 0
    var isPending = false
  }

  private struct ClassEntry {
    let plan: ClassPlan
    var openBlock: Int
  }

  private var table = IdentityTable()
  private(set) var blocks: [Block] = []
  private var classes: [ClassEntry] = []
  private var classIndex: [ObjectIdentifier: Int] = [:]
  private var lastClass: (id: ObjectIdentifier, index: Int)?
  private var pending: [Int] = []
  private var nextPending = 0
  /// Buffers that were outgrown while somebody may still have been reading them.
  private var retired: [UnsafeMutablePointer<UnsafeMutableRawPointer>] = unsafe []

  init() {}

  deinit {
    // SAFETY: each stored pointer is an object that was retained when it was added.
    for block in blocks {
      for i in 0..<(block.count) { unsafe Unmanaged<AnyObject>.fromOpaque(block.objects[i]).release() }
      unsafe block.objects.deallocate()
    }
    for i in unsafe retired.indices { unsafe retired[i].deallocate() }
  }

  /// The number of an object that has one.
  @inline(__always)
  func number(of address: UnsafeRawPointer) -> UInt? { table.number(of: UInt(bitPattern: address)) }

  /// The object with this number, if there is one: lets callers guess the number of the next reference.
  @inline(__always)
  func address(of number: UInt) -> UnsafeRawPointer? {
    let block = Int(bitPattern: number >> 10)
    guard block < (blocks.count) else { return nil }
    let row = Int(bitPattern: number & 1023)
    return unsafe row < blocks[block].count ? UnsafeRawPointer(blocks[block].objects[row]) : nil
  }

  /// Gives the object a number if it has none.
  @inline(__always)
  mutating func reach(_ object: UnsafeMutableRawPointer, admitting universe: Universe?) throws {
    let key = UInt(bitPattern: object)
    guard let place = table.place(for: key) else { return }
    unsafe table.enter(key, number: try add(object, universe), at: place)
  }

  private mutating func add(_ object: UnsafeMutableRawPointer, _ universe: Universe?) throws -> UInt {
    // SAFETY: the caller hands over the address of a live object.
    let reference = unsafe Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue()
    let dynamicType: AnyClass = Swift.type(of: reference)
    let id = ObjectIdentifier(dynamicType)
    let index: Int
    if let lastClass, lastClass.id == id {
      index = lastClass.index
    } else {
      index = try classIndex[id] ?? addClass(dynamicType, reference, universe)
      lastClass = (id, index)
    }
    var blockIndex = classes[index].openBlock
    if blockIndex < 0 || blocks[blockIndex].count == maximumChunkRows {
      blockIndex = blocks.count
      unsafe blocks.append(
        Block(plan: classes[index].plan, objects: .allocate(capacity: blockIndex == 0 ? 8 : 64), capacity: blockIndex == 0 ? 8 : 64))
      classes[index].openBlock = blockIndex
    }
    let row = blocks[blockIndex].count
    if row == blocks[blockIndex].capacity { growBlock(blockIndex) }
    _ = unsafe Unmanaged<AnyObject>.fromOpaque(object).retain()
    unsafe blocks[blockIndex].objects[row] = object
    blocks[blockIndex].count = row + 1
    if !blocks[blockIndex].isPending {
      blocks[blockIndex].isPending = true
      pending.append(blockIndex)
    }
    return UInt(bitPattern: blockIndex) << 10 | UInt(bitPattern: row)
  }

  @inline(never)
  private mutating func growBlock(_ index: Int) {
    let old = unsafe blocks[index].objects
    let count = blocks[index].count
    let capacity = min(maximumChunkRows, blocks[index].capacity * 8)
    let new = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: capacity)
    unsafe new.update(from: old, count: count)
    unsafe blocks[index].objects = new
    blocks[index].capacity = capacity
    unsafe retired.append(old)
  }

  private mutating func addClass(_ type: AnyClass, _ instance: AnyObject, _ universe: Universe?) throws -> Int {
    let plan = try PlanRegistry.shared.classPlan(for: type)
    try plan.verify(with: instance)
    try universe?.admit(plan)
    _ = try plan.requireName()
    let index = classes.count
    classes.append(ClassEntry(plan: plan, openBlock: -1))
    classIndex[ObjectIdentifier(type)] = index
    return index
  }

  /// The next rows nobody has looked through, or nil when the whole graph is known.
  mutating func nextUnscanned() -> (block: Int, rows: Range<Int>)? {
    guard nextPending < pending.count else { return nil }
    let index = pending[nextPending]
    nextPending += 1
    if nextPending == 4096 {
      pending.removeFirst(nextPending)
      nextPending = 0
    }
    let rows = blocks[index].scanned..<blocks[index].count
    blocks[index].scanned = rows.upperBound
    blocks[index].isPending = false
    return (index, rows)
  }
}
