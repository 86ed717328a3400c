import Foundation

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
    let directory: URL
    do {
      directory = try BaseDirectory.data.url(named: name)
    } catch {
      switch error {
      case .name(let message): throw ModelStoreError(.invalidName, name: name, message: message)
      case .place(let message): throw ModelStoreError(.invalidDirectory, name: nil, message: message)
      }
    }
    try self.init(directory: directory, options: options)
  }
}
