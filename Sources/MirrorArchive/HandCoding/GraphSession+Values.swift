import ArchiveFormat
import ArchiveReflection

extension GraphSession {
  /// The record that is being read.
  var cursor: RecordCursor { cursors[cursors.count - 1] }

  /// The slot of a key in the record that is being read.
  func slot(of key: String) -> Int? { cursors[cursors.count - 1].shape.slot(of: key, near: cursors[cursors.count - 1].position) }

  /// The next value without a key has been taken.
  func take() { cursors[cursors.count - 1].taken += 1 }

  /// The slot of the next value without a key.
  var nextUnkeyedSlot: Int? {
    let cursor = cursor
    return cursor.taken < cursor.shape.unkeyed.count ? cursor.shape.unkeyed[cursor.taken] : nil
  }

  /// Where a slot's bytes begin.
  private func bytes(ofSlot slot: Int) throws -> ByteReader {
    let top = cursors.count - 1
    if let starts = cursors[top].starts {
      let start = starts[slot]
      if cursors[top].object == nil { try layout.verifier?.verify(start) }
      return start
    }
    if slot == cursors[top].position { return cursors[top].next }
    // Asked for out of order: now all of them are looked for, so that any order costs one pass.
    var reader = cursors[top].start
    var starts: [ByteReader] = []
    starts.reserveCapacity(cursors[top].shape.types.count)
    for type in cursors[top].shape.types {
      starts.append(reader)
      try state.skipper.skip(type, count: 1, from: &reader)
    }
    cursors[top].starts = starts
    return starts[slot]
  }

  /// Reads the value of a slot of the record that is being read.
  func value<T>(_ type: T.Type, at slot: Int, key: String) throws -> T {
    if cursors[cursors.count - 1].shape.reader(for: T.self, at: slot) == nil, isOpen(type, at: slot) {
      guard let value = try openValue(at: slot, key: key) as? T else {
        throw located(
          ArchiveError(
            .typeMismatch,
            message: "the archive holds \(layout.types.describe(cursor.shape.types[slot])), which is no \(T.self)"), key, in: cursor)
      }
      return value
    }
    return try declaredValue(type, at: slot, key: key)
  }

  /// The value of a slot, or nil if nil is stored.
  func valueIfPresent<T>(_ type: T.Type, at slot: Int, key: String) throws -> T? {
    if cursors[cursors.count - 1].shape.reader(for: T?.self, at: slot) != nil || !isOpen(type, at: slot) {
      return try declaredValue(T?.self, at: slot, key: key)
    }
    if layout.types.optionalPayload(of: cursor.shape.types[slot]) == nil { return try value(type, at: slot, key: key) }
    guard let optional = try openValue(at: slot, key: key) as? any OptionalValue, let wrapped = optional.wrapped else { return nil }
    return wrapped as? T
  }

  /// Whether a value is asked for as `Any` or a protocol and was archived as what it is.
  private func isOpen(_ type: Any.Type, at slot: Int) -> Bool {
    guard Reflection.kind(of: type) == .existential, type != AnyObject.self else { return false }
    let stored = cursor.shape.types[slot]
    return stored != .any && layout.types.optionalPayload(of: stored) != .any
  }

  private func openValue(at slot: Int, key: String) throws -> Any {
    let type: Any.Type
    do {
      guard let binder = state.binder else { throw ArchiveError(.malformed, message: "there is no such type") }
      type = try OpenTypes.type(cursor.shape.types[slot], binder)
    } catch {
      throw located(error, key, in: cursor)
    }
    func read<V>(_: V.Type) throws -> Any { try declaredValue(V.self, at: slot, key: key) }
    return try _openExistential(type, do: read)
  }

  private func declaredValue<T>(_ type: T.Type, at slot: Int, key: String) throws -> T {
    let top = cursors.count - 1
    let shape = cursors[top].shape
    do {
      let start = try bytes(ofSlot: slot)
      // What cannot fit is found out before anything is made.
      let known = try shape.reader(for: T.self, at: slot) ?? bind(T.self, shape, slot)
      if shape.mayRefer[slot] { try prepare(known, shape.types[slot], start) }
      let value = try read(type, known.reader, start, slot)
      if state.notices.count > 0 { reportNotices(key, in: cursors[top]) }
      return value
    } catch {
      throw located(error, key, in: cursors[top])
    }
  }

