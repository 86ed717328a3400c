import Foundation
import MirrorArchive

/// The first byte says how the graph is archived and read; the others, what it is.
enum GraphFuzzing {
  static func run(_ bytes: [UInt8]) throws(FuzzFailure) {
    guard let way = bytes.first else { return }
    var maker = GraphMaker(bytes[1...])
    let nodes = maker.make()
    defer { for node in nodes { node.untie() } }
    do {
      try check(nodes[0], way)
    } catch let failure as FuzzFailure {
      throw failure
    } catch {
      throw FuzzFailure("a graph is not archived and read: \(error)")
    }
  }

  private static func check(_ root: GraphNode, _ way: UInt8) throws {
    let data = try archive(root, way)
    let read = try unarchive(data, way)
    defer { untie(read) }
    var comparison = GraphComparison(from: root)
    try comparison.compare(root, read)
    let contents = try ArchiveDocument(of: data)
    try require(contents.objects.count == comparison.objectCount, "\(contents.objects.count) objects instead of \(comparison.objectCount)")
    try require(try archive(root, 2) == archive(read, 2), "what was read is archived as other bytes")
    try require(try archive(root, 2) == archive(root, 2), "the same graph is archived as other bytes")
  }

  private static func archive(_ root: GraphNode, _ way: UInt8) throws -> Data {
    switch way & 3 {
    case 0: return try KeyedArchiver.archivedData(withRootObject: root)
    case 1:
      var data = Data([1, 2, 3])
      let count = try KeyedArchiver.archive(root, into: &data)
      try require(data.count == count + 3, "\(count) bytes were said to be appended")
      return data.dropFirst(3)
    default:
      let archiver = KeyedArchiver()
      if way & 2 != 0 { archiver.outputFormatting = .sortedKeys }
      try archiver.encode(root, forKey: "root")
      return try archiver.encodedData
    }
  }

  private static func unarchive(_ data: Data, _ way: UInt8) throws -> GraphNode {
    if way & 4 == 0 { return try KeyedUnarchiver.unarchivedObject(ofClass: GraphNode.self, from: data) }
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    defer { coder.finishDecoding() }
    return try coder.decodeObject(of: GraphNode.self, forKey: "root")
  }

  private static func untie(_ root: GraphNode) {
    var pending = [root]
    while let node = pending.popLast() {
      pending += node.others + node.table.values
      if let next = node.next { pending.append(next) }
      if let other = node.anything as? GraphNode { pending.append(other) }
      if let branch = node as? GraphBranch {
        pending += branch.maybe.compactMap(\.self)
        if let hand = branch.hand {
          if let other = hand.node { pending.append(other) }
          hand.node = nil
        }
      }
      node.untie()
    }
  }
}
