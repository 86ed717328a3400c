/// A stack of temporary memory: columns borrow from it and give back in reverse order.
///
/// Blocks never move, so pointers stay valid until they are released. Complexity: O(1) per allocation, amortised.
@safe
struct Scratch: ~Copyable {
  private var blocks: [UnsafeMutableRawBufferPointer] = unsafe []
  private var current = -1
  private var used = 0

  /// A place to go back to.
  struct Mark {
    fileprivate let block: Int
    fileprivate let used: Int
  }

  init() {}

  deinit {
    for i in unsafe blocks.indices { unsafe blocks[i].deallocate() }
  }

  func mark() -> Mark { Mark(block: current, used: used) }

  /// Gives back everything that was allocated since `mark`.
  mutating func release(_ mark: Mark) {
    current = mark.block
    used = mark.used
  }

  /// `count` uninitialised values of a trivial type.
  @inline(__always)
  mutating func allocate<T: BitwiseCopyable>(_: T.Type, _ count: Int) -> UnsafeMutablePointer<T> {
    unsafe bytes(count &* MemoryLayout<T>.stride, alignmentMask: MemoryLayout<T>.alignment &- 1).assumingMemoryBound(to: T.self)
  }

  /// `count` uninitialised bytes.
  @inline(__always)
  mutating func bytes(_ count: Int, alignmentMask: Int) -> UnsafeMutableRawPointer {
    // SAFETY: blocks are aligned to 64 bytes; the sum is compared with the block's size before the pointer leaves.
    let start = (used &+ max(alignmentMask, 15)) & ~max(alignmentMask, 15)
    if current >= 0 {
      let block = unsafe blocks[current]
      if start &+ count <= block.count {
        used = start &+ count
        return unsafe block.baseAddress.unsafelyUnwrapped + start
      }
    }
    return unsafe grow(count, alignmentMask)
  }

  @inline(never)
  private mutating func grow(_ count: Int, _ alignmentMask: Int) -> UnsafeMutableRawPointer {
    let alignment = max(alignmentMask &+ 1, 64)
    current += 1
    let isUnfit =
      unsafe current < blocks.count
      && (blocks[current].count < count || Int(bitPattern: blocks[current].baseAddress) & (alignment - 1) != 0)
    if isUnfit {
      for i in unsafe current..<blocks.count { unsafe blocks[i].deallocate() }
      unsafe blocks.removeSubrange(current...)
    }
    if unsafe current == blocks.count {
      let size = max(count, current == 0 ? 2_048 : 65_536 << min(current, 8))
      unsafe blocks.append(.allocate(byteCount: size, alignment: alignment))
    }
    used = count
    return unsafe blocks[current].baseAddress.unsafelyUnwrapped
  }
}
