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
    /// What is archived for its objects is known only at the end, because of what stands in `Any`.
    var isConditional = false
  }

  private struct ClassEntry {
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

  private var table = IdentityTable()
  private(set) var blocks: [Block] = []
  private var classes: [ClassEntry] = []
  private var classIndex: [ObjectIdentifier: Int] = [:]
  private var pending: [Int] = []
  private var nextPending = 0
  /// Buffers that were outgrown while somebody may still have been reading them.
  private var retired: [UnsafeMutablePointer<UnsafeMutableRawPointer>] = unsafe []
  /// Buffers of new blocks that wait for the next graph.
  private var spare: [UnsafeMutablePointer<UnsafeMutableRawPointer>] = unsafe []
  private static let firstCapacity = 8
  /// Objects that have a number and no entry in the identity table.
  private var hasUnlisted = false
  /// Code of the program may change the graph: from the first class that has some on, objects are kept alive, and each one is listed.
  private var hasHooks = false
  private(set) var substitutions = Substitutions()
  /// Whether every object may be replaced.
  var replacesAll = false
  /// What the coder calls classes, if it was told anything.
  var givenNames: GivenNames?
  /// The ends of the last runs of references.
  private var lastEnds: [(block: Int, row: Int)] = []
  private var nextEnd = 0
  private var expected = 0
  /// The object that is searched for.
  private var target: UnsafeMutableRawPointer?

  init() {}

  deinit {
    releaseObjects()
    for i in blocks.indices { unsafe blocks[i].objects.deallocate() }
    for entry in substitutions.entries { unsafe entry.object.release() }
    for i in unsafe retired.indices { unsafe retired[i].deallocate() }
    for i in unsafe spare.indices { unsafe spare[i].deallocate() }
  }

  private func releaseObjects() {
    if !hasHooks { return }
    // SAFETY: with hooks, each stored pointer is an object that was retained when it was added.
    for block in blocks {
      for row in 0..<block.count { unsafe Unmanaged<AnyObject>.fromOpaque(block.objects[row]).release() }
    }
  }

  /// Lets go of all objects and keeps what is known about classes, for another graph that is archived in the same way. Lets go of objects as
  /// the end of the graph would, so code of the program may run.
  ///
  /// - Returns: False if the graph was large or out of the ordinary; then it is of no more use.
  mutating func recycle() -> Bool {
    let isOrdinary =
      blocks.count <= Self.maximumKept && classes.count <= Self.maximumKept && substitutions.entries.isEmpty && !replacesAll
      && givenNames == nil && !blocks.contains { $0.plan.unknownClass != nil }
    if !isOrdinary { return false }
    releaseObjects()
    hasHooks = false
    for i in blocks.indices {
      // SAFETY: the block is forgotten below; its buffer is freed here or kept for another one.
      if blocks[i].capacity == Self.firstCapacity { unsafe spare.append(blocks[i].objects) } else { unsafe blocks[i].objects.deallocate() }
    }
    blocks.removeAll(keepingCapacity: true)
    if unsafe !retired.isEmpty {
      for i in unsafe retired.indices { unsafe retired[i].deallocate() }
      unsafe retired.removeAll()
    }
    closeBlocks()
    pending.removeAll(keepingCapacity: true)
    nextPending = 0
    table.removeAll()
    hasUnlisted = false
    lastEnds.removeAll(keepingCapacity: true)
    nextEnd = 0
    expected = 0
    return true
  }

  /// The most classes and blocks of a graph that another one begins with.
  private static let maximumKept = 64

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

  mutating func search(forObjectAt address: UnsafeMutableRawPointer) { unsafe target = address }

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
  /// - Parameters:
  ///   - isOpen: The rows declare no class.
  ///   - failedRow: Set to the row at which it throws.
  mutating func reach(_ rows: Rows, isOpen: Bool, admitting admission: inout EncodingGate, failedRow: inout Int) throws {
    var currentClass: UInt = 0
    var blockIndex = -1
    var count = 0
    var capacity = 0
    var objects: UnsafeMutablePointer<UnsafeMutableRawPointer>?
    var trustsOwners = rows.isExclusive && !hasHooks && OwnerCount.isKnown
    var next = 0
    while next < rows.count {
      let i = next
      next &+= 1
      // SAFETY: every row holds one strong reference, which is one word, to a live object, whose first word is its class.
      let slot = unsafe rows[i].assumingMemoryBound(to: AnyObject.self)
      let object = unsafe UnsafeRawPointer(slot).load(as: UnsafeMutableRawPointer.self)
      let key = UInt(bitPattern: object)
      let itsClass = unsafe object.load(as: UInt.self)
      var place = -1
      if unsafe trustsOwners && OwnerCount.isOne(object) {
        hasUnlisted = true
      } else {
        guard let found = table.place(for: key) else { continue }
        place = found
      }
      let needsBlock = itsClass != currentClass || count == capacity
      if needsBlock {
        if blockIndex >= 0 { blocks[blockIndex].count = count }
        do {
          blockIndex = try unsafe openBlock(for: slot.pointee, &admission)
        } catch {
          failedRow = i
          throw error
        }
        if blockIndex < 0 {
          wait(for: unsafe slot.pointee, isHandOver: admission.isHandOver, isOpen: isOpen)
          // The next object finds no block with room, either.
          currentClass = 0
          capacity = count
          trustsOwners = false
          continue
        }
        // Kept objects of different archived classes are of one class of this program: each is asked.
        currentClass = blocks[blockIndex].plan.unknownClass == nil ? itsClass : 0
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
      if trustsOwners {
        let first = next
        next = unsafe Self.take(rows, from: first, class: currentClass, into: objects.unsafelyUnwrapped, &count, capacity: capacity)
        hasUnlisted = hasUnlisted || next > first
      }
    }
    if blockIndex >= 0 { blocks[blockIndex].count = count }
  }

  /// Adds the objects of the next rows as long as nobody else refers to them, they are of the same class, and there is room: nearly all
  /// objects of nearly all graphs. Returns the first row that is something else.
  @inline(never)
  private static func take(
    _ rows: Rows, from first: Int, class itsClass: UInt, into objects: UnsafeMutablePointer<UnsafeMutableRawPointer>, _ count: inout Int,
    capacity: Int
  ) -> Int {
    let room = min(rows.count, first &+ capacity &- count)
    let target = unsafe objects + (count &- first)
    var i = first
    while i < room {
      // SAFETY: as where it is called; the row's object goes to the next free place.
      let object = unsafe rows[i].load(as: UnsafeMutableRawPointer.self)
      guard unsafe object.load(as: UInt.self) == itsClass && OwnerCount.isOne(object) else { break }
      unsafe target[i] = object
      i &+= 1
    }
    count &+= i &- first
    return i
  }

  /// A block with room for another object of this object's class, which waits to be looked through; -1 if the object itself has to wait.
  @inline(never)
  private mutating func openBlock(for object: AnyObject, _ admission: inout EncodingGate, isSettled: Bool = false) throws -> Int {
    let dynamicType: AnyClass = Swift.type(of: object)
    let index =
      try dynamicType == UnknownObject.self
      ? unknownClass(of: object) : classIndex[ObjectIdentifier(dynamicType)] ?? addClass(dynamicType, object, &admission)
    if classes[index].waits && !isSettled { return -1 }
    if classes[index].hasHooks { keepObjects() }
    guard classes[index].isAdmitted, let plan = classes[index].plan else {
      let plan = try PlanRegistry.shared.classPlan(for: dynamicType)
      try admit(plan, object, &admission)
      classes[index].plan = plan
      classes[index].isAdmitted = true
      return try openBlock(for: object, &admission, isSettled: isSettled)
    }
    var blockIndex = classes[index].openBlock
    if blockIndex < 0 || blocks[blockIndex].count == maximumChunkRows {
      let capacity = blockIndex >= 0 ? maximumChunkRows : Self.firstCapacity
      let kept = unsafe capacity == Self.firstCapacity ? spare.popLast() : nil
      blockIndex = blocks.count
      blocks.append(unsafe Block(plan: plan, objects: kept ?? .allocate(capacity: capacity), capacity: capacity))
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

  private mutating func addClass(_ type: AnyClass, _ instance: AnyObject, _ admission: inout EncodingGate) throws -> Int {
    var plan: ClassPlan?
    do {
      plan = try PlanRegistry.shared.classPlan(for: type)
    } catch {
      if !replacesAll && !(type is any ArchiveSubstitution.Type) { throw error }
    }
    let waits = plan.map { $0.substitutes || replacesAll } ?? true
    if let plan, !waits { try admit(plan, instance, &admission) }
    let hasHooks = waits || plan.map({ $0.hasWillEncode || $0.hasRecord }) ?? true
    if hasHooks { keepObjects() }
    let index = classes.count
    classes.append(ClassEntry(plan: plan, waits: waits, isAdmitted: !waits, hasHooks: hasHooks))
    classIndex[ObjectIdentifier(type)] = index
    return index
  }

  /// The archived class of a kept object; those that are described in the same way are one.
  private mutating func unknownClass(of object: AnyObject) throws -> Int {
    guard let kind = (object as? UnknownObject)?.content?.kind else {
      throw ArchiveError(.notArchivable, message: "an UnknownObject that no archive has brought cannot be archived")
    }
    if let known = classIndex[ObjectIdentifier(kind)] { return known }
    let equal = classes.firstIndex { $0.plan?.unknownClass.map { $0.name == kind.name && $0.type == kind.type } ?? false }
    let index = equal ?? classes.count
    if equal == nil { classes.append(ClassEntry(plan: kind.makePlan(), waits: replacesAll, isAdmitted: true, hasHooks: true)) }
    classIndex[ObjectIdentifier(kind)] = index
    // The description of the class lives as long as the objects.
    keepObjects()
    return index
  }

  private func admit(_ plan: ClassPlan, _ instance: AnyObject, _ admission: inout EncodingGate) throws {
    try plan.verify(with: instance)
    try admission.admit(plan)
    if givenNames?.contains(plan.type) != true { _ = try plan.requireName() }
  }

  // MARK: Substitution

  /// Lists an object whose number follows once it is known what is archived for it.
  @inline(never)
  private mutating func wait(for object: AnyObject, isHandOver: Bool, isOpen: Bool) {
    let reference = unsafe Unmanaged.passUnretained(object)
    let key = unsafe UInt(bitPattern: reference.toOpaque())
    guard let place = table.place(for: key) else { return }
    let standIn = unsafe substitutions.add(reference.retain(), isHandOver: isHandOver, isOpen: isOpen)
    table.enter(key, number: standIn, at: place)
  }

  /// What is known about an object that may be archived for another one.
  enum Knowledge {
    case nothing
    case number(UInt)
    /// Its own entry in the list of those that may be replaced.
    case listed(Int)
  }

  func knowledge(of object: AnyObject) -> Knowledge {
    guard let number = table.number(of: unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())) else { return .nothing }
    return number < Substitutions.firstNumber ? .number(number) : .listed(Int(number - Substitutions.firstNumber))
  }

  /// Lists an object that was handed out as a replacement and may be replaced itself.
  mutating func list(_ object: AnyObject, like other: Int) -> Int {
    let entry = substitutions.entries[other]
    wait(for: object, isHandOver: entry.isHandOver, isOpen: entry.isOpen)
    return substitutions.entries.count - 1
  }

  /// Whether nothing is archived for the object at this address.
  func isNothing(_ address: UnsafeRawPointer) -> Bool {
    guard substitutions.hasNothing, let number = table.number(of: UInt(bitPattern: address)), number >= Substitutions.firstNumber else {
      return false
    }
    if case .nothing = substitutions.outcome(Int(number - Substitutions.firstNumber)) { return true }
    return false
  }

  mutating func settle(_ index: Int, _ outcome: Substitutions.Outcome) { substitutions.settle(index, outcome) }
  mutating func nextWaiting() -> Int? { substitutions.nextWaiting() }

  /// Gives a number to an object that nothing is to be archived for but itself.
  mutating func add(_ object: AnyObject, admitting admission: inout EncodingGate) throws -> UInt {
    let blockIndex = try openBlock(for: object, &admission, isSettled: true)
    let row = blocks[blockIndex].count
    let number = Self.number(blockIndex, row)
    let address = unsafe Unmanaged.passRetained(object).toOpaque()
    unsafe blocks[blockIndex].objects[row] = address
    blocks[blockIndex].count += 1
    let key = UInt(bitPattern: address)
    // One that waited keeps its entry in the list, which leads to the number.
    if let place = table.place(for: key) { table.enter(key, number: number, at: place) }
    return number
  }

  // MARK: Looking through

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
