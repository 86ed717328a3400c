import ArchiveFormat
import ArchiveReflection

/// What one encoding leaves to the next one with the same kind of root and the same settings: memory, and what is known about classes.
///
/// For a small graph everything else costs less than to make all that anew. Calls that run at once, or inside each other, each have one of
/// their own.
@safe
final class EncodingWorkspace {
  private let root: ObjectIdentifier
  private let dynamicRoot: ObjectIdentifier
  private let isSecure: Bool
  private let allowed: [ObjectIdentifier]
  private let generation: Int
  private let codec: ValueCodec
  private let state: UnsafeMutablePointer<EncodingState>

  private static let pool = Pool<EncodingWorkspace>()

  private init(_ root: Any.Type, _ dynamicRoot: Any.Type, _ isSecure: Bool, _ types: [Any.Type]) throws {
    let registry = PlanRegistry.shared
    self.root = ObjectIdentifier(root)
    self.dynamicRoot = ObjectIdentifier(dynamicRoot)
    self.isSecure = isSecure
    allowed = types.map { ObjectIdentifier($0) }
    // Asked for first: what is registered meanwhile makes this one outdated.
    generation = registry.generation
    codec = try registry.codec(for: root)
    let universe = isSecure ? try registry.universe(of: [dynamicRoot is AnyClass ? dynamicRoot : root] + types) : nil
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: EncodingState(universe: universe))
  }

  deinit {
    // SAFETY: allocated and initialised above.
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// Encodes a root that is not declared as `Any` or a protocol, and calls `take` with a writer in which the archive begins at a position.
  ///
  /// - Throws: What encoding throws; then the workspace is not used again.
  static func archive<Root, Result>(
    _ root: Root, _ isSecure: Bool, _ types: [Any.Type], maximumByteCount: Int?, _ take: (inout ByteWriter, Int) -> Result
  ) throws -> Result {
    let dynamicRoot: Any.Type = type(of: root)
    let key = ObjectIdentifier(dynamicRoot)
    let kept = pool.take(key) { $0.fits(Root.self, dynamicRoot, isSecure, types) }
    let workspace = try kept ?? EncodingWorkspace(Root.self, dynamicRoot, isSecure, types)
    // SAFETY: nobody else has the workspace until it is given back.
    let state = unsafe workspace.state
    unsafe state.pointee.byteLimit = maximumByteCount ?? Int.max
    try unsafe state.pointee.archive(root, as: workspace.codec)
    let result = unsafe take(&state.pointee.writer, state.pointee.archiveStart)
    if unsafe state.pointee.recycle() { pool.give(workspace, key) }
    return result
  }

  private func fits(_ root: Any.Type, _ dynamicRoot: Any.Type, _ isSecure: Bool, _ types: [Any.Type]) -> Bool {
    self.dynamicRoot == ObjectIdentifier(dynamicRoot) && self.root == ObjectIdentifier(root) && self.isSecure == isSecure
      && allowed.count == types.count && generation == PlanRegistry.shared.generation
      && (types.isEmpty || allowed == types.map { ObjectIdentifier($0) })
  }
}
