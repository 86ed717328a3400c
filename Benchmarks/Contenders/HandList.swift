import Foundation

/// The values from head to tail: that they are linked goes without saying.
enum HandList {
  static func encode(_ head: ListNode) -> Data {
    var writer = HandWriter(capacity: 1 << 16)
    let position = writer.placeholder()
    var count: UInt32 = 0
    // SAFETY: the head keeps all of them alive until this function returns; here and in `decode` nothing is retained on the way.
    var node: Unmanaged<ListNode>? = unsafe Unmanaged.passUnretained(head)
    while let current = unsafe node {
      writer.reserve(HandWriter.maximumVarint)
      count &+= 1
      unsafe node = unsafe current._withUnsafeGuaranteedRef { node in
        writer.signed(node.value)
        return unsafe node.next.map { unsafe Unmanaged.passUnretained($0) }
      }
    }
    writer.fill(position, with: count)
    return writer.finish()
  }

  static func decode(_ data: Data) throws -> ListNode {
    try HandReader.read(data) { reader in
      let count = Int(try reader.raw(as: UInt32.self))
      guard count > 0, count <= reader.remaining else { throw HandError.truncated }
      let head = ListNode(value: try reader.signed(), next: nil)
      var tail = unsafe Unmanaged.passUnretained(head)
      do {
        for _ in 1..<count {
          let node = ListNode(value: try reader.signed(), next: nil)
          let next = unsafe Unmanaged.passUnretained(node)
          unsafe tail._withUnsafeGuaranteedRef { $0.next = node }
          unsafe tail = unsafe next
        }
      } catch {
        head.dissolve()
        throw error
      }
      return head
    }
  }

  /// As `encode`, for a programmer who does not know that no node is linked twice: every node says by number which one is next.
  static func encodeWithIdentity(_ head: ListNode) -> Data {
    var writer = HandWriter(capacity: 1 << 16)
    var nodes = HandWorklist<ListNode>(expected: 1_024)
    _ = nodes.number(of: head)
    let position = writer.placeholder()
    while let next = unsafe nodes.next() {
      unsafe next._withUnsafeGuaranteedRef { node in
        writer.reserve(2 * HandWriter.maximumVarint)
        writer.signed(node.value)
        // 0 is none.
        if let next = node.next { writer.varint(nodes.number(of: next) + 1) } else { writer.byte(0) }
      }
    }
    writer.fill(position, with: UInt32(nodes.count))
    return writer.finish()
  }

  static func decodeWithIdentity(_ data: Data) throws -> ListNode {
    try HandReader.read(data) { reader in
      let nodes = try reader.objects(minimumSize: 2) { ListNode() }
      guard let head = nodes.first else { throw HandError.malformed }
      do {
        for node in nodes {
          node.value = try reader.signed()
          let next = try reader.varint()
          guard next <= UInt64(nodes.count) else { throw HandError.malformed }
          if next > 0 { node.next = nodes[Int(next) - 1] }
        }
      } catch {
        head.dissolve()
        throw error
      }
      return head
    }
  }
}
