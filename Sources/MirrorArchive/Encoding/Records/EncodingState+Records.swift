import ArchiveFormat
import ArchiveReflection

/// What tells values that are no Swift values from others.
enum RecordMarks {
  enum Bytes {}
  enum Container {}
  enum Conditional {}
}

// MARK: Objects

extension EncodingState {
  /// The recorder, which somebody has made.
  func recorderPointer() -> UnsafeMutablePointer<Recorder> {
    // SAFETY: lives as long as this state.
    unsafe recorder.pointer.unsafelyUnwrapped
  }

  /// Makes a recorder, with a coder of its own, where there is none.
  mutating func makeRecorder() {
    if unsafe recorder.pointer != nil { return }
    recorder.fill(Recorder(KeyedArchiver(servingOneCall: admission.universe != nil), owned: true))
  }

  /// Lets the objects of these rows of a block hand their values over.
  ///
  /// Their code may use the coder, and through it this state, which nobody else uses meanwhile.
  mutating func takeRecords(ofBlock index: Int, from firstRow: Int, _ rows: Rows) throws {
    let recorder = unsafe recorderPointer()
    let coder = unsafe recorder.pointee.coder
    let block = try unsafe recorder.pointee.records(of: index, graph.blocks[index].plan, &types)
    guard let recording = block.recording else { return }
    swap(&writer, &block.bytes)
    pools.select(recording.pool)
    unsafe recorder.pointee.block = block
    defer {
      unsafe recorder.pointee.block = nil
      swap(&writer, &block.bytes)
    }
    for row in 0..<rows.count {
      let start = writer.count
      unsafe recorder.pointee.object = index << 10 | (firstRow + row)
      unsafe recorder.pointee.frame = RecordFrame(guess: recording.firstEdge, start: start)
      // SAFETY: the graph keeps the object alive; the pointer is used until the call returns and no longer.
      let object = unsafe Unmanaged<AnyObject>.fromOpaque(rows[row]).takeUnretainedValue()
      admission.isHandOver = true
      unsafe try withUnsafeMutablePointer(to: &self) { state in
        unsafe try coder.record(state) { try recording.caller.encode(object, coder) }
      }
      admission.isHandOver = false
      let shape = unsafe recorder.pointee.shapes.shape(of: recorder.pointee.frame.node, &types)
      recording.firstEdge = unsafe recorder.pointee.frame.firstEdge
      block.endRow(shape: shape, length: writer.count - start)
      unsafe recorder.pointee.pendingByteCount += writer.count - start
      if graph.blocks[index].plan.isHandCoded { coder.didEncode(object) }
    }
  }
}

// MARK: Values

extension EncodingState {
  /// Records one value of the object or container that is handing its values over.
  ///
  /// - Parameters:
  ///   - value: A value of the type.
  ///   - key: Nil for a value without one.
  mutating func record(_ value: UnsafeRawPointer, of type: Any.Type, key: String?) throws {
    let place = unsafe recorderPointer().pointee.frame.unkeyedCount
    do {
      let codec = try advance(key, ObjectIdentifier(type)) { types in
        let codec = try PlanRegistry.shared.codec(for: type)
        return (codec, try codec.describe(&types))
      }
      guard let codec else { return }
      unsafe look(at: value, type)
      // SAFETY: the caller's value is only read.
      let rows = unsafe Rows(base: UnsafeMutableRawPointer(mutating: value), stride: codec.witnesses.stride, count: 1)
      if codec.traits.hasReferences { try discoverNow(rows, codec, type) }
      if codec.traits.hasConditional || hasMetConditional {
        hasMetConditional = false
        deferValue(.value(unsafe ValueBox(copying: value, codec)), RecordPlace.component(key, place))
      } else {
        try codec.encode(rows, &self)
      }
      try checkByteLimit()
    } catch {
      throw located(error, RecordPlace.component(key, place), key)
    }
  }

