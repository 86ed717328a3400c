import ArchiveFormat

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Strings or byte strings that stand in the archive as they are, so that none has to be held: chunks of them may be of any size.
@safe struct TextChunk {
  private let type: TypeID
  /// Where each begins, and where the last one ends.
  private let starts: [Int]
  /// All contents, verified.
  private let contents: ByteReader

  /// - Returns: nil if the strings are pooled or numbered, with the reader where it was.
  init?(_ type: TypeID, _ rows: Int, _ source: CursorSource, _ reader: inout ByteReader) throws {
    self.type = type
    if rows >= firstEncodedRowCount, type != .data {
      var first = reader
      if try source.reading(&first, { try $0.readByte() }) != BytesColumn.plainEncoding { return nil }
    }
    var lengths: [Int64] = []
    contents = try source.reading(&reader) { reader in
      // SAFETY: no byte of an empty buffer is looked at; the decoder gives the one that its lengths add up to.
      var bytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
      lengths = unsafe try ArchiveValueReader.filled(rows) { out throws(FormatError) in
        // SAFETY: the decoder fills as many lengths, which add up to the bytes, or throws.
        unsafe bytes = try BytesColumn.decode(count: rows, from: &reader, lengths: out)
      }
      return unsafe ByteReader(bytes, at: reader.offset &- bytes.count)
    }
    var starts = [0]
    starts.reserveCapacity(rows + 1)
    var total = 0
    for length in lengths {
      total += Int(length)
      starts.append(total)
    }
    self.starts = starts
  }

  func value(_ row: Int) throws -> ArchiveValue {
    var reader = contents
    try reader.skip(starts[row])
    let offset = reader.offset
    // SAFETY: what is made of the bytes is a copy.
    let bytes = unsafe try reader.readBytes(starts[row + 1] - starts[row])
    if type == .data { return .data(unsafe Data(bytes)) }
    guard let string = unsafe StringPoolReader.string(bytes) else {
      throw ArchiveError(.invalidValue, offset: offset, message: "the string is not valid UTF-8")
    }
    switch type {
    case .substring: return .substring(string)
    case .character:
      guard string.count == 1, let character = string.first else {
        throw ArchiveError(.invalidValue, offset: offset, message: "'\(string)' is not one character")
      }
      return .character(character)
    default: return .string(string)
    }
  }
}
