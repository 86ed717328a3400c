public import Foundation
public import MirrorArchive

/// Saves models under names in a directory of the application's own, and keeps them until they are removed.
///
/// The place for what must not be lost: documents, settings, the state of a game. Nothing is ever evicted. A model is saved whole or not at
/// all, whatever happens meanwhile, and is in the storage when the call returns, so that it survives a loss of power too; that takes
/// milliseconds. For what can be computed or fetched again there is the cache.
///
/// ```swift
/// let store = try ModelStore(name: "com.example.Market")
/// try store.save(market, as: "market", keepingBackup: true)
/// let market = try store.loadIfPresent(Market.self, as: "market") ?? Market()
/// ```
///
/// A model is any value that MirrorArchive can archive: an object with everything it refers to, a struct, an array of models, a dictionary.
///
/// **Names** may be any text but the empty one. They are told apart by their UTF-8, so that upper and lower case differ everywhere, and two
/// ways to write one accent in Unicode are two names.
///
/// **Files.** Every version of a model is one file, a plain archive that `KeyedUnarchiver` can open too, which only the user may read. The
/// store's are all regular files whose names end with `.modelarchive` and begin as it writes them; it leaves alone whatever else is in its
/// directory. The directory is made when it is needed, with those above it, and again when somebody has deleted it.
///
/// **Sharing.** Any number of threads, stores and processes may use one directory. A reader gets a whole version; of several writers of one
/// name the last one wins, and the backup is one of the versions before.
public final class ModelStore: Sendable {
  /// How a store works, for all its calls.
  public struct Options: Sendable {
    /// Whether the version that a save replaces is kept as the backup; see ``ModelStore/save(_:as:keepingBackup:allowing:)``. False by
    /// default, because it takes twice the space.
    public var keepsBackups: Bool
    /// Further types that may occur in the models behind base classes, protocols and `Any`. None by default.
    public var allowedTypes: [Any.Type]
    /// What happens where a stored model does not fit the program. By default it is an error.
    public var decoding: DecodingOptions

    package var fileSystem = FileSystem()
    package var clock = WallClock.system

    /// Makes options.
    public init(keepsBackups: Bool = false, allowedTypes: [Any.Type] = [], decoding: DecodingOptions = DecodingOptions()) {
      self.keepsBackups = keepsBackups
      self.allowedTypes = allowedTypes
      self.decoding = decoding
    }
  }

  /// Where the models are.
  public let directory: URL
  /// How the store works.
  public let options: Options
  let files: StoreDirectory

  /// Makes a store in a directory, which need not exist. Nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - directory: The URL of the directory; a symbolic link to one will do.
  ///   - options: How the store works.
  /// - Throws: ``ModelStoreError`` with the code `invalidDirectory` if it is no file URL.
  public init(directory: URL, options: Options = Options()) throws(ModelStoreError) {
    guard let path = BaseDirectory.path(of: directory) else {
      throw ModelStoreError(.invalidDirectory, name: nil, message: "'\(directory.absoluteString)' is no directory's URL")
    }
    self.directory = directory
    self.options = options
    files = StoreDirectory(path: path, fileSystem: options.fileSystem, clock: options.clock)
  }

  // MARK: Saving

  /// Saves a model under a name, in place of the one that was there.
  ///
  /// ```swift
  /// try store.save([apple, pear], as: "fruits")
  /// ```
  ///
  /// - Parameters:
  ///   - model: What is saved, with everything it refers to. Nobody may change it meanwhile.
  ///   - name: Any text but the empty one.
  ///   - keepingBackup: Whether the version that is replaced becomes the backup, in place of the backup before; if not, an older backup stays
  ///     as it is. Nil for what ``Options/keepsBackups`` says. A version that is damaged or cannot be read never takes the place of a backup.
  ///     Where the file system has no hard links, the version is copied.
  ///   - types: Further types that may occur behind base classes, protocols and `Any`, besides ``Options/allowedTypes``.
  /// - Throws: ``ModelStoreError`` with the code `encodingFailed` or `invalidName`, before any file is touched; `noSpace` or `unavailable` if the
  ///   files could not be written: then what was saved before is whole. Only if the very last step fails, which asks the
  ///   storage to keep the directory, is the new version there already. With a backup kept, the backup may be the version that was not
  ///   replaced after all.
  /// - Complexity: O(size of the model), with a backup O(size of the version before) too.
  public func save<Model>(
    _ model: Model, as name: String, keepingBackup: Bool? = nil, allowing types: [Any.Type] = []
  ) throws(ModelStoreError) {
    let stem = try stem(of: name)
    let data = try StoredModel.encode(model, name: name, stem: stem, allowing: options.allowedTypes + types)
    let backup = keepingBackup ?? options.keepsBackups ? ModelFileName(stem, .backup).file : nil
    do {
      try files.write(data, as: ModelFileName(stem, .current).file, keepingAs: backup)
    } catch {
      throw ModelStoreError(error, name: name)
    }
  }

