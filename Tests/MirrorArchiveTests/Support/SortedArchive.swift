import Foundation
import MirrorArchive

/// Archives a value with its dictionaries and sets in the order of their encoded keys.
func sortedArchive<Root>(_ root: Root) throws -> Data {
  let archiver = KeyedArchiver(requiringSecureCoding: false)
  archiver.outputFormatting = .sortedKeys
  try archiver.encode(root, forKey: "root")
  return try archiver.encodedData
}
