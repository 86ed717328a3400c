import ArchiveFormat

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ArchiveValue {
  /// The same as a scalar of another type; nil if that has no such value.
  func fitting(_ type: TypeID) -> ArchiveValue? {
    switch type {
    case .bool: boolValue.map { .bool($0) }
    case .int: whole(Int64.self).map { .int($0) }
    case .int8: whole(Int8.self).map { .int8($0) }
    case .int16: whole(Int16.self).map { .int16($0) }
    case .int32: whole(Int32.self).map { .int32($0) }
    case .int64: whole(Int64.self).map { .int64($0) }
    case .int128: whole(Int128.self).map { .int128($0) }
    case .uint: whole(UInt64.self).map { .uint($0) }
    case .uint8: whole(UInt8.self).map { .uint8($0) }
    case .uint16: whole(UInt16.self).map { .uint16($0) }
    case .uint32: whole(UInt32.self).map { .uint32($0) }
    case .uint64: whole(UInt64.self).map { .uint64($0) }
    case .uint128: whole(UInt128.self).map { .uint128($0) }
    case .double: fittingDouble.map { .double($0) }
    case .cgFloat: fittingDouble.map { .cgFloat($0) }
    case .float: fittingFloat.map { .float($0) }
    case .float16: fittingHalf.map { .float16($0) }
    case .decimal: fittingDecimal.map { .decimal($0) }
    case .string, .pooledString: stringValue.map { .string($0) }
    case .substring: stringValue.map { .substring($0) }
    case .character: stringValue.flatMap { $0.count == 1 ? $0.first : nil }.map { .character($0) }
    case .unicodeScalar: stringValue.flatMap { $0.unicodeScalars.count == 1 ? $0.unicodeScalars.first : nil }.map { .unicodeScalar($0) }
    case .uuid: (uuidValue ?? stringValue.flatMap { UUID(uuidString: $0) }).map { .uuid($0) }
    case .date: if case .date = self { self } else { nil }
    case .data: if case .data = self { self } else { nil }
    case .duration: if case .duration = self { self } else { nil }
    case .void: if case .void = self { self } else { nil }
    case .metatype: if case .metatype = self { self } else { nil }
    default: nil
    }
  }

  /// A whole number counts only if `Double` has it.
  private var fittingDouble: Double? { doubleValue }

  /// The nearest `Float`: 0.1 has none of its own.
  private var fittingFloat: Float? {
    if case .float(let value) = self { return value }
    guard let double = doubleValue else { return nil }
    let float = Float(double)
    if float.isInfinite && !double.isInfinite { return nil }
    return whole(Int128.self) == nil || Double(float) == double ? float : nil
  }

  private var fittingHalf: UInt16? {
    if case .float16(let bits) = self { return bits }
    guard let double = doubleValue, let bits = Self.half(nearest: double) else { return nil }
    return whole(Int128.self) == nil || Self.float16(bits).doubleValue == double ? bits : nil
  }

  /// The bits of the nearest number of 16 bits, ties to even, on platforms without the type, too; nil for numbers that are too large.
  private static func half(nearest value: Double) -> UInt16? {
    let sign: UInt16 = value.sign == .minus ? 0x8000 : 0
    if value.isNaN { return sign | 0x7E00 }
    if value.isInfinite { return sign | 0x7C00 }
    let magnitude = value.magnitude
    // Below the smallest normal number steps are of 2^-24; from there on of 2^-10 of the power of two below.
    let exponent = magnitude < 0x1p-14 ? -14 : Int(magnitude.exponent)
    let steps = (magnitude / Double(sign: .plus, exponent: exponent - 10, significand: 1)).rounded(.toNearestOrEven)
    let bits = exponent == -14 ? steps : steps + Double(exponent + 14) * 1_024
    return bits < 0x7C00 ? sign | UInt16(bits) : nil
  }

  private var fittingDecimal: Decimal? {
    if let number = whole(Int128.self) { return Decimal(string: "\(number)") }
    if let number = whole(UInt128.self) { return Decimal(string: "\(number)") }
    switch self {
    case .decimal(let value): return value
    // The shortest text of a binary fraction is the number that was meant.
    case .double(let value), .cgFloat(let value): return value.isFinite ? Decimal(string: "\(value)") : nil
    case .float(let value): return value.isFinite ? Decimal(string: "\(value)") : nil
    default: return nil
    }
  }

  /// Whether both are one text or one number.
  func meansTheSame(as other: ArchiveValue) -> Bool {
    if let text = stringValue { return text == other.stringValue }
    if let number = whole(Int128.self) { return number == other.whole(Int128.self) }
    if let number = doubleValue { return number == other.doubleValue }
    return false
  }

  // MARK: Equal ones

  /// A value that is among these twice; nil if there is none.
  ///
  /// - Complexity: O(size of the values) where they differ near the top.
  static func duplicate(in values: [ArchiveValue]) -> ArchiveValue? {
    if values.count < 2 { return nil }
    var seen: [Int: [ArchiveValue]] = [:]
    for value in values {
      var hasher = Hasher()
      var budget = 32
      value.hash(into: &hasher, &budget, depth: 0)
      let hash = hasher.finalize()
      if seen[hash, default: []].contains(value) { return value }
      seen[hash, default: []].append(value)
    }
    return nil
  }

  /// Feeds what equal values have in common, of large values only the beginning.
  private func hash(into hasher: inout Hasher, _ budget: inout Int, depth: Int) {
    budget -= 1
    if budget < 0 || depth > 8 { return }
    switch self {
    case .string(let text), .substring(let text): hasher.combine(text)
    case .character(let character): hasher.combine(character)
    case .unicodeScalar(let scalar): hasher.combine(scalar)
    case .double(let value), .cgFloat(let value): hasher.combine(value.bitPattern)
    case .float(let value): hasher.combine(value.bitPattern)
    case .date(let date): hasher.combine(date.timeIntervalSinceReferenceDate.bitPattern)
    case .duration(let duration): hasher.combine(duration)
    case .bool(let value): hasher.combine(value)
    case .data(let data): hasher.combine(data)
    case .uuid(let id): hasher.combine(id)
    case .reference(let number): hasher.combine(number)
    case .present(let inner): inner.hash(into: &hasher, &budget, depth: depth + 1)
    case .any(let typed): typed.value.hash(into: &hasher, &budget, depth: depth + 1)
    case .array(let parts), .set(let parts), .inlineArray(let parts):
      hasher.combine(parts.count)
      for part in parts.prefix(32) { part.hash(into: &hasher, &budget, depth: depth + 1) }
    case .dictionary(let entries):
      hasher.combine(entries.count)
      for entry in entries.prefix(32) { entry.key.hash(into: &hasher, &budget, depth: depth + 1) }
    case .tuple(let fields): for field in fields.prefix(32) { field.value.hash(into: &hasher, &budget, depth: depth + 1) }
    case .structure(let structure):
      hasher.combine(structure.name)
      for field in structure.fields.prefix(32) { field.value.hash(into: &hasher, &budget, depth: depth + 1) }
    case .enumeration(let one):
      hasher.combine(one.caseName)
      one.payload?.hash(into: &hasher, &budget, depth: depth + 1)
    case .decimal(let value): hasher.combine(value.shown)
    case .float16(let bits): hasher.combine(bits)
    case .uint128(let value): hasher.combine(value)
    default: hasher.combine(whole(Int128.self))
    }
  }
}
