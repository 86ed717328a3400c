import Foundation

/// The tree, depth first, a node's children right behind it.
enum HandTree {
  /// A false input must not exhaust the stack.
  private static let maximumDepth = 1_000

  static func encode(_ root: TreeNode) -> Data {
    var writer = HandWriter(capacity: 1 << 16)
    write(root, to: &writer)
    return writer.finish()
  }

  private static func write(_ node: TreeNode, to writer: inout HandWriter) {
    let label = node.label
    writer.reserve(3 * HandWriter.maximumVarint + label.utf8.count)
    writer.signed(node.id)
    writer.string(label)
    let children = node.children
    writer.varint(UInt64(children.count))
    children.forEachBorrowed { child in write(child, to: &writer) }
  }

  static func decode(_ data: Data) throws -> TreeNode {
    try HandReader.read(data) { reader in try readNode(&reader, depth: 0) }
  }

  private static func readNode(_ reader: inout HandReader, depth: Int) throws(HandError) -> TreeNode {
    guard depth < maximumDepth else { throw .malformed }
    let id = try reader.signed()
    let label = try reader.string()
    let count = try reader.count(minimumSize: 3)
    if count == 0 { return TreeNode(id: id, label: label, children: []) }
    var children: [TreeNode] = []
    children.reserveCapacity(count)
    for _ in 0..<count {
      children.append(try readNode(&reader, depth: depth + 1))
    }
    return TreeNode(id: id, label: label, children: children)
  }

  /// As `encode`, for a programmer who does not know that no node has two parents: numbers instead of nesting, and any depth.
  static func encodeWithIdentity(_ root: TreeNode) -> Data {
    var writer = HandWriter(capacity: 1 << 16)
    var nodes = HandWorklist<TreeNode>(expected: 1_024)
    _ = nodes.number(of: root)
    let position = writer.placeholder()
    while let next = unsafe nodes.next() {
      unsafe next._withUnsafeGuaranteedRef { node in
        let label = node.label
        let children = node.children
        writer.reserve((3 + children.count) * HandWriter.maximumVarint + label.utf8.count)
        writer.signed(node.id)
        writer.string(label)
        writer.varint(UInt64(children.count))
        children.forEachBorrowed { child in writer.varint(nodes.number(of: child)) }
      }
    }
    writer.fill(position, with: UInt32(nodes.count))
    return writer.finish()
  }

  static func decodeWithIdentity(_ data: Data) throws -> TreeNode {
    try HandReader.read(data) { reader in
      let nodes = try reader.objects(minimumSize: 3) { TreeNode() }
      guard let root = nodes.first else { throw HandError.malformed }
      for node in nodes {
        node.id = try reader.signed()
        node.label = try reader.string()
        node.children = try reader.references(to: nodes)
      }
      return root
    }
  }
}
