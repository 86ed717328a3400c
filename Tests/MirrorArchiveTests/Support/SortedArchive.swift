import ArchiveFormat
import Foundation

@testable import MirrorArchive

/// Archives a value with its dictionaries and sets in the order of their encoded keys.
func sortedArchive<Root>(_ root: Root) throws -> Data {
  var state = EncodingState(universe: nil)
  state.sortsKeys = true
  var output = ByteWriter()
  try state.archive(root, as: PlanRegistry.shared.codec(for: Root.self), into: &output)
  return unsafe Data(UnsafeRawBufferPointer(rebasing: output.bytes[state.archiveStart...]))
}
