import ArchiveFormat

/// Objects of classes that the program does not know or admit.
extension GraphSession {
  /// What happens to them.
  var unknownClasses: DecodingOptions.UnknownClassPolicy { state.binder?.options.unknownClasses ?? .reject }

  /// A block is reached whose objects cannot be what they were.
  func refuse(_ block: Int, _ error: ArchiveError, _ scans: inout [Int]) throws {
    switch unknownClasses {
    case .reject: throw error
    case .skip: state.refusals[block] = error
    case .keep: state.refusals[block] = error
    }
  }
}
