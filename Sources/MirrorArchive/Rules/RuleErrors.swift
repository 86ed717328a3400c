import ArchiveReflection

extension ArchiveError {
  /// Rules that do not fit the type they are about.
  static func invalidRules(_ type: Any.Type, _ name: String? = nil, _ message: String) -> ArchiveError {
    let typeName = Reflection.unqualifiedName(of: type)
    return ArchiveError(
      .invalidRules, path: name.map { "\(typeName).\($0)" } ?? typeName, message: "archiveRules of \(typeName): \(message)")
  }
}

/// The name that somebody who wrote another one probably meant.
enum NearMiss {
  /// What to add to a message about a name that does not exist.
  static func advice(for name: String, among names: [String], _ what: String) -> String {
    if let near = nearest(to: name, among: names) { return "did you mean '\(near)'?" }
    if names.isEmpty { return "there are no \(what)" }
    let shown = names.prefix(12).map { "'\($0)'" }.joined(separator: ", ")
    return "the \(what) are \(shown)" + (names.count > 12 ? ", …" : "")
  }

  private static func nearest(to name: String, among names: [String]) -> String? {
    let wanted = Array(name.lowercased())
    let limit = max(1, wanted.count / 3)
    let ranked = names.map { (name: $0, distance: distance(wanted, Array($0.lowercased()))) }
    return ranked.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.name
  }

  /// How many characters have to be changed, added, removed or exchanged with their neighbour.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
        row.append(best)
      }
      before = last
      last = row
    }
    return last[b.count]
  }
}
