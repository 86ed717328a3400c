extension KeyedUnarchiver {
  /// What an archive may ask of its reader. Beyond a limit an error with the code `limitExceeded` is thrown that names the limit.
  ///
  /// The defaults let through whatever ``KeyedArchiver`` writes, and stop bytes that were made to exhaust memory. Lower them where strangers
  /// send archives whose size is known.
  ///
  /// ```swift
  /// var options = DecodingOptions()
  /// options.limits.maximumObjectCount = 10_000
  /// options.limits.maximumStringLength = 4_096
  /// let order = try KeyedUnarchiver.unarchivedObject(of: Order.self, from: received, options: options)
  /// ```
  public struct Limits: Sendable, Hashable {
    /// How many objects an archive may hold. By default any number: objects count towards the decoded bytes.
    public var maximumObjectCount = Int.max

    /// How many bytes of memory objects and collections may take that come of one byte of the archive. 256 by default, over and above
    /// ``unmeteredByteCount``.
    ///
    /// A list of a million nodes, which hardly anything else is smaller than, becomes about 28. Where many equal values would go beyond it, the archiver fills the archive up, so that every archive has earned what it becomes.
    public var maximumExpansion = 256

    /// How many bytes objects and collections may take in all. By default any number: the size of the archive bounds it, by
    /// ``maximumExpansion``.
    ///
    /// Counted are the objects with 24 bytes each beyond their properties, and the elements of collections with 32 bytes for each collection. Not
    /// counted are the contents of strings and `Data`, which stand in the archive as they are; but where a string that stands there once is used
    /// as a key again and again, it counts with its length each time if it has more than 15 bytes, because each time it is hashed.
    public var maximumDecodedByteCount = Int.max

    /// How many bytes of UTF-8 one string may have, and how many bytes a `Data`. By default any number: an archive has at least as many.
    public var maximumStringLength = Int.max

    /// How deep values may be nested in values: collections, indirect enums and what stands in `Any`. 512 by default, which is the most that fits
    /// on a stack of 512 KiB and that the archiver writes; larger numbers mean the same. References between objects are no nesting.
    public var maximumNestingDepth = 512

    /// How many bytes the description of the archive's types may have. 16 MiB by default, far more than a program has types.
    public var maximumTypeTableLength = 16 << 20

    /// The bytes that may be decoded whatever the size of the archive: 16 MiB. Small archives of many equal values are common.
    public static let unmeteredByteCount = 16 << 20

    /// Makes the default limits.
    public init() {}
  }

  /// What an archive may ask of the unarchiver: the limits of its ``options``. Set them before the first call that decodes.
  public var limits: Limits {
    get { options.limits }
    set { options.limits = newValue }
  }
}

extension KeyedUnarchiver.Limits {
  /// How many bytes an archive of `length` bytes may become.
  func allowance(forLength length: Int) -> Int {
    let (earned, overflow) = length.multipliedReportingOverflow(by: max(0, maximumExpansion))
    let (sum, isLarge) = earned.addingReportingOverflow(Self.unmeteredByteCount)
    return min(overflow || isLarge ? Int.max : sum, maximumDecodedByteCount)
  }

  /// How many bytes an archive has to have to become `byteCount` bytes under the default limits, with a quarter more for readers whose classes
  /// have grown.
  static func requiredLength(toBecome byteCount: Int) -> Int {
    let count = byteCount &+ byteCount / 4
    return count <= unmeteredByteCount ? 0 : (count &- unmeteredByteCount) / Self().maximumExpansion &+ 1
  }
}

/// What values and objects take in memory, reckoned alike by whoever writes them and whoever reads them.
enum DecodedSize {
  /// The head of an object's memory block, its reference count, and its places in the tables of the reader.
  static let objectOverhead = 24
  /// The same for the storage of a collection.
  static let collectionOverhead = 32
  /// What a value of a library type takes that is an object inside, like a URL.
  static let represented = 64
  /// The tables of a reader for each object that the archive announces.
  static let tableEntry = 17

  static func array(stride: Int) -> Int { max(1, stride) }
  /// Hash tables are up to half empty.
  static func hashTable(stride: Int) -> Int { 2 &* stride &+ 2 }
  /// What a value takes in an existential or an indirect enum beyond its place.
  static func box(_ size: Int) -> Int { size &+ 16 }
}
