/// A place in an archive, such as `root.fruits[3].name`: the text that errors give, and that ``ArchiveDocument`` and `archivist` understand.
///
/// A path begins with the key of a value at the top level (`root` in archives that were made in one call) or with an object by its number
/// (`#12`, or with the name of its class, `Fruit#12`). From there it goes on in steps:
///
/// | step | meaning |
/// |---|---|
/// | `.name` | a property, a key of hand-written coding, a labelled element of a tuple, a case of an enum with what it holds |
/// | `.0` | an element of a tuple without a label |
/// | `[3]` | an element of an array, set, inline array or tuple; of a dictionary the entry with this key, or else the one at this place |
/// | `["north"]` | the entry of a dictionary with this key; the quotes may be left out |
///
/// A property that a subclass hides by one with the same key is named with its class: `root["Shop.Item.id"]`.
///
/// Optionals, `Any` and references are no steps: a path goes through them. A key that has dots, brackets or the like in it is written
/// in brackets and quotes, with `\"` and `\\` for a quote and a backslash: `root["a.b"]`, `["my.key"].name`. Whoever follows a path takes
/// ``Component/key(_:)`` and ``Component/entry(_:)`` for each other.
///
/// ```swift
/// let path = try ArchivePath("root.stalls[\"north\"].name")
/// let name = try document.value(at: path)
/// ```
public struct ArchivePath: Sendable, Hashable {
  /// Where a path begins.
  public enum Start: Sendable, Hashable {
    /// The value at the top level with this key.
    case root(String)
    /// The object with this number.
    case object(Int)
  }

  /// A step of a path. More may be added in any release: switch with a `default`.
  public enum Component: Sendable, Hashable {
    /// A property, key or case.
    case key(String)
    /// An element by its place, or an entry by a number.
    case index(Int)
    /// An entry of a dictionary by its key.
    case entry(String)
  }

  /// Where the path begins.
  public var start: Start
  /// The steps from there.
  public var components: [Component]

  /// Makes a path of its parts.
  public init(_ start: Start, _ components: [Component] = []) {
    self.start = start
    self.components = components
  }

  /// Reads the text of a path.
  ///
  /// - Throws: ``ArchiveError`` with the code `invalidValue`; its message says at which character the text stops being a path.
  /// - Complexity: O(length of the text).
  public init(_ text: String) throws {
    var parser = Parser(text)
    self = try parser.parse()
  }

  /// The path of something below this place.
  public func appending(_ component: Component) -> ArchivePath { ArchivePath(start, components + [component]) }
}

extension ArchivePath: CustomStringConvertible {
  /// The text of the path, which `init(_:)` reads back.
  public var description: String {
    var text = ""
    switch start {
    case .root(let key): text += Self.isPlain(key) && !Self.looksLikeObject(key) ? key : Self.quoted(key)
    case .object(let number): text += "#\(number)"
    }
    for component in components {
      switch component {
      case .key(let key): text += Self.isPlain(key) ? ".\(key)" : Self.quoted(key)
      case .index(let index): text += "[\(index)]"
      case .entry(let key): text += Self.quoted(key)
      }
    }
    return text
  }

  fileprivate static func isPlain(_ key: String) -> Bool {
    !key.isEmpty && !key.unicodeScalars.contains { ".[\"]\\".unicodeScalars.contains($0) || $0.value < 32 }
  }

  private static func looksLikeObject(_ key: String) -> Bool { Parser.objectNumber(key[...]) != nil }

  private static func quoted(_ key: String) -> String {
    var text = "[\""
    for scalar in key.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 32: text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\"]"
  }
}

extension ArchivePath {
  /// Reads a path scalar by scalar: what looks like one character to people may hold a bracket and what is combined with it.
  private struct Parser {
    private let text: String
    private let scalars: [Unicode.Scalar]
    private var place = 0

    init(_ text: String) {
      self.text = text
      scalars = Array(text.unicodeScalars)
    }

