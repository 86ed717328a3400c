/// The qualified Swift name of a generic type with its arguments, such as `App.Box<App.Item, [Swift.Int]>`.
enum GenericName {
  /// The name with the types among its arguments exchanged.
  ///
  /// - Parameter names: Old qualified name -> new one.
  static func renamingArguments(of name: String, _ names: [String: String]) -> String {
    guard let start = name.firstIndex(of: "<") else { return name }
    var renamed = String(name[..<start])
    var token = ""
    for character in name[start...] {
      if isPunctuation(character) {
        renamed += names[token] ?? token
        token = ""
        renamed.append(character)
      } else {
        token.append(character)
      }
    }
    return renamed + token
  }

  /// Whether a character stands between the names of types.
  static func isPunctuation(_ character: Character) -> Bool {
    switch character {
    case "<", ">", ",", " ", "(", ")", "[", "]", "?", ":", "&": true
    default: false
    }
  }
}
