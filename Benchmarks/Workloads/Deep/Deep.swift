extension Contest {
  /// 2,000 layers of a drawing: structs in structs, enums with payloads, dictionaries of arrays, Optionals of Optionals, tuples.
  static func deep() -> Contest {
    let drawing = Drawing.random(layers: 2_000)
    return Contest(
      "deep", objects: drawing.layers.count, unit: "layers",
      contenders: [
        mirrorArchive(drawing, difference: drawing.difference),
        hand(drawing, encode: HandDrawing.encode, decode: HandDrawing.decode, difference: drawing.difference),
        json(drawing, difference: drawing.difference),
        propertyList(drawing, difference: drawing.difference),
      ],
      absences: [.init(contender: ContenderName.keyedArchiver, reason: "structs, enums and tuples cannot conform to NSCoding")])
  }
}
