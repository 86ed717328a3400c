import Foundation

/// The values from head to tail: that they are linked goes without saying.
enum HandList {
  static func encode(_ head: ListNode) -> Data {
    var writer = HandWriter(capacity: 1 << 16)
    let position = writer.placeholder()
    var count: UInt32 = 0
    var node: ListNode? = head
    while let current = node {
      writer.reserve(HandWriter.maximumVarint)
      writer.signed(current.value)
      count &+= 1
      node = current.next
    }
    writer.fill(position, with: count)
    return writer.finish()
  }

  static func decode(_ data: Data) throws -> ListNode {
    try HandReader.read(data) { reader in
      let count = Int(try reader.raw(as: UInt32.self))
      guard count > 0, count <= reader.remaining else { throw HandError.truncated }
      let head = ListNode(value: try reader.signed(), next: nil)
      var tail = head
      do {
        for _ in 1..<count {
          let node = ListNode(value: try reader.signed(), next: nil)
          tail.next = node
          tail = node
        }
      } catch {
        head.dissolve()
        throw error
      }
      return head
    }
  }
}
