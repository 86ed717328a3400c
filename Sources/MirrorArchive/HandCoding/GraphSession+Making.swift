import ArchiveFormat
import ArchiveReflection

/// The keyed records of one block's objects.
final class BlockRecords {
  let shapes: [RecordShape]
  /// Where each body begins, and where the last one ends.
  let starts: [Int]
  let bodies: ByteReader
  let poolID: UInt64

  init(shapes: [RecordShape], starts: [Int], bodies: ByteReader, poolID: UInt64) {
    self.shapes = shapes
    self.starts = starts
    self.bodies = bodies
    self.poolID = poolID
  }
}

extension GraphSession {
  /// How deeply `init(coder:)` may run inside each other before chains of objects are made from their far end, and at all.
  private static let chainDepth = 24
  private static let maximumDepth = 128

  /// Makes a hand-coded object, unless that has been done.
  func make(_ number: Int64) throws {
    guard let index = state.objects.index(of: number), state.objects.progress(at: index) == .unmade else { return }
    if !failures.isEmpty, let known = failures[number] { throw known }
    depth += 1
    defer { depth -= 1 }
    if depth > Self.maximumDepth {
      throw ArchiveError(
        .nestingTooDeep,
        message: "hand-coded objects ask for each other more than \(Self.maximumDepth) deep; use decodeObject(of:forKey:whenReady:)")
    }
    if depth == Self.chainDepth { return try makeChain(number) }
    try makeNow(number, index)
  }

  private func makeNow(_ number: Int64, _ index: Int) throws {
    let block = Int(number >> 10)
    guard let plan = state.objects.plan(ofBlock: block), case .coder(let type) = plan.construction else { return }
    isAsked[state.objects.entry(ofBlock: block)] = true
    let callbackCount = callbacks.count
    let cursorCount = cursors.count
    do {
      cursors.append(try recordCursor(of: number))
      state.objects.setProgress(.inProgress, at: index)
      let object = try withOwnLists { try type.init(coder: coder) }
      working { state.objects.put(object, at: index) }
      // While it may be replaced, its keys are still the coder's.
      if mayBeReplaced(plan) { try awake(index, plan) }
      cursors.close(to: cursorCount)
    } catch {
      cursors.close(to: cursorCount)
      if state.objects.progress(at: index) != .unmade { working { state.objects.withdraw(at: index) } }
      failures[number] = error
      // Held until they have left: what they let go of may run a `deinit` that asks the coder for more.
      let dropped = callbacks.dropFirst(callbackCount)
      callbacks.removeLast(dropped.count)
      withExtendedLifetime(dropped) {}
      throw error
    }
  }

  /// Makes an object after all objects that it may ask for, so that a chain of any length needs no deep stack.
  ///
  /// What its record refers to is known from the bytes. An object that fails here fails for whoever asks for it, and for nobody else.
  private func makeChain(_ first: Int64) throws {
    var stack: [(number: Int64, isReady: Bool)] = [(first, false)]
    var seen: Set<Int64> = []
    while let (number, isReady) = stack.popLast() {
      guard let index = state.objects.index(of: number), state.objects.progress(at: index) == .unmade, failures[number] == nil else {
        continue
      }
      if isReady {
        do { try makeNow(number, index) } catch { if number == first { throw error } }
        continue
      }
      guard seen.insert(number).inserted else { continue }
      stack.append((number, true))
      let cursor = try recordCursor(of: number)
      var bytes = cursor.next
      for (slot, type) in cursor.shape.types.enumerated() {
        if cursor.shape.mayRefer[slot] {
          for child in try references(type, count: 1, in: bytes) where isExpectedHandCoded(child) { stack.append((child, false)) }
        }
        try state.skipper.skip(type, count: 1, from: &bytes)
      }
    }
    if let known = failures[first] { throw known }
  }

  /// Whether a number is that of a hand-coded object of an admitted class.
  private func isExpectedHandCoded(_ number: Int64) -> Bool {
    // Only classes that somebody has asked for by name before: nothing else is ever made.
    guard state.objects.index(of: number) != nil, isAsked[state.objects.entry(ofBlock: Int(number >> 10))],
      let plan = try? plan(ofBlock: Int(number >> 10)), plan.isHandCoded
    else { return false }
    // Who asks later names it; here it is only expected.
    return (try? reach(number, admitting: DeclaredObjects(only: plan.type), PlanRegistry.shared.universe(of: [plan.type]))) != nil
  }

