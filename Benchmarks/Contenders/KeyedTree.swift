import Foundation

/// `TreeNode` as it is written for `NSKeyedArchiver`.
final class KeyedTreeNode: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let id: Int
  let label: String
  let children: [KeyedTreeNode]

  init(_ node: TreeNode) {
    id = node.id
    label = node.label
    children = node.children.map(KeyedTreeNode.init)
  }

  /// The same tree of the class that the other contenders use, for the comparison.
  var treeNode: TreeNode {
    TreeNode(id: id, label: label, children: children.map(\.treeNode))
  }

  func encode(with coder: NSCoder) {
    coder.encode(id, forKey: "id")
    coder.encode(label as NSString, forKey: "label")
    coder.encodeElements(children, forKey: "children")
  }

  init?(coder: NSCoder) {
    guard let label = coder.decodeObject(of: NSString.self, forKey: "label"),
      let children = coder.decodeElements(of: KeyedTreeNode.self, forKey: "children")
    else { return nil }
    id = coder.decodeInteger(forKey: "id")
    self.label = label as String
    self.children = children
  }
}
