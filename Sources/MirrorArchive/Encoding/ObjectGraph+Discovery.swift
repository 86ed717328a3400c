import ArchiveFormat
import ArchiveReflection

/// Giving numbers to objects as they are met.
extension ObjectGraph {
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
  mutating func openBlock(for object: AnyObject, _ admission: inout EncodingGate, isSettled: Bool = false) throws -> Int {
    let dynamicType: AnyClass = Swift.type(of: object)
    let index =
      try dynamicType == UnknownObject.self
      ? unknownClass(of: object) : index(of: dynamicType) ?? addClass(dynamicType, object, &admission)
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
      if blockIndex > ReferenceNotes.lastBlock { endNotes() }
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

  /// The place of a class that was met before.
  private func index(of type: AnyClass) -> Int? {
    let itsClass = UInt(bitPattern: ObjectIdentifier(type))
    // More are found faster by their hash.
    if classes.count > 8 { return classIndex[ObjectIdentifier(type)] }
    for i in classes.indices where classes[i].itsClass == itsClass { return i }
    return nil
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
    classes.append(
      ClassEntry(itsClass: UInt(bitPattern: ObjectIdentifier(type)), plan: plan, waits: waits, isAdmitted: !waits, hasHooks: hasHooks))
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
    if equal == nil { classes.append(ClassEntry(itsClass: 0, plan: kind.makePlan(), waits: replacesAll, isAdmitted: true, hasHooks: true)) }
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
}