  /// Strings that repeat are worth a pool: their first values are looked at until that is known.
  @inline(__always)
  private mutating func look(at value: UnsafeRawPointer, _ type: Any.Type) {
    let recorder = unsafe recorderPointer()
    let (node, edge) = unsafe recorder.pointee.frame.taken
    if unsafe !recorder.pointee.shapes.isTrying(edge, of: node) { return }
    // SAFETY: an edge with a trial is of one of these two types.
    if type == String.self {
      unsafe recorder.pointee.shapes.look(
        at: UnsafeMutableRawPointer(mutating: value).assumingMemoryBound(to: String.self), of: edge, from: node)
    } else if var string = unsafe value.assumingMemoryBound(to: String?.self).pointee {
      unsafe recorder.pointee.shapes.look(at: &string, of: edge, from: node)
    }
  }

  /// Finds what a value refers to, before it is encoded.
  private mutating func discoverNow(_ rows: Rows, _ codec: ValueCodec, _ type: Any.Type) throws {
    // At the top level a reader names the type of the value, not of every object in it.
    if !admission.isHandOver { try admission.name(type) }
    try codec.discover(rows, &self)
    if graph.substitutions.isWaiting { try settleSubstitutions() }
  }

  /// Records a reference that is kept if something else archives the object.
  mutating func recordConditional(_ object: AnyObject?, key: String?) throws {
    let place = unsafe recorderPointer().pointee.frame.unkeyedCount
    do {
      _ = try advance(key, ObjectIdentifier(RecordMarks.Conditional.self)) { _ in (nil, .optionalReference) }
      if let object, unsafe graph.number(of: unsafe Unmanaged.passUnretained(object).toOpaque()) == nil {
        deferValue(.conditional(object), RecordPlace.component(key, place))
      } else {
        ConditionalReferenceCodec.encode(object, &self)
      }
    } catch {
      throw located(error, RecordPlace.component(key, place), key)
    }
  }

  /// Records bytes as `Data` is.
  mutating func recordBytes(_ bytes: UnsafeRawBufferPointer, key: String) throws {
    do {
      _ = try advance(key, ObjectIdentifier(RecordMarks.Bytes.self)) { _ in (nil, .data) }
      writer.appendVarint(UInt64(bytes.count))
      unsafe writer.append(contentsOf: bytes)
      try checkByteLimit()
    } catch {
      throw located(error, RecordPlace.component(key, 0), key)
    }
  }

  private mutating func deferValue(_ content: DeferredValue.Content, _ component: String) {
    let recorder = unsafe recorderPointer()
    guard let block = unsafe recorder.pointee.block else { return }
    block.deferred.append(
      DeferredValue(
        row: block.rowCount, position: writer.count, place: unsafe recorder.pointee.frame.place + component, content: content))
  }
}

// MARK: Containers

extension EncodingState {
  /// Begins a nested container: what is recorded until `endContainer` goes into it.
  mutating func beginContainer(key: String?) throws {
    let recorder = unsafe recorderPointer()
    let place = unsafe recorder.pointee.frame.unkeyedCount
    do {
      let node = unsafe recorder.pointee.frame.node
      _ = try advance(key, ObjectIdentifier(RecordMarks.Container.self)) { _ in (nil, .record) }
      try enter()
      let edge = unsafe recorder.pointee.shapes.lastEdge(of: node)
      beginFrame(RecordPlace.component(key, place), openedBy: (node, edge))
    } catch {
      throw located(error, RecordPlace.component(key, place), key)
    }
  }