  /// Attributes what was noticed while a value was read to its key.
  @inline(never)
  func reportNotices(_ key: String, in cursor: RecordCursor) {
    let isRoot = cursor.object == nil && cursor.place.isEmpty
    state.report(object: cursor.object, place: cursor.place + (key.isEmpty ? "" : isRoot ? key : ".\(key)"))
  }

  /// How values of a type are read from a slot; what the type reaches is admitted from here on.
  private func bind<T>(_: T.Type, _ shape: RecordShape, _ slot: Int) throws -> RecordShape.SlotReader {
    let codec = try PlanRegistry.shared.codec(for: T.self)
    let reader = try reader(codec, shape.types[slot])
    let isNamed = shape.mayRefer[slot] && Reflection.kind(of: T.self) != .existential
    if isNamed { try name(T.self) }
    let known = RecordShape.SlotReader(
      type: ObjectIdentifier(T.self), reader: reader, declared: DeclaredObjects(in: codec),
      list: try PlanRegistry.shared.universe(of: isNamed ? [T.self] : []))
    shape.remember(known, at: slot)
    return known
  }

  /// Makes sure that everything that a value refers to is there.
  private func prepare(_ known: RecordShape.SlotReader, _ type: TypeID, _ bytes: ByteReader) throws {
    let unmade = try reach(type, in: bytes, admitting: known.declared, known.list)
    try fillFirst()
    for number in unmade.reversed() { try make(number) }
    if isOutside {
      try complete()
    } else if !bareBlocks.isEmpty {
      throw ArchiveError(
        .cycle,
        message: "objects that no init() makes wait for hand-coded objects, and until these are there nothing else can be handed out; "
          + "let their class conform to MirrorInitializable, or ask with decodeObject(of:forKey:whenReady:)")
    }
  }

  @inline(__always)
  private func read<T>(_: T.Type, _ reader: ColumnReader, _ start: ByteReader, _ slot: Int) throws -> T {
    let top = cursors.count - 1
    return try working {
      state.reader = start
      state.poolID = cursors[top].poolID
      state.forgetDepth()
      state.isHandingOut = true
      defer { state.isHandingOut = false }
      // SAFETY: the memory is room for one `T`; the reader initialises it or throws.
      return unsafe try withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { buffer in
        guard let base = UnsafeMutableRawPointer(buffer.baseAddress) else { throw ArchiveError(.malformed, message: "there is no value") }
        try reader.read(unsafe Rows(base: base, stride: MemoryLayout<T>.stride, count: 1), &state)
        do {
          try advance(slot, top)
        } catch {
          unsafe buffer.deinitialize()
          throw error
        }
        return unsafe buffer.moveElement(from: 0)
      }
    }
  }

  /// Moves on after a slot has been read in order.
  private func advance(_ slot: Int, _ top: Int) throws {
    if cursors[top].starts != nil {
      if cursors[top].object == nil, cursors[top].place.isEmpty, state.reader.remaining > 0 {
        throw leftOver("the value")
      }
      return
    }
    if slot != cursors[top].position { return }
    cursors[top].position += 1
    cursors[top].next = state.reader
    if cursors[top].position == cursors[top].shape.types.count, state.reader.remaining > 0 {
      throw leftOver("the last key")
    }
  }

  /// The type of a slot's value as a type of this program, for values that are asked for as one of several types.
  ///
  /// - Throws: `typeNotAllowed` for a value that is none of `types` and no collection or Optional of such.
  func openType(ofSlot slot: Int, among types: [Any.Type]) throws -> Any.Type {
    guard let binder = state.binder else { throw ArchiveError(.malformed, message: "there is no such type") }
    let id = cursor.shape.types[slot]
    let type = try OpenTypes.type(id, binder)
    if try !isAmong(types, id, binder, depth: 0) {
      throw ArchiveError(
        .typeNotAllowed, message: "the archive holds \(layout.types.describe(id)), which is none of the types that were asked for")
    }
    return type
  }

  private func isAmong(_ types: [Any.Type], _ id: TypeID, _ binder: Binder, depth: Int) throws -> Bool {
    // An object's own class is checked when it is reached.
    if id == .reference || id == .any || layout.types[id]?.isObject == true { return true }
    if depth > 8 { return false }
    if let inner = layout.types.optionalPayload(of: id) { return try isAmong(types, inner, binder, depth: depth + 1) }
    switch layout.types[id] {
    case .array(let element), .set(let element):
      if try isAmong(types, element, binder, depth: depth + 1) { return true }
    case .dictionary(let key, let value):
      if try isAmong(types, key, binder, depth: depth + 1), try isAmong(types, value, binder, depth: depth + 1) { return true }
    default: break
    }
    let type = try OpenTypes.type(id, binder)
    return types.contains { $0 == type }
  }

