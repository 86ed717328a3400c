import ArchiveFormat
import ArchiveReflection

/// What an archive's description of its types means to this program, for one root type and one list of admitted types.
///
/// Archives of the same model have the same description, byte for byte, so the work of the gate and of binding is done for the first of them
/// and found again for the others. Immutable; shared by all threads.
@safe
final class Binding: @unchecked Sendable {
  let known: KnownTypes
  var types: TypeTable { known.table }
  let classes: [ClassPlan?]
  /// Per type-table entry: how blocks of that class are read.
  let readers: [ClassReader?]
  /// The same, for loops over the blocks of small archives, where counting would cost more than a value does.
  let uncounted: UnsafeMutableBufferPointer<Unmanaged<ClassReader>?>
  let rootReader: ColumnReader
  /// Some property waits until all others are filled.
  let hasDeferred: Bool
  /// No user code but `init()` can run until the graph is complete.
  let runsNoUserCode: Bool
  let hasHooks: Bool
  /// Some class has code that wants a coder.
  let needsCoder: Bool
  /// Per type-table entry of a class that this program does not know or admit: why. Nothing that is read may refer to its objects.
  let unresolved: [Int: ArchiveError]
  /// Entries of classes whose objects are read as values, with the places of the columns that are read.
  let valueEntries: [Int: Set<Int>]
  /// Whether there may be objects that nothing leads to which is read.
  let hasUnreached: Bool
  private let binder: Binder
  private let universe: Universe
  private let rootCodec: ValueCodec
  private let rootTypes: [TypeID]
  private let root: Int
  private let blockEntries: EntrySet
  private let isSimple: Bool

  /// The gate and the binding, for an archive that is the first of its kind.
  init(
    _ layout: borrowing ArchiveLayout, root: Int, codec: ValueCodec, universe: Universe, allowsAnyClass: Bool, options: DecodingOptions
  ) throws {
    var binder = Binder(
      types: layout.types, universe: universe, allowsAnyClass: allowsAnyClass, names: ClassNames.global, options: options)
    var readers = [ClassReader?](repeating: nil, count: layout.types.entries.count)
    var unresolved: [Int: ArchiveError] = [:]
    do {
      for block in layout.blocks {
        do {
          _ = try binder.resolveClass(block.type)
        } catch let error as ArchiveError where error.isUnknownClass {
          guard let entry = block.type.entryIndex else { throw error }
          unresolved[entry] = error
          binder.skipProperties(of: block.type)
        }
      }
      for block in layout.blocks {
        guard let entry = block.type.entryIndex, readers[entry] == nil, unresolved[entry] == nil else { continue }
        readers[entry] = try ClassReader(block.type, binder.resolveClass(block.type), &binder)
      }
      rootReader = try binder.reader(codec, layout.roots[root].type, below: layout.roots[root].key)
      for (index, other) in layout.roots.enumerated() where index != root { binder.skip(other.type) }
      try binder.checkOpenTypes()
    } catch {
      binder.unbind()
      throw error
    }
    known = unsafe KnownTypes(layout.types, layout.typeTableBytes)
    classes = binder.classes
    self.readers = readers
    unsafe uncounted = .allocate(capacity: readers.count)
    for i in readers.indices { unsafe uncounted.initializeElement(at: i, to: readers[i].map { unsafe .passUnretained($0) }) }
    let steps = readers.compactMap { $0?.steps }.joined()
    hasDeferred = steps.contains { $0.isDeferred }
    runsNoUserCode = !steps.contains { $0.isDeferred || $0.reader?.codec.traits.needsCompleteGraph ?? false }
    hasHooks = readers.contains { $0?.plan.hasDidDecode ?? false }
    needsCoder = readers.contains { $0.map { $0.plan.hasRecord || $0.plan.substitutes } ?? false }
    self.unresolved = unresolved
    valueEntries = binder.valueEntries
    let types = layout.types
    hasUnreached =
      !unresolved.isEmpty || steps.contains { !$0.isRead && !$0.isRecord && types.mayRefer($0.type) }
      || layout.roots.indices.contains { $0 != root && types.mayRefer(layout.roots[$0].type) }
    self.binder = binder
    self.universe = universe
    rootCodec = codec
    rootTypes = layout.roots.map(\.type)
    self.root = root
    blockEntries = EntrySet(layout.blocks)
    isSimple = layout.isSimple
  }

  deinit {
    binder.unbind()
    unsafe uncounted.deallocate()
  }

  /// Whether this binding was made for the very same question.
  func fits(
    _ layout: borrowing ArchiveLayout, root: Int, codec: ValueCodec, universe: Universe, allowsAnyClass: Bool, options: DecodingOptions
  ) -> Bool {
    self.universe === universe && rootCodec === codec && binder.allowsAnyClass == allowsAnyClass && binder.options == options
      && fits(layout, root: root)
  }

  /// The same for who asks with the settings that this binding was made with, about an archive with the same types.
  func fits(_ layout: borrowing ArchiveLayout, root: Int) -> Bool {
    // Of simple archives each has one object, of the first type, and one root.
    if isSimple && layout.isSimple { return true }
    guard self.root == root, rootTypes.count == layout.roots.count, rootTypes.indices.allSatisfy({ rootTypes[$0] == layout.roots[$0].type })
    else { return false }
    return EntrySet(layout.blocks) == blockEntries
  }

  /// What archives that are read with this may ask of the reader.
  var limits: KeyedUnarchiver.Limits { binder.options.limits }

  /// A binder for what only the archive names; whoever takes it has to unbind it.
  func makeOpenBinder() -> Binder {
    Binder(
      types: types, universe: universe, allowsAnyClass: binder.allowsAnyClass, names: binder.names, options: binder.options,
      classes: classes)
  }

  // MARK: Known bindings

  private static let all = Locked<[UInt64: [Binding]]>([:])
  /// Descriptions and bindings that are kept. Programs have few models; archives that vary without end must not fill the memory.
  private static let maximumDescriptions = 128
  private static let maximumPerDescription = 8
  private static let maximumLength = 65_536

  /// The bindings made for a description with these bytes.
  static func known(for bytes: UnsafeRawBufferPointer) -> [Binding] {
    let key = unsafe XXH3.hash(bytes)
    let found = all.withLock { $0[key] } ?? []
    return unsafe found.first?.known.isDescribed(by: bytes) == true ? found : []
  }

  /// Keeps a binding for the next archive of its kind.
  func remember() {
    if known.byteCount > Self.maximumLength { return }
    let key = known.hash
    // What is dropped is released outside the lock.
    var dropped: [UInt64: [Binding]] = [:]
    Self.all.withLock { known in
      if known.count >= Self.maximumDescriptions && known[key] == nil { swap(&known, &dropped) }
      var list = known[key] ?? []
      if list.count >= Self.maximumPerDescription || !(list.first.map { $0.known.hasBytes(of: self.known) } ?? true) { list = [] }
      list.append(self)
      known[key] = list
    }
    dropped.removeAll()
  }
}

/// Which types the blocks of an archive have.
private enum EntrySet: Equatable {
  /// The first 64 entries, a bit for each: that is all in nearly every archive.
  case bits(UInt64)
  case large(Set<Int>)

  init(_ blocks: [BlockHeader]) {
    var bits: UInt64 = 0
    for block in blocks {
      guard let entry = block.type.entryIndex else { continue }
      if entry >= 64 {
        self = .large(Set(blocks.compactMap(\.type.entryIndex)))
        return
      }
      bits |= 1 &<< UInt64(entry)
    }
    self = .bits(bits)
  }
}
