import ArchiveFormat
import ArchiveReflection

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Types whose values travel as something other than their stored properties.
protocol CodecProviding {
  static func makeCodec(_ builder: inout PlanBuilder) throws -> ValueCodec
}

extension Int: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(IntegerCodec(self, .int, .int64)) }
}
extension Int8: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(IntegerCodec(self, .int8, .int8)) }
}
extension Int16: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(IntegerCodec(self, .int16, .int16)) }
}
extension Int32: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(IntegerCodec(self, .int32, .int32)) }
}
extension Int64: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(IntegerCodec(self, .int64, .int64)) }
}
extension UInt: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(IntegerCodec(self, .uint, .uint64)) }
}
extension UInt8: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(IntegerCodec(self, .uint8, .uint8)) }
}
extension UInt16: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(IntegerCodec(self, .uint16, .uint16)) }
}
extension UInt32: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(IntegerCodec(self, .uint32, .uint32)) }
}
extension UInt64: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(IntegerCodec(self, .uint64, .uint64)) }
}
extension Unicode.Scalar: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(IntegerCodec(self, .unicodeScalar, .unicodeScalar)) }
}
extension Int128: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(WideIntegerCodec(self, .int128)) }
}
extension UInt128: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(WideIntegerCodec(self, .uint128)) }
}
extension Duration: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(WideIntegerCodec(self, .duration)) }
}
extension Double: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(DoubleCodec(self, .double)) }
}
extension Date: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(DoubleCodec(self, .date)) }
}
extension Float: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(FloatCodec(self, .float)) }
}
#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: CodecProviding {
    static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(FixedCodec(self, .float16)) }
  }
#endif
extension Bool: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(BoolCodec(self, .bool)) }
}
extension String: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(StringCodec(self, .string)) }
}
extension Data: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(DataCodec(self, .data)) }
}
extension UUID: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(FixedCodec(self, .uuid)) }
}
extension Decimal: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec {
    b.enter(FixedCodec(self, .decimal, form: DecimalForm.form))
  }
}

/// The 20 bytes of a `Decimal`: exponent, a byte with the number of 16-bit digits and the flags, two reserved bytes, eight digits.
///
/// The archive's second byte is `length | negative << 4 | compact << 5`, as Apple's bit field lies in memory; Foundation on Linux has
/// the length in the upper half.
private enum DecimalForm {
  static let form = unsafe FixedCodec.Form(
    export: { bytes in
      #if !canImport(Darwin)
        // SAFETY: a Decimal has 20 bytes.
        let byte = unsafe bytes.load(fromByteOffset: 1, as: UInt8.self)
        unsafe bytes.storeBytes(of: byte >> 4 | (byte & 0b1000) << 1 | (byte & 0b0100) << 3, toByteOffset: 1, as: UInt8.self)
      #endif
    },
    restore: { bytes in
      // SAFETY: a Decimal has 20 bytes.
      let byte = unsafe bytes.load(fromByteOffset: 1, as: UInt8.self)
      let (length, flags) = (byte & 0xF, byte >> 4)
      if length > 8 { return "a Decimal of \(length) digits does not exist" }
      if unsafe flags > 3 || bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self) != 0 { return "a Decimal with unknown flags" }
      #if !canImport(Darwin)
        unsafe bytes.storeBytes(of: length << 4 | (flags & 1) << 3 | (flags & 2) << 1, toByteOffset: 1, as: UInt8.self)
      #endif
      return nil
    })
}

extension Character: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.textual(CharacterRepresentation.self, .character) }
}
extension Substring: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.textual(SubstringRepresentation.self, .substring) }
}
extension URL: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.represented(URLRepresentation.self) }
}
extension DateInterval: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.represented(DateIntervalRepresentation.self) }
}
extension DateComponents: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.represented(DateComponentsRepresentation.self) }
}
extension TimeZone: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.represented(TimeZoneRepresentation.self) }
}
extension Locale: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.represented(LocaleRepresentation.self) }
}
extension Calendar: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.represented(CalendarRepresentation.self) }
}
extension IndexPath: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.represented(IndexPathRepresentation.self) }
}
extension Range: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.represented(RangeRepresentation<Bound>.self) }
}
extension ClosedRange: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.represented(ClosedRangeRepresentation<Bound>.self) }
}
extension PartialRangeFrom: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.represented(PartialRangeFromRepresentation<Bound>.self) }
}
extension PartialRangeUpTo: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.represented(PartialRangeUpToRepresentation<Bound>.self) }
}
extension PartialRangeThrough: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.represented(PartialRangeThroughRepresentation<Bound>.self) }
}
extension SIMD2: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.represented(SIMDRepresentation<Self>.self) }
}
extension SIMD3: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.represented(SIMDRepresentation<Self>.self) }
}
extension SIMD4: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.represented(SIMDRepresentation<Self>.self) }
}
extension SIMD8: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.represented(SIMDRepresentation<Self>.self) }
}
extension SIMD16: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.represented(SIMDRepresentation<Self>.self) }
}
extension SIMD32: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.represented(SIMDRepresentation<Self>.self) }
}
extension SIMD64: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.represented(SIMDRepresentation<Self>.self) }
}
extension AnyHashable: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) -> ValueCodec { b.enter(AnyCodec(self)) }
}

/// `Optional` without its type argument.
protocol OptionalType {
  static var wrappedType: Any.Type { get }
}

extension Optional: OptionalType, CodecProviding {
  static var wrappedType: Any.Type { Wrapped.self }
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec {
    try b.entering(OptionalCodec(self)) { codec, b in codec.resolve(try b.codec(for: Wrapped.self)) }
  }
}
extension Array: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.arrayLike(self) }
}
extension ContiguousArray: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.arrayLike(self) }
}
extension ArraySlice: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec { try b.arrayLike(self) }
}
extension Set: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec {
    try b.entering(SetCodec<Element>(self)) { codec, b in codec.resolve(try b.codec(for: Element.self)) }
  }
}
extension Dictionary: CodecProviding {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec {
    try b.entering(DictionaryCodec<Key, Value>(self)) { codec, b in
      codec.resolve(try b.codec(for: Key.self), try b.codec(for: Value.self))
    }
  }
}
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension InlineArray: CodecProviding where Element: Copyable {
  static func makeCodec(_ b: inout PlanBuilder) throws -> ValueCodec {
    try b.entering(InlineArrayCodec(self, count: count)) { codec, b in codec.resolve(try b.codec(for: Element.self)) }
  }
}

extension PlanBuilder {
  /// Enters a codec and resolves its parts.
  mutating func entering<Codec: ValueCodec>(_ codec: Codec, _ resolve: (Codec, inout PlanBuilder) throws -> Void) throws -> ValueCodec {
    enter(codec)
    try resolve(codec, &self)
    return codec
  }

  fileprivate mutating func represented<R: Representation>(_: R.Type) throws -> ValueCodec {
    try entering(RepresentedCodec(R.self)) { codec, b in codec.resolve(try b.codec(for: R.self)) }
  }

  fileprivate mutating func textual<R: Representation>(_: R.Type, _ scalar: TypeID) throws -> ValueCodec {
    // The representation's one stored property is its text, so its memory is that of the String.
    try entering(RepresentedCodec(R.self, scalar: scalar)) { codec, b in codec.resolve(try b.codec(for: String.self)) }
  }

  fileprivate mutating func arrayLike<A: ArrayLike>(_: A.Type) throws -> ValueCodec {
    try entering(ArrayCodec<A>(A.self)) { codec, b in codec.resolve(try b.codec(for: A.Element.self)) }
  }
}
