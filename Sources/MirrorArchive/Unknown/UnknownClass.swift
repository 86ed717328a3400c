import ArchiveFormat
import ArchiveReflection

/// A class as an archive describes it, shared by the objects that were kept of it.
final class UnknownClass: Sendable {
  let type: ArchiveType
  let name: String
  let version: UInt64
  let superclassNames: [String]
  let columns: [ArchivedProperty]
  /// What the archive was filled up to, for so many objects; nil if it was not.
  let filling: Filling?

  /// What objects become in memory is known to the program that has their class: it has filled the archive up for them.
  struct Filling: Hashable {
    let length: Int
    let objectCount: Int
  }

  convenience init(_ id: TypeID, in table: ArchiveType.Table, _ layout: borrowing ArchiveLayout) {
    let objectCount = layout.blocks.reduce(0) { $0 &+ $1.count }
    let isFilled = layout.filledLength > 0 && objectCount > 0
    self.init(id, in: table, filling: isFilled ? Filling(length: layout.filledLength, objectCount: objectCount) : nil)
  }

  init(_ id: TypeID, in table: ArchiveType.Table, filling: Filling? = nil) {
    self.filling = filling
    type = ArchiveType(id, in: table)
    name = table.types.classNames(of: id).first ?? ""
    version = table.types.version(of: id)
    superclassNames = Array(table.types.classNames(of: id).dropFirst())
    columns = table.types.columns(of: id)
  }

  /// How objects of the class are archived again: every column as if the class had declared it itself.
  func makePlan() -> ClassPlan {
    let properties = columns.enumerated().map { index, column in
      PropertyPlan(key: column.key, codec: UnknownPropertyCodec(self, index), offset: 0, name: column.key)
    }
    let level = ClassPlan.Level(type: UnknownObject.self, name: name, properties: properties, identity: ObjectIdentifier(self))
    let plan = ClassPlan(
      type: UnknownObject.self, name: name, rules: ArchiveRules(), version: version, levels: [level],
      construction: .initializer(UnknownObject.self), hooks: nil)
    plan.unknownClass = self
    return plan
  }
}

/// A property of kept objects, whose values lie in no memory of their own.
final class UnknownPropertyCodec: ValueCodec, @unchecked Sendable {
  private let kind: UnknownClass
  private let index: Int

  init(_ kind: UnknownClass, _ index: Int) {
    self.kind = kind
    self.index = index
    super.init(ArchiveValue.self)
    ValueCodec.resolveTraits(of: [self])
  }

  private var archivedType: ArchiveType { ArchiveType(kind.columns[index].type, in: kind.type.table) }

  override var ownTraits: Traits {
    Traits(hasReferences: kind.type.table.types.mayRefer(kind.columns[index].type), describesValues: true)
  }

  override func describe(_ types: inout TypeTableBuilder) throws -> TypeID { try types.describe(archivedType) }

  override func discover(_ rows: Rows, _ e: inout EncodingState) throws {
    if archivedType.id == .record {
      // What is coded by hand is described when it is met.
      _ = try e.types.describe(kind.type)
    }
    try write(rows, &e, isDiscovery: true)
  }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws { try write(rows, &e, isDiscovery: false) }

  private func write(_ rows: Rows, _ e: inout EncodingState, isDiscovery: Bool) throws {
    var contents: [UnknownContent] = []
    var values: [ArchiveValue] = []
    contents.reserveCapacity(rows.count)
    values.reserveCapacity(rows.count)
    for row in 0..<rows.count {
      // SAFETY: every row is a kept object; only such objects are put into a block of this class.
      let object = unsafe Unmanaged<UnknownObject>.fromOpaque(rows[row]).takeUnretainedValue()
      guard let content = object.content, index < content.values.count else {
        throw LocatedError(.invalidValue, row: row, "the object has lost what the archive said of it")
      }
      contents.append(content)
      values.append(content.values[index])
    }
    var writer = UnknownColumnWriter(contents: contents, isDiscovery: isDiscovery)
    try writer.run(archivedType, values, &e)
  }
}
