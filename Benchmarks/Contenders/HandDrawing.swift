import Foundation

/// The drawing, layer by layer: a byte of flags for each layer, a byte for the case of each figure.
enum HandDrawing {
  /// A false input must not exhaust the stack.
  private static let maximumDepth = 1_000

  private static let isVisible: UInt8 = 1
  private static let hasStroke: UInt8 = 2
  private static let hasNote: UInt8 = 4
  private static let hasNoteText: UInt8 = 8

  static func encode(_ drawing: Drawing) -> Data {
    let layers = drawing.layers
    var writer = HandWriter(capacity: 64 + 192 * layers.count)
    writer.reservedString(drawing.title)
    writer.reserve(HandWriter.maximumVarint)
    writer.varint(UInt64(layers.count))
    unsafe layers.forEachInPlace { layer in unsafe write(layer, to: &writer) }
    return writer.finish()
  }

  private static func write(_ layer: UnsafePointer<Layer>, to writer: inout HandWriter) {
    // SAFETY: here and below, the pointer is valid for the time of this call.
    let note = unsafe layer.pointee.note ?? nil
    unsafe writer.reserve(1 + 5 * HandWriter.maximumVarint + layer.pointee.name.utf8.count + (note?.utf8.count ?? 0))
    unsafe writer.byte(
      (layer.pointee.isVisible ? isVisible : 0) | (layer.pointee.stroke == nil ? 0 : hasStroke)
        | (layer.pointee.note == nil ? 0 : hasNote) | (note == nil ? 0 : hasNoteText))
    unsafe writer.string(layer.pointee.name)
    if let note { writer.string(note) }
    unsafe writer.signed(Int(layer.pointee.size.width))
    unsafe writer.signed(Int(layer.pointee.size.height))
    unsafe writer.varint(UInt64(layer.pointee.links.count))
    for (kind, links) in unsafe layer.pointee.links {
      writer.reserve(2 * HandWriter.maximumVarint + kind.utf8.count)
      writer.string(kind)
      writer.varint(UInt64(links.count))
      for link in links { write(link, to: &writer) }
    }
    if let stroke = unsafe layer.pointee.stroke { write(stroke, to: &writer) }
    unsafe write(layer.pointee.figure, to: &writer)
  }

  @inline(__always)
  private static func write(_ link: Link, to writer: inout HandWriter) {
    writer.reserve(1 + 8 + 2 * HandWriter.maximumVarint + (link.title?.utf8.count ?? 0))
    writer.byte(link.title == nil ? 0 : 1)
    writer.signed(link.target)
    writer.raw(link.weight)
    if let title = link.title { writer.string(title) }
  }

  @inline(__always)
  private static func write(_ stroke: Stroke, to writer: inout HandWriter) {
    writer.reserve(3 + 8 + 4 + (1 + stroke.dashes.count) * HandWriter.maximumVarint)
    writer.raw(stroke.width)
    writer.byte(stroke.colour.red)
    writer.byte(stroke.colour.green)
    writer.byte(stroke.colour.blue)
    writer.raw(stroke.colour.alpha)
    writer.numbers(stroke.dashes)
  }

  private static func write(_ figure: Figure, to writer: inout HandWriter) {
    writer.reserve(1 + 32)
    switch figure {
    case .empty:
      writer.byte(0)
    case .circle(let center, let radius):
      writer.byte(1)
      writer.raw(center.x)
      writer.raw(center.y)
      writer.raw(radius)
    case .line(let start, let end):
      writer.byte(2)
      writer.raw(start.x)
      writer.raw(start.y)
      writer.raw(end.x)
      writer.raw(end.y)
    case .path(let points):
      writer.byte(3)
      writer.reserve(HandWriter.maximumVarint)
      writer.varint(UInt64(points.count))
      // A point is two doubles, one after the other.
      writer.bulk(points)
    case .label(let text, let place):
      writer.byte(4)
      writer.raw(place.x)
      writer.raw(place.y)
      writer.reservedString(text)
    case .pair(let first, let second):
      writer.byte(5)
      write(first, to: &writer)
      write(second, to: &writer)
    }
  }

  static func decode(_ data: Data) throws -> Drawing {
    try HandReader.read(data) { reader in
      let title = try reader.string()
      let layers = try reader.rows(minimumSize: 6) { reader throws(HandError) in try readLayer(&reader) }
      return Drawing(title: title, layers: layers)
    }
  }

  @inline(__always)
  private static func readLayer(_ reader: inout HandReader) throws(HandError) -> Layer {
    let flags = try reader.byte()
    let name = try reader.string()
    let text = flags & hasNoteText == 0 ? nil : try reader.string()
    let note: String?? = flags & hasNote == 0 ? nil : .some(text)
    let size = (width: try reader.signed(as: Int32.self), height: try reader.signed(as: Int32.self))
    let kinds = try reader.count(minimumSize: 2)
    var links: [String: [Link]] = [:]
    if kinds > 0 {
      links.reserveCapacity(kinds)
      for _ in 0..<kinds {
        let kind = try reader.string()
        links[kind] = try reader.rows(minimumSize: 10) { reader throws(HandError) in try readLink(&reader) }
      }
    }
    let stroke = flags & hasStroke == 0 ? nil : try readStroke(&reader)
    let figure = try readFigure(&reader, depth: 0)
    return Layer(
      name: name, isVisible: flags & isVisible != 0, figure: figure, stroke: stroke, note: note, links: links, size: size)
  }

  @inline(__always)
  private static func readLink(_ reader: inout HandReader) throws(HandError) -> Link {
    let flags = try reader.byte()
    let target = try reader.signed()
    let weight = try reader.raw(as: Double.self)
    return Link(target: target, weight: weight, title: flags == 0 ? nil : try reader.string())
  }

  @inline(__always)
  private static func readStroke(_ reader: inout HandReader) throws(HandError) -> Stroke {
    let width = try reader.raw(as: Double.self)
    let colour = Colour(
      red: try reader.byte(), green: try reader.byte(), blue: try reader.byte(), alpha: try reader.raw(as: Float.self))
    return Stroke(width: width, colour: colour, dashes: try reader.numbers())
  }

  @inline(__always)
  private static func readPoint(_ reader: inout HandReader) throws(HandError) -> Point {
    Point(x: try reader.raw(as: Double.self), y: try reader.raw(as: Double.self))
  }

  private static func readFigure(_ reader: inout HandReader, depth: Int) throws(HandError) -> Figure {
    guard depth < maximumDepth else { throw .malformed }
    switch try reader.byte() {
    case 0: return .empty
    case 1: return .circle(center: try readPoint(&reader), radius: try reader.raw(as: Double.self))
    case 2: return .line(from: try readPoint(&reader), to: try readPoint(&reader))
    case 3: return .path(try reader.bulk(try reader.count(minimumSize: 16), of: Point.self))
    case 4:
      let place = try readPoint(&reader)
      return .label(try reader.string(), at: place)
    case 5: return .pair(try readFigure(&reader, depth: depth + 1), try readFigure(&reader, depth: depth + 1))
    default: throw .malformed
    }
  }
}
