/// How one archived struct or enum fits the type that it is read as.
struct ValueTypeFacts: Sendable {
  var archivedName: String
  var currentName: String
  var archivedVersion: UInt64
  var currentVersion: UInt64
  /// Properties and cases that only the archive has.
  var unknownKeys: [String] = []
  /// Properties that only the program has.
  var defaultedKeys: [String] = []
  /// Properties and cases whose values are archived as another type: key, that type and the one of today in words.
  var convertedKeys: [(key: String, archived: String, declared: String)] = []

  init(archivedName: String, currentName: String, archivedVersion: UInt64, currentVersion: UInt64) {
    self.archivedName = archivedName
    self.currentName = currentName
    self.archivedVersion = archivedVersion
    self.currentVersion = currentVersion
  }
}
