extension Command {
  static let hexdump = Command(
    name: "hexdump", summary: "show every byte and what it means",
    discussion: """
      Shows the bytes of an archive in their order, each with its meaning: offset in decimal, bytes in
      hexadecimal, meaning. Goes on to the first contradiction, also in an archive whose checksum is wrong.
      """,
    options: [
      .init("--all", short: "-a", "show long stretches of bytes whole, on several lines"),
      .init("--width", short: "-w", value: "N", "bytes on a line (default: 8)"),
      .init("--range", short: "-r", value: "A..B", "show what has bytes between the offsets A and B, of which both may be left out"),
      .color,
    ],
    examples: [
      .init("fruits.archive", "every byte; long stretches are shortened"),
      .init("--range 1000..1200 fruits.archive", "what stands around the offset that an error names"),
      .init("--all --width 16 - < fruits.archive", "all bytes of standard input, 16 on a line"),
    ],
    exitCodes: [
      (.success, "every byte has a meaning, and the checksums are right"), (.failure, "the archive is damaged or cannot be read"),
    ]
  ) { invocation in
    let width = try invocation.number(of: "--width", atLeast: 1) ?? 8
    guard width <= 4_096 else { throw UsageError("a line of \(width) bytes is too long: --width is at most 4096") }
    let range = try OffsetRange(invocation.value(of: "--range"))
    try invocation.reading(invocation.operands[0]) { input in
      // SAFETY: the bytes are counted, and not looked at.
      let count = unsafe input.bytes.count
      guard range.overlaps(from: 0, to: max(1, count)) else {
        throw Problem(message: "nothing stands at offset \(range.start): there are \(Text.count(count, "byte"))")
      }
      let sink = HexdumpSink(input, invocation, width: width, showsAll: invocation.has("--all"), range)
      // SAFETY: the input outlives the walk.
      var anatomist = unsafe Anatomist(input.bytes, sink)
      try anatomist.run()
    }
    return .success
  }
}

/// The offsets of `--range`.
struct OffsetRange {
  var start = 0
  var end = Int.max

  /// - Parameter text: `A..B`, `A..`, `..B` or `A`, decimal or hexadecimal with `0x`; nil for everything.
  init(_ text: String?) throws {
    guard let text else { return }
    func number(_ part: Substring) throws -> Int {
      let isHexadecimal = part.hasPrefix("0x") || part.hasPrefix("0X")
      guard let number = isHexadecimal ? Int(part.dropFirst(2), radix: 16) : Int(part), number >= 0 else {
        throw UsageError("'\(text)' is no range of offsets, such as 100..200 or 0x40..")
      }
      return number
    }
    var parts: [Substring] = [text[...]]
    if let dots = text.firstIndex(of: "."), text[dots...].hasPrefix("..") {
      parts = [text[..<dots], text[text.index(dots, offsetBy: 2)...]]
    }
    if !parts[0].isEmpty || parts.count == 1 { start = try number(parts[0]) }
    if parts.count == 1 {
      end = start == .max ? start : start + 1
    } else if !parts[1].isEmpty {
      end = try number(parts[1])
    }
    guard start < end else { throw UsageError("the range '\(text)' is empty") }
  }

  func overlaps(from start: Int, to end: Int) -> Bool { start < self.end && end > self.start }
}
