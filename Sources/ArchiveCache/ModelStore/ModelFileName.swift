import ArchiveFormat

/// The name of a file of a model store: whose it is and which version it holds.
///
/// `<stem>.modelarchive` is the current version, `<stem>.backup.modelarchive` the one before, and
/// `<stem>.<date>-<number>-<random>.modelarchive` a snapshot. Stems have no dots, so nothing is ambiguous.
struct ModelFileName: Hashable {
  enum Version: Hashable {
    case current
    case backup
    case snapshot(SnapshotStamp)
  }

  let stem: ModelStem
  let version: Version

  private static let fileExtension = ".modelarchive"

  init(_ stem: ModelStem, _ version: Version) {
    self.stem = stem
    self.version = version
  }

  /// What a file of this name is; nil if it is none of a store's.
  init?(_ file: String) {
    guard file.hasSuffix(Self.fileExtension) else { return nil }
    let parts = file.dropLast(Self.fileExtension.count).split(separator: ".", omittingEmptySubsequences: false)
    guard let first = parts.first, let stem = ModelStem(text: String(first)) else { return nil }
    self.stem = stem
    switch parts.count {
    case 1: version = .current
    case 2 where parts[1] == "backup": version = .backup
    case 2:
      guard let stamp = SnapshotStamp(String(parts[1])) else { return nil }
      version = .snapshot(stamp)
    default: return nil
    }
  }

  var file: String {
    switch version {
    case .current: stem.text + Self.fileExtension
    case .backup: stem.text + ".backup" + Self.fileExtension
    case .snapshot(let stamp): stem.text + "." + stamp.text + Self.fileExtension
    }
  }
}

/// What the files of one model begin with: its name, written with the few characters that every file system keeps apart.
///
/// Lower-case letters, digits, `-` and `_` stand for themselves; an upper-case letter has a `+` in front of it, so that names that differ
/// in case alone are different files where the file system does not see the difference; every other byte of the UTF-8 is `%` and two
/// digits. A name that becomes too long this way is cut, and `=` and a hash of 128 bits follow; then the file itself holds the name.
struct ModelStem: Hashable {
  let text: String

  /// The most bytes of a stem. With a snapshot's date behind it, a name still fits into the 143 bytes of encrypted directories on Linux.
  static let maximumLength = 80
  private static let cutLength = maximumLength - 33

  init(name: String) {
    var text: [UInt8] = []
    for byte in name.utf8 {
      let mark = text.count
      Self.append(byte, to: &text)
      if text.count > Self.maximumLength {
        text.removeSubrange(mark...)
        self.text = Self.cut(text) + "=" + Self.hash(name)
        return
      }
    }
    self.text = String(decoding: text, as: UTF8.self)
  }

  /// The stem as it stands in a file's name; nil if no name leads to it.
  init?(text: String) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    switch parts.count {
    case 1:
      guard let name = Self.name(of: text), !name.isEmpty, ModelStem(name: name).text == text else { return nil }
    case 2:
      let hash = parts[1].utf8
      guard hash.count == 32, hash.allSatisfy({ Self.value($0) != nil }), parts[0].utf8.count <= Self.cutLength else { return nil }
      guard Self.bytes(of: String(parts[0])) != nil else { return nil }
    default: return nil
    }
    self.text = text
  }

  /// The name, if all of it is in the stem.
  var name: String? { isCut ? nil : Self.name(of: text) }

  /// Whether the name is too long for the stem, so that the file holds it.
  var isCut: Bool { text.utf8.contains(UInt8(ascii: "=")) }

  private static func append(_ byte: UInt8, to text: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      text.append(byte)
    case UInt8(ascii: "A")...UInt8(ascii: "Z"):
      text.append(UInt8(ascii: "+"))
      text.append(byte)
    default:
      text.append(UInt8(ascii: "%"))
      text.append(digit(byte >> 4))
      text.append(digit(byte & 15))
    }
  }

  /// The first characters of a stem, none of them in part.
  private static func cut(_ text: [UInt8]) -> String {
    var end = min(text.count, cutLength)
    // At most the mark and the first digit of an escape, or the mark of a letter, are left behind.
    if end >= 1, text[end - 1] == UInt8(ascii: "%") || text[end - 1] == UInt8(ascii: "+") {
      end -= 1
    } else if end >= 2, text[end - 2] == UInt8(ascii: "%") {
      end -= 2
    }
    return String(decoding: text[..<end], as: UTF8.self)
  }

  private static func hash(_ name: String) -> String {
    let bytes = Array(name.utf8)
    // SAFETY: the hashes read the bytes within the call.
    let (first, second) = unsafe bytes.withUnsafeBytes { unsafe (XXH3.hash($0), XXHash64.hash($0)) }
    return hexadecimal(first) + hexadecimal(second)
  }

  /// Sixteen digits.
  static func hexadecimal(_ number: UInt64) -> String {
    let digits = stride(from: 60, through: 0, by: -4).map { digit(UInt8(truncatingIfNeeded: number >> UInt64($0)) & 15) }
    return String(decoding: digits, as: UTF8.self)
  }

  private static func name(of text: String) -> String? { bytes(of: text).flatMap { String(validating: $0, as: UTF8.self) } }

  private static func bytes(of text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let character = rest.popFirst() {
      switch character {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value) else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+"):
        guard let letter = rest.popFirst() else { return nil }
        bytes.append(letter)
      default: bytes.append(character)
      }
    }
    return bytes
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + (value - 10) }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
