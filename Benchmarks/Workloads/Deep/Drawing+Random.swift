extension Drawing {
  static func random(layers count: Int, seed: UInt64 = 0xdee9) -> Drawing {
    var source = RandomDrawing(generator: SeededGenerator(seed: seed))
    return Drawing(title: "drawing", layers: (0..<count).map { _ in source.layer() })
  }
}

private struct RandomDrawing {
  var generator: SeededGenerator

  /// A place on a grid of a hundredth, as drawings have them.
  mutating func coordinate() -> Double {
    Double(generator.below(200_000)) / 100
  }

  mutating func point() -> Point {
    Point(x: coordinate(), y: coordinate())
  }

  mutating func figure(depth: Int = 0) -> Figure {
    switch generator.below(depth < 3 ? 6 : 5) {
    case 0: .empty
    case 1: .circle(center: point(), radius: coordinate())
    case 2: .line(from: point(), to: point())
    case 3: .path((0..<(2 + generator.below(8))).map { _ in point() })
    case 4: .label(generator.words(length: 3 + generator.below(20)), at: point())
    default: .pair(figure(depth: depth + 1), figure(depth: depth + 1))
    }
  }

  mutating func stroke() -> Stroke {
    let colour = Colour(
      red: UInt8(generator.below(256)), green: UInt8(generator.below(256)), blue: UInt8(generator.below(256)),
      alpha: Float(generator.below(101)) / 100)
    return Stroke(
      width: Double(1 + generator.below(40)) / 4, colour: colour, dashes: (0..<generator.below(4)).map { _ in generator.below(20) })
  }

  mutating func links() -> [String: [Link]] {
    let kinds = ["above", "below", "beside", "within"]
    var links: [String: [Link]] = [:]
    for kind in kinds where generator.chance(40) {
      links[kind] = (0..<(1 + generator.below(3))).map { _ in
        Link(
          target: generator.below(10_000), weight: Double(generator.below(1_000)) / 1_000,
          title: generator.chance(30) ? generator.words(length: 4 + generator.below(9)) : nil)
      }
    }
    return links
  }

  mutating func layer() -> Layer {
    let name = "layer \(generator.below(100_000))"
    let isVisible = generator.chance(80)
    let figure = figure()
    let stroke = generator.chance(60) ? stroke() : nil
    let note: String?? =
      switch generator.below(3) {
      case 0: nil
      case 1: .some(nil)
      default: generator.words(length: 5 + generator.below(30))
      }
    let size = (width: Int32(generator.below(4_000)), height: Int32(generator.below(4_000)))
    return Layer(name: name, isVisible: isVisible, figure: figure, stroke: stroke, note: note, links: links(), size: size)
  }
}
