import ArchiveFormat
import ArchiveReflection

/// What an archive may ask of its reader.
extension DecodingState {
  /// What an archive may become, once it is known that the objects it announces are within the limits.
  static func allowance(_ layout: borrowing ArchiveLayout, _ limits: KeyedUnarchiver.Limits) throws -> Int {
    let allowance = limits.allowance(forLength: layout.byteCount)
    // Each block has at most 1,024 objects, so that nothing overflows.
    var count = 0
    for block in layout.blocks { count &+= block.count }
    if count > limits.maximumObjectCount {
      throw ArchiveError(
        .limitExceeded, message: "the archive holds \(count) objects; maximumObjectCount is \(limits.maximumObjectCount)")
    }
    if count > allowance / DecodedSize.tableEntry { throw Self.beyond(allowance) }
    return allowance
  }

  /// From here on these limits hold; an archive may become `allowance` bytes.
  mutating func apply(_ limits: KeyedUnarchiver.Limits, _ allowance: Int) {
    self.allowance = allowance
    maximumDepth = min(limits.maximumNestingDepth, EncodingState.maximumDepth)
    maximumStringLength = limits.maximumStringLength
  }

  /// Takes `count` values of `size` bytes off what the archive may become, before there is room for them.
  ///
  /// - Throws: `limitExceeded`.
  @inline(__always)
  mutating func spend(_ count: Int, each size: Int) throws {
    let (bytes, overflow) = count.multipliedReportingOverflow(by: size)
    if overflow || bytes > allowance { throw overspent() }
    allowance &-= bytes
  }

  /// The same for the objects of a block.
  ///
  /// - Throws: `limitExceeded`, as an `ArchiveError`.
  mutating func spend(objects count: Int, of plan: ClassPlan) throws {
    do { try spend(count, each: plan.decodedSize) } catch let error as LocatedError { throw error.error }
  }

  @inline(never)
  private mutating func overspent() -> LocatedError {
    let error = Self.beyond(nil)
    return fail(error.code, error.message, 0)
  }

  private static func beyond(_ allowance: Int?) -> ArchiveError {
    ArchiveError(
      .limitExceeded,
      message: "the archive becomes more than \(allowance.map { "the \($0) bytes" } ?? "the bytes") that maximumExpansion and "
        + "maximumDecodedByteCount allow for its length")
  }

  /// Throws if a string or a `Data` is too long.
  @inline(never)
  mutating func checkLengths(_ lengths: UnsafePointer<Int64>, _ count: Int) throws {
    // SAFETY: the caller has read as many lengths.
    for i in 0..<count where unsafe lengths[i] > maximumStringLength {
      throw tooLong(Int(truncatingIfNeeded: unsafe lengths[i]), row: i)
    }
  }

  /// The same for one that is read on its own.
  @inline(__always)
  mutating func checkLength(_ length: Int) throws {
    if length > maximumStringLength { throw tooLong(length, row: 0) }
  }

  @inline(never)
  private mutating func tooLong(_ length: Int, row: Int) -> LocatedError {
    fail(.limitExceeded, "\(length) bytes of a string are more than maximumStringLength, \(maximumStringLength)", row)
  }
}
