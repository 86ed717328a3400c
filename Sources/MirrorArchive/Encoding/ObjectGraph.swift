import ArchiveFormat
import ArchiveReflection

/// The objects of one archive: which there are, in which block and row each one stands.
///
/// An object's number is `block * 1024 + row`: objects of one class that are reached one after another have consecutive numbers, whatever
/// other classes lie between them, so that columns of references become runs.
///
/// Most objects of most graphs have one owner. Such an object can be reached only once, so it gets a number without an entry in the identity
/// table; the table is completed when somebody asks for the number of an object that is not where references usually lead.
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
  private var pending: [Int] = []
  private var nextPending = 0
  /// Buffers that were outgrown while somebody may still have been reading them.
  private var retired: [UnsafeMutablePointer<UnsafeMutableRawPointer>] = unsafe []
  /// Objects that have a number and no entry in the identity table.
  private var hasUnlisted = false
  /// Hooks may change the graph: from the first class with a `willEncode` of its own on, objects are kept alive, and each one is listed.
  private var hasHooks = false
  /// The ends of the last runs of references.
  private var lastEnds: [(block: Int, row: Int)] = []
  private var nextEnd = 0
  private var expected = 0
  /// The object that is searched for.
  private var target: UnsafeMutableRawPointer?

  init() {}

  deinit {
    // SAFETY: with hooks, each stored pointer is an object that was retained when it was added.
    for i in blocks.indices {
      let block = blocks[i]
      if hasHooks {
        for row in 0..<block.count { unsafe Unmanaged<AnyObject>.fromOpaque(block.objects[row]).release() }
      }
      unsafe block.objects.deallocate()
    }
    for i in unsafe retired.indices { unsafe retired[i].deallocate() }
  }

  // MARK: Numbers

  /// The number of an object that has one.
  mutating func number(of address: UnsafeRawPointer) -> UInt? {
    let key = UInt(bitPattern: address)
    if let number = table.number(of: key) { return number }
    if !hasUnlisted { return nil }
    listAll()
    return table.number(of: key)
  }

  private mutating func listAll() {
    hasUnlisted = false
    table.reserve(blocks.reduce(0) { $0 + $1.count })
    for index in blocks.indices {
      for row in 0..<blocks[index].count {
        let key = UInt(bitPattern: unsafe blocks[index].objects[row])
        if let place = table.place(for: key) { table.enter(key, number: Self.number(index, row), at: place) }
      }
    }
  }

  private static func number(_ block: Int, _ row: Int) -> UInt { UInt(bitPattern: block) << 10 | UInt(bitPattern: row) }

  /// Writes the numbers of the objects of these rows. Returns the first row whose object has none, nil if all have one.
  ///
  /// References usually follow each other, so the next number is tried before the table is asked.
  mutating func numbers(of rows: Rows, into numbers: UnsafeMutablePointer<Int64>) -> Int? {
    var block = -1
    var row = 0
    var count = 0
    var objects: UnsafeMutablePointer<UnsafeMutableRawPointer>?
    defer { if block >= 0 { remember(block, row) } }
    for i in 0..<rows.count {
      // SAFETY: every row holds one strong reference, which is one word; `row` is compared with the block's count first.
      let address = unsafe rows[i].load(as: UnsafeMutableRawPointer.self)
      if row < count, let objects = unsafe objects, unsafe objects[row] == address {
        unsafe numbers[i] = Int64(block << 10 | row)
        row &+= 1
        continue
      }
      // The next block of the same class begins where this one ends; another column's references go on where its last ones ended.
      let number = unsafe (row == count ? first(of: address, after: block) : nil) ?? (i == 0 ? resumed(address) : nil)
      guard let found = unsafe number ?? self.number(of: address) else { return i }
      unsafe numbers[i] = Int64(found)
      block = Int(bitPattern: found >> 10)
      row = Int(bitPattern: found & 1023) &+ 1
      count = blocks[block].count
      unsafe objects = blocks[block].objects
    }
    return nil
  }

  /// Keeps the end of a run of references, where the same column's next run is likely to go on.
  private mutating func remember(_ block: Int, _ row: Int) {
    if lastEnds.count < 8 { lastEnds.append((block, row)) } else { lastEnds[nextEnd] = (block, row) }
    nextEnd = (nextEnd + 1) & 7
  }

  /// Tells that the objects of a block are being encoded: what the first of them refers to often stands right behind it.
  mutating func expect(block: Int) { expected = block }

  private mutating func resumed(_ address: UnsafeMutableRawPointer) -> UInt? {
    if expected < blocks.count, blocks[expected].count > 1, unsafe blocks[expected].objects[1] == address {
      return Self.number(expected, 1)
    }
    for i in lastEnds.indices {
      let (block, row) = lastEnds[i]
      if row < blocks[block].count, unsafe blocks[block].objects[row] == address {
        lastEnds[i] = (block, row + 1)
        return Self.number(block, row)
      }
      if row == blocks[block].count, let number = unsafe first(of: address, after: block) { return number }
    }
    return unsafe lastEnds.isEmpty ? first(of: address, after: -1) : nil
  }

  /// The number of an object that is the first one of a block nearby.
  private func first(of address: UnsafeMutableRawPointer, after block: Int) -> UInt? {
    for next in (block + 1)..<max(block + 1, min(block + 5, blocks.count)) where unsafe blocks[next].objects[0] == address {
      return Self.number(next, 0)
    }
    return nil
  }

  // MARK: Searching

  /// While an object is searched for, references are compared with it instead of being followed.
  var isSearching: Bool { unsafe target != nil }

  mutating func search(for number: UInt) {
    let block = Int(bitPattern: number >> 10)
    let row = Int(bitPattern: number & 1023)
    unsafe target = block < blocks.count && row < blocks[block].count ? blocks[block].objects[row] : nil
  }

  mutating func endSearch() { unsafe target = nil }

  /// The first of these rows that refers to the object.
  func find(in rows: Rows) -> Int? {
    // SAFETY: every row holds one strong reference, which is one word.
    (0..<rows.count).first { unsafe rows[$0].load(as: UnsafeMutableRawPointer.self) == target }
  }

  /// The class and number of an object, where no path leads.
  func name(of number: Int) -> String { "\(Reflection.unqualifiedName(of: blocks[number >> 10].plan.type))#\(number)" }

  // MARK: Discovery

  /// Gives numbers to the objects of these rows that have none.
  ///
  /// - Parameter failedRow: Set to the row at which it throws.
  mutating func reach(_ rows: Rows, admitting universe: Universe?, failedRow: inout Int) throws {
    var currentClass: UInt = 0
    var blockIndex = -1
    var count = 0
    var capacity = 0
    var objects: UnsafeMutablePointer<UnsafeMutableRawPointer>?
    var trustsOwners = rows.isExclusive && !hasHooks && OwnerCount.isKnown
    for i in 0..<rows.count {
      // SAFETY: every row holds one strong reference, which is one word, to a live object, whose first word is its class.
      let slot = unsafe rows[i].assumingMemoryBound(to: AnyObject.self)
      let object = unsafe UnsafeRawPointer(slot).load(as: UnsafeMutableRawPointer.self)
      let key = UInt(bitPattern: object)
      var place = -1
      if unsafe trustsOwners && OwnerCount.isOne(object) {
        hasUnlisted = true
      } else {
        guard let found = table.place(for: key) else { continue }
        place = found
      }
      let itsClass = unsafe object.load(as: UInt.self)
      let needsBlock = itsClass != currentClass || count == capacity
      if needsBlock {
        if blockIndex >= 0 { blocks[blockIndex].count = count }
        do {
          blockIndex = try unsafe openBlock(for: slot.pointee, universe)
        } catch {
          failedRow = i
          throw error
        }
        currentClass = itsClass
        count = blocks[blockIndex].count
        capacity = blocks[blockIndex].capacity
        trustsOwners = trustsOwners && !hasHooks
        unsafe objects = blocks[blockIndex].objects
      }
      unsafe objects.unsafelyUnwrapped[count] = object
      if hasHooks { _ = unsafe Unmanaged<AnyObject>.fromOpaque(object).retain() }
      if place >= 0 && !needsBlock {
        table.enter(key, number: Self.number(blockIndex, count), at: place)
      } else if place >= 0 || hasHooks, let place = table.place(for: key) {
        // Opening a block may have listed everything, and moved places.
        table.enter(key, number: Self.number(blockIndex, count), at: place)
      }
      count &+= 1
    }
    if blockIndex >= 0 { blocks[blockIndex].count = count }
  }

  /// A block with room for another object of this object's class, which waits to be looked through.
  private mutating func openBlock(for object: AnyObject, _ universe: Universe?) throws -> Int {
    let dynamicType: AnyClass = Swift.type(of: object)
    let index = try classIndex[ObjectIdentifier(dynamicType)] ?? addClass(dynamicType, object, universe)
    var blockIndex = classes[index].openBlock
    if blockIndex < 0 || blocks[blockIndex].count == maximumChunkRows {
      let capacity = blockIndex >= 0 ? maximumChunkRows : 8
      blockIndex = blocks.count
      blocks.append(unsafe Block(plan: classes[index].plan, objects: .allocate(capacity: capacity), capacity: capacity))
      classes[index].openBlock = blockIndex
    }
    if blocks[blockIndex].count == blocks[blockIndex].capacity { growBlock(blockIndex) }
    if !blocks[blockIndex].isPending {
      blocks[blockIndex].isPending = true
      pending.append(blockIndex)
    }
    return blockIndex
  }

  private mutating func growBlock(_ index: Int) {
    let old = unsafe blocks[index].objects
    let capacity = min(maximumChunkRows, blocks[index].capacity * 8)
    let new = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: capacity)
    unsafe new.update(from: old, count: blocks[index].count)
    unsafe blocks[index].objects = new
    blocks[index].capacity = capacity
    unsafe retired.append(old)
  }

  private mutating func addClass(_ type: AnyClass, _ instance: AnyObject, _ universe: Universe?) throws -> Int {
    let plan = try PlanRegistry.shared.classPlan(for: type)
    try plan.verify(with: instance)
    try universe?.admit(plan)
    _ = try plan.requireName()
    if plan.hasWillEncode && !hasHooks {
      hasHooks = true
      for i in blocks.indices {
        for row in 0..<blocks[i].count { _ = unsafe Unmanaged<AnyObject>.fromOpaque(blocks[i].objects[row]).retain() }
      }
      listAll()
    }
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
