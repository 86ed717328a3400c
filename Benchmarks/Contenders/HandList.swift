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
}