  // MARK: Loading

  /// Loads the model of a name.
  ///
  /// ```swift
  /// let fruits = try store.load([Fruit].self, as: "fruits")
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the model.
  ///   - name: The name it was saved under.
  ///   - fallingBackToBackup: Whether the backup is loaded instead if the current version is damaged (`corrupt`). False by default, because
  ///     it brings back old contents unseen: catch the error and call ``loadBackup(_:as:allowing:options:)`` to tell the user. A version that is
  ///     whole but does not fit the program (`decodingFailed`) is never passed over: the next save would replace it.
  ///   - types: Further types that may occur behind base classes, protocols and `Any`, besides ``Options/allowedTypes``.
  ///   - options: What happens where the model does not fit the program; nil for what ``Options/decoding`` says.
  /// - Returns: The model, complete, with everything it refers to.
  /// - Throws: ``ModelStoreError`` with the code `notFound`, `corrupt`, `decodingFailed`, `unavailable` or `invalidName`.
  /// - Complexity: O(size of the model).
  public func load<Model>(
    _ type: Model.Type, as name: String, fallingBackToBackup: Bool = false, allowing types: [Any.Type] = [],
    options: DecodingOptions? = nil
  ) throws(ModelStoreError) -> Model {
    do throws(ModelStoreError) {
      return try load(type, as: name, .current, types, options)
    } catch  where error.code == .corrupt && fallingBackToBackup {
      do throws(ModelStoreError) {
        return try load(type, as: name, .backup, types, options)
      } catch  where error.code == .notFound || error.code == .corrupt {
        // Without a backup that helps, it is the current version that the caller has to know about.
      }
      throw error
    }
  }

  /// Loads the model of a name, or nil if nothing is stored under it.
  ///
  /// - Throws: What ``load(_:as:fallingBackToBackup:allowing:options:)`` throws, but not `notFound`.
  /// - Complexity: O(size of the model).
  public func loadIfPresent<Model>(
    _ type: Model.Type, as name: String, fallingBackToBackup: Bool = false, allowing types: [Any.Type] = [],
    options: DecodingOptions? = nil
  ) throws(ModelStoreError) -> Model? {
    do throws(ModelStoreError) {
      return try load(type, as: name, fallingBackToBackup: fallingBackToBackup, allowing: types, options: options)
    } catch  where error.code == .notFound {
      return nil
    }
  }

  /// Loads the version that a save with `keepingBackup` has replaced.
  ///
  /// - Throws: What ``load(_:as:fallingBackToBackup:allowing:options:)`` throws; `notFound` if there is no backup.
  /// - Complexity: O(size of the model).
  public func loadBackup<Model>(
    _ type: Model.Type, as name: String, allowing types: [Any.Type] = [], options: DecodingOptions? = nil
  ) throws(ModelStoreError) -> Model {
    try load(type, as: name, .backup, types, options)
  }

  func load<Model>(
    _ type: Model.Type, as name: String, _ version: ModelFileName.Version, _ types: [Any.Type], _ options: DecodingOptions?
  ) throws(ModelStoreError) -> Model {
    let stem = try stem(of: name)
    let data: Data
    do {
      data = try files.read(ModelFileName(stem, version).file)
    } catch  where error.number == ENOENT {
      let what =
        switch version {
        case .current: "model"
        case .backup: "backup"
        case .snapshot: "such snapshot"
        }
      throw ModelStoreError.notFound(what, name: name)
    } catch {
      throw ModelStoreError(error, name: name)
    }
    return try StoredModel.decode(
      type, from: data, name: name, stem: stem, allowing: self.options.allowedTypes + types, options: options ?? self.options.decoding)
  }

  func stem(of name: String) throws(ModelStoreError) -> ModelStem {
    if name.isEmpty { throw ModelStoreError(.invalidName, name: name, message: "a model needs a name that is not empty") }
    return ModelStem(name: name)
  }
}
