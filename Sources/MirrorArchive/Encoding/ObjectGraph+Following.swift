import ArchiveReflection

/// The fast way of giving numbers: properties that are references, or arrays of references, followed without asking their codecs.
///
/// It holds as long as no code of the program takes part. Nearly every object that is met has one owner, or has a number, or is one more of the
/// class that was met last; everything else goes through `openBlock`, one object at a time.
extension ObjectGraph {
  /// Where new objects go: the block that took the last one. While it is in use, the block's own count is behind.
  @safe
  struct Landing {
    /// The first word of the objects that it takes; 0 for none.
    var itsClass: UInt = 0
    var block = -1
    var count = 0
    var capacity = 0
    var objects: UnsafeMutablePointer<UnsafeMutableRawPointer>?

    /// Adds objects as long as nobody else refers to them, they are of the class, and there is room: nearly all objects of nearly all graphs.
    /// Returns the first one that is something else; the caller counts.
    @inline(never)
    func take(
      _ references: UnsafePointer<UnsafeMutableRawPointer>, _ range: Range<Int>, into noted: UnsafeMutablePointer<UInt32>
    ) -> Int {
      guard let objects = unsafe objects else { return range.lowerBound }
      // SAFETY: references are to live objects, whose first word is their class; places stay below the capacity.
      let end = min(range.upperBound, range.lowerBound &+ capacity &- count)
      let target = unsafe objects + (count &- range.lowerBound)
      let first = UInt32(truncatingIfNeeded: ObjectGraph.number(block, count) &- UInt(bitPattern: range.lowerBound))
      var i = range.lowerBound
      while i < end {
        let object = unsafe references[i]
        guard unsafe object.load(as: UInt.self) == itsClass && OwnerCount.isOne(object) else { break }
        unsafe target[i] = object
        unsafe noted[i] = first &+ UInt32(truncatingIfNeeded: i)
        i &+= 1
      }
      return i
    }
  }

  /// From this many references on, runs of the usual kinds have loops of their own.
  private static let longRun = 4

  /// Follows one property of these rows of a block, and notes where it leads.
  ///
  /// - Parameters:
  ///   - grows: Whether rows that are added to this block meanwhile are looked through too.
  /// - Returns: The first row that has not been looked through; nil if code of the program takes part from now on, so that the rows have to be
  ///   looked through by the codec.
  /// - Throws: What stands in the way of an object, with its row in the block.
  mutating func follow(
    _ index: Int, _ way: ReachingWay, ofBlock source: Int, _ rows: Range<Int>, grows: Bool, admitting admission: inout EncodingGate
  ) throws -> Int? {
    let notes = unsafe notes(index, ofBlock: source)
    var landing = Landing()
    defer { save(landing) }
    switch way.reach {
    case .word: return unsafe try followWords(way.offset, source, rows, grows: grows, notes, &landing, &admission)
    case .elements: return unsafe try followElements(way.offset, source, rows, grows: grows, notes, &landing, &admission)
    case .hidden: return nil
    }
  }

  private mutating func notes(_ index: Int, ofBlock source: Int) -> UnsafeMutablePointer<ReferenceNotes> {
    if let notes = unsafe blocks[source].notes { return unsafe notes + index }
    // SAFETY: as many as there are ways; they are given back with the block.
    let count = blocks[source].plan.ways.count
    let notes = UnsafeMutablePointer<ReferenceNotes>.allocate(capacity: count)
    unsafe notes.initialize(repeating: ReferenceNotes(), count: count)
    unsafe blocks[source].notes = unsafe notes
    return unsafe notes + index
  }

  private mutating func followWords(
    _ offset: Int, _ source: Int, _ rows: Range<Int>, grows: Bool, _ notes: UnsafeMutablePointer<ReferenceNotes>, _ landing: inout Landing,
    _ admission: inout EncodingGate
  ) throws -> Int? {
    var row = rows.lowerBound
    var end = rows.upperBound
    let trusting = knowsOwners
    while true {
      // SAFETY: the block's objects are alive, and have a reference or nil at the offset; outgrown buffers are kept. There is room to note all
      // rows up to `end`, which stays within the block's capacity until the block grows, in `meetNew`.
      let objects = unsafe blocks[source].objects
      let noted = unsafe notes.pointee.numbers.room(for: (grows ? blocks[source].capacity : end) &- row)
      let first = row
      // A copy of which nobody has the address: it stays in registers.
      var here = landing
      while row < end {
        if let object = unsafe (objects[row] + offset).load(as: UnsafeMutableRawPointer?.self) {
          guard let number = unsafe meet(object, trusting: trusting, &here) else { break }
          unsafe noted[row &- first] = number
          if grows && here.block == source { end = here.count }
        } else {
          unsafe noted[row &- first] = ReferenceNotes.none
        }
        row &+= 1
      }
      landing = here
      unsafe notes.pointee.numbers.advance(by: row &- first)
      if row == end { return row }
      guard let number = unsafe try meetNew(objects[row] + offset, trusting: trusting, row, "", &landing, &admission) else { return nil }
      unsafe notes.pointee.numbers.room(for: 1).pointee = number
      unsafe notes.pointee.numbers.advance(by: 1)
      row &+= 1
      if grows { end = landing.block == source ? landing.count : blocks[source].count }
    }
  }

