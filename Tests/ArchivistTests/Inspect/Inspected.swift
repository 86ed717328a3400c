import ArchiveFormat
import Foundation
import MirrorArchive
import archivist

/// What the inspector finds in bytes, without a process of its own.
enum Inspected {
  /// All of it as JSON.
  static func json(_ data: Data, _ bounds: InspectBounds = InspectBounds()) throws -> String {
    let output = Output.memory()
    try unsafe data.withUnsafeBytes { bytes in
      let archive = unsafe try ArchiveCursor(bytes)
      var json = InspectJSON(archive, flags: unsafe bytes[4], output, bounds)
      try json.write()
    }
    return output.text
  }

  /// All of it as a tree.
  static func tree(_ data: Data, _ bounds: InspectBounds = InspectBounds(depth: 8, limit: 20)) throws -> String {
    let output = Output.memory()
    try unsafe data.withUnsafeBytes { bytes in
      var tree = InspectTree(unsafe try ArchiveCursor(bytes), output, Style(isColored: false), bounds)
      try tree.write()
    }
    return output.text
  }

  /// All values, read through cursors.
  static func values(_ data: Data) throws -> (roots: [ArchiveValue], objects: [Int: [ArchiveValue]]) {
    try unsafe data.withUnsafeBytes { bytes in
      let archive = unsafe try ArchiveCursor(bytes)
      var objects: [Int: [ArchiveValue]] = [:]
      for (block, header) in archive.layout.blocks.enumerated() {
        for row in 0..<header.count {
          let number = block << 10 | row
          let count = try archive.objectClass(of: number).properties.count
          objects[number] = try (0..<count).map { try archive.property($0, of: number).value() }
        }
        try archive.checkEnd(ofBlock: block)
      }
      let roots = try archive.layout.roots.indices.map { try archive.root($0).value() }
      return (roots, objects)
    }
  }
}
