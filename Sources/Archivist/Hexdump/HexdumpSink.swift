import ArchiveFormat
import MirrorArchive

/// Prints what it is told.
@safe struct HexdumpSink: AnatomySink {
  private let bytes: UnsafeRawBufferPointer
  private let output: Output
  private let style: Style
  private let width: Int
  private let showsAll: Bool
  private let range: OffsetRange
  private let progress: Progress
  /// The digits of an offset.
  private let digits: Int
  private var types = TypeTable()

  init(_ input: Input, _ invocation: Invocation, width: Int, showsAll: Bool, _ range: OffsetRange) {
    // SAFETY: the input outlives the sink.
    unsafe bytes = input.bytes
    output = invocation.output
    style = invocation.style
    self.width = width
    self.showsAll = showsAll
    self.range = range
    let count = unsafe bytes.count
    progress = invocation.progress("going over the archive:", total: count, whileWriting: true)
    digits = max(6, String(count).count)
  }

  var wantsWords: Bool { true }

  func wants(from start: Int, to end: Int) -> Bool { range.overlaps(from: start, to: end) }

  mutating func typesAreKnown(_ types: TypeTable) { self.types = types }

  mutating func begin(block index: Int, _ block: BlockHeader, bytes: ByteReader) throws {
    let first = index << 10
    let numbers = block.count == 1 ? "object \(first)" : "objects \(first) to \(first + block.count - 1)"
    try line("", "", style.paint(Text.safe("block \(index): \(numbers) of \(types.describe(block.type))"), .heading))
  }

  mutating func annotate(_ annotation: Annotation) throws {
    let end = annotation.offset + annotation.length
    progress.advance(to: end)
    guard wants(from: annotation.offset, to: end) else { return }
    let shown = showsAll ? annotation.length : min(annotation.length, width)
    var meaning = String(repeating: "  ", count: min(annotation.depth, 20)) + Text.safe(annotation.meaning)
    if shown < annotation.length { meaning += style.paint(" (\(Text.count(annotation.length, "byte")))", .faint) }
    var place = annotation.offset
    while place < annotation.offset + shown {
      let next = min(place + width, annotation.offset + shown)
      var text = ""
      for index in place..<next {
        // SAFETY: annotations are of bytes of the input.
        text += unsafe Self.hexadecimal(bytes[index])
        text += " "
      }
      if next == annotation.offset + shown, shown < annotation.length { text += "…" }
      try line("\(place)", text, place == annotation.offset ? meaning : "")
      place = next
    }
    if unsafe end == bytes.count { progress.finish() }
  }

  private func line(_ offset: String, _ bytes: String, _ meaning: String) throws {
    let place = String(repeating: " ", count: max(0, digits - offset.count)) + offset
    let filled = meaning.isEmpty ? bytes : bytes + String(repeating: " ", count: max(0, width * 3 + 1 - bytes.count))
    let text = "\(style.paint(place, .faint))  \(filled) \(meaning)"
    try output.write(meaning.isEmpty ? "\(text.trimmedEnd)\n" : "\(text)\n")
  }

  private static let digits: [String] = (0...255).map { (byte: Int) in
    let text = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "0\(text)" : text
  }

  private static func hexadecimal(_ byte: UInt8) -> String { digits[Int(byte)] }
}

extension String {
  /// Without spaces at its end.
  fileprivate var trimmedEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}
