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
  struct Block: BitwiseCopyable {
    // SAFETY: the entry of the class holds the plan as long as there are blocks of it. Copies of blocks would pay for a count.
    private unowned(unsafe) let uncounted: ClassPlan
    var plan: ClassPlan { unsafe uncounted }
    var objects: UnsafeMutablePointer<UnsafeMutableRawPointer>
    var capacity: Int
    var count = 0
    /// Rows already looked through for further objects.
    var scanned = 0
    var isPending = false
    /// What the references of its objects lead to: for each way of the plan one entry, once there is any.
    var notes: UnsafeMutablePointer<ReferenceNotes>?
    /// What is archived for its objects is known only at the end, because of what stands in `Any`.
    var isConditional = false

    init(plan: ClassPlan, objects: UnsafeMutablePointer<UnsafeMutableRawPointer>, capacity: Int) {
      unsafe uncounted = plan
      unsafe self.objects = unsafe objects
      self.capacity = capacity
    }
  }

  struct ClassEntry {
    /// The first word of its objects.
    let itsClass: UInt
    /// Nil for a class that can't be archived, but can replace its objects.
    var plan: ClassPlan?
    var openBlock = -1
    /// Its objects may be replaced, so they wait.
    let waits: Bool
    /// The class was checked and admitted.
    var isAdmitted: Bool
    /// Code of the class may change the graph.
    let hasHooks: Bool
  }

  var table = IdentityTable()
  var blocks: [Block] = []
  var classes: [ClassEntry] = []
  var classIndex: [ObjectIdentifier: Int] = [:]
  var pending: [Int] = []
  var nextPending = 0
  /// The block that is being looked through.
  var current = -1
  /// Buffers that were outgrown while somebody may still have been reading them.
  var retired: [UnsafeMutablePointer<UnsafeMutableRawPointer>] = unsafe []
  /// Buffers of new blocks that wait for the next graph.
  var spare: [UnsafeMutablePointer<UnsafeMutableRawPointer>] = unsafe []
  static let firstCapacity = 8
  /// Objects that have a number and no entry in the identity table.
  var hasUnlisted = false
  /// Code of the program may change the graph: from the first class that has some on, objects are kept alive, and each one is listed.
  var hasHooks = false
  /// What was noted about references holds until the graph may change, and as long as numbers fit the notes.
  var keepsNotes = true
  /// Whether headers of objects tell how many owners there are.
  let knowsOwners = OwnerCount.isKnown
  var substitutions = Substitutions()
  /// Whether every object may be replaced.
  var replacesAll = false
  /// What the coder calls classes, if it was told anything.
  var givenNames: GivenNames?
  /// The ends of the last runs of references.
  var lastEnds: [(block: Int, row: Int)] = []
  var nextEnd = 0
  var expected = 0
  /// The object that is searched for.
  private var target: UnsafeMutableRawPointer?

  init() {}

  deinit {
    releaseContents()
    for i in blocks.indices { unsafe blocks[i].objects.deallocate() }
    for entry in substitutions.entries { unsafe entry.object.release() }
    for i in unsafe retired.indices { unsafe retired[i].deallocate() }
    for i in unsafe spare.indices { unsafe spare[i].deallocate() }
  }

  // MARK: Numbers

  /// The number of an object that has one.
  mutating func number(of address: UnsafeRawPointer) -> UInt? {
    let key = UInt(bitPattern: address)
    if let number = table.number(of: key) { return number < Substitutions.firstNumber ? number : substitutions.number(number) }
    if !hasUnlisted { return nil }
    listAll()
    return table.number(of: key)
  }

  /// From here on objects are kept alive, and each one is listed.
  mutating func keepObjects() {
    if hasHooks { return }
    hasHooks = true
    keepsNotes = false
    for i in blocks.indices {
      for row in 0..<blocks[i].count { _ = unsafe Unmanaged<AnyObject>.fromOpaque(blocks[i].objects[row]).retain() }
    }
    listAll()
  }

  mutating func markConditional(block: Int) { blocks[block].isConditional = true }

  /// Lets the next objects begin new blocks.
  mutating func closeBlocks() {
    for i in classes.indices { classes[i].openBlock = -1 }
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

  /// Numbers do not fit the notes any more.
  mutating func endNotes() { keepsNotes = false }

  static func number(_ block: Int, _ row: Int) -> UInt { UInt(bitPattern: block) << 10 | UInt(bitPattern: row) }

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

  /// The number of the only object that a column refers to, nil if it has none.
  mutating func soleNumber(of address: UnsafeMutableRawPointer) -> UInt? {
    guard let number = unsafe resumed(address) ?? number(of: address) else { return nil }
    remember(Int(bitPattern: number >> 10), Int(bitPattern: number & 1023) &+ 1)
    return number
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

  mutating func search(forObjectAt address: UnsafeMutableRawPointer) { unsafe target = address }

  mutating func endSearch() { unsafe target = nil }

  /// The first of these rows that refers to the object.
  func find(in rows: Rows) -> Int? {
    // SAFETY: every row holds one strong reference, which is one word.
    (0..<rows.count).first { unsafe rows[$0].load(as: UnsafeMutableRawPointer.self) == target }
  }

  /// The class and number of an object, where no path leads.
  func name(of number: Int) -> String { "\(Reflection.unqualifiedName(of: blocks[number >> 10].plan.type))#\(number)" }

  // MARK: Looking through

  /// The next rows nobody has looked through, or nil when the whole graph is known.
  ///
  /// A block to which looking through itself adds rows comes again at once: so a chain of objects of one class is followed to its end.
  mutating func nextUnscanned() -> (block: Int, rows: Range<Int>)? {
    if current < 0 || blocks[current].scanned == blocks[current].count {
      if current >= 0 { blocks[current].isPending = false }
      current = -1
      guard nextPending < pending.count else { return nil }
      current = pending[nextPending]
      nextPending += 1
      if nextPending == 4096 {
        pending.removeFirst(nextPending)
        nextPending = 0
      }
    }
    return (current, takeUnscanned(current))
  }

  /// Tells that all rows of a block before `row` have been looked through.
  mutating func markScanned(_ row: Int, ofBlock block: Int) { blocks[block].scanned = max(blocks[block].scanned, row) }

  /// The rows of a block that nobody has looked through.
  mutating func takeUnscanned(_ block: Int) -> Range<Int> {
    let rows = blocks[block].scanned..<blocks[block].count
    blocks[block].scanned = rows.upperBound
    return rows
  }
}
