import ArchiveFormat
import ArchiveReflection

extension GraphSession {
  /// Brings in the objects that a value refers to, and everything that reflected objects among them lead to.
  ///
  /// - Parameters:
  ///   - declared: What the value's type admits: an object of another class is refused before any object is made.
  ///   - list: What the call names.
  /// - Returns: The hand-coded objects that the value refers to and that have not been made, in the order of the bytes.
  func reach(_ type: TypeID, in bytes: ByteReader, admitting declared: DeclaredObjects, _ list: Universe) throws -> [Int64] {
    let numbers = try references(type, count: 1, in: bytes)
    // All of them are checked first: a refusal leaves everything as it was.
    var lastBlock: Int64 = -1
    for number in numbers {
      // Objects of one block are of one class.
      if number >> 10 != lastBlock { try check(number, declared, list) }
      lastBlock = number >> 10
    }
    var unmade: [Int64] = []
    var scans: [Int] = []
    for number in numbers {
      if try need(number, list, &scans) { unmade.append(number) }
    }
    try scan(&scans, list)
    return unmade
  }

  /// Brings in one object.
  func reach(_ number: Int64, admitting declared: DeclaredObjects, _ list: Universe) throws {
    try check(number, declared, list)
    var scans: [Int] = []
    _ = try need(number, list, &scans)
    try scan(&scans, list)
  }

  /// Throws unless the class of an object is admitted by the type that is asked for.
  private func check(_ number: Int64, _ declared: DeclaredObjects, _ list: Universe) throws {
    let plan: ClassPlan
    do {
      plan = try self.plan(ofObject: number)
      try requireNamed(plan, list)
    } catch let error as ArchiveError where error.isUnknownClass && unknownClasses != .reject {
      if unknownClasses == .keep, let binder = state.binder, !declared.admits(UnknownObject.self, binder) { throw error }
      // What becomes of it is found out when it is reached.
      return
    }
    if !plan.substitutes, !hasDelegate, let binder = state.binder, !declared.admits(plan.type, binder) {
      throw ArchiveError(
        .typeNotAllowed,
        message: "an object of class \(Reflection.unqualifiedName(of: plan.type)) is not admitted here by the type that was asked for")
    }
  }

  /// Throws unless the call that leads to an object, or whoever made the unarchiver, has named its class: that another call has does not count.
  private func requireNamed(_ plan: ClassPlan, _ list: Universe) throws {
    if isNamed(plan.type, list) || plan.type == UnknownObject.self { return }
    let name = plan.name ?? Reflection.unqualifiedName(of: plan.type)
    throw ArchiveError(
      .typeNotAllowed,
      message: "the archive holds objects of class '\(name)', which the call that asks does not name or reach through declared property "
        + "types; name the class in the call, declare it in archiveRules(subclasses:), or register it")
  }

  private func plan(ofObject number: Int64) throws -> ClassPlan {
    guard state.objects.index(of: number) != nil else {
      throw ArchiveError(.malformed, message: "a reference points to object \(number), which does not exist")
    }
    return try plan(ofBlock: Int(number >> 10))
  }

  func references(_ type: TypeID, count: Int, in bytes: ByteReader) throws -> [Int64] {
    var reader = bytes
    if count == 1, type == .reference { return [try reader.readZigzag()] }
    var numbers: [Int64] = []
    unsafe try state.skipper.visitReferences(type, count: count, from: &reader) { chunk throws(FormatError) in
      unsafe numbers.append(contentsOf: chunk)
    }
    return numbers
  }

  /// Makes sure that an object exists or is expected. True if it is hand-coded and has not been made.
  func need(_ number: Int64, _ list: Universe, _ scans: inout [Int]) throws -> Bool {
    guard let index = state.objects.index(of: number) else {
      throw ArchiveError(.malformed, message: "a reference points to object \(number), which does not exist")
    }
    let block = Int(number >> 10)
    if blocks[block] == nil {
      do {
        try requireNamed(plan(ofBlock: block), list)
      } catch let error as ArchiveError where error.isUnknownClass && isOfValues(block) {
        if valueBlocks.insert(block).inserted { scans.append(block) }
        return false
      } catch let error as ArchiveError where error.isUnknownClass && unknownClasses != .reject {
        try refuse(block, error, &scans)
        return false
      }
      try activate(block, &scans)
    }
    return state.objects.progress(at: index) == .unmade
  }

