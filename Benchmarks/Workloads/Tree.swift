import Foundation
import MirrorArchive

/// A node that owns its children.
final class TreeNode: MirrorCoding, Codable {
  var id = 0
  var label = ""
  var children: [TreeNode] = []

  required init() {
    super.init()
  }

  init(id: Int, label: String, children: [TreeNode]) {
    self.id = id
    self.label = label
    self.children = children
    super.init()
  }

  /// A node's parent is any earlier node with equal chance, so the depth is a small multiple of the logarithm of `count`.
  static func random(count: Int, seed: UInt64 = 0x73ee) -> TreeNode {
    var generator = SeededGenerator(seed: seed)
    let nodes = (0..<count).map { TreeNode(id: $0, label: "node-\($0)", children: []) }
    var children: [[TreeNode]] = Array(repeating: [], count: count)
    for index in 1..<count {
      children[generator.below(index)].append(nodes[index])
    }
    // Assigned, not changed in place: that would make the compiler check every access to the property for exclusivity.
    for (node, children) in zip(nodes, children) {
      node.children = children
    }
    return nodes[0]
  }

  func difference(from other: TreeNode) -> String? {
    var pairs = [(self, other)]
    var seen: Set<ObjectIdentifier> = []
    while let (mine, theirs) = pairs.popLast() {
      if mine.id != theirs.id || mine.label != theirs.label { return "node \(theirs.id) instead of \(mine.id)" }
      if mine.children.count != theirs.children.count { return "children of node \(mine.id)" }
      if !seen.insert(ObjectIdentifier(theirs)).inserted { return "node \(mine.id) is in two places" }
      pairs += zip(mine.children, theirs.children)
    }
    return nil
  }
}

extension Contest {
  /// 20,000 nodes.
  static func tree() -> Contest {
    let root = TreeNode.random(count: 20_000)
    return Contest(
      "tree", objects: 20_000,
      contenders: [
        mirrorArchive(root, difference: root.difference),
        hand(root, encode: HandTree.encode, decode: HandTree.decode, difference: root.difference),
        hand(
          root, name: ContenderName.handWithIdentity, encode: HandTree.encodeWithIdentity, decode: HandTree.decodeWithIdentity,
          difference: root.difference),
        json(root, difference: root.difference),
        propertyList(root, difference: root.difference),
        keyedArchiver(KeyedTreeNode(root)) { root.difference(from: $0.treeNode) },
      ])
  }
}
