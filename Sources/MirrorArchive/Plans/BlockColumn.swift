import ArchiveReflection

/// One column of a block, as the loop over them needs it: nothing in it is counted, because counting would cost more than a value does.
@safe
struct BlockColumn {
  /// Nil for the keys that are coded by hand.
  let property: Unmanaged<PropertyPlan>?
  let codec: Unmanaged<ValueCodec>?
  let offset: Int
  /// Its place among the plan's ways; -1 if no objects are reached through it.
  let way: Int
  /// The bytes of a value that is copied before its column is written; 0 for one that is read where it lies.
  let width: Int
  /// From one such value to the next.
  let stride: Int
  /// How many columns from this one on are copied together; 0 inside of such a group and outside of any.
  var groupCount = 0

  init(_ property: PropertyPlan, way: Int) {
    let codec = property.codec
    // SAFETY: the plan holds its properties, and they their codecs.
    unsafe self.property = .passUnretained(property)
    unsafe self.codec = .passUnretained(codec)
    offset = property.offset
    self.way = way
    width = codec.isPlain && GatheredColumns.admits(width: codec.witnesses.size) ? codec.witnesses.size : 0
    stride = codec.witnesses.stride
  }

  /// The column of keys that are coded by hand.
  init() {
    unsafe property = nil
    unsafe codec = nil
    offset = 0
    way = -1
    width = 0
    stride = 0
  }
}

/// The columns of a block of objects of one class, in their order. Belongs to the plan, which owns what it refers to.
@safe
struct BlockColumns: @unchecked Sendable {
  let all: UnsafeBufferPointer<BlockColumn>

  init(levels: [ClassPlan.Level], ways: [ReachingWay], isHandCoded: Bool) {
    var columns: [BlockColumn] = []
    // A way is told by its property: what a codec reaches may be known later than its type.
    var way = 0
    for level in levels {
      for property in level.properties {
        let isWay = way < ways.count && ways[way].property === property
        columns.append(BlockColumn(property, way: isWay ? way : -1))
        way += isWay ? 1 : 0
      }
      if level.hasRecord { columns.append(BlockColumn()) }
    }
    if isHandCoded { columns.append(BlockColumn()) }
    GatheredColumns.group(&columns)
    let memory = UnsafeMutableBufferPointer<BlockColumn>.allocate(capacity: columns.count)
    _ = unsafe memory.initialize(from: columns)
    unsafe all = UnsafeBufferPointer(memory)
  }

  /// Frees the memory; nobody may look at the columns any more.
  func deallocate() { unsafe all.deallocate() }
}
