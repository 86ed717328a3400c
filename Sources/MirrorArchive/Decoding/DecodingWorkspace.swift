import ArchiveFormat
import ArchiveReflection

/// What one decoding leaves to the next one of the same root type with the same settings: memory, and what the archive's description means.
///
/// Archives of one model begin with the same description: it is compared, and neither read nor checked by the gate again, because the
/// gate's verdict depends on nothing else than that and the settings. Calls that run at once, or inside each other, each have a workspace of
/// their own.
@safe
final class DecodingWorkspace {
  let universe: Universe
  let allowsAnyClass: Bool
  let options: DecodingOptions
  /// That of the root; nil if it is not known beforehand.
  let codec: ValueCodec?
  private let allowed: [ObjectIdentifier]
  private let generation: Int
  // SAFETY: used by the one call that has the workspace.
  @exclusivity(unchecked) private var storedBinding: Binding?
  /// For archives that are read with this binding; nil until there was one, and after a failure.
  @exclusivity(unchecked) private var state: UnsafeMutablePointer<DecodingState>?
  /// Where everything stands in an archive: in one after another.
  @exclusivity(unchecked) private var layout = ArchiveLayout()

  /// How the last archive was read.
  var binding: Binding? { unsafe storedBinding }

  private static let pool = Pool<DecodingWorkspace>()

  /// One that is used once.
  init(_ universe: Universe, _ allowsAnyClass: Bool, _ options: DecodingOptions) {
    self.universe = universe
    self.allowsAnyClass = allowsAnyClass
    self.options = options
    codec = nil
    allowed = []
    generation = 0
  }

  private init(_ root: Any.Type, _ types: [Any.Type], _ allowsAnyClass: Bool, _ options: DecodingOptions) throws {
    try AllowList.check([root], isRoot: true)
    if !types.isEmpty { try AllowList.check(types) }
    let registry = PlanRegistry.shared
    // Asked for first: what is registered meanwhile makes this one outdated.
    generation = registry.generation
    universe = try registry.universe(of: [root] + types)
    codec = try registry.codec(for: root)
    allowed = types.map { ObjectIdentifier($0) }
    self.allowsAnyClass = allowsAnyClass
    self.options = options
  }

  deinit { dropState() }

  /// Decodes the root of an archive as a `Root`, which is no protocol.
  static func decode<Root>(
    _: Root.Type, from bytes: UnsafeRawBufferPointer, allowing types: [Any.Type], _ options: DecodingOptions, allowsAnyClass: Bool,
    verifyingChecksum: Bool
  ) throws -> Root {
    let key = ObjectIdentifier(Root.self)
    let kept = pool.take(key) { $0.fits(Root.self, types, options, allowsAnyClass) }
    let workspace = try kept ?? DecodingWorkspace(Root.self, types, allowsAnyClass, options)
    let root = unsafe try workspace.decode(Root.self, key: "root", from: bytes, verifyingChecksum: verifyingChecksum)
    pool.give(workspace, key)
    return root
  }

  private func fits(_ root: Any.Type, _ types: [Any.Type], _ options: DecodingOptions, _ allowsAnyClass: Bool) -> Bool {
    codec?.type == root && self.allowsAnyClass == allowsAnyClass && self.options == options && allowed.count == types.count
      && generation == PlanRegistry.shared.generation && (types.isEmpty || allowed == types.map { ObjectIdentifier($0) })
  }

  /// The most blocks of an archive whose lists are kept for another one.
  private static let maximumBlocks = 1_024

  /// A layout that nobody else has a reference to.
  func takeLayout() -> ArchiveLayout {
    if unsafe !isKnownUniquelyReferenced(&layout) || layout.blocks.count > Self.maximumBlocks { unsafe layout = ArchiveLayout() }
    return unsafe layout
  }

  /// A state for an archive, which belongs to the caller until it is kept or dropped.
  func takeState(_ layout: borrowing ArchiveLayout, _ binding: Binding) throws -> UnsafeMutablePointer<DecodingState> {
    if unsafe storedBinding !== binding {
      dropState()
      unsafe storedBinding = binding
    }
    guard let kept = unsafe state else {
      let allowance = try DecodingState.allowance(layout, binding.limits)
      let new = try DecodingState(layout: layout, binding: binding, allowance: allowance)
      let state = UnsafeMutablePointer<DecodingState>.allocate(capacity: 1)
      unsafe state.initialize(to: new)
      return unsafe state
    }
    unsafe state = nil
    do {
      unsafe try kept.pointee.restart(layout, binding)
    } catch {
      unsafe drop(kept)
      throw error
    }
    return unsafe kept
  }

  /// Keeps a state whose archive has been decoded for the next one.
  func keep(_ state: UnsafeMutablePointer<DecodingState>) {
    if unsafe state.pointee.recycle() { unsafe self.state = state } else { unsafe drop(state) }
  }

  func drop(_ state: UnsafeMutablePointer<DecodingState>) {
    // SAFETY: allocated and initialised by `takeState`; whoever took it uses it no more.
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  private func dropState() {
    if let state = unsafe state { unsafe drop(state) }
    unsafe state = nil
  }
}
