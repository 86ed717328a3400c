import ArchiveFormat
import ArchiveReflection

/// The objects of a document that is being encoded: each is made when a reference leads to it.
///
/// They are held here and do not hold each other, so that circles and chains of any length are freed one by one.
final class DocumentObjects {
  private let document: ArchiveDocument
  private var made: [UnknownObject?]

  init(_ document: ArchiveDocument) {
    self.document = document
    made = Array(repeating: nil, count: document.objects.count)
  }

  deinit {
    // Whoever still has an object finds nothing in it.
    for object in made { object?.content = nil }
  }

  /// The object with a number; nil if the document has none.
  ///
  /// - Complexity: O(log(number of objects)), O(1) if the objects are numbered from 0 on.
  func object(_ number: Int) -> AnyObject? {
    let objects = document.objects
    let isAtItsPlace = objects.indices.contains(number) && objects[number].number == number
    guard let index = isAtItsPlace ? number : document.index(ofObject: number) else { return nil }
    if let known = made[index] { return known }
    let object = UnknownObject()
    object.content = UnknownContent(objects[index].kind, objects[index].values, among: self)
    made[index] = object
    return object
  }
}

/// A value at the top level of a document.
final class UnknownRootCodec: ValueCodec, @unchecked Sendable {
  private let archivedType: ArchiveType
  private let content: UnknownContent

  init(_ root: ArchiveDocument.Root, among objects: DocumentObjects) {
    archivedType = root.type
    content = UnknownContent(Self.noClass, [root.value], among: objects)
    super.init(ArchiveValue.self)
    ValueCodec.resolveTraits(of: [self])
  }

  private static let noClass = UnknownClass(.void, in: .none)

  override var ownTraits: Traits {
    Traits(hasReferences: archivedType.table.types.mayRefer(archivedType.id), describesValues: true)
  }

  override func describe(_ types: inout TypeTableBuilder) throws -> TypeID { try types.describe(archivedType) }

  override func discover(_ rows: Rows, _ e: inout EncodingState) throws { try write(&e, isDiscovery: true) }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws { try write(&e, isDiscovery: false) }

  private func write(_ e: inout EncodingState, isDiscovery: Bool) throws {
    var writer = UnknownColumnWriter(contents: [content], isDiscovery: isDiscovery)
    try writer.run(archivedType, content.values, &e)
  }
}
