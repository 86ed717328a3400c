import ArchiveFormat
import ArchiveReflection

/// The raw values of an enum's cases, if they are plain values; found when they are first asked for.
final class RawValues: Sendable {
  private let access: EnumAccess
  private let found = Locked<[EnumCase.RawValue]??>(nil)

  init(_ access: EnumAccess) { self.access = access }

  /// One per case, in the order of their tags; nil if the enum has none that an archive can describe.
  var values: [EnumCase.RawValue]? {
    if let known = found.withLock({ $0 }) { return known }
    // Outside the lock, because a raw value may be what code of the program says.
    let values = find()
    found.withLock { $0 = values }
    return values
  }

  private func find() -> [EnumCase.RawValue]? {
    guard let type = access.shape.type as? any RawRepresentable.Type, !access.shape.cases.isEmpty,
      access.shape.cases.allSatisfy({ $0.payload == nil })
    else { return nil }
    return rawValues(type)
  }

  private func rawValues<T: RawRepresentable>(_: T.Type) -> [EnumCase.RawValue]? {
    var values: [EnumCase.RawValue] = []
    for tag in access.shape.cases.indices {
      // SAFETY: the memory is room for one value of the enum, which has no payload in any case.
      let value = unsafe withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { memory -> T? in
        guard let p = memory.baseAddress else { return nil }
        unsafe access.initialize(UnsafeMutableRawPointer(p), tag: tag, takingPayload: nil)
        return unsafe p.move()
      }
      guard let value, let plain = Self.plain(value.rawValue) else { return nil }
      values.append(plain)
    }
    return values
  }

  private static func plain(_ value: Any) -> EnumCase.RawValue? {
    switch value {
    case let text as String: .text(text)
    case let text as Character: .text(String(text))
    case let text as Substring: .text(String(text))
    case let number as any FixedWidthInteger: Int64(exactly: number).map { .integer($0) }
    case let number as any BinaryFloatingPoint: .floating(Double(number))
    default: nil
    }
  }
}
