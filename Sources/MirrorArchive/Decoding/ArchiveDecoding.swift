import ArchiveFormat
import ArchiveReflection

/// Reads one archive, in the order that makes it safe: frame and checksum, tables, the gate, binding, objects, columns, hooks, root.
enum ArchiveDecoding {
  /// Decodes the root value under `key` as a `Root`.
  static func decode<Root>(
    _: Root.Type, key: String = "root", from bytes: UnsafeRawBufferPointer, universe: Universe, allowsAnyClass: Bool,
    options: DecodingOptions = DecodingOptions(), verifyingChecksum: Bool = true
  ) throws -> Root {
    let workspace = DecodingWorkspace(universe, allowsAnyClass, options)
    return unsafe try workspace.decode(Root.self, key: key, from: bytes, verifyingChecksum: verifyingChecksum)
  }
}

extension DecodingWorkspace {
  /// Decodes the root value under `key` as a `Root`. Whatever fails, the workspace may be used again.
  func decode<Root>(_: Root.Type, key: String, from bytes: UnsafeRawBufferPointer, verifyingChecksum: Bool) throws -> Root {
    do {
      var known: [Binding] = []
      let layout = takeLayout()
      unsafe try layout.parse(
        bytes, verification: verifyingChecksum ? .whole : .none, maximumTypeTableLength: options.limits.maximumTypeTableLength,
        expecting: binding?.known
      ) { typeBytes in
        known = unsafe Binding.known(for: typeBytes)
        return known.first?.types
      }
      guard let root = layout.roots.firstIndex(where: { $0.key == key }) else {
        throw ArchiveError(.missingValue, path: key, message: "the archive has no value under the key '\(key)'")
      }
      if layout.hasRecords {
        return unsafe try ArchiveDecoding.decodeGradually(
          Root.self, key: key, from: bytes, layout, universe: universe, allowsAnyClass: allowsAnyClass, options)
      }
      let binding = try bind(Root.self, layout, root, known)
      let isChecked = binding.hasUnreached && options.unknownClasses == .reject
      let reached = isChecked ? try Reachability(from: root, layout, binding).isReached : nil
      if binding.needsCoder || !options.isOrdinary {
        return unsafe try ArchiveDecoding.decodeGradually(
          Root.self, key: key, from: bytes, layout, universe: universe, allowsAnyClass: allowsAnyClass, options)
      }
      let state = unsafe try takeState(layout, binding)
      do {
        let value = try unsafe state.pointee.decode(Root.self, layout, binding, layout.rootReaders[root], key: key, reached)
        unsafe keep(state)
        return value
      } catch {
        unsafe drop(state)
        throw error
      }
    } catch let error as FormatError {
      throw ArchiveError(error)
    }
  }

  /// What the archive's description means: as the last time, as some other time, or found out now.
  private func bind<Root>(_: Root.Type, _ layout: borrowing ArchiveLayout, _ root: Int, _ known: [Binding]) throws -> Binding {
    // Who has it here has the same settings.
    if layout.hasExpectedTypes, let binding, binding.fits(layout, root: root) { return binding }
    let codec = try codec ?? PlanRegistry.shared.codec(for: Root.self)
    func fits(_ binding: Binding) -> Bool {
      binding.fits(layout, root: root, codec: codec, universe: universe, allowsAnyClass: allowsAnyClass, options: options)
    }
    let candidates = unsafe layout.hasExpectedTypes ? Binding.known(for: layout.typeTableBytes) : known
    if let fitting = candidates.first(where: fits) { return fitting }
    let binding = try Binding(layout, root: root, codec: codec, universe: universe, allowsAnyClass: allowsAnyClass, options: options)
    binding.remember()
    return binding
  }
}

extension ArchiveDecoding {
  /// Decodes a root with an unarchiver, because objects are made or replaced by code of the program.
  fileprivate static func decodeGradually<Root>(
    _: Root.Type, key: String, from bytes: UnsafeRawBufferPointer, _ layout: ArchiveLayout, universe: Universe, allowsAnyClass: Bool,
    _ options: DecodingOptions
  ) throws -> Root {
    let unarchiver = unsafe try KeyedUnarchiver(
      ArchiveBytes(borrowing: bytes), layout, universe: universe, allowsAnyClass: allowsAnyClass, options)
    // The bytes are the caller's: a coder that a class has kept must not look at them afterwards.
    defer { unarchiver.finishDecoding() }
    return try unarchiver.decodeRoot(Root.self, key: key)
  }

  /// Decodes a root that is asked for as `Any` or a protocol and was archived as what it is.
  static func decodeOpen<Root>(
    _: Root.Type, key: String = "root", from bytes: UnsafeRawBufferPointer, universe: Universe, allowsAnyClass: Bool,
    options: DecodingOptions, verifyingChecksum: Bool
  ) throws -> Root {
    let type: Any.Type
    do {
      let layout = unsafe try ArchiveLayout(
        parsing: bytes, verifyingChecksum: verifyingChecksum, maximumTypeTableLength: options.limits.maximumTypeTableLength)
      guard let root = layout.roots.first(where: { $0.key == key }) else {
        throw ArchiveError(.missingValue, path: key, message: "the archive has no value under the key '\(key)'")
      }
      type = try OpenTypes.type(
        root.type, Binder(types: layout.types, universe: universe, allowsAnyClass: allowsAnyClass, names: ClassNames.global))
    } catch let error as FormatError {
      throw ArchiveError(error)
    }
    func open<Concrete>(_: Concrete.Type) throws -> Any {
      unsafe try decode(
        Concrete.self, key: key, from: bytes, universe: universe, allowsAnyClass: allowsAnyClass, options: options,
        verifyingChecksum: verifyingChecksum)
    }
    let value = try _openExistential(type, do: open)
    guard let root = value as? Root else {
      throw ArchiveError(.typeMismatch, path: key, message: "the archive holds a \(Swift.type(of: value)), which is no \(Root.self)")
    }
    return root
  }
}

