import MirrorArchive

/// Values in values: nothing in it but the drawing itself is an object.
final class Drawing: MirrorCoding, Codable {
  var title = ""
  var layers: [Layer] = []

  required init() {
    super.init()
  }

  init(title: String, layers: [Layer]) {
    self.title = title
    self.layers = layers
    super.init()
  }

  /// Says what differs, or nil.
  func difference(from other: Drawing) -> String? {
    if title != other.title { return "title \(other.title) instead of \(title)" }
    if layers.count != other.layers.count { return "\(other.layers.count) layers instead of \(layers.count)" }
    return zip(layers, other.layers).enumerated().first { $1.0 != $1.1 }.map { index, _ in "layers[\(index)]" }
  }
}

struct Point: Codable, Equatable, BitwiseCopyable {
  var x: Double
  var y: Double
}

struct Colour: Codable, Equatable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8
  var alpha: Float
}

struct Stroke: Codable, Equatable {
  var width: Double
  var colour: Colour
  var dashes: [Int]
}

indirect enum Figure: Codable, Equatable {
  case empty
  case circle(center: Point, radius: Double)
  case line(from: Point, to: Point)
  case path([Point])
  case label(String, at: Point)
  case pair(Figure, Figure)
}

struct Link: Codable, Equatable {
  var target: Int
  var weight: Double
  var title: String?
}

struct Layer: Equatable {
  var name: String
  var isVisible: Bool
  var figure: Figure
  var stroke: Stroke?
  /// nil: never asked for; .some(nil): asked for, and there is none.
  var note: String??
  var links: [String: [Link]]
  var size: (width: Int32, height: Int32)

  static func == (left: Layer, right: Layer) -> Bool {
    left.name == right.name && left.isVisible == right.isVisible && left.figure == right.figure && left.stroke == right.stroke
      && left.note == right.note && left.links == right.links && left.size == right.size
  }
}

/// By hand: the compiler writes no code for a tuple, and its code for an Optional in an Optional loses one of the two.
extension Layer: Codable {
  private enum CodingKeys: CodingKey {
    case name, isVisible, figure, stroke, note, hasNote, links, width, height
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    isVisible = try container.decode(Bool.self, forKey: .isVisible)
    figure = try container.decode(Figure.self, forKey: .figure)
    stroke = try container.decodeIfPresent(Stroke.self, forKey: .stroke)
    note = try container.decode(Bool.self, forKey: .hasNote) ? .some(container.decodeIfPresent(String.self, forKey: .note)) : nil
    links = try container.decode([String: [Link]].self, forKey: .links)
    size = try (container.decode(Int32.self, forKey: .width), container.decode(Int32.self, forKey: .height))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(isVisible, forKey: .isVisible)
    try container.encode(figure, forKey: .figure)
    try container.encodeIfPresent(stroke, forKey: .stroke)
    try container.encode(note != nil, forKey: .hasNote)
    if let note { try container.encodeIfPresent(note, forKey: .note) }
    try container.encode(links, forKey: .links)
    try container.encode(size.width, forKey: .width)
    try container.encode(size.height, forKey: .height)
  }
}