  private func activate(_ block: Int, _ scans: inout [Int]) throws {
    do {
      state.setRefusal(nil, ofBlock: block)
      let plan = try plan(ofBlock: block)
      let reader = try reader(ofBlock: block)
      try layout.verifier?.verify(layout.blockReaders[block])
      try state.spend(objects: layout.blocks[block].count, of: plan)
      blocks[block] = Block(reader, allowing: callTypes)
      wave.append(block)
      if plan.isHandCoded {
        state.objects.expect(block: block, plan)
        return
      }
      // From here on the block has to be filled: without that nothing else may be read.
      try undivided {
        try working { try state.objects.make(block: block, plan) }
        if state.objects.isBare(block: block) { state.objects.hasBareMemory = true }
        unfilled.append(block)
        scans.append(block)
        if mayBeReplaced(plan) {
          state.objects.expectSubstitutes(block: block)
          lateBlocks.append(block)
        }
        if reader.steps.contains(where: \.isDeferred) { deferredBlocks.append(block) }
        if plan.hasExtras { extraBlocks.append(block) }
      }
    } catch let error as FormatError {
      throw ArchiveError(error)
    }
  }

  /// Whether another object may stand in for objects of this class.
  func mayBeReplaced(_ plan: ClassPlan) -> Bool { plan.substitutes || hasDelegate }

  /// Runs what may not fail half-way: if it does, the session has failed.
  func undivided<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch {
      let finished = finished(error)
      fail(finished)
      throw finished
    }
  }

  /// Follows the references of reflected blocks until no block is new.
  private func scan(_ scans: inout [Int], _ list: Universe) throws {
    if scans.isEmpty { return }
    try undivided {
      while let block = scans.popLast() { try scan(block, list, &scans) }
    }
  }

  private func scan(_ block: Int, _ list: Universe, _ scans: inout [Int]) throws {
    guard let reader = blocks[block]?.reader else { return try scanValues(block, list, &scans) }
    if reader.plan.type == UnknownObject.self { return try scanKept(block, list, &scans) }
    let count = layout.blocks[block].count
    var late: [Bool]?
    try columns(ofBlock: block) { index, step, bytes in
      if !step.isRead || step.isRecord || !layout.types.mayRefer(step.type) { return true }
      var last: Int64 = -1
      for number in try references(step.type, count: count, in: bytes) where number != last {
        last = number
        do {
          if try need(number, list, &scans) { wanted.append(number) }
        } catch let error as ArchiveError where error.path.isEmpty {
          throw ObjectError(error: error, object: block << 10, place: ".\(step.key)")
        }
        if let plan = state.objects.plan(ofBlock: Int(number >> 10)), plan.isHandCoded || mayBeReplaced(plan) {
          if late == nil { late = Array(repeating: false, count: reader.steps.count) }
          late?[index] = true
        }
      }
      return true
    }
    if late == nil { return }
    blocks[block]?.late = late
    if lateBlocks.last != block { lateBlocks.append(block) }
  }

  /// Whether a block's objects are read as values.
  private func isOfValues(_ block: Int) -> Bool {
    state.binder?.valueEntries[state.objects.entry(ofBlock: block)] != nil
  }

  /// Follows the references of objects that are read as values: these are no objects, but what they refer to may be.
  private func scanValues(_ block: Int, _ list: Universe, _ scans: inout [Int]) throws {
    let count = layout.blocks[block].count
    var bytes = layout.blockReaders[block]
    do {
      try layout.verifier?.verify(bytes)
      let read = state.binder?.valueEntries[state.objects.entry(ofBlock: block)] ?? []
      for (place, column) in layout.types.columns(of: layout.blocks[block].type).enumerated() {
        let isFramed = count >= BlockLayout.firstFramedCount
        let start = isFramed ? try bytes.slice(try bytes.readCount()) : bytes
        if read.contains(place), layout.types.mayRefer(column.type) {
          for number in try references(column.type, count: count, in: start) where try need(number, list, &scans) { wanted.append(number) }
        }
        if !isFramed { try state.skipper.skip(column.type, count: count, from: &bytes) }
      }
    } catch let error as FormatError {
      throw ArchiveError(error)
    }
  }

  /// Calls `body` with each column of a block until it returns false.
  func columns(ofBlock block: Int, _ body: (Int, ClassReader.Step, ByteReader) throws -> Bool) throws {
    guard let reader = blocks[block]?.reader else { return }
    try reader.columns(count: layout.blocks[block].count, in: layout.blockReaders[block], state.skipper, body)
  }

  /// Fills what can be filled without hand-coded objects, in all blocks that were reached.
  func fillFirst() throws {
    if unfilled.isEmpty { return }
    let filling = unfilled
    unfilled = []
    try undivided {
      try working {
        state.isFilling = true
        state.objects.hasBareMemory = true
        // As in graphs without hand-coded objects: those that no initializer has filled come first.
        for isBare in [true, false] {
          for block in filling where state.objects.isBare(block: block) == isBare {
            state.forgetDepth()
            try blocks[block]?.reader.fill(block: block, from: layout.blockReaders[block], .first, late: blocks[block]?.late, &state)
          }
        }
        state.isFilling = false
      }
      for block in filling where !state.objects.hasCompleteMemory(block: block) { bareBlocks.insert(block) }
      if bareBlocks.isEmpty { state.objects.settleMemory() }
    }
  }
}
