/// A stack of temporary memory: columns borrow from it and give back in reverse order.
///
/// Blocks never move, so pointers stay valid until they are released. Complexity: O(1) per allocation, amortised.
@safe
struct Scratch: ~Copyable {
  private var blocks: [UnsafeMutableRawBufferPointer] = unsafe []
  private var current = -1
  private var used = 0
  /// The current block.
  private var base: UnsafeMutableRawPointer?
  private var size = -1

  /// A place to go back to.
  struct Mark {
    fileprivate let block: Int
    fileprivate let used: Int
  }

  init() {}

  deinit {
    for i in unsafe blocks.indices { unsafe blocks[i].deallocate() }
  }

  @inline(__always)
  func mark() -> Mark { Mark(block: current, used: used) }

  /// Gives back everything that was allocated since `mark`.
  @inline(__always)
  mutating func release(_ mark: Mark) {
    used = mark.used
    if mark.block != current { enter(mark.block) }
  }

  /// Makes a block the current one; the first stays current once it is there.
  @inline(never)
  private mutating func enter(_ block: Int) {
    current = max(block, 0)
    unsafe base = blocks[current].baseAddress
    size = unsafe blocks[current].count
  }

  /// Begins anew, with the first block if it has no more than `limit` bytes.
  mutating func recycle(limit: Int) {
    used = 0
    guard current >= 0 else { return }
    let kept = unsafe blocks[0].count <= limit ? 1 : 0
    if unsafe blocks.count > kept {
      for i in unsafe kept..<blocks.count { unsafe blocks[i].deallocate() }
      unsafe blocks.removeSubrange(kept...)
    }
    if kept == 1 { return enter(0) }
    current = -1
    size = -1
    unsafe base = nil
  }

  /// `count` uninitialised values of a trivial type.
  @inline(__always)
  mutating func allocate<T: BitwiseCopyable>(_: T.Type, _ count: Int) -> UnsafeMutablePointer<T> {
    unsafe bytes(count &* MemoryLayout<T>.stride, alignmentMask: MemoryLayout<T>.alignment &- 1).assumingMemoryBound(to: T.self)
  }

  /// `count` uninitialised bytes.
  @inline(__always)
  mutating func bytes(_ count: Int, alignmentMask: Int) -> UnsafeMutableRawPointer {
    // SAFETY: blocks are aligned to 64 bytes; the sum is compared with the block's size before the pointer leaves, and without a block it is -1.
    let start = (used &+ max(alignmentMask, 15)) & ~max(alignmentMask, 15)
    if start &+ count <= size {
      used = start &+ count
      return unsafe base.unsafelyUnwrapped + start
    }
    return unsafe grow(count, alignmentMask)
  }

  @inline(never)
  private mutating func grow(_ count: Int, _ alignmentMask: Int) -> UnsafeMutableRawPointer {
    let alignment = max(alignmentMask &+ 1, 64)
    let next = current + 1
    let isUnfit =
      unsafe next < blocks.count
      && (blocks[next].count < count || Int(bitPattern: blocks[next].baseAddress) & (alignment - 1) != 0)
    if isUnfit {
      for i in unsafe next..<blocks.count { unsafe blocks[i].deallocate() }
      unsafe blocks.removeSubrange(next...)
    }
    if unsafe next == blocks.count {
      let size = max(count, next == 0 ? 2_048 : 65_536 << min(next, 8))
      unsafe blocks.append(.allocate(byteCount: size, alignment: alignment))
    }
    enter(next)
    used = count
    return unsafe base.unsafelyUnwrapped
  }
}
