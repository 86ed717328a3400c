package import Foundation

extension ModelStore {
  /// Makes a store in the directory where the platform wants the data of applications.
  ///
  /// On Apple's platforms that is `Application Support/<name>` of the user, in a sandbox the one of the sandbox; elsewhere
  /// `$XDG_DATA_HOME/<name>`, or `~/.local/share/<name>` if that is not set or no absolute path.
  ///
  /// ```swift
  /// let store = try ModelStore(name: "com.example.Market")
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of a directory that belongs to this application, such as its bundle identifier.
  ///   - options: How the store works.
  /// - Throws: ``ModelStoreError`` with the code `invalidName` if no directory can have this name, or `invalidDirectory` if the system does
  ///   not say where the user's files are (`HOME` is not set).
  public convenience init(name: String, options: Options = Options()) throws(ModelStoreError) {
    try self.init(directory: Self.dataDirectory().appending(component: Self.checked(name), directoryHint: .isDirectory), options: options)
  }

  /// A name that can be a component of a path.
  package static func checked(_ name: String) throws(ModelStoreError) -> String {
    if name.isEmpty || name == "." || name == ".." || name.utf8.contains(0) || name.utf8.contains(UInt8(ascii: "/"))
      || name.utf8.count > 255
    {
      throw ModelStoreError(.invalidName, name: name, message: "the name of a store has to be one that a directory can have")
    }
    return name
  }

  private static func dataDirectory() throws(ModelStoreError) -> URL {
    #if canImport(Darwin)
      do {
        return try FileManager.default.url(for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: false)
      } catch {
        throw ModelStoreError(
          .invalidDirectory, name: nil, message: "there is no directory for the data of applications: \(error)", underlying: error)
      }
    #else
      return try dataDirectory(ProcessInfo.processInfo.environment)
    #endif
  }

  /// The directory that the XDG Base Directory Specification names.
  package static func dataDirectory(_ environment: [String: String]) throws(ModelStoreError) -> URL {
    // The specification wants a relative path ignored.
    if let path = environment["XDG_DATA_HOME"], path.hasPrefix("/") { return URL(fileURLWithPath: path, isDirectory: true) }
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw ModelStoreError(
        .invalidDirectory, name: nil,
        message: "neither XDG_DATA_HOME nor HOME is an absolute path: set one of them, or give the store a directory")
    }
    return URL(fileURLWithPath: home, isDirectory: true).appending(path: ".local/share", directoryHint: .isDirectory)
  }
}
