import ArchiveFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension KeyedUnarchiver {
  /// What an archive says about itself, without making any object.
  ///
  /// ```swift
  /// let header = try KeyedUnarchiver.header(of: data)
  /// guard header.isReadable else { return askForUpdate() }
  /// let version = header.types.first { $0.name == "App.Document" }?.version
  /// ```
  ///
  /// - Parameter data: The archive; a slice of a larger `Data` will do.
  /// - Returns: The header. Of an archive in a format that is too new only the versions and the size.
  /// - Throws: ``ArchiveError`` with the code `notAnArchive`, `truncated`, `trailingBytes`, `corrupt`, `malformed` or `limitExceeded`. Of large
  ///   archives only the parts that are read are compared with their checksums.
  /// - Complexity: O(size of the tables), for archives without separate checksums O(size of the archive).
  public static func header(of data: Data) throws -> ArchiveHeader {
    // SAFETY: a header keeps names and numbers, and nothing of the bytes.
    unsafe try data.withUnsafeBytes { bytes in unsafe try ArchiveHeader(parsing: bytes) }
  }

  /// What an archive in a file says about itself, without making any object. The file is mapped, and of a large archive only the tables are read.
  ///
  /// - Parameter url: The URL of a file, which must not be shortened meanwhile.
  /// - Returns: The header. Of an archive in a format that is too new only the versions and the size.
  /// - Throws: ``ArchiveError`` with the code `fileError`, and what ``header(of:)`` throws.
  /// - Complexity: O(size of the tables).
  public static func header(contentsOf url: URL) throws -> ArchiveHeader {
    let file = ArchiveBytes(try MappedFile(url.path))
    // SAFETY: the file stays mapped meanwhile.
    return try withExtendedLifetime(file) { unsafe try ArchiveHeader(parsing: file.bytes) }
  }
}

extension ArchiveHeader {
  init(parsing bytes: UnsafeRawBufferPointer) throws {
    do {
      try self.init(unsafe ArchiveLayout(parsing: bytes, verification: .onDemand), byteCount: bytes.count)
    } catch let error as FormatError where error.code == .newerFormat {
      // The magic and the byte behind it have been read.
      // SAFETY: that error comes after the fourth byte.
      let version = unsafe bytes[3]
      self.init(
        formatVersion: Int(version >> 4), minimumReaderVersion: Int(version & 15), isReadable: false, byteCount: bytes.count, roots: [],
        types: [], objectCount: 0)
    } catch let error as FormatError {
      throw ArchiveError(error)
    }
  }

  private init(_ layout: ArchiveLayout, byteCount: Int) throws {
    var counts = [Int](repeating: 0, count: layout.types.entries.count)
    for block in layout.blocks { if let entry = block.type.entryIndex { counts[entry] += block.count } }
    self.init(
      formatVersion: Int(layout.formatVersion), minimumReaderVersion: Int(layout.minimumReaderVersion), isReadable: true,
      byteCount: byteCount, roots: [], types: [], objectCount: counts.reduce(0, +))
    for (index, entry) in layout.types.entries.enumerated() {
      switch entry {
      case .object(let name, let version, let superclass, let properties):
        let keys = properties.filter { $0.type != .record }.map(\.key)
        var base: String?
        if let superclass, case .object(let name, _, _, _)? = layout.types[superclass] { base = name }
        types.append(
          TypeEntry(
            name: name, kind: .class, version: version, superclass: base, propertyKeys: keys, objectCount: counts[index]))
      case .structure(let name, let version, let fields):
        types.append(TypeEntry(name: name, kind: .structure, version: version, propertyKeys: fields.map(\.key), objectCount: 0))
      case .enumeration(let name, let version, let cases):
        types.append(TypeEntry(name: name, kind: .enumeration, version: version, propertyKeys: cases.map(\.name), objectCount: 0))
      default: break
      }
    }
    let table = ArchiveType.Table(layout.types)
    for (index, root) in layout.roots.enumerated() {
      let type = try Self.objectType(root.type, layout, layout.rootReaders[index]) ?? root.type
      roots.append(Root(key: root.key, type: ArchiveType(type, in: table), version: layout.types.version(of: type)))
    }
  }

  /// The class of the object that a root is; nil for anything else.
  private static func objectType(_ type: TypeID, _ layout: ArchiveLayout, _ bytes: ByteReader) throws -> TypeID? {
    var reader = bytes
    if type == .optionalReference || type == .reference || layout.types[type]?.isObject == true {
      try layout.verifier?.verify(reader)
      if type == .optionalReference, try BoolColumn.countTrue(count: 1, from: &reader) == 0 { return nil }
      let number = try reader.readZigzag()
      guard number >= 0, let block = Int(exactly: number >> 10), block < layout.blocks.count else {
        throw reader.fail(.malformed, "a reference points to object \(number), which does not exist")
      }
      return layout.blocks[block].type
    }
    return nil
  }
}

extension TypeTable {
  /// The version of a class, struct or enum; 0 for any other type.
  func version(of type: TypeID) -> UInt64 {
    switch self[type] {
    case .object(_, let version, _, _), .structure(_, let version, _), .enumeration(_, let version, _): version
    default: 0
    }
  }
}
