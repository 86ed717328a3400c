import ArchiveFormat
import ArchiveReflection

/// Objects of classes that the program does not know or admit.
extension GraphSession {
  /// What happens to them.
  var unknownClasses: DecodingOptions.UnknownClassPolicy { state.binder?.options.unknownClasses ?? .reject }

  /// A block is reached whose objects cannot be what they were.
  func refuse(_ block: Int, _ error: ArchiveError, _ scans: inout [Int]) throws {
    switch unknownClasses {
    case .reject: throw error
    case .skip: state.setRefusal(error, ofBlock: block)
    case .keep: try undivided { try keep(block, &scans) }
    }
  }

  /// Makes `UnknownObject`s of a block.
  private func keep(_ block: Int, _ scans: inout [Int]) throws {
    let header = layout.blocks[block]
    let entry = header.type.entryIndex ?? 0
    let plan = try PlanRegistry.shared.classPlan(for: UnknownObject.self)
    let reader = try withBinder { try ClassReader(header.type, plan, &$0) }
    setReader(reader, ofBlock: block)
    do {
      try layout.verifier?.verify(layout.blockReaders[block])
    } catch {
      throw ArchiveError(error)
    }
    let kind = unknown[entry] ?? UnknownClass(header.type, in: values.table, layout)
    unknown[entry] = kind
    let columns = try values.columns(of: header, in: layout.blockReaders[block])
    try state.spend(objects: header.count, of: plan)
    blocks[block] = Block(reader, allowing: callTypes)
    wave.append(block)
    keptBlocks.append(block)
    unconnectedBlocks.append(block)
    try working { try state.objects.make(block: block, plan) }
    for (row, object) in kept(block).enumerated() {
      object?.content = UnknownContent(kind, columns.map { $0[row] })
      state.notices.add(Notice(.keptUnknown, row: row, "an object of the class '\(kind.name)' is kept as an UnknownObject"))
    }
    state.report(block: block, place: "")
    scans.append(block)
  }

  /// Brings in what the objects of a kept block refer to.
  func scanKept(_ block: Int, _ list: Universe, _ scans: inout [Int]) throws {
    let count = layout.blocks[block].count
    try columns(ofBlock: block) { _, step, bytes in
      if !layout.types.mayRefer(step.type) { return true }
      var last: Int64 = -1
      for number in try references(step.type, count: count, in: bytes) where number != last {
        last = number
        if try need(number, list, &scans) { wanted.append(number) }
      }
      return true
    }
  }

  /// The objects of a block that are kept as they are.
  private func kept(_ block: Int) -> [UnknownObject?] {
    (0..<layout.blocks[block].count).map { row in
      state.objects.index(of: Int64(block << 10 | row)).flatMap { state.objects.original(at: $0) as? UnknownObject }
    }
  }

  /// Connects kept objects with what they refer to, when all of that is there.
  func connect(_ block: Int) throws {
    if let binder = state.binder { values.table.note(binder.boundTypes) }
    for object in kept(block) {
      guard let content = object?.content else { continue }
      for value in content.values {
        for number in value.references where content.objects[number] == nil {
          guard let index = state.objects.index(of: Int64(number)), let target = state.objects.object(at: index) else {
            throw ArchiveError(.malformed, message: "a reference points to object \(number), which does not exist")
          }
          content.objects[number] = target
        }
      }
    }
  }

  /// Takes kept objects apart that nobody has been given.
  func forgetKept() {
    for block in keptBlocks {
      for object in kept(block) { object?.content = nil }
    }
    keptBlocks = []
  }
}

extension ArchiveValue {
  /// The numbers of the objects that the value refers to, in no order, some perhaps more than once.
  fileprivate var references: [Int] {
    var numbers: [Int] = []
    // A list stands in for recursion: values may be nested deeply.
    var pending = [self]
    while let next = pending.popLast() {
      switch next {
      case .reference(let number): numbers.append(number)
      case .present(let inner): pending.append(inner)
      case .any(let typed): pending.append(typed.value)
      case .array(let elements), .set(let elements), .inlineArray(let elements): pending += elements
      case .dictionary(let entries):
        pending += entries.lazy.map(\.key)
        pending += entries.lazy.map(\.value)
      case .tuple(let fields): pending += fields.lazy.map(\.value)
      case .structure(let structure): pending += structure.fields.lazy.map(\.value)
      case .enumeration(let enumeration): if let payload = enumeration.payload { pending.append(payload) }
      case .container(let members): pending += members.lazy.map(\.value)
      default: break
      }
    }
    return numbers
  }
}
