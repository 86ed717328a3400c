public import Foundation
public import MirrorArchive

/// Small models among the user defaults.
///
/// All defaults of an application are in one file that is read and written as a whole, and in the memory of the application all the time:
/// the place for a few settings. Whatever grows belongs in a ``ModelStore``, and these calls see to it.
extension UserDefaults {
  /// Archives a model and sets it as the value of a key.
  ///
  /// ```swift
  /// try UserDefaults.standard.setArchive(settings, forKey: "settings")
  /// let settings = try UserDefaults.standard.archive(of: Settings.self, forKey: "settings") ?? Settings()
  /// ```
  ///
  /// - Parameters:
  ///   - model: What is archived, with everything it refers to.
  ///   - key: The key; `removeObject(forKey:)` removes it.
  ///   - maximumByteCount: The most bytes the archive may have. 64 KiB by default.
  ///   - types: Further types that may occur behind base classes, protocols and `Any`.
  /// - Throws: ``ModelStoreError`` with the code `encodingFailed` or `tooLarge`; the key keeps the value it had.
  /// - Complexity: O(size of the model).
  public func setArchive<Model>(
    _ model: Model, forKey key: String, maximumByteCount: Int = 65_536, allowing types: [Any.Type] = []
  ) throws(ModelStoreError) {
    let data: Data
    do {
      data = try KeyedArchiver.archivedData(withRootObject: model, allowing: types)
    } catch {
      throw ModelStoreError(.encodingFailed, name: key, message: "the model could not be archived: \(error)", underlying: error)
    }
    if data.count > maximumByteCount {
      throw ModelStoreError(
        .tooLarge, name: key,
        message: "the archive has \(data.count) bytes, and user defaults take at most \(maximumByteCount): save it in a ModelStore")
    }
    set(data, forKey: key)
  }

  /// The model that was archived as the value of a key; nil if there is no value.
  ///
  /// - Parameters:
  ///   - type: The type of the model.
  ///   - key: The key.
  ///   - types: Further types that may occur behind base classes, protocols and `Any`.
  ///   - options: What happens where the archive does not fit the program.
  /// - Returns: The model, complete, with everything it refers to.
  /// - Throws: ``ModelStoreError`` with the code `corrupt`, also for a value that is no data, or `decodingFailed`.
  /// - Complexity: O(size of the model).
  public func archive<Model>(
    of type: Model.Type, forKey key: String, allowing types: [Any.Type] = [], options: DecodingOptions = DecodingOptions()
  ) throws(ModelStoreError) -> Model? {
    guard let value = object(forKey: key) else { return nil }
    guard let data = value as? Data else {
      throw ModelStoreError(.corrupt, name: key, message: "the value is no archive but a \(Swift.type(of: value))")
    }
    return try StoredModel.decode(type, from: data, name: key, stem: nil, allowing: types, options: options)
  }
}
