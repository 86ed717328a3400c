/// One column of a block, as the loop over them needs it: nothing in it is counted, because counting would cost more than a value does.
@safe
struct BlockColumn {
  /// Nil for the keys that are coded by hand.
  let property: Unmanaged<PropertyPlan>?
  let codec: Unmanaged<ValueCodec>?
  let offset: Int
  /// Its place among the plan's ways; -1 if no objects are reached through it.
  let way: Int
}

/// The columns of a block of objects of one class, in their order. Belongs to the plan, which owns what it refers to.
@safe
struct BlockColumns: @unchecked Sendable {
  let all: UnsafeBufferPointer<BlockColumn>

  init(levels: [ClassPlan.Level], isHandCoded: Bool) {
    var columns: [BlockColumn] = []
    var ways = 0
    for level in levels {
      for property in level.properties {
        let reaches = property.codec.traits.hasReferences
        columns.append(
          unsafe BlockColumn(
            property: .passUnretained(property), codec: .passUnretained(property.codec), offset: property.offset, way: reaches ? ways : -1))
        ways += reaches ? 1 : 0
      }
      if level.hasRecord { columns.append(BlockColumn(property: nil, codec: nil, offset: 0, way: -1)) }
    }
    if isHandCoded { columns.append(BlockColumn(property: nil, codec: nil, offset: 0, way: -1)) }
    let memory = unsafe UnsafeMutableBufferPointer<BlockColumn>.allocate(capacity: columns.count)
    _ = unsafe memory.initialize(from: columns)
    unsafe all = UnsafeBufferPointer(memory)
  }

  /// Frees the memory; nobody may look at the columns any more.
  func deallocate() { unsafe all.deallocate() }
}
