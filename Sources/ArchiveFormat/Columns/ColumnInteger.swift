/// What integer columns are made from and into: 64 bits, or 32 where all values have no more.
///
/// The columns are the same. Narrow values are looked at, packed and unpacked as they lie in memory, twice as many at a time.
protocol ColumnInteger: FixedWidthInteger & SignedInteger & BitwiseCopyable {
  /// The bits as a number without a sign.
  var unsignedWord: UInt64 { get }
}

extension Int64: ColumnInteger {
  @inline(__always) var unsignedWord: UInt64 { UInt64(bitPattern: self) }
}

extension Int32: ColumnInteger {
  @inline(__always) var unsignedWord: UInt64 { UInt64(UInt32(bitPattern: self)) }
}
