import ArchiveFormat
package import MirrorArchive

/// Writes an archive as a tree, from its roots through the references.
///
/// Holds the lines of the objects on the way to the one that is being shown, and where each shown one stands.
package struct InspectTree {
  private let archive: ArchiveCursor
  private let output: Output
  private let style: Style
  private let bounds: InspectBounds
  /// Where the objects that have been shown stand: the object that led to each, and the steps from there.
  private var places: [Int: (owner: Int?, steps: String)] = [:]
  private var open: [Part] = []
  private static let maximumIndentation = 40
  /// A longer path tells nobody anything.
  private static let maximumHops = 32

  /// Lines of which some are still to be written.
  private struct Part {
    var lines: [TreeLine]
    var next = 0
    /// The level of the lines that are first.
    var depth: Int
    /// The object that they belong to.
    var object: Int?
    /// The steps to the line that was written last.
    var steps: [String]
  }

  package init(_ archive: ArchiveCursor, _ output: Output, _ style: Style, _ bounds: InspectBounds) {
    self.archive = archive
    self.output = output
    self.style = style
    self.bounds = bounds
  }

  /// Writes the roots and all below them.
  package mutating func write() throws {
    let roots = archive.layout.roots
    if roots.isEmpty { try output.write("\(style.paint("an archive without roots", .faint))\n") }
    for (index, root) in roots.enumerated() {
      if index >= bounds.limit {
        try output.write("\(style.paint("… \(Text.grouped(roots.count - index)) more", .faint))\n")
        break
      }
      try write(value: try archive.root(index), label: ArchivePath(.root(root.key)).description)
    }
  }

  /// Writes a value and all below it.
  package mutating func write(value place: ValuePlace, label: String) throws {
    var lines = TreeLines(archive.types, depth: bounds.depth, limit: bounds.limit)
    lines.expect(label, step: label, depth: 0)
    try place.visit(&lines)
    try write(lines.lines)
  }

  /// Writes an object and all below it.
  package mutating func write(object number: Int, label: String) throws {
    var line = TreeLine(depth: 0, label: [TreeLine.Span(Text.safe(label), .key)], step: label)
    line.reference = number
    try write([line])
  }

  private mutating func write(_ lines: [TreeLine]) throws {
    open.append(Part(lines: lines, depth: 0, object: nil, steps: []))
    while var part = open.popLast() {
      guard part.next < part.lines.count else { continue }
      let line = part.lines[part.next]
      part.next += 1
      part.steps.removeLast(max(0, part.steps.count - line.depth))
      part.steps += Array(repeating: "", count: line.depth - part.steps.count)
      part.steps.append(line.step ?? "")
      let depth = part.depth + line.depth
      let (owner, steps) = (part.object, part.steps.joined())
      open.append(part)
      guard let number = line.reference else {
        try write(line, depth, line.text + line.suffix)
        continue
      }
      let objectClass = try archive.objectClass(of: number)
      if let text = shown(number) {
        try write(line, depth, [TreeLine.Span("see \(text)", .faint)])
        continue
      }
      let title = [TreeLine.Span(Text.safe(objectClass.name), .type), TreeLine.Span(" #\(number)", .faint)]
      if depth >= bounds.depth {
        try write(line, depth, title + (objectClass.properties.isEmpty ? [] : [TreeLine.Span(" …", .faint)]))
        continue
      }
      try write(line, depth, title)
      places[number] = (owner, steps)
      open.append(Part(lines: try self.lines(of: number, objectClass, depth + 1), depth: depth + 1, object: number, steps: []))
    }
  }

  private func lines(of number: Int, _ objectClass: ArchiveCursor.ObjectClass, _ depth: Int) throws -> [TreeLine] {
    var lines = TreeLines(archive.types, depth: bounds.depth - depth, limit: bounds.limit)
    for (index, property) in objectClass.properties.enumerated() {
      lines.expect(property.key, step: KeyText.step(property.key), depth: 0)
      try archive.property(index, of: number).visit(&lines)
    }
    return lines.lines
  }

  private func write(_ line: TreeLine, _ depth: Int, _ text: [TreeLine.Span]) throws {
    var result = String(repeating: "  ", count: min(depth, Self.maximumIndentation))
    if depth > Self.maximumIndentation { result += style.paint("(\(depth)) ", .faint) }
    if !line.label.isEmpty { result += painted(line.label) + (text.isEmpty ? "" : ": ") }
    try output.write(result + painted(text) + "\n")
  }

  private func painted(_ spans: [TreeLine.Span]) -> String {
    spans.map { span in span.role.map { style.paint(span.text, $0) } ?? span.text }.joined()
  }

  /// Where an object stands that has been shown; nil if it has not.
  private func shown(_ number: Int) -> String? {
    guard var place = places[number] else { return nil }
    var steps = [place.steps]
    while let owner = place.owner, let next = places[owner] {
      if steps.count > Self.maximumHops { return "#\(number)" }
      steps.append(next.steps)
      place = next
    }
    return Text.safe(steps.reversed().joined())
  }
}
