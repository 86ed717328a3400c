/// Objects that others may be archived for.
extension ObjectGraph {
  /// Lists an object whose number follows once it is known what is archived for it.
  @inline(never)
  mutating func wait(for object: AnyObject, isHandOver: Bool, isOpen: Bool) {
    // SAFETY: the entry takes over the count that it is given, and lets go of it with the graph.
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
    // SAFETY: the block has room for another row; with code of the program at work its objects are kept by a count each.
    let address = unsafe Unmanaged.passRetained(object).toOpaque()
    unsafe blocks[blockIndex].objects[row] = address
    blocks[blockIndex].count += 1
    let key = UInt(bitPattern: address)
    // One that waited keeps its entry in the list, which leads to the number.
    if let place = table.place(for: key) { table.enter(key, number: number, at: place) }
    return number
  }
}
