/// How the raw values of an enumeration's cases stand in the table: the byte in front of its entry.
///
/// A program whose property is of the raw type today reads them in the place of the cases.
package enum RawForm: UInt8 {
  /// Texts, each the name of its case.
  case names = 6
  /// The numbers 0, 1, 2, in the order of the cases.
  case ordinals = 7
  case texts = 8
  case integers = 9
  case floating = 10

  /// The shortest form for these cases; nil if there are none, or not all have a raw value of one kind.
  init?(of cases: [EnumCase]) {
    guard let first = cases.first?.rawValue, cases.allSatisfy({ $0.payload == nil }) else { return nil }
    switch first {
    case .text:
      if cases.allSatisfy({ $0.rawValue == .text($0.name) }) {
        self = .names
      } else {
        guard cases.allSatisfy({ if case .text? = $0.rawValue { true } else { false } }) else { return nil }
        self = .texts
      }
    case .integer:
      if cases.enumerated().allSatisfy({ $1.rawValue == .integer(Int64($0)) }) {
        self = .ordinals
      } else {
        guard cases.allSatisfy({ if case .integer? = $0.rawValue { true } else { false } }) else { return nil }
        self = .integers
      }
    case .floating:
      guard cases.allSatisfy({ if case .floating? = $0.rawValue { true } else { false } }) else { return nil }
      self = .floating
    }
  }

  /// Writes what stands behind the cases.
  func encode(_ cases: [EnumCase], into w: inout ByteWriter) {
    for one in cases {
      switch (self, one.rawValue) {
      case (.texts, .text(let text)?):
        w.appendVarint(UInt64(text.utf8.count))
        w.append(text)
      case (.integers, .integer(let number)?): w.appendZigzag(number)
      case (.floating, .floating(let number)?): w.appendLE64(number.bitPattern)
      default: break
      }
    }
  }

  /// Reads what stands behind the cases, and gives each its raw value.
  ///
  /// - Throws: `malformed` if a case has a payload, `truncated`.
  func decode(into cases: inout [EnumCase], _ r: inout ByteReader) throws(FormatError) {
    for index in cases.indices {
      guard cases[index].payload == nil else { throw r.fail(.malformed, "a case with a raw value has a payload") }
      cases[index].rawValue =
        switch self {
        case .names: .text(cases[index].name)
        case .ordinals: .integer(Int64(index))
        case .texts: .text(try r.readString(try r.readCount()))
        case .integers: .integer(try r.readZigzag())
        case .floating: .floating(Double(bitPattern: try r.readLE64()))
        }
    }
  }

  /// Passes over what stands behind the cases.
  func skip(count: Int, _ r: inout ByteReader) throws(FormatError) {
    for _ in 0..<count {
      switch self {
      case .names, .ordinals: return
      case .texts: try r.skip(try r.readCount())
      case .integers: _ = try r.readVarint()
      case .floating: try r.skip(8)
      }
    }
  }
}
