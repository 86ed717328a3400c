import ArchiveFormat
import Foundation
import MirrorArchive

/// One of two archives that are compared.
package struct Side {
  private let document: ArchiveDocument
  let types: TypeTable

  /// - Throws: `ArchiveError` or `FormatError`.
  init(_ input: Input) throws {
    // SAFETY: nothing of the bytes is kept: table and document copy what they say.
    types = unsafe try ArchiveLayout(parsing: input.bytes, verification: .onDemand).types
    guard let base = unsafe input.bytes.baseAddress else {
      document = ArchiveDocument()
      return
    }
    let data = unsafe Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: input.bytes.count, deallocator: .none)
    document = try withExtendedLifetime(input) { try ArchiveDocument(of: data) }
  }

  var roots: [ArchiveDocument.Root] { document.roots }

  /// The object of a number; nil if there is none.
  func object(_ number: Int) -> ArchiveDocument.Object? { document.object(number) }

  /// A value in words: at most a line.
  func text(_ value: ArchiveValue) -> String {
    switch value {
    case .reference(let number): object(number).map { "\($0.className)#\(number)" } ?? "object \(number)"
    case .string(let text), .substring(let text): Text.quoted(text, limit: 60)
    case .any(let typed): text(shallow: typed.value)
    default: "\(value)"
    }
  }

  private func text(shallow value: ArchiveValue) -> String {
    if case .reference(let number) = value, let object = object(number) { return "\(object.className)#\(number)" }
    return "\(value)"
  }
}
