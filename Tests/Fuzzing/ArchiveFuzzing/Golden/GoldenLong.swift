import MirrorArchive

/// Archives of more bytes than others.
enum GoldenLong {
  /// With more bytes than an archive has in one segment; few of them become anything else than digits.
  final class Measurements: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Measurements") }
    var title = ""
    var digits: [Int] = []
    var readings: [Reading] = []
    var last: Reading?

    convenience init(written: Void) {
      self.init()
      title = "segments"
      // One number in each chunk is so large that all of them take eight bytes.
      digits = (0..<32_900).map { $0 % 1_024 == $0 / 1_024 * 31 ? .max : $0 * $0 % 7 }
      readings = (0..<12).map { Reading($0) }
      last = readings[11]
    }
    func expected() -> Bool {
      let other = Measurements(written: ())
      return title == other.title && digits == other.digits && readings.map(\.name) == other.readings.map(\.name)
        && readings.map(\.value) == other.readings.map(\.value) && last === readings[11]
    }
  }

  final class Reading: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Reading") }
    var name = ""
    var value = 0.0

    convenience init(_ number: Int) {
      self.init()
      (name, value) = ("reading \(number * number)", Double(number) / 3)
    }
  }

  /// Takes much memory where nothing is, and nearly none in an archive.
  struct Drawer: MirrorCodable {
    static var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Drawer") }
    var contents: InlineArray<4_096, UInt64>
  }

  final class Cabinet: MirrorCoding {
    override class var archiveRules: ArchiveRules { ArchiveRules(name: "golden.Cabinet") }
    var drawers: [Drawer?] = []
    var label = ""

    convenience init(written: Void) {
      self.init()
      (drawers, label) = ([Drawer?](repeating: nil, count: 416), "filled")
    }
    func expected() -> Bool { drawers.count == 416 && drawers.allSatisfy { $0 == nil } && label == "filled" }
  }
}
