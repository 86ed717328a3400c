import ArchiveFormat
package import Foundation
import MirrorArchive

/// The functions that take any bytes. Each either finds nothing or throws what is wrong with the library; it never throws because of the bytes.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// Decoders of columns and tables, each against the others that read the same bytes.
  case columns
  /// Whole archives without their checksums, damaged in any way.
  case unarchiver
  /// The same with checksums, damaged along their structure by `ArchiveMutator`.
  case structure
  /// Graphs that the bytes describe: archived, read and archived again.
  case graphs

  /// Tries `bytes`.
  ///
  /// - Throws: `FuzzFailure` if the library does not behave.
  package func run(_ bytes: UnsafeRawBufferPointer) throws(FuzzFailure) {
    switch self {
    case .columns: unsafe try ColumnFuzzing.run(bytes)
    case .unarchiver: try UnarchiverFuzzing.run(unsafe Data(bytes), verifyingChecksum: false)
    case .structure: try UnarchiverFuzzing.run(unsafe Data(bytes), verifyingChecksum: true)
    case .graphs: try GraphFuzzing.run(unsafe [UInt8](bytes))
    }
  }

  /// The same in memory of exactly this size, so that a sanitizer notices any byte that is read beyond.
  package func run(_ data: Data) throws(FuzzFailure) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count, alignment: 1)
    defer { unsafe copy.deallocate() }
    unsafe copy.copyBytes(from: data)
    unsafe try run(UnsafeRawBufferPointer(copy))
  }
}

/// What the library did and must not do.
package struct FuzzFailure: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// - Throws: a failure with this description if `condition` does not hold.
func require(_ condition: Bool, _ description: @autoclosure () -> String) throws(FuzzFailure) {
  if !condition { throw FuzzFailure(description()) }
}
