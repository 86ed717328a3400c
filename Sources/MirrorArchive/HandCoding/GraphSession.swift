import ArchiveFormat
import ArchiveReflection

/// Reads archives in which code of the program makes objects, asks for keys one by one, or puts other objects in their place.
///
/// Objects come about when something asks for them. A block of reflected objects is made and filled as a whole, with all that its columns lead
/// to; a hand-coded object is made when its owner asks for it, or when a column that refers to it is about to be filled. While code of the
/// program runs, nothing of the session is in use, so it may ask for more.
@safe
final class GraphSession: SessionStorage {
  /// What is known about a block whose objects exist or are expected.
  final class Block {
    let reader: ClassReader
    /// Per step: whether it refers to objects that come later; nil if none does.
    var late: [Bool]?
    var records: BlockRecords?
    /// What the call that reached the block admits behind `Any` and protocols.
    let allowed: [Any.Type]

    init(_ reader: ClassReader, allowing allowed: [Any.Type]) {
      self.reader = reader
      self.allowed = allowed
    }
  }

  /// A reference that is delivered when the graph is complete.
  struct Callback {
    let number: Int64
    let run: (AnyObject) throws -> Void
  }

  /// Who asks; set by the unarchiver that owns this.
  private let bytes: ArchiveBytes
  let layout: ArchiveLayout
  /// What may be decoded from here on, whoever asks.
  private var universe: Universe
  /// What whoever made the unarchiver has named.
  private let base: Universe

  private(set) var readers: [ClassReader?]
  /// The values of the archive as such, made when the first object of an unknown class is kept.
  lazy var values = ArchiveValues(layout, limits)
  /// Per type-table entry: the unknown class that is kept.
  var unknown: [Int: UnknownClass] = [:]
  /// Blocks of kept objects: those that are not connected with what they refer to, and those that nobody has been given.
  var unconnectedBlocks: [Int] = []
  var keptBlocks: [Int] = []
  /// Per type-table entry: whether a hand-coded object of the class has been asked for.
  var isAsked: [Bool]
  private var shapes: [Int64: RecordShape] = [:]

  // What is still to be done before the graph is complete.
  var lateBlocks: [Int] = []
  var deferredBlocks: [Int] = []
  var extraBlocks: [Int] = []
  /// Blocks of objects that are read as values.
  var valueBlocks: Set<Int> = []
  /// The blocks that were reached since the caller last got a complete graph.
  var wave: [Int] = []
  /// Blocks of objects whose memory is not yet filled, because no initializer has and hand-coded objects are still missing.
  var bareBlocks: Set<Int> = []

  /// An object was put in the place of one that properties may refer to already.
  var hasNewSubstitutes = false
  /// Where the last error came from, for its path.
  var lastPlace: (path: String, object: Int64, suffix: String)?
  private var finishedPath: String?
  private var isAbandoned = false

  init(_ bytes: ArchiveBytes, _ layout: ArchiveLayout, universe: Universe, allowsAnyClass: Bool, _ options: DecodingOptions) throws {
    self.bytes = bytes
    self.layout = layout
    self.universe = universe
    base = universe
    readers = Array(repeating: nil, count: layout.types.entries.count)
    isAsked = Array(repeating: false, count: layout.types.entries.count)
    let binder = Binder(types: layout.types, universe: universe, allowsAnyClass: allowsAnyClass, names: nil, options: options)
    let allowance = try DecodingState.allowance(layout, options.limits)
    super.init(DecodingState(layout: layout, binder: binder, allowance: allowance), blockCount: layout.blocks.count)
    // The bottom of the scratch memory stays, so that no value has to look for it.
    _ = unsafe state.scratch.allocate(UInt8.self, 1)
    let shape = try RecordShape(layout.roots, in: layout.types)
    cursors.append(
      RecordCursor(shape: shape, body: layout.rootReaders.first ?? state.reader, starts: layout.rootReaders, poolID: 0, object: nil))
  }

  // MARK: The coder

  private var owner: Unmanaged<KeyedUnarchiver>?

  /// Who asks: the unarchiver that this belongs to.
  var coder: KeyedUnarchiver {
    // SAFETY: the unarchiver owns the session and sets itself before the first call.
    unsafe owner.unsafelyUnwrapped.takeUnretainedValue()
  }
  func setOwner(_ coder: KeyedUnarchiver) { unsafe owner = Unmanaged.passUnretained(coder) }