    mutating func parse() throws -> ArchivePath {
      if scalars.isEmpty {
        throw fault("it is empty; it begins with the key of a value at the top level or with an object, such as #12")
      }
      var path = ArchivePath(try start())
      while let next = peek {
        switch next {
        case ".":
          place += 1
          let key = try key()
          // So that the path is the same when it has been printed and read again.
          path.components.append(ArchivePath.isPlain(key) ? .key(key) : .entry(key))
        case "[": path.components.append(try bracket())
        default: throw fault("a step begins with a dot or a bracket")
        }
      }
      return path
    }

    private var peek: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    private func fault(_ message: String) -> ArchiveError {
      ArchiveError(.invalidValue, path: text, message: "this is no path, from its character \(place + 1) on: \(message)")
    }

    private mutating func start() throws -> Start {
      if peek == "[" {
        switch try bracket() {
        case .entry(let key), .key(let key): return .root(key)
        case .index(let index): return .root("\(index)")
        }
      }
      let name = try key()
      return Self.objectNumber(name[...]).map { .object($0) } ?? .root(name)
    }

    /// The number in `#12`, `Fruit#12` and `object 12`.
    static func objectNumber(_ name: Substring) -> Int? {
      let digits: Substring
      if let mark = name.lastIndex(of: "#") {
        digits = name[name.index(after: mark)...]
      } else if name.hasPrefix("object ") {
        digits = name.dropFirst(7)
      } else {
        return nil
      }
      return number(digits.unicodeScalars)
    }

    private static func number(_ digits: some Collection<Unicode.Scalar>) -> Int? {
      if digits.isEmpty { return nil }
      var number = 0
      for digit in digits {
        guard digit.value >= 48, digit.value <= 57 else { return nil }
        let (ten, isTooLarge) = number.multipliedReportingOverflow(by: 10)
        let (sum, overflow) = ten.addingReportingOverflow(Int(digit.value) - 48)
        if isTooLarge || overflow { return nil }
        number = sum
      }
      return number
    }

    private mutating func key() throws -> String {
      let first = place
      while let next = peek, next != ".", next != "[" { place += 1 }
      if place == first { throw fault("a key is missing; an empty one is written [\"\"]") }
      return Self.string(scalars[first..<place])
    }

    private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
      var string = ""
      string.unicodeScalars.append(contentsOf: scalars)
      return string
    }

    private mutating func bracket() throws -> Component {
      place += 1
      if peek == "\"", let quoted = try quoted() { return .entry(quoted) }
      let first = place
      // Errors print keys as they are, brackets in them included: the bracket that ends one stands where the path ends or goes on.
      while let next = peek {
        if next == "]", place + 1 == scalars.count || scalars[place + 1] == "." || scalars[place + 1] == "[" {
          let inside = scalars[first..<place]
          place += 1
          return Self.number(inside).map { .index($0) } ?? .entry(Self.string(inside))
        }
        place += 1
      }
      place = first
      throw fault("the bracket in front is not closed")
    }

    private mutating func quoted() throws -> String? {
      let first = place
      place += 1
      var string = ""
      while let next = peek {
        place += 1
        switch next {
        case "\"":
          guard peek == "]" else { throw fault("a bracket has to close behind the quote") }
          place += 1
          return string
        case "\\": string.unicodeScalars.append(try escaped())
        default: string.unicodeScalars.append(next)
        }
      }
      place = first
      throw fault("the quote is not closed")
    }

    private mutating func escaped() throws -> Unicode.Scalar {
      guard let next = peek else { throw fault("a backslash stands for nothing at the end") }
      place += 1
      switch next {
      case "\"", "\\": return next
      case "n": return "\n"
      case "r": return "\r"
      case "t": return "\t"
      case "u":
        let first = place
        if peek == "{", let end = scalars[place...].prefix(10).firstIndex(of: "}"),
          let value = UInt32(Self.string(scalars[(place + 1)..<end]), radix: 16), let scalar = Unicode.Scalar(value)
        {
          place = end + 1
          return scalar
        }
        place = first
        throw fault("\\u needs the number of a character in braces, such as \\u{e9}")
      default:
        place -= 1
        throw fault("a backslash stands in front of \", \\, n, r, t or u alone")
      }
    }
  }
}