  // MARK: Records

  /// The record of an object, from its beginning. Objects of archives that were written before there were records have an empty one.
  func recordCursor(of number: Int64) throws -> RecordCursor {
    let block = Int(number >> 10)
    let row = Int(number & 1023)
    guard let records = try records(ofBlock: block), row < records.shapes.count else {
      let nothing = unsafe ByteReader(UnsafeRawBufferPointer(start: nil, count: 0))
      return RecordCursor(shape: try RecordShape([Property](), in: layout.types), body: nothing, poolID: 0, object: number)
    }
    var bodies = records.bodies
    try bodies.skip(records.starts[row])
    let body = try bodies.slice(records.starts[row + 1] - records.starts[row])
    return RecordCursor(shape: records.shapes[row], body: body, poolID: records.poolID, object: number)
  }

  private func records(ofBlock block: Int) throws -> BlockRecords? {
    guard let progress = blocks[block] else { return nil }
    if let known = progress.records { return known }
    progress.records = try readRecords(ofBlock: block)
    return progress.records
  }

  private func readRecords(ofBlock block: Int) throws -> BlockRecords? {
    var records: BlockRecords?
    try columns(ofBlock: block) { _, step, bytes in
      if !step.isRecord { return true }
      records = try readRecords(count: layout.blocks[block].count, from: bytes, poolID: step.poolID)
      return false
    }
    return records
  }

  private func readRecords(count: Int, from bytes: ByteReader, poolID: UInt64) throws -> BlockRecords {
    var reader = bytes
    let shapes = UnsafeMutablePointer<Int64>.allocate(capacity: max(count, 1))
    let lengths = UnsafeMutablePointer<Int64>.allocate(capacity: max(count, 1))
    defer {
      unsafe shapes.deallocate()
      unsafe lengths.deallocate()
    }
    // SAFETY: both have room for `count` numbers, which the decoder fills; the lengths add up to the bytes of the bodies.
    let bodies = unsafe try RecordColumn.decode(count: count, from: &reader, shapes: shapes, lengths: lengths)
    var starts = [0]
    starts.reserveCapacity(count + 1)
    for i in 0..<count { unsafe starts.append(starts[i] + Int(lengths[i])) }
    var found: [RecordShape] = []
    found.reserveCapacity(count)
    for i in 0..<count {
      let isLast = unsafe i > 0 && shapes[i] == shapes[i - 1]
      unsafe found.append(isLast ? found[i - 1] : try shape(shapes[i]))
    }
    return BlockRecords(shapes: found, starts: starts, bodies: bodies, poolID: poolID)
  }

  // MARK: Substitutes

  /// Asks the object and the delegate whether another one should stand in its place.
  func awake(_ index: Int, _ plan: ClassPlan) throws {
    guard let object = state.objects.original(at: index) else { return }
    var final = object
    if let substituting = object as? any ArchiveSubstitution {
      guard let awake = try withOwnLists({ try substituting.awakeAfter(using: coder) }) else {
        throw ArchiveError(
          .invalidValue, message: "\(Reflection.unqualifiedName(of: plan.type)).awakeAfter(using:) gives nothing to use in its place")
      }
      final = awake
    }
    if let delegate = coder.delegate {
      guard let decoded = try withOwnLists({ try delegate.unarchiver(coder, didDecode: final) }) else {
        throw ArchiveError(
          .invalidValue, message: "the delegate gives nothing to use in place of the \(Reflection.unqualifiedName(of: plan.type))")
      }
      final = decoded
    }
    if final === object {
      state.objects.setProgress(.final, at: index)
      return
    }
    if state.objects.progress(at: index) == .rawHandedOut {
      throw ArchiveError(
        .cycle,
        message: "a \(Reflection.unqualifiedName(of: plan.type)) is replaced by another object, but an init(coder:) that it refers to has "
          + "already got it; ask for it with decodeObject(of:forKey:whenReady:) there")
    }
    coder.delegate?.unarchiver(coder, willReplace: object, with: final)
    working { state.objects.substitute(final, at: index) }
    hasNewSubstitutes = true
  }
}
