import ArchiveFormat
import ArchiveReflection

extension GraphSession {
  /// Makes and fills whatever is still missing from what was reached; code of the program that runs meanwhile may reach more.
  func complete() throws {
    isCompleting = true
    defer { isCompleting = false }
    try undivided {
      while true {
        try fillFirst()
        // The last first: objects that stand further back are asked for by those in front.
        if let number = wanted.popLast() {
          try make(number)
        } else if !lateBlocks.isEmpty {
          try fillLate()
        } else if !deferredBlocks.isEmpty {
          try fillDeferred()
        } else if let block = unconnectedBlocks.popLast() {
          try connect(block)
        } else if let block = extraBlocks.popLast() {
          try decodeExtras(ofBlock: block)
        } else if !callbacks.isEmpty {
          try runCallbacks()
        } else {
          return
        }
      }
    }
  }

  private func fillLate() throws {
    let filling = Set(lateBlocks).sorted(by: >)
    lateBlocks = []
    // Memory that no initializer has filled is completed before code of the program sees any of these objects.
    for isBare in [true, false] {
      for block in filling where bareBlocks.contains(block) == isBare {
        try fillLate(block)
      }
      if isBare {
        bareBlocks.subtract(filling)
        if bareBlocks.isEmpty { state.objects.settleMemory() }
      }
    }
    hasNewSubstitutes = false
    for block in filling { if let plan = blocks[block]?.reader.plan { try awakeRows(ofBlock: block, plan) } }
    if !hasNewSubstitutes { return }
    // Some of the references that were just stored lead to objects that others have taken the place of.
    hasNewSubstitutes = false
    for block in wave where blocks[block]?.late != nil { try fillLate(block) }
  }

  private func fillLate(_ block: Int) throws {
    guard let progress = blocks[block], let late = progress.late else { return }
    try allowing(progress.allowed) {
      try working {
        state.forgetDepth()
        try progress.reader.fill(block: block, from: layout.blockReaders[block], .late, late: late, &state)
      }
    }
  }

  private func awakeRows(ofBlock block: Int, _ plan: ClassPlan) throws {
    if !mayBeReplaced(plan) { return }
    for row in (0..<layout.blocks[block].count).reversed() {
      let number = Int64(block << 10 | row)
      guard let index = state.objects.index(of: number) else { continue }
      switch state.objects.progress(at: index) {
      case .raw, .rawHandedOut:
        let cursorCount = cursors.count
        cursors.append(try recordCursor(of: number))
        defer { cursors.close(to: cursorCount) }
        do {
          try awake(index, plan)
        } catch let error as ArchiveError where error.path.isEmpty {
          throw ObjectError(error: error, object: Int(number), place: "")
        }
      default: break
      }
    }
  }

  private func fillDeferred() throws {
    let filling = deferredBlocks.sorted(by: >)
    deferredBlocks = []
    for block in filling {
      guard let progress = blocks[block] else { continue }
      try allowing(progress.allowed) {
        try working {
          state.forgetDepth()
          try progress.reader.fill(block: block, from: layout.blockReaders[block], .deferred, late: progress.late, &state)
        }
      }
    }
  }

  private func decodeExtras(ofBlock block: Int) throws {
    for row in (0..<layout.blocks[block].count).reversed() {
      let number = Int64(block << 10 | row)
      guard let index = state.objects.index(of: number), let object = state.objects.original(at: index) as? any KeyedExtras else {
        continue
      }
      let cursorCount = cursors.count
      cursors.append(try recordCursor(of: number))
      defer { cursors.close(to: cursorCount) }
      try withOwnLists { try object.decodeExtras(with: coder) }
    }
  }

  private func runCallbacks() throws {
    let running = callbacks
    callbacks = []
    // Each may have been registered before its object existed.
    for callback in running { try make(callback.number) }
    try fillFirst()
    if !wanted.isEmpty || !lateBlocks.isEmpty || !deferredBlocks.isEmpty || !extraBlocks.isEmpty {
      // What they refer to comes first.
      callbacks = running + callbacks
      return
    }
    for callback in running {
      guard let index = state.objects.index(of: callback.number), let object = state.objects.object(at: index) else { continue }
      try withOwnLists { try callback.run(object) }
    }
  }

  /// Whether code of the program has asked for more while the graph was delivered.
  var hasMore: Bool { !wave.isEmpty || !callbacks.isEmpty }

  /// Calls `didDecode` on all objects that were reached, children before parents, and lets go of them.
  func deliver() throws {
    isCompleting = true
    defer { isCompleting = false }
    try undivided {
      // A hook may reach further objects, which are completed and delivered in their turn.
      let delivering = wave
      wave = []
      // Out of the state, which the hooks may change.
      if let made = state.converted?.takeMade() { try withOwnLists { try made.callHooks() } }
      for block in delivering.sorted(by: >) {
        guard let reader = blocks[block]?.reader, reader.plan.hasDidDecode else { continue }
        try reader.withUnknownValues(ofBlock: block, layout) { unknown in
          for row in (0..<layout.blocks[block].count).reversed() {
            guard let index = state.objects.index(of: Int64(block << 10 | row)), let object = state.objects.original(at: index) else {
              continue
            }
            let context = DecodingContext(reader.facts, unknown, row: row)
            // SAFETY: the object is of the plan's class and held by the session.
            try withOwnLists { unsafe try reader.plan.didDecode(Unmanaged.passUnretained(object).toOpaque(), context) }
          }
        }
      }
      state.objects.deliver(blocks: delivering)
      keptBlocks = keptBlocks.filter { !delivering.contains($0) }
    }
  }
}
