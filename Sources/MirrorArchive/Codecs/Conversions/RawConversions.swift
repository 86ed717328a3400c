import ArchiveFormat
import ArchiveReflection

/// What a raw value can be, as far as conversions go.
private enum PlainKind {
  case text, number

  init?(_ id: TypeID) {
    switch id {
    case .string, .pooledString, .character, .substring: self = .text
    default:
      guard let family = ScalarTypes.family(of: id), family == .integer || family == .floating else { return nil }
      self = .number
    }
  }

  init?(_ codec: ValueCodec) {
    if codec.type == Character.self || codec.type == Substring.self {
      self = .text
    } else {
      guard let scalar = (codec as? ScalarCodec)?.scalar, let kind = PlainKind(scalar) else { return nil }
      self = kind
    }
  }
}

extension Binder {
  /// A reader between types with a raw value and that value's type, in both directions; nil for other pairs.
  mutating func rawReader(_ codec: ValueCodec, _ id: TypeID) throws -> ColumnReader? {
    if PlainKind(id) != nil { return try rawReader(codec, id, isLenient: options.conversionPolicy == .lenient) }
    switch types[id] {
    case .enumeration(let name, _, let cases)?:
      guard let kind = PlainKind(codec) ?? decimalKind(codec), cases.first?.rawValue != nil else { return nil }
      let reader = try CaseReader(codec, name, cases, isLenient: options.conversionPolicy == .lenient)
      return (kind == .text) == reader.isText ? reader : nil
    case .structure(_, _, let fields)?:
      guard PlainKind(codec) != nil, fields.count == 1, fields[0].key == "rawValue", PlainKind(fields[0].type) != nil else { return nil }
      return try reader(codec, fields[0].type)
    default: return nil
    }
  }

  /// A reader that makes values of raw values; nil for other pairs.
  ///
  /// - Parameter isLenient: Whether what is no raw value leaves the property as it is.
  mutating func rawReader(_ codec: ValueCodec, _ id: TypeID, isLenient: Bool) throws -> MappingReader? {
    guard let archived = PlainKind(id), !(codec.type is AnyClass), let type = codec.type as? any RawRepresentable.Type else { return nil }
    return try rawReader(codec, type, id, archived, isLenient)
  }

  private func decimalKind(_ codec: ValueCodec) -> PlainKind? { (codec as? ScalarCodec)?.scalar == .decimal ? .number : nil }

  private mutating func rawReader<T: RawRepresentable>(
    _ codec: ValueCodec, _: T.Type, _ id: TypeID, _ archived: PlainKind, _ isLenient: Bool
  ) throws -> MappingReader? {
    let raw = try PlanRegistry.shared.codec(for: T.RawValue.self)
    guard let kind = PlainKind(raw), kind == archived || options.conversionPolicy == .lenient else { return nil }
    return MappingReader(
      codec, try reader(raw, id), RawMapping<T>(), named: types.describe(id), refusal: "no raw value of \(T.self)",
      substitute: (codec as? EnumCodec)?.unknownCase, isLenient: isLenient)
  }
}

/// The value that a raw value stands for.
private struct RawMapping<T: RawRepresentable>: ValueMapping {
  func map(taking stored: UnsafeMutableRawPointer, to target: UnsafeMutableRawPointer) -> String? {
    // SAFETY: the caller hands over a raw value and uninitialised memory of the type.
    let rawValue = unsafe stored.assumingMemoryBound(to: T.RawValue.self).move()
    guard let value = T(rawValue: rawValue) else { return Mapping<T.RawValue, T>.shown(rawValue) }
    unsafe target.initializeMemory(as: T.self, to: value)
    return nil
  }

  // SAFETY: the caller hands over a raw value.
  func shown(_ stored: UnsafeRawPointer) -> String {
    unsafe Mapping<T.RawValue, T>.shown(stored.assumingMemoryBound(to: T.RawValue.self).pointee)
  }
}

/// Reads the cases of an enum as the raw values that the archive says they have.
@safe
private final class CaseReader: ValueReader, @unchecked Sendable {
  private let name: String
  private let cases: [EnumCase]
  let isText: Bool
  /// One value per case; those without a value are uninitialised.
  private let values: UnsafeMutableRawPointer
  private var isThere: [Bool] = []

  init(_ codec: ValueCodec, _ name: String, _ cases: [EnumCase], isLenient: Bool) throws {
    self.name = name
    self.cases = cases
    if case .text? = cases.first?.rawValue { isText = true } else { isText = false }
    let witnesses = codec.witnesses
    unsafe values = .allocate(byteCount: max(1, cases.count &* witnesses.stride), alignment: witnesses.alignmentMask + 1)
    super.init(codec, isLenient: isLenient)
    for (index, one) in cases.enumerated() { unsafe isThere.append(store(one.rawValue, at: values + index &* witnesses.stride)) }
  }

  deinit {
    // SAFETY: those that are marked hold a value.
    for index in isThere.indices where isThere[index] { unsafe codec.witnesses.destroy(values + index &* codec.witnesses.stride) }
    unsafe values.deallocate()
  }

  private func store(_ value: EnumCase.RawValue?, at p: UnsafeMutableRawPointer) -> Bool {
    // SAFETY: the memory is room for a value of the codec's type.
    switch value {
    case .text(let text):
      if codec.type == String.self {
        unsafe p.initializeMemory(as: String.self, to: text)
      } else if codec.type == Substring.self {
        unsafe p.initializeMemory(as: Substring.self, to: Substring(text))
      } else if codec.type == Character.self, text.count == 1, let character = text.first {
        unsafe p.initializeMemory(as: Character.self, to: character)
      } else {
        return false
      }
      return true
    case .integer(let number): return unsafe store(.whole(isNegative: number < 0, magnitude: UInt128(number.magnitude)), at: p)
    case .floating(let number): return unsafe store(.floating(number), at: p)
    case nil: return false
    }
  }

  private func store(_ number: ExactNumber, at p: UnsafeMutableRawPointer) -> Bool {
    guard let scalar = (codec as? ScalarCodec)?.scalar, let target = ScalarTypes.all[scalar], target.family != .text else { return false }
    // SAFETY: one number for one row.
    return unsafe withUnsafePointer(to: number) { unsafe target.store($0, in: Rows(base: p, stride: 0, count: 1)) == nil }
  }

  override func readPartially(_ rows: Rows, _ present: UnsafeMutablePointer<UInt8>, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: every index is checked before it is used.
    let indices = unsafe d.scratch.allocate(Int64.self, rows.count)
    unsafe try IntegerColumn.decode(count: rows.count, from: &d.reader, into: indices)
    for i in 0..<rows.count {
      let index = unsafe indices[i]
      if index < 0 || index >= cases.count { throw d.invalid("case \(index) of \(name) does not exist in the archive", row: i) }
    }
    let witnesses = codec.witnesses
    do {
      for i in 0..<rows.count {
        let index = Int(unsafe indices[i])
        if isThere[index] {
          unsafe witnesses.initializeWithCopy(rows[i], values + index &* witnesses.stride)
          unsafe present[i] = 1
        } else {
          try refuse(
            row: i,
            "the archive holds \(name).\(cases[index].name) with the raw value \(shown(cases[index].rawValue)), which is not exactly a "
              + "value of \(codec.type)", &d)
        }
      }
    } catch {
      unsafe destroy(rows, present, &d)
      throw error
    }
  }

  private func shown(_ value: EnumCase.RawValue?) -> String {
    switch value {
    case .text(let text): text.shown
    case .integer(let number): "\(number)"
    case .floating(let number): "\(number)"
    case nil: "nil"
    }
  }
}
