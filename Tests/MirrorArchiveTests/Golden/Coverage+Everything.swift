extension Coverage {
  /// All that the page about the format describes.
  static let everything = Set(columns + structure + types)

  // MARK: Columns

  private static let columns =
    all(numbers, integers + ["plain", "in steps"]) + all(longNumbers, integers + ["in steps"])
    + all(["Bool", "presence"], ["plain", "all false", "all true", "bits"])
    + all(["Double", "Date", "CGFloat"], ["plain", "constant", "raw", "decimal"])
    + all(["Float", "Float16", "UUID", "Decimal"], ["plain", "constant", "raw"])
    + all(["String", "Substring", "Character"], ["plain", "lengths", "pooled", "numbered"])
    + all(["Data"], ["plain", "lengths"]) + all(["Any", "record", "Void"] + empty, ["plain", "in chunks"])
    + (0...9).map { "scale \($0)" } + ["pooled String plain"]

  private static let integers = CoveredColumns.integerNames

  /// What columns of integers say, of types of their own and in columns of other types.
  private static let numbers =
    [
      "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Unicode.Scalar", "class", "reference",
      "typed reference", "number of elements", "number of entries", "case", "type in Any", "shape",
    ] + ["Int128", "UInt128", "Duration"].flatMap { ["\($0), high half", "\($0), low half"] }

  /// The same, of which there is no plain form, since they occur in columns of eight rows or more only.
  private static let longNumbers = ["digits", "length", "length of a record", "place in a pool", "number of a string"]

  private static let empty = ["inline array without elements", "tuple without members", "structure without members"]

  /// The encodings that columns of these have.
  private static func all(_ kinds: [String], _ encodings: [String]) -> [String] {
    kinds.flatMap { kind in encodings.map { "\(kind) \($0)" } }
  }

  // MARK: What is around them

  private static let structure = [
    "simple", "not simple", "string pools", "segmented", "XXH3", "xxHash64", "filled", "several roots", "pool of the roots",
    "pool of a property", "short pool", "long pool", "pool in chunks", "block without columns", "block with lengths",
    "block without lengths", "full block", "two blocks of a class", "full chunk", "record", "empty record", "Any of one type",
    "Any of several types", "numbered, digits as needed", "numbered, fixed digits", "numbered, front empty", "numbered, front short",
    "numbered, front long", "numbered, end empty", "numbered, end short", "numbered, end long",
  ]

  private static let types =
    [
      "optional", "Optional by number", "optional of an optional", "array", "set", "dictionary", "inline array", "tuple", "structure",
      "enumeration", "class", "superclass", "tuple of many", "structure of many", "enumeration of many", "class of many",
      "class without properties", "version of a structure", "version of an enumeration", "version of a class", "short member", "long key",
      "long type", "long key and long type", "empty key", "escaped key", "value without a key", "case", "case with a payload",
      "cases of one name", "raw names", "raw indexes", "raw texts", "raw numbers", "raw floating point",
    ] + empty

  // MARK: What the archiver does not write

  private static let (two, four, raw) = ("offsets of 2 bytes", "offsets of 4 bytes", "raw")

  /// What only archives have that are made by hand or that are older, each with its reason.
  static let unwritten: [(reason: String, what: [String])] = [
    ("no archiver of this version writes classes as values", all(["class"], integers + ["plain", "in steps"])),
    ("a tuple without elements is Void in Swift", all(["tuple without members"], ["plain", "in chunks"])),
    ("archives have had XXH3 since the archiver knows it", ["xxHash64"]),
    (
      "the archiver takes no encoding that is wider than the values of a type",
      all(["Int8", "UInt8"], [two, four, raw]) + all(["Int16", "UInt16", "Unicode.Scalar"], [four, raw]) + all(["Int32", "UInt32"], [raw])
    ),
    ("a column of one Double is constant itself, and digits have 52 bits at most, which are packed", all(["digits"], ["constant", raw])),
    (
      "objects, elements, bytes or strings would have to be so many that the archive were too large for a golden one",
      all(["reference", "typed reference", "number of elements", "length", "place in a pool"], [two, four, raw]) + ["pool in chunks"]
        + all(["number of entries", "length of a record"], ["offsets of 1 byte", two, four, raw])
    ),
    (
      "a type would have to have more than sixty cases, and a program more than sixty types or shapes in one column",
      all(["case", "type in Any", "shape"], ["offsets of 1 byte", two, four, raw])
    ),
  ]
}
