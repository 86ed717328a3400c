package import Foundation
import MirrorArchive

/// An archive that was written once and has to be read by every later build with the same values.
package struct GoldenArchive: Sendable, CustomStringConvertible {
  package let name: String
  /// Makes the bytes anew, which is done once, before the file is there.
  package let make: @Sendable () throws -> Data
  /// Reads the bytes, and answers whether every value is right.
  package let isRight: @Sendable (Data) throws -> Bool
  /// Whether its bytes are put together without the archiver, which does not write such.
  package let isMadeByHand: Bool
  package var description: String { name }

  init(
    _ name: String, isMadeByHand: Bool = false, make: @escaping @Sendable () throws -> Data,
    isRight: @escaping @Sendable (Data) throws -> Bool
  ) {
    (self.name, self.isMadeByHand, self.make, self.isRight) = (name, isMadeByHand, make, isRight)
  }

  /// For archives of one root: sorted, so that the bytes do not depend on the process that writes them.
  init<Root>(
    _ name: String, _ root: @escaping @Sendable () -> Root, untie: @escaping @Sendable (Root) -> Void = { _ in },
    isRight: @escaping @Sendable (Root) -> Bool
  ) {
    self.init(
      name,
      make: {
        let value = root()
        defer { untie(value) }
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.outputFormatting = .sortedKeys
        try archiver.encode(value, forKey: "root")
        return try archiver.encodedData
      },
      isRight: { data in
        let read = try KeyedUnarchiver.unarchivedObject(of: Root.self, from: data)
        defer { untie(read) }
        return isRight(read)
      })
  }

  package static func named(_ name: String) -> GoldenArchive? { all.first { $0.name == name } }

  package static let all = [
    GoldenArchive("scalars", { Golden.Scalars(written: ()) }, isRight: { $0.expected() }),
    GoldenArchive(
      "columns", { (0..<60).map { Golden.Row($0) } },
      isRight: { rows in rows.count == 60 && rows.enumerated().allSatisfy { $0.element.isEqual(to: Golden.Row($0.offset)) } }),
    GoldenArchive("collections", { Golden.Collections(written: ()) }, isRight: { $0.expected() }),
    GoldenArchive("enums", { Golden.Enums(written: ()) }, isRight: { $0.expected() }),
    GoldenArchive("graph", { Golden.Graph(written: ()) }, untie: { $0.untie() }, isRight: { $0.expected() }),
    GoldenArchive("anything", { Golden.Anything(written: ()) }, isRight: { $0.expected() }),
    GoldenArchive("library", { Golden.Library(written: ()) }, isRight: { $0.expected() }),
    GoldenArchive("records", { Golden.Records(written: ()) }, isRight: { $0.expected() }),
    GoldenArchive(
      "small", make: { try KeyedArchiver.archivedData(withRootObject: Golden.Constant(7)) },
      isRight: { try KeyedUnarchiver.unarchivedObject(ofClass: Golden.Constant.self, from: $0).number == 7 }),
    GoldenArchive(
      "evolved", make: { try KeyedArchiver.archivedData(withRootObject: Golden.Earlier.written()) },
      isRight: { Golden.Later.expected(try KeyedUnarchiver.unarchivedObject(of: [Golden.Later.Person].self, from: $0)) }),
    GoldenArchive("roots", make: makeRoots, isRight: rootsAreRight),
    GoldenArchive("integers", roots: GoldenIntegers.roots),
    GoldenArchive("floats", roots: GoldenFloats.roots),
    GoldenArchive("decimals", roots: GoldenDecimals.roots),
    GoldenArchive("texts", roots: GoldenTexts.roots),
    GoldenArchive("pools", roots: GoldenPools.roots),
    GoldenArchive("segmented", { GoldenLong.Measurements(written: ()) }, isRight: { $0.expected() }),
    GoldenArchive("filled", { GoldenLong.Cabinet(written: ()) }, isRight: { $0.expected() }),
    GoldenArchive("nothing", roots: GoldenNothing.roots),
    GoldenArchive("members", { GoldenMembers.Many(true) }, isRight: { $0.words == GoldenMembers.Many(true).words }),
    GoldenArchive("hand", roots: GoldenHand.roots),
    GoldenArchive("mixtures", { GoldenMixtures.Mixtures(written: ()) }, isRight: { $0.expected() }),
    GoldenArchive("values", roots: GoldenLibrary.roots),
    GoldenArchive("choices", roots: GoldenChoices.roots),
    GoldenArchive("nested", roots: GoldenNested.roots),
    GoldenArchive("family", { GoldenFamily.Family(written: ()) }, untie: { $0.untie() }, isRight: { $0.expected() }),
    GoldenArchive("leaves", roots: GoldenLeaves.roots),
    GoldenForms.archive,
    GoldenStrange.archive,
  ]

  // MARK: Several keys at the top level

  @Sendable private static func makeRoots() throws -> Data {
    let archiver = KeyedArchiver(requiringSecureCoding: true)
    let constant = Golden.Constant(5)
    try archiver.encode("text", forKey: "text")
    try archiver.encode([1, 2, 3], forKey: "numbers")
    try archiver.encode(constant, forKey: "object")
    try archiver.encode([constant, constant], forKey: "objects")
    try archiver.encode(Golden.Size(width: 1, height: 2), forKey: "size")
    try archiver.encode(Int?.none, forKey: "nothing")
    try archiver.encodeContainer(forKey: "container") { try $0.encode(true, forKey: "flag") }
    return try archiver.encodedData
  }

  @Sendable private static func rootsAreRight(_ data: Data) throws -> Bool {
    let coder = try KeyedUnarchiver(forReadingFrom: data)
    let object = try coder.decodeObject(of: Golden.Constant.self, forKey: "object")
    let objects = try coder.decode([Golden.Constant].self, forKey: "objects")
    guard object.number == 5, objects.count == 2, objects.allSatisfy({ $0 === object }) else { return false }
    let container = try coder.decodeContainer(forKey: "container") { try $0.decodeBool(forKey: "flag") }
    return try coder.decodeString(forKey: "text") == "text" && coder.decode([Int].self, forKey: "numbers") == [1, 2, 3]
      && coder.decode(Golden.Size.self, forKey: "size") == Golden.Size(width: 1, height: 2)
      && coder.decodeIfPresent(Int.self, forKey: "nothing") == nil && coder.containsValue(forKey: "nothing") && container
      && coder.allKeys == ["text", "numbers", "object", "objects", "size", "nothing", "container"]
  }
}
