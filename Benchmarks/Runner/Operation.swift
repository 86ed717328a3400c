/// What is timed.
enum Operation: String, CaseIterable, Codable {
  case encode
  case decode
  /// A value is stored under a new key.
  case put
  /// A value is stored in the place of another one.
  case replace
  case memoryHit = "memory hit"
  case diskHit = "disk hit"
  /// A key that is not there is looked up.
  case miss
  /// A store whose directory is there is opened.
  case open

  /// Of coders.
  static let coding: [Operation] = [.encode, .decode]
  /// Of caches.
  static let caching: [Operation] = [.put, .replace, .diskHit, .memoryHit, .miss, .open]

  var isCoding: Bool { Self.coding.contains(self) }
}