  private mutating func followElements(
    _ offset: Int, _ source: Int, _ rows: Range<Int>, grows: Bool, _ notes: UnsafeMutablePointer<ReferenceNotes>, _ landing: inout Landing,
    _ admission: inout EncodingGate
  ) throws -> Int? {
    var row = rows.lowerBound
    var end = rows.upperBound
    while row < end {
      // SAFETY: the block's objects are alive, and have an array of references at the offset; outgrown buffers are kept. There is room to note
      // the lengths of all rows up to `end`, which stays within the block's capacity until the block grows, in `meetNew`.
      let objects = unsafe blocks[source].objects
      let capacity = grows ? blocks[source].capacity : end
      let lengths = unsafe notes.pointee.lengths.room(for: capacity &- row)
      let first = row
      // A copy of which nobody has the address: it stays in registers.
      var here = landing
      while row < end {
        let array = unsafe objects[row] + offset
        let (elements, count) = unsafe ArrayLayout.elements(of: array, elementAlignmentMask: MemoryLayout<UInt>.alignment &- 1)
        guard let length = UInt32(exactly: count) else {
          save(here)
          keepObjects()
          return nil
        }
        unsafe lengths[row &- first] = length
        row &+= 1
        if count == 0 { continue }
        // Two arrays may share one buffer; then what is in it is met twice.
        let trusting = unsafe knowsOwners && OwnerCount.isOne(array.load(as: UnsafeRawPointer.self))
        let references = unsafe elements.assumingMemoryBound(to: UnsafeMutableRawPointer.self)
        let noted = unsafe notes.pointee.numbers.room(for: count)
        var i = 0
        while i < count {
          if count &- i >= Self.longRun {
            if unsafe trusting && OwnerCount.isOne(references[i]) {
              let next = unsafe here.take(references, i..<count, into: noted)
              here.count &+= next &- i
              hasUnlisted = hasUnlisted || next > i
              i = next
            } else {
              i = unsafe table.numbers(of: references, i..<count, into: noted)
            }
            if i == count { break }
          }
          if let number = unsafe meet(references[i], trusting: trusting, &here) {
            unsafe noted[i] = number
            i &+= 1
            continue
          }
          landing = here
          let element = unsafe UnsafeRawPointer(references + i)
          guard let number = unsafe try meetNew(element, trusting: trusting, row &- 1, "[\(i)]", &landing, &admission) else { return nil }
          here = landing
          unsafe noted[i] = number
          i &+= 1
        }
        unsafe notes.pointee.numbers.advance(by: count)
        if grows {
          end = here.block == source ? here.count : blocks[source].count
          if blocks[source].capacity > capacity { break }
        }
      }
      landing = here
      unsafe notes.pointee.lengths.advance(by: row &- first)
    }
    return row
  }

  /// The number of an object that has one or can be given the next one of the landing; nil for others.
  ///
  /// - Parameter trusting: Whether the reference that leads here is the only one of an object with one owner.
  @inline(__always)
  private mutating func meet(_ object: UnsafeMutableRawPointer, trusting: Bool, _ landing: inout Landing) -> UInt32? {
    // SAFETY: the object is alive, and its first word is its class; the next place of the landing is below its capacity.
    let isSole = unsafe trusting && OwnerCount.isOne(object)
    var place = 0
    if !isSole {
      let found = table.find(UInt(bitPattern: object))
      if let number = found.number { return UInt32(truncatingIfNeeded: number) }
      place = found.place
    }
    guard unsafe object.load(as: UInt.self) == landing.itsClass, landing.count < landing.capacity else { return nil }
    unsafe landing.objects.unsafelyUnwrapped[landing.count] = object
    let number = Self.number(landing.block, landing.count)
    landing.count &+= 1
    if isSole { hasUnlisted = true } else { table.enter(UInt(bitPattern: object), number: number, at: place) }
    return UInt32(truncatingIfNeeded: number)
  }

  /// Gives a number to an object for which another block has to be opened; nil if code of the program takes part.
  @inline(never)
  private mutating func meetNew(
    _ slot: UnsafeRawPointer, trusting: Bool, _ row: Int, _ component: @autoclosure () -> String, _ landing: inout Landing,
    _ admission: inout EncodingGate
  ) throws -> UInt32? {
    save(landing)
    // SAFETY: the slot holds a reference to a live object, whose first word is its class.
    let object = unsafe slot.load(as: UnsafeMutableRawPointer.self)
    let itsClass = unsafe object.load(as: UInt.self)
    var block = openBlock(withRoomFor: itsClass)
    if block < 0 {
      do {
        block = unsafe try openBlock(for: slot.assumingMemoryBound(to: AnyObject.self).pointee, &admission)
      } catch let error as ArchiveError {
        landing = Landing()
        throw LocatedError(error.code, row: row, error.message).moved(to: row, below: component())
      }
    }
    if block < 0 || hasHooks {
      landing = Landing()
      return nil
    }
    unsafe landing = Landing(
      itsClass: itsClass, block: block, count: blocks[block].count, capacity: blocks[block].capacity, objects: blocks[block].objects)
    return unsafe meet(object, trusting: trusting, &landing)
  }

  private mutating func save(_ landing: Landing) {
    if landing.block >= 0 { blocks[landing.block].count = landing.count }
  }

  /// The block that takes the next object of a class, if there is one with room; -1 otherwise.
  private mutating func openBlock(withRoomFor itsClass: UInt) -> Int {
    // More classes are found faster by their hash.
    for i in 0..<min(classes.count, 8) where classes[i].itsClass == itsClass && classes[i].isAdmitted && !classes[i].waits {
      let block = classes[i].openBlock
      if block < 0 || blocks[block].count == blocks[block].capacity { return -1 }
      if !blocks[block].isPending {
        blocks[block].isPending = true
        pending.append(block)
      }
      return block
    }
    return -1
  }
}