  // MARK: Calls

  /// Runs `body` with the session in use: code of the program that calls the coder meanwhile gets `reentrant`.
  @inline(__always)
  func working<R>(_ body: () throws -> R) rethrows -> R {
    let before = isBusy
    isBusy = true
    defer { isBusy = before }
    return try body()
  }

  /// Whether the caller stands outside, and gets complete graphs.
  var isOutside: Bool { depth == 0 && !isCompleting }

  func setAllowsAnyClass(_ allows: Bool) { changeBinder { $0.allowsAnyClass = allows } }
  func setOptions(_ options: DecodingOptions) {
    limits = options.limits
    changeBinder { $0.options = options }
  }
  private var limits = KeyedUnarchiver.Limits()

  /// A call from outside begins: it may ask for the same values as others before it, so that each has the whole allowance.
  func beginCall() throws { state.apply(limits, try DecodingState.allowance(layout, limits)) }
  func setNames(_ names: ClassNames?) { changeBinder { $0.names = names } }

  /// Remembers an error after which nothing more can be read.
  func fail(_ error: any Error) {
    if failure == nil { failure = error }
    isRefusing = true
  }

  // MARK: Naming

  /// Admits a type and what it reaches, from here on.
  func name(_ type: Any.Type, isOpen: Bool = false) throws {
    let more = try universe.naming(type, isOpen: isOpen)
    if more === universe { return }
    universe = more
    try applyUniverse()
  }

  /// Admits types behind `Any` and protocols while `body` runs.
  func allowing<R>(_ types: [Any.Type], _ body: () throws -> R) throws -> R {
    if types.isEmpty { return try body() }
    for type in types { try name(type) }
    let before = callTypes
    callTypes += types
    try applyUniverse()
    defer {
      callTypes = before
      try? applyUniverse()
    }
    return try body()
  }

  /// Whether a class is admitted by the call that asks, which names `list`, or by whoever made the unarchiver.
  func isNamed(_ type: AnyClass, _ list: Universe) -> Bool {
    if list.contains(type) || base.contains(type) || state.binder?.allowsAnyClass ?? false { return true }
    return callTypes.contains { (try? PlanRegistry.shared.universe(of: [$0]).contains(type)) ?? false }
  }

  /// Runs code of the program, which has lists of its own.
  ///
  /// - Throws: What the code throws, or what has left the graph in pieces meanwhile, though the code may have caught it: nothing goes on then.
  @inline(__always)
  func withOwnLists<R>(_ body: () throws -> R) throws -> R {
    let result = callTypes.isEmpty ? try body() : try withoutCallTypes(body)
    if let failure { throw failure }
    return result
  }

  private func withoutCallTypes<R>(_ body: () throws -> R) throws -> R {
    let before = callTypes
    callTypes = []
    try applyUniverse()
    defer {
      callTypes = before
      try? applyUniverse()
    }
    return try body()
  }

  private func applyUniverse() throws {
    var effective = universe
    for type in callTypes { effective = try effective.naming(type, isOpen: true) }
    changeBinder { $0.universe = effective }
  }

  // MARK: Types of the archive

  /// The class of a block's objects, by the gate.
  func plan(ofBlock block: Int) throws -> ClassPlan {
    if let plan = state.objects.plan(ofBlock: block) { return plan }
    let type = layout.blocks[block].type
    do {
      return try withBinder { try $0.resolveClass(type) }
    } catch let error as ArchiveError where error.code == .typeNotAllowed || error.code == .unknownType {
      guard let delegate = coder.delegate else { throw error }
      let names = layout.types.classNames(of: type)
      guard
        let substitute = working({
          delegate.unarchiver(coder, cannotDecodeObjectOfClassName: names.first ?? "", originalClasses: names)
        })
      else { throw error }
      return try withBinder { try $0.substitute(substitute, for: type) }
    }
  }

  /// Changes the binder, which is out of the state meanwhile: what is assigned to a part of it in place is not let go of (Swift 6.3).
  private func changeBinder(_ change: (inout Binder) -> Void) {
    guard var binder = state.binder else { return }
    state.binder = nil
    change(&binder)
    state.binder = binder
  }