  /// Begins the frame of a container whose body begins here.
  mutating func beginFrame(_ component: String, openedBy opener: (node: Int, edge: Int)?) {
    let recorder = unsafe recorderPointer()
    guard let block = unsafe recorder.pointee.block else { return }
    let guess = opener.map { unsafe recorder.pointee.shapes[$0.node, $0.edge].firstEdge } ?? 0
    var frame = RecordFrame(guess: guess, start: writer.count)
    frame.opener = opener
    frame.place = unsafe recorder.pointee.frame.place + component
    frame.deferredIndex = block.deferred.count
    // Kept only if something in it is deferred.
    let content = DeferredValue.Content.container(.init(shape: .void, end: 0, lastIndex: 0))
    block.deferred.append(DeferredValue(row: block.rowCount, position: writer.count, place: frame.place, content: content))
    unsafe recorder.pointee.outer.append(recorder.pointee.frame)
    unsafe recorder.pointee.frame = frame
  }

  /// Ends the innermost container.
  mutating func endContainer() {
    leave()
    endFrame()
  }

  /// Ends the innermost frame: its body becomes a column of one row.
  mutating func endFrame() {
    let recorder = unsafe recorderPointer()
    guard let block = unsafe recorder.pointee.block, let outer = unsafe recorder.pointee.outer.popLast() else { return }
    let frame = unsafe recorder.pointee.frame
    let shape = unsafe recorder.pointee.shapes.shape(of: frame.node, &types)
    if block.deferred.count == frame.deferredIndex + 1 {
      block.deferred.removeLast()
      RecordColumnWriter.wrapRow(shape: shape, from: frame.start, in: &writer)
    } else {
      block.deferred[frame.deferredIndex].content = .container(.init(shape: shape, end: writer.count, lastIndex: block.deferred.count))
    }
    if let opener = frame.opener { unsafe recorder.pointee.shapes.setFirstEdge(frame.firstEdge, of: opener.edge, from: opener.node) }
    unsafe recorder.pointee.frame = outer
  }
}

// MARK: Shapes

extension EncodingState {
  /// Takes the next key of the current frame. Returns the codec of its values.
  @inline(__always)
  private mutating func advance(
    _ key: String?, _ kind: ObjectIdentifier, _ describe: (inout TypeTableBuilder) throws -> (ValueCodec?, TypeID)
  ) throws -> ValueCodec? {
    let recorder = unsafe recorderPointer()
    let stored = key.map(ShapeTrie.stored) ?? ShapeTrie.unkeyed
    let node = unsafe recorder.pointee.frame.node
    let known = unsafe recorder.pointee.shapes.edge(from: node, guess: recorder.pointee.frame.guess, key: stored, kind: kind)
    if unsafe known == nil || recorder.pointee.frame.keys != nil { try requireNew(stored, isKnown: known != nil) }
    let edge: Int
    if let known {
      edge = known
    } else {
      let (codec, type) = try describe(&types)
      edge = unsafe recorder.pointee.shapes.addEdge(from: node, key: stored, kind: kind, codec: codec, type: type)
    }
    unsafe recorder.pointee.frame.taken = (node, edge)
    let target = unsafe recorder.pointee.shapes.target(of: edge, from: node)
    unsafe recorder.pointee.frame.node = target
    unsafe recorder.pointee.frame.guess = recorder.pointee.shapes.lastEdge(of: target)
    if node == ShapeTrie.root { unsafe recorder.pointee.frame.firstEdge = edge }
    if key == nil { unsafe recorder.pointee.frame.unkeyedCount += 1 }
    return unsafe recorder.pointee.shapes[node, edge].codec
  }

  /// Throws if the current frame has the key already. A known way through the shapes has no key twice.
  @inline(never)
  private mutating func requireNew(_ key: String, isKnown: Bool) throws {
    if key == ShapeTrie.unkeyed { return }
    let recorder = unsafe recorderPointer()
    if unsafe recorder.pointee.frame.keys == nil {
      if isKnown { return }
      unsafe recorder.pointee.frame.keys = recorder.pointee.shapes.keys(to: recorder.pointee.frame.node)
    }
    if unsafe recorder.pointee.frame.keys?.insert(key).inserted == false {
      throw ArchiveError(.duplicateKey, message: "the key was encoded before; every value of an object or container needs a key of its own")
    }
  }
}
