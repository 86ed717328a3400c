import ArchiveFormat

extension TypeTable {
  /// Whether values of the program's type `type` are described like the archived type `id`, so that nothing has to be converted.
  func describes(_ type: Any.Type, as id: TypeID) -> Bool {
    var types = TypeTableBuilder()
    guard let codec = try? PlanRegistry.shared.codec(for: type), let own = try? codec.describe(&types) else { return false }
    return types.table.describe(own) == describe(id)
  }
}