  /// The same for what may fail.
  func withBinder<R>(_ body: (inout Binder) throws -> R) throws -> R {
    guard var binder = state.binder else { throw ArchiveError(.malformed, message: "there is no such type") }
    state.binder = nil
    defer { state.binder = binder }
    return try binder.undoing(body)
  }

  func reader(ofBlock block: Int) throws -> ClassReader {
    let type = layout.blocks[block].type
    let entry = type.entryIndex ?? 0
    if let known = readers[entry] { return known }
    let plan = try plan(ofBlock: block)
    let reader = try withBinder { try ClassReader(type, plan, &$0) }
    readers[entry] = reader
    return reader
  }

  /// The reader for a value of the archived type `id`.
  func reader(_ codec: ValueCodec, _ id: TypeID) throws -> ColumnReader {
    try withBinder { try $0.reader(codec, id) }
  }

  /// Remembers how blocks are passed over whose objects are kept as they are.
  func setReader(_ reader: ClassReader, ofBlock block: Int) { readers[layout.blocks[block].type.entryIndex ?? 0] = reader }

  func shape(_ number: Int64) throws -> RecordShape {
    if let known = shapes[number] { return known }
    guard let properties = layout.types.shape(of: number) else {
      throw ArchiveError(.malformed, message: "type \(number) is not the shape of a record")
    }
    let shape = try RecordShape(properties, in: layout.types)
    shapes[number] = shape
    return shape
  }

  // MARK: Errors

  /// The error as the program sees it while the graph is being put together. The path from the root is found out if it gets that far.
  func located(_ error: any Error, _ key: String, in cursor: RecordCursor) -> any Error {
    var located: ArchiveError
    var suffix = ""
    switch error {
    case let error as LocatedError:
      located = error.error
      suffix = error.suffix
    case let error as FormatError: located = ArchiveError(error)
    case let error as ArchiveError:
      if !error.path.isEmpty && (lastPlace?.path == error.path || finishedPath == error.path) { return error }
      located = error
      // A declaration inside the value that does not fit: its path is below types, not below values.
      if !error.path.isEmpty && !error.message.hasPrefix(error.path) { located.message = "\(error.path): \(error.message)" }
    default: return error
    }
    suffix = cursor.place + (key.isEmpty ? "" : (cursor.object == nil && cursor.place.isEmpty ? key : "." + key)) + suffix
    if let object = cursor.object {
      located.path = name(of: object) + suffix
      lastPlace = (located.path, object, suffix)
    } else {
      located.path = suffix
    }
    return located
  }

  /// The error with the path from the root.
  func finished(_ error: any Error) -> any Error {
    let finished = withPath(error)
    finishedPath = (finished as? ArchiveError)?.path
    return finished
  }

  private func withPath(_ error: any Error) -> any Error {
    switch error {
    case let error as ObjectError:
      var located = error.error
      located.path = path(of: error.object) + error.place
      return located
    case let error as ArchiveError:
      guard let place = lastPlace, place.path == error.path else { return error }
      var located = error
      located.path = path(of: Int(place.object)) + place.suffix
      return located
    case let error as FormatError: return ArchiveError(error)
    case let error as LocatedError: return error.error
    default: return error
    }
  }

  private func path(of object: Int) -> String { ObjectPath(layout: layout, readers: readers).path(of: object) }

  func name(of object: Int64) -> String {
    let plan = state.objects.index(of: object).flatMap { _ in state.objects.plan(ofBlock: Int(object >> 10)) }
    return plan.map { "\(Reflection.unqualifiedName(of: $0.type))#\(object)" } ?? "object \(object)"
  }

  /// Lets go of everything; objects that were delivered are their owners'.
  func close() {
    isBusy = true
    state.objects.close()
    blocks = []
    callbacks = []
  }

  /// Gives up what has not been delivered.
  func abandon() {
    if isAbandoned { return }
    isAbandoned = true
    working {
      forgetKept()
      state.objects.abandon()
    }
    callbacks = []
  }
}

extension TypeTable {
  /// The names of an archived class and its superclasses.
  func classNames(of id: TypeID) -> [String] {
    var names: [String] = []
    var next: TypeID? = id
    while let current = next, case .object(let name, _, let superclass, _)? = self[current] {
      names.append(name)
      next = superclass
    }
    return names
  }
}
