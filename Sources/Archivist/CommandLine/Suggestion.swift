/// What somebody may have meant who has mistyped a word.
enum Suggestion {
  /// A question that names the most similar of the known words; nil if none is similar.
  static func text(for word: String, among known: [String]) -> String? {
    // Words of any length may be given; none is that long.
    guard word.utf8.count <= 40 else { return nil }
    let beginning = known.filter { word.count >= 2 && $0.hasPrefix(word) }
    if beginning.count == 1 { return "did you mean '\(beginning[0])'?" }
    let near = known.map { (word: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
    guard let near, near.distance <= max(1, near.word.count / 3) else { return nil }
    return "did you mean '\(near.word)'?"
  }

  /// How many letters have to be changed, left out, put in or exchanged with their neighbour.
  static func distance(_ first: String, _ second: String) -> Int {
    let a = Array(first)
    let b = Array(second)
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
