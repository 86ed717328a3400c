import ArchiveFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Everything that an archive holds, without any type of the program: to look at it, to change it, and to write it again.
///
/// A tool needs none of the classes that the archive is of. Making a document runs no code of them either.
///
/// ```swift
/// var document = try ArchiveDocument(contentsOf: url)
/// print(try document.value(at: "root.fruits[3].name"))
/// try document.set("pear", at: "root.fruits[3].name")
/// try document.encoded().write(to: url)
/// ```
/// Objects have numbers, and ``ArchiveValue/reference(_:)`` is one of them: what several places refer to is there once, and circles are no
/// matter. ``roots`` are the values at the top level, ``objects`` the objects in the order of their numbers.
///
/// A document is a value: a copy can be changed without changing the other one. Two documents are equal if their values at the top level and their objects
/// are, bit by bit, the numbers included; see ``ArchiveValue``.
public struct ArchiveDocument: Sendable {
  /// A value at the top level.
  public struct Root: Sendable, Equatable {
    /// The key; archives of one value have it under `root`.
    public let key: String
    /// The type that the archive gives the value.
    public let type: ArchiveType
    /// The value.
    public internal(set) var value: ArchiveValue
  }

  /// The values at the top level, in the order of the archive.
  public internal(set) var roots: [Root] = []
  /// Where the value at the top level with a key stands in `roots`.
  private(set) var rootIndices: [String: Int] = [:]
  /// The objects by ascending number. Those that nothing refers to any more stay here, and are left out when the document is encoded.
  public internal(set) var objects: [Object] = []
  /// The length that the archive was filled up to; 0 if it was not.
  var filledLength = 0
  /// Whether anything is not as the archive has it.
  var isChanged = false
  /// The classes that the archive describes, by name.
  var classes: [String: UnknownClass] = [:]

  /// Makes a document without values.
  public init() {}

  /// Reads a whole archive.
  ///
  /// - Parameters:
  ///   - data: The archive.
  ///   - limits: What it may ask of the reader. Nesting is not limited by them: values are read without recursion.
  /// - Throws: ``ArchiveError`` with the code `notAnArchive`, `newerFormat`, `truncated`, `trailingBytes`, `corrupt`, `malformed`,
  ///   `invalidValue` or `limitExceeded`.
  /// - Complexity: O(size of what the archive becomes), which is some hundred bytes for each property of an object.
  public init(_ data: Data, limits: KeyedUnarchiver.Limits = KeyedUnarchiver.Limits()) throws {
    try self.init(of: data, limits: limits)
  }

  /// Reads a whole archive from a file.
  ///
  /// - Parameters:
  ///   - url: The URL of a file, which must not be shortened meanwhile.
  ///   - limits: What it may ask of the reader.
  /// - Throws: ``ArchiveError`` with the code `fileError`, and what `init(_:limits:)` throws.
  public init(contentsOf url: URL, limits: KeyedUnarchiver.Limits = KeyedUnarchiver.Limits()) throws {
    let file = ArchiveBytes(try MappedFile(url.path))
    // SAFETY: the file stays mapped meanwhile, and what is made copies all that it keeps.
    self = try withExtendedLifetime(file) { unsafe try ArchiveDocument(parsing: file.bytes, verifyingChecksum: true, limits) }
  }

  package init(of data: Data, verifyingChecksum: Bool = true, limits: KeyedUnarchiver.Limits = KeyedUnarchiver.Limits()) throws {
    // SAFETY: what is made copies all that it keeps; the layout does not outlive the bytes.
    self = unsafe try data.withUnsafeBytes { unsafe try ArchiveDocument(parsing: $0, verifyingChecksum: verifyingChecksum, limits) }
  }

  private init(parsing bytes: UnsafeRawBufferPointer, verifyingChecksum: Bool, _ limits: KeyedUnarchiver.Limits) throws {
    do {
      let layout = unsafe try ArchiveLayout(
        parsing: bytes, verification: verifyingChecksum ? .whole : .none, maximumTypeTableLength: limits.maximumTypeTableLength)
      try self.init(layout, limits)
    } catch let error as FormatError {
      throw ArchiveError(error)
    }
  }

  private init(_ layout: ArchiveLayout, _ limits: KeyedUnarchiver.Limits) throws {
    let values = ArchiveValues(layout, limits)
    filledLength = layout.filledLength
    for (index, root) in layout.roots.enumerated() {
      var bytes = layout.rootReaders[index]
      let value = try values.values(root.type, count: 1, from: &bytes, poolID: 0)
      guard bytes.remaining == 0, let value = value.first else {
        throw bytes.fail(.malformed, "\(bytes.remaining) bytes are left over behind the value")
      }
      setRoot(Root(key: root.key, type: ArchiveType(root.type, in: values.table), value: value))
    }
    var kinds: [TypeID: UnknownClass] = [:]
    for (index, block) in layout.blocks.enumerated() {
      let kind = kinds[block.type] ?? UnknownClass(block.type, in: values.table)
      kinds[block.type] = kind
      let columns = try values.columns(of: block, in: layout.blockReaders[index])
      for row in 0..<block.count {
        objects.append(Object(number: index << 10 | row, kind: kind, values: columns.map { $0[row] }))
      }
    }
    for (index, entry) in layout.types.entries.enumerated() {
      let id = TypeID(entry: index)
      guard case .object(let name, _, _, _) = entry, classes[name] == nil else { continue }
      classes[name] = kinds[id] ?? UnknownClass(id, in: values.table)
    }
  }

  /// Puts a value into the place of the one with its key, or behind all others.
  mutating func setRoot(_ root: Root) {
    if let index = rootIndices[root.key] {
      roots[index] = root
    } else {
      rootIndices[root.key] = roots.count
      roots.append(root)
    }
  }

  mutating func removeRoot(at index: Int) {
    rootIndices[roots.remove(at: index).key] = nil
    for later in index..<roots.count { rootIndices[roots[later].key] = later }
  }

  // MARK: Looking

  /// The value at the top level under a key; nil if there is none.
  ///
  /// - Complexity: O(length of the key).
  public subscript(key: String) -> ArchiveValue? { rootIndices[key].map { roots[$0].value } }

  /// The object with a number; nil if there is none.
  ///
  /// - Complexity: O(log(number of objects)).
  public func object(_ number: Int) -> Object? { index(ofObject: number).map { objects[$0] } }

  /// The object that a value is a reference to; nil for anything else, nil among it.
  public func object(_ value: ArchiveValue?) -> Object? { value?.referenceValue.flatMap { object($0) } }

  /// Where an object stands.
  func index(ofObject number: Int) -> Int? {
    var (low, high) = (0, objects.count)
    while low < high {
      let middle = (low + high) / 2
      if objects[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < objects.count && objects[low].number == number ? low : nil
  }
}

extension ArchiveDocument: Equatable {
  /// Whether both have equal values at the top level, in the same order, and equal objects under the same numbers.
  ///
  /// - Complexity: O(size of the documents).
  public static func == (a: ArchiveDocument, b: ArchiveDocument) -> Bool {
    guard a.roots == b.roots, a.objects.count == b.objects.count else { return false }
    var last: (UnknownClass, UnknownClass)?
    for (one, other) in zip(a.objects, b.objects) {
      // Neighbours are mostly of one class, whose description need not be compared again.
      if let last, last.0 === one.kind, last.1 === other.kind {
        guard one.number == other.number, one.values == other.values else { return false }
      } else if one != other {
        return false
      }
      last = (one.kind, other.kind)
    }
    return true
  }
}
