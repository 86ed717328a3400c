import ArchiveFormat
import Foundation
import MirrorArchive

/// Models and the bytes that they are stored as: a plain archive, with the model under the key "root".
enum StoredModel {
  /// The key of the name in the archive of a model whose name does not fit into the name of a file.
  private static let nameKey = "name"

  /// Archives a model.
  static func encode<Model>(
    _ model: Model, name: String, stem: ModelStem, allowing types: [Any.Type]
  ) throws(ModelStoreError) -> Data {
    do {
      if !stem.isCut { return try KeyedArchiver.archivedData(withRootObject: model, allowing: types) }
      let archiver = KeyedArchiver(allowing: types)
      try archiver.encode(model, forKey: "root")
      try archiver.encode(name, forKey: nameKey)
      return try archiver.encodedData
    } catch {
      throw ModelStoreError(.encodingFailed, name: name, message: "the model could not be archived: \(error)", underlying: error)
    }
  }

  /// Decodes a model.
  /// - Throws: `corrupt` or `decodingFailed`; `notFound` if the archive is that of another name, which happens to have the same hash.
  static func decode<Model>(
    _ type: Model.Type, from data: Data, name: String, stem: ModelStem?, allowing types: [Any.Type], options: DecodingOptions
  ) throws(ModelStoreError) -> Model {
    do {
      if let stem, stem.isCut {
        let stored = try KeyedUnarchiver(forReadingFrom: data).decodeString(forKey: nameKey)
        if !stored.utf8.elementsEqual(name.utf8) { throw ModelStoreError.notFound("model", name: name) }
      }
      return try KeyedUnarchiver.unarchivedObject(of: type, from: data, allowing: types, options: options)
    } catch let error as ModelStoreError {
      throw error
    } catch {
      if isWhole(data) {
        throw ModelStoreError(
          .decodingFailed, name: name, message: "the stored archive does not become a \(type): \(error)", underlying: error)
      }
      throw ModelStoreError(.corrupt, name: name, message: "the stored bytes are damaged: \(error)", underlying: error)
    }
  }

  /// The name in an archive whose file has such a stem; nil if it cannot be read or does not lead to the stem.
  ///
  /// The archive's checksum does not matter: the stem is one for the name.
  static func name(in data: Data, stem: ModelStem) -> String? {
    guard let name = try? KeyedUnarchiver(forReadingFrom: data, verification: .none).decodeString(forKey: nameKey) else { return nil }
    return ModelStem(name: name) == stem ? name : nil
  }

  /// Whether the bytes are an archive as it was written.
  ///
  /// An archive that only newer readers understand is one, unless its checksum proves that the version it names is damaged.
  static func isWhole(_ data: Data) -> Bool {
    do throws(FormatError) {
      try parse(data)
      return true
    } catch {
      switch error.code {
      case .limitExceeded: return true
      case .newerFormat:
        let versionOffset = 3
        guard data.count > versionOffset else { return false }
        var ours = Data(data)
        ours[versionOffset] = ArchiveFormatVersion.current << 4 | ArchiveFormatVersion.minimumReader
        do throws(FormatError) {
          try parse(ours)
          return false
        } catch {
          return true
        }
      default: return false
      }
    }
  }

  private static func parse(_ data: Data) throws(FormatError) {
    // SAFETY: the layout is gone before the bytes are.
    unsafe try data.bytes.withUnsafeBytes { (bytes) throws(FormatError) in
      _ = unsafe try ArchiveLayout(parsing: bytes)
    }
  }
}
