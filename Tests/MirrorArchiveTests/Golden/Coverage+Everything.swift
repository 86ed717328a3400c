extension Coverage {
  /// The encodings that columns of these have.
  private static func all(_ kinds: [String], _ encodings: [String]) -> [String] {
    kinds.flatMap { kind in encodings.map { "\(kind) \($0)" } }
  }

  private static let columns =
    all(["Int", "UInt", "Int64", "UInt64"], CoveredColumns.integerNames + ["plain", "in steps"])
    + all(["Bool", "presence"], ["plain", "all false", "all true", "bits"])
    + all(["Double", "Date"], ["plain", "constant", "raw", "decimal"])
    + all(["Float", "Float16", "UUID", "Decimal"], ["plain", "constant", "raw"])
    + (0...9).map { "scale \($0)" }

  static let everything = Set(columns)
}