  /// Reads an object later: when the graph is complete.
  func object<T: AnyObject>(_ type: T.Type, at slot: Int, key: String, whenReady body: @escaping (T?) throws -> Void) throws {
    let top = cursors.count - 1
    do {
      let stored = cursors[top].shape.types[slot]
      let declared = DeclaredObjects(only: type)
      guard stored == .reference || stored == .optionalReference || layout.types[stored]?.isObject == true else {
        throw ArchiveError(
          .typeMismatch, message: "the archive holds \(layout.types.describe(stored)) where \(T.self) is asked for")
      }
      let numbers = try references(stored, count: 1, in: try bytes(ofSlot: slot))
      guard let number = numbers.first else { return try body(nil) }
      try name(type)
      try reach(number, admitting: declared, PlanRegistry.shared.universe(of: [type]))
      if state.refusal(ofBlock: Int(number >> 10)) != nil { return try body(nil) }
      try fillFirst()
      let place = located(
        ArchiveError(.typeMismatch, message: "the object that was found is no \(T.self)"), key, in: cursors[top])
      callbacks.append(
        Callback(number: number) { object in
          guard let object = object as? T else { throw place }
          try body(object)
        })
    } catch {
      throw located(error, key, in: cursors[top])
    }
  }

  /// The bytes under a key, where they lie in the archive.
  func bytes(at slot: Int, key: String) throws -> UnsafeRawBufferPointer {
    let top = cursors.count - 1
    do {
      let stored = cursors[top].shape.types[slot]
      var reader = try bytes(ofSlot: slot)
      if layout.types.optionalPayload(of: stored) == .data {
        var presence: UInt8 = 0
        // SAFETY: one row, for which there is room.
        unsafe try BoolColumn.decode(count: 1, from: &reader, into: &presence)
        if presence == 0 { throw ArchiveError(.missingValue, message: "nil is stored under the key '\(key)'") }
      } else if stored != .data {
        throw ArchiveError(.typeMismatch, message: "the archive holds \(layout.types.describe(stored)) where bytes are asked for")
      }
      var length: Int64 = 0
      let bytes = unsafe try BytesColumn.decode(count: 1, from: &reader, lengths: &length)
      try state.checkLength(Int(truncatingIfNeeded: length))
      state.reader = reader
      try advance(slot, top)
      return unsafe bytes
    } catch {
      throw located(error, key, in: cursors[top])
    }
  }

  /// The archived name of the class of the object under a key; nil if there is no object.
  func className(ofObjectAt slot: Int) -> String? {
    let stored = cursor.shape.types[slot]
    guard !isBusy, stored == .reference || stored == .optionalReference, let start = try? bytes(ofSlot: slot),
      let number = (try? references(stored, count: 1, in: start))?.first, state.objects.index(of: number) != nil
    else { return nil }
    return layout.types.classNames(of: layout.blocks[Int(number >> 10)].type).first
  }

  // MARK: Containers

  /// Opens a nested container, runs `body`, and closes it.
  func container<R>(at slot: Int, key: String, _ body: () throws -> R) throws -> R {
    let top = cursors.count - 1
    do {
      guard cursors[top].shape.types[slot] == .record else {
        throw ArchiveError(
          .typeMismatch,
          message: "the archive holds \(layout.types.describe(cursors[top].shape.types[slot])) where a container is asked for")
      }
      var reader = try bytes(ofSlot: slot)
      var number: Int64 = 0
      var length: Int64 = 0
      // SAFETY: one row, for which there is room.
      let inner = unsafe try RecordColumn.decode(count: 1, from: &reader, shapes: &number, lengths: &length)
      state.reader = reader
      try advance(slot, top)
      let place = cursors[top].object == nil && cursors[top].place.isEmpty ? key : cursors[top].place + "." + key
      cursors.append(
        RecordCursor(shape: try shape(number), body: inner, poolID: cursors[top].poolID, object: cursors[top].object, place: place))
    } catch {
      throw located(error, key, in: cursors[top])
    }
    defer { cursors.close(to: top + 1) }
    return try body()
  }
}

/// An Optional whose type is not known.
protocol OptionalValue { var wrapped: Any? { get } }
extension Optional: OptionalValue { var wrapped: Any? { self } }
