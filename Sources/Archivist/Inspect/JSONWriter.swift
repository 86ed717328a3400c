import Foundation
import MirrorArchive

/// Writes JSON piece by piece, so that no value is ever held as text.
package struct JSONWriter {
  private let output: Output
  private var buffer: [UInt8] = []
  private static let capacity = 32_768

  package init(_ output: Output) {
    self.output = output
    buffer.reserveCapacity(Self.capacity)
  }

  /// Hands over what is waiting.
  package mutating func finish() throws {
    try output.write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  mutating func raw(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Self.capacity { try finish() }
  }

  /// A text in quotes: as it is, but for quotes, backslashes and control characters.
  mutating func string(_ text: String) throws {
    buffer.append(UInt8(ascii: "\""))
    var rest = text.utf8[...]
    while !rest.isEmpty {
      // As much as needs no escape, in pieces.
      let plain = rest.prefix(Self.capacity).prefix { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
      buffer.append(contentsOf: plain)
      rest = rest[plain.endIndex...]
      if buffer.count >= Self.capacity { try finish() }
      if let byte = rest.first, plain.count < Self.capacity {
        escape(byte)
        rest = rest.dropFirst()
      }
    }
    buffer.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): buffer.append(contentsOf: [UInt8(ascii: "\\"), byte])
    case UInt8(ascii: "\n"): buffer.append(contentsOf: "\\n".utf8)
    case UInt8(ascii: "\r"): buffer.append(contentsOf: "\\r".utf8)
    case UInt8(ascii: "\t"): buffer.append(contentsOf: "\\t".utf8)
    default:
      buffer.append(contentsOf: "\\u00".utf8)
      buffer.append(contentsOf: [Self.digit(byte >> 4), Self.digit(byte & 15)])
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value }

  /// An object of one member.
  mutating func wrapped(_ key: String, _ body: (inout JSONWriter) throws -> Void) throws {
    try raw("{\"\(key)\": ")
    try body(&self)
    try raw("}")
  }

  mutating func omitted(_ count: Int) throws { try raw("{\"$omitted\": \(count)}") }

  // MARK: Scalars

  /// - Parameter typeName: Gives the name of a class that is a value itself.
  mutating func scalar(_ value: ArchiveValue, _ typeName: (ArchiveType) -> String) throws {
    switch value {
    case .null: try raw("null")
    case .bool(let value): try raw(value ? "true" : "false")
    case .int(let value), .int64(let value): try raw(String(value))
    case .int8(let value): try raw(String(value))
    case .int16(let value): try raw(String(value))
    case .int32(let value): try raw(String(value))
    case .int128(let value): try raw(String(value))
    case .uint(let value), .uint64(let value): try raw(String(value))
    case .uint8(let value): try raw(String(value))
    case .uint16(let value): try raw(String(value))
    case .uint32(let value): try raw(String(value))
    case .uint128(let value): try raw(String(value))
    case .double(let value), .cgFloat(let value): try double(value)
    case .float(let value): try floating(value.isFinite ? "\(value)" : nil, isPositive: value > 0, value.isNaN, UInt64(value.bitPattern), 8)
    case .float16(let bits):
      let half = HalfFloat(bits: bits)
      try floating(half.text, isPositive: half.value > 0, half.value.isNaN, UInt64(bits), 4)
    case .string(let text), .substring(let text): try string(text)
    case .character(let character): try string(String(character))
    case .unicodeScalar(let scalar):
      let digits = String(scalar.value, radix: 16, uppercase: true)
      try raw("{\"$scalar\": \"U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)\"}")
    case .date(let date): try wrapped("$date") { try $0.double(date.timeIntervalSinceReferenceDate) }
    case .data(let data): try base64(data)
    case .uuid(let uuid): try raw("{\"$uuid\": \"\(uuid.uuidString)\"}")
    case .decimal(let decimal): try raw("{\"$decimal\": \"\(DecimalText.text(decimal))\"}")
    case .duration(let duration): try raw("{\"$attoseconds\": \(duration.attoseconds)}")
    case .void: try raw("{\"$void\": true}")
    case .metatype(let type): try wrapped("$class") { try $0.string(typeName(type)) }
    case .reference(let number): try raw("{\"$object\": \(number)}")
    default: throw Problem(message: "a value of a kind that cannot be shown")
    }
  }

  private mutating func double(_ value: Double) throws {
    try floating(value.isFinite ? "\(value)" : nil, isPositive: value > 0, value.isNaN, value.bitPattern, 16)
  }

  /// - Parameter text: nil for what is no number in JSON.
  private mutating func floating(_ text: String?, isPositive: Bool, _ isNaN: Bool, _ bits: UInt64, _ digitCount: Int) throws {
    if let text { return try raw(text) }
    guard isNaN else { return try raw("{\"$float\": \"\(isPositive ? "inf" : "-inf")\"}") }
    let digits = String(bits, radix: 16)
    try raw("{\"$float\": \"nan:\(String(repeating: "0", count: digitCount - digits.count))\(digits)\"}")
  }

  private mutating func base64(_ data: Data) throws {
    try raw("{\"$data\": \"")
    var rest = data
    // A multiple of three.
    while !rest.isEmpty {
      let piece = rest.prefix(24_576)
      try raw(piece.base64EncodedString())
      rest = rest.dropFirst(piece.count)
    }
    try raw("\"}")
  }
}