extension DecodingState {
  fileprivate mutating func decode<Root>(
    _: Root.Type, _ layout: borrowing ArchiveLayout, _ binding: Binding, _ rootBytes: ByteReader, key: String, _ reached: [Bool]?
  ) throws -> Root {
    let mark = scratch.mark()
    defer { scratch.release(mark) }
    // SAFETY: the memory is as large and as aligned as a `Root`.
    let memory = unsafe scratch.bytes(MemoryLayout<Root>.size, alignmentMask: MemoryLayout<Root>.alignment &- 1)
      .bindMemory(to: Root.self, capacity: 1)
    do {
      try fillObjects(layout, binding, reached)
      reader = rootBytes
      poolID = 0
      if binding.rootReader.codec.traits.needsCompleteGraph { objects.holdAll() }
      do {
        // SAFETY: the memory is room for one `Root`, initialised by the reader or not at all.
        try binding.rootReader.read(unsafe Rows(base: UnsafeMutableRawPointer(memory), stride: MemoryLayout<Root>.stride, count: 1), &self)
      } catch let error as LocatedError {
        var located = error.error
        located.path = key + error.suffix
        throw located
      }
    } catch let error as ObjectError {
      objects.abandon()
      var located = error.error
      located.path = ObjectPath(layout: copy layout, readers: binding.readers).path(of: error.object) + error.place
      throw located
    } catch {
      objects.abandon()
      throw error
    }
    do {
      if reader.remaining > 0 {
        throw ArchiveError(
          .malformed, path: key, offset: reader.offset, message: "\(reader.remaining) bytes are left over behind the value")
      }
      try callHooks(layout, binding)
    } catch {
      // Nobody gets the graph, so nobody could break its cycles.
      objects.abandon()
      unsafe memory.deinitialize(count: 1)
      throw error
    }
    return unsafe memory.move()
  }

  /// - Parameter reached: Per block, whether anything that is read leads to its objects; nil if that is so for all.
  private mutating func fillObjects(_ layout: borrowing ArchiveLayout, _ binding: Binding, _ reached: [Bool]?) throws {
    for index in 0..<objects.blockCount where reached?[index] ?? true {
      // SAFETY: the binding holds its readers, here and below.
      guard let reader = unsafe binding.uncounted[objects.entry(ofBlock: index)] else { continue }
      try unsafe reader._withUnsafeGuaranteedRef {
        try spend(objects: objects.count(ofBlock: index), of: $0.plan)
        try objects.make(block: index, $0.plan)
      }
    }
    if binding.runsNoUserCode { objects.owe() }
    // Objects that no initializer has filled come first: what the others let go of while they are filled, and the others themselves after a
    // failure, may run a `deinit` of the program, which must not meet bare memory.
    if objects.hasBareBlocks { try fillObjects(layout, binding, areBare: true) }
    objects.hasBareMemory = false
    try fillObjects(layout, binding, areBare: false)
    isFilling = false
    if !binding.hasDeferred { return }
    // Backwards, because what is hashed stands behind who refers to it.
    for (index, block) in layout.blocks.enumerated().reversed() where objects.isMade(block: index) {
      guard let reader = binding.readers[block.type.entryIndex ?? 0], reader.steps.contains(where: \.isDeferred) else { continue }
      try reader.fill(block: index, from: layout.blockReaders[index], .deferred, &self)
    }
  }

  private mutating func fillObjects(_ layout: borrowing ArchiveLayout, _ binding: Binding, areBare: Bool) throws {
    for index in 0..<objects.blockCount where objects.isMade(block: index) && objects.isBare(block: index) == areBare {
      guard let reader = unsafe binding.uncounted[objects.entry(ofBlock: index)] else { continue }
      try unsafe reader._withUnsafeGuaranteedRef { try $0.fill(block: index, from: layout.blockReaders[index], .first, &self) }
    }
  }

  /// Children before parents: the reverse of the order in which objects were first reached.
  private mutating func callHooks(_ layout: borrowing ArchiveLayout, _ binding: Binding) throws {
    try callMadeHooks()
    if !binding.hasHooks { return }
    objects.holdAll()  // Hooks may let go of any object.
    for (index, block) in layout.blocks.enumerated().reversed() where objects.isMade(block: index) {
      guard let reader = binding.readers[block.type.entryIndex ?? 0], reader.plan.hasDidDecode else { continue }
      let rows = objects.rows(ofBlock: index)
      try reader.withUnknownValues(ofBlock: index, copy layout) { unknown in
        for i in stride(from: rows.count - 1, through: 0, by: -1) {
          try unsafe reader.plan.didDecode(rows[i], DecodingContext(reader.facts, unknown, row: i))
        }
      }
    }
  }
}
