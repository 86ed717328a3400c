import Foundation

/// JSON with the members of objects in their order and all digits of its numbers.
enum OrderedJSON {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([OrderedJSON])
  case object([(key: String, value: OrderedJSON)])

  struct Fault: Error {
    var place: Int
  }

  init(_ data: Data) throws {
    var parser = Parser(bytes: Array(data))
    self = try parser.value()
    parser.skipSpace()
    if parser.place != parser.bytes.count { throw Fault(place: parser.place) }
  }

  subscript(key: String) -> OrderedJSON? {
    if case .object(let members) = self { members.first { $0.key == key }?.value } else { nil }
  }

  var elements: [OrderedJSON] { if case .array(let elements) = self { elements } else { [] } }
  var string: String? { if case .string(let text) = self { text } else { nil } }

  /// Where two texts begin to differ in what they say; nil if they do not.
  static func difference(_ a: OrderedJSON, _ b: OrderedJSON, at place: String = "") -> String? {
    switch (a, b) {
    case (.null, .null): return nil
    case (.bool(let a), .bool(let b)) where a == b: return nil
    case (.string(let a), .string(let b)) where a.utf8.elementsEqual(b.utf8): return nil
    case (.number(let a), .number(let b)):
      if let a = Int128(a), let b = Int128(b) { return a == b ? nil : place }
      if let a = UInt128(a), let b = UInt128(b) { return a == b ? nil : place }
      guard let a = Double(a), let b = Double(b) else { return place }
      return a == b && a.sign == b.sign ? nil : place
    case (.array(let a), .array(let b)):
      for (index, (one, other)) in zip(a, b).enumerated() {
        if let found = difference(one, other, at: "\(place)[\(index)]") { return found }
      }
      return a.count == b.count ? nil : "\(place): \(a.count) elements and \(b.count)"
    case (.object(let a), .object(let b)):
      for (one, other) in zip(a, b) {
        if one.key != other.key { return "\(place): '\(one.key)' and '\(other.key)'" }
        if let found = difference(one.value, other.value, at: "\(place).\(one.key)") { return found }
      }
      return a.count == b.count ? nil : "\(place): \(a.count) members and \(b.count)"
    default: return place
    }
  }

  private struct Parser {
    let bytes: [UInt8]
    var place = 0

    private var next: UInt8 { place < bytes.count ? bytes[place] : 0 }

    mutating func skipSpace() { while [0x20, 0x0A, 0x0D, 0x09].contains(next) { place += 1 } }

    private mutating func take(_ byte: Character) -> Bool {
      skipSpace()
      guard next == byte.asciiValue else { return false }
      place += 1
      return true
    }

    private mutating func expect(_ byte: Character) throws { if !take(byte) { throw Fault(place: place) } }

    mutating func value() throws -> OrderedJSON {
      skipSpace()
      switch next {
      case UInt8(ascii: "{"):
        place += 1
        var members: [(key: String, value: OrderedJSON)] = []
        if take("}") { return .object([]) }
        repeat {
          skipSpace()
          let key = try string()
          try expect(":")
          members.append((key, try value()))
        } while take(",")
        try expect("}")
        return .object(members)
      case UInt8(ascii: "["):
        place += 1
        var elements: [OrderedJSON] = []
        if take("]") { return .array([]) }
        repeat { elements.append(try value()) } while take(",")
        try expect("]")
        return .array(elements)
      case UInt8(ascii: "\""): return .string(try string())
      default:
        let first = place
        while next != 0, !",]} \n\r\t".utf8.contains(next) { place += 1 }
        let word = String(decoding: bytes[first..<place], as: UTF8.self)
        switch word {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default:
          guard Double(word) != nil, word.utf8.allSatisfy("+-.0123456789eE".utf8.contains) else { throw Fault(place: first) }
          return .number(word)
        }
      }
    }

    private mutating func string() throws -> String {
      guard next == UInt8(ascii: "\"") else { throw Fault(place: place) }
      place += 1
      let first = place
      var isEscaped = false
      while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
        guard bytes[place] >= 0x20 else { throw Fault(place: place) }
        if bytes[place] == UInt8(ascii: "\\") {
          isEscaped = true
          place += 1
        }
        place += 1
      }
      guard place < bytes.count else { throw Fault(place: place) }
      let raw = bytes[first..<place]
      place += 1
      if !isEscaped { return String(decoding: raw, as: UTF8.self) }
      let quoted = Data([UInt8(ascii: "\"")] + raw + [UInt8(ascii: "\"")])
      guard let text = try JSONSerialization.jsonObject(with: quoted, options: .fragmentsAllowed) as? String else {
        throw Fault(place: first)
      }
      return text
    }
  }
}
