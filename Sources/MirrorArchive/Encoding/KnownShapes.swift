import ArchiveFormat

/// Type tables of graphs that were encoded before with the same settings.
///
/// What the table of an archive says follows from the classes of its blocks, one after another, and the type of its root, unless values say
/// their types themselves. So it is put together once for each sequence of classes.
struct KnownShapes {
  /// One sequence of classes.
  final class Shape {
    let blockTypes: [TypeID]
    let rootType: TypeID
    let table: [UInt8]
    private let plans: [ClassPlan]
    private let root: ValueCodec

    fileprivate init(_ plans: [ClassPlan], _ blockTypes: [TypeID], _ root: ValueCodec, _ rootType: TypeID, _ table: [UInt8]) {
      self.plans = plans
      self.blockTypes = blockTypes
      self.root = root
      self.rootType = rootType
      self.table = table
    }

    fileprivate func fits(_ blocks: [ObjectGraph.Block], _ root: ValueCodec) -> Bool {
      guard self.root === root, plans.count == blocks.count else { return false }
      for i in 0..<plans.count where plans[i] !== blocks[i].plan { return false }
      return true
    }
  }

  private var shapes: [Shape] = []
  private static let maximumShapes = 4
  private static let maximumBlocks = 64
  private static let maximumLength = 16_384

  /// What is known of a graph with these blocks; nil if there was none like it.
  func shape(of blocks: [ObjectGraph.Block], _ root: ValueCodec) -> Shape? {
    for shape in shapes where shape.fits(blocks, root) { return shape }
    return nil
  }

  /// Keeps what was found out about a graph, if that goes for others like it.
  ///
  /// - Returns: The bytes of the type table; nil if they are not kept.
  mutating func learn(
    _ blocks: [ObjectGraph.Block], _ headers: [BlockHeader], _ root: ValueCodec, _ rootType: TypeID, _ types: TypeTable
  ) -> [UInt8]? {
    if shapes.count == Self.maximumShapes || blocks.count > Self.maximumBlocks || root.traits.describesValues { return nil }
    if blocks.contains(where: { $0.plan.describesValues }) { return nil }
    var bytes = ByteWriter()
    types.encode(into: &bytes)
    if bytes.count > Self.maximumLength { return nil }
    let table = unsafe Array(bytes.bytes)
    shapes.append(Shape(blocks.map(\.plan), headers.map(\.type), root, rootType, table))
    return table
  }
}
