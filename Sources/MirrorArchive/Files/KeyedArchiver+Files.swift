#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension KeyedArchiver {
  /// How an archive is written to a file.
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Wait until the storage has the file, its contents and its name, so that it survives a loss of power. Costs milliseconds.
    public static let durable = WritingOptions(rawValue: 1 << 0)
  }

  /// Encodes a value and everything it refers to into a file, which is made or replaced as a whole.
  ///
  /// The archive goes to a temporary file in the same directory, which then takes the name of the target: a reader sees the old file or the
  /// new one, whatever happens meanwhile, and several writers don't disturb each other. A replaced file keeps its permissions, and its owner
  /// and group as far as the process may give them; a new file gets those of any new file. If the URL is a symbolic link, the file that it
  /// points to is replaced.
  ///
  /// ```swift
  /// try KeyedArchiver.archive(market, to: documents.appending(path: "market.archive"), options: .durable)
  /// ```
  ///
  /// - Parameters:
  ///   - root: What to encode.
  ///   - url: The file.
  ///   - options: Whether to wait for the storage; by default that is left to the system.
  ///   - requiresSecureCoding: See ``archivedData(withRootObject:requiringSecureCoding:allowing:maximumByteCount:)``.
  ///   - types: Further types that may occur behind base classes, protocols and `Any`; the reader has to name them too.
  ///   - maximumByteCount: The most bytes the archive may have; nil for any number. See ``maximumByteCount``.
  /// - Throws: What ``archivedData(withRootObject:requiringSecureCoding:allowing:maximumByteCount:)`` throws, before any file is touched; ``ArchiveError`` with
  ///   the code `fileError` if the file could not be written (no directory, no permission, no space, ...): then the old file is whole and no
  ///   temporary file is left.
  /// - Complexity: O(size of the graph). The archive is put together in memory first.
  public static func archive<Root>(
    _ root: Root, to url: URL, options: WritingOptions = [], requiringSecureCoding requiresSecureCoding: Bool = true,
    allowing types: [Any.Type] = [], maximumByteCount: Int? = nil
  ) throws {
    let path = try FilePath.path(of: url)
    let data = try archivedData(
      withRootObject: root, requiringSecureCoding: requiresSecureCoding, allowing: types, maximumByteCount: maximumByteCount)
    unsafe try data.withUnsafeBytes { bytes in
      unsafe try AtomicFile.write(bytes, to: path, durable: options.contains(.durable))
    }
  }
}
