import ArchiveFormat
import MirrorArchive

/// A line of the tree of one value or object.
struct TreeLine {
  /// A piece of text in one colour.
  struct Span {
    var text: String
    var role: Style.Role?

    init(_ text: String, _ role: Style.Role? = nil) {
      self.text = text
      self.role = role
    }
  }

  /// How many levels it stands below the first line.
  var depth: Int
  /// What stands in front of the colon; empty for none.
  var label: [Span] = []
  /// The step of a path that leads here; nil for none.
  var step: String?
  var text: [Span] = []
  /// The type, where it says something.
  var suffix: [Span] = []
  /// The object that the value is.
  var reference: Int?
  /// Whether the text says all.
  var isWhole = true

  /// The number of characters, with something between the line and the next one.
  func length(withLabel: Bool) -> Int { ((withLabel ? label : []) + text + suffix).reduce(2) { $0 + $1.text.count } }
}

/// Makes lines of values.
struct TreeLines {
  private(set) var lines: [TreeLine] = []
  private let types: TypeTable
  /// What makes keys.
  private let keys: ValueBuilder
  /// The deepest level that there may be lines of.
  private let maximumDepth: Int
  private let limit: Int
  /// Where the next line stands.
  private var depth = 0
  private var label: [TreeLine.Span] = []
  private var step: String?
  private var suffix: [TreeLine.Span] = []
  private var open: [Open] = []
  /// Makes the key of an entry, which is no line of its own; nil elsewhere.
  private var key: ValueBuilder?

  private struct Open {
    /// Its line; nil for values that have none of their own.
    var line: Int?
    /// Whether its parts stand a level below.
    var isLevel: Bool
    var isCutOff = false
    /// Whether it is an enum, which has a case.
    var isCase = false
    /// The step that leads to it if it has no line.
    var prefix = ""
    /// How many parts without a key there were.
    var keylessCount = 0
  }

  /// A value in one line is at most so long.
  private static let foldedLength = 110
  static let textLimit = 120
  static let byteLimit = 24

  /// - Parameters:
  ///   - depth: How many levels of lines there may be below the first one.
  init(_ types: TypeTable, depth: Int, limit: Int) {
    self.types = types
    keys = ValueBuilder(types)
    maximumDepth = depth
    self.limit = limit
  }

  /// Says what is in front of the next value.
  mutating func expect(_ label: String, step: String?, depth: Int) {
    self.label = [TreeLine.Span(Text.safe(label), .key)]
    self.step = step
    self.depth = depth
  }

  private mutating func add(_ text: [TreeLine.Span], reference: Int? = nil, isWhole: Bool = true) {
    var line = TreeLine(depth: depth, label: label, step: step, text: text, suffix: suffix, reference: reference, isWhole: isWhole)
    if reference != nil { line.suffix = [] }
    lines.append(line)
    label = []
    step = nil
    suffix = []
  }

  private func name(_ type: TypeID) -> String { Text.safe(types.describe(type)) }
}

extension TreeLines: ValueVisitor {
  mutating func scalar(_ value: ArchiveValue) throws {
    if key != nil {
      key?.scalar(value)
      return
    }
    if case .reference(let number) = value { return add([], reference: number, isWhole: false) }
    add([ScalarText.span(value)])
  }

  mutating func null(inside levels: Int) throws {
    if key != nil {
      key?.null(inside: levels)
      return
    }
    add([
      TreeLine.Span(
        levels == 0 ? "nil" : String(repeating: ".some(", count: levels) + "nil" + String(repeating: ")", count: levels), .faint)
    ])
  }

  mutating func begin(_ node: ValueNode, count: Int) throws -> Int {
    if key != nil { return key?.begin(node, count: count) ?? 0 }
    switch node {
    case .constant:
      if count == 0 { add([TreeLine.Span("as the program has it", .faint)]) }
      open.append(Open(line: nil, isLevel: false))
      return count
    case .any(let type):
      suffix = says(type) ? [TreeLine.Span(" as \(name(type))", .faint)] : []
      open.append(Open(line: nil, isLevel: false))
      return count
    case .record where label.first?.text == Self.recordKey:
      // The keys of hand-written coding are properties like any other.
      label = []
      open.append(Open(line: nil, isLevel: false))
      return count
    case .tuple where open.last?.isCase == true:
      // Several associated values are those of the case.
      open.append(Open(line: nil, isLevel: false, prefix: step ?? ""))
      return count
    default: break
    }
    let isCutOff = depth >= maximumDepth && count > 0
    add(title(node, count), isWhole: count == 0)
    open.append(Open(line: lines.count - 1, isLevel: true, isCutOff: isCutOff))
    if case .enumeration = node { open[open.count - 1].isCase = true }
    depth += 1
    if isCutOff { return 0 }
    switch node {
    case .array, .set, .inlineArray, .dictionary: return min(count, limit)
    default: return count
    }
  }

  static let recordKey = "$keys"

  /// Whether the name of a type tells more than its value does.
  private func says(_ type: TypeID) -> Bool {
    switch types[type] {
    case .structure, .enumeration, .object: return false
    default: break
    }
    switch type {
    case .reference, .bool, .int, .double, .string, .void, .date, .data, .uuid: return false
    default: return true
    }
  }

  private func title(_ node: ValueNode, _ count: Int) -> [TreeLine.Span] {
    switch node {
    case .array, .inlineArray: return [TreeLine.Span(count == 0 ? "[]" : Text.count(count, "element"))]
    case .set: return [TreeLine.Span(count == 0 ? "[]" : "set of \(Text.count(count, "element"))")]
    case .dictionary: return [TreeLine.Span(count == 0 ? "[:]" : Text.count(count, "entry", "entries"))]
    case .tuple: return [TreeLine.Span(count == 0 ? "()" : "tuple")]
    case .structure(let name, _, _): return [TreeLine.Span(Text.safe(name), .type)] + (count == 0 ? [TreeLine.Span("()")] : [])
    case .enumeration(let name, _, let one, _): return [TreeLine.Span(Text.safe(name), .type), TreeLine.Span(".\(Text.safe(one.name))")]
    case .record: return [TreeLine.Span(count == 0 ? "container without keys" : "container")]
    case .any, .constant: return []
    }
  }

  mutating func part(_ index: Int, of node: ValueNode) throws {
    if key != nil { return }
    switch node {
    case .constant, .any: break
    case .array, .set, .inlineArray: place(index)
    case .tuple(let members):
      let key = members[index].key
      if key.isEmpty || key.hasPrefix(".") {
        label = [TreeLine.Span(key.isEmpty ? ".\(index)" : Text.safe(key), .faint)]
        step = key.isEmpty ? ".\(index)" : key
      } else {
        member(key)
      }
      if let prefix = open.last?.prefix { step = prefix + (step ?? "") }
    case .structure(_, _, let members): member(members[index].key)
    case .record(let members):
      if let key = RecordKey.key(of: members[index]) {
        member(key)
      } else {
        label = [TreeLine.Span("without a key", .faint)]
        step = "[\(open.last?.keylessCount ?? 0)]"
        open[open.count - 1].keylessCount += 1
      }
    case .enumeration(_, _, let one, _):
      label = []
      step = KeyText.step(one.name)
    case .dictionary:
      key = keys
    }
  }

  private mutating func place(_ index: Int) {
    label = [TreeLine.Span("[\(index)]", .faint)]
    step = "[\(index)]"
  }

  private mutating func member(_ key: String) {
    label = [TreeLine.Span(Text.safe(key), .key)]
    step = KeyText.step(key)
  }

  mutating func entryValue() throws {
    // Keys may be dictionaries.
    guard let value = key?.made else { return }
    key = nil
    label = [TreeLine.Span(KeyText.label(value), .key)]
    step = KeyText.step(value)
  }

  mutating func end(_ node: ValueNode, omitted: Int) throws {
    if key != nil {
      key?.end(node, omitted: omitted)
      return
    }
    guard let last = open.popLast() else { return }
    if last.isLevel { depth -= 1 }
    guard let line = last.line else { return }
    if last.isCutOff {
      lines[line].text.append(TreeLine.Span(" …", .faint))
      return
    }
    if omitted > 0 { lines.append(TreeLine(depth: depth + 1, text: [TreeLine.Span("… \(Text.grouped(omitted)) more", .faint)])) }
    fold(node, line)
  }

  /// Puts a small value on the line of what holds it.
  private mutating func fold(_ node: ValueNode, _ line: Int) {
    let parts = lines[(line + 1)...]
    guard !parts.isEmpty, parts.allSatisfy({ $0.isWhole && $0.reference == nil }) else { return }
    let (opening, closing): (String, String)
    var hasLabels = true
    switch node {
    case .array, .inlineArray: (opening, closing, hasLabels) = ("[", "]", false)
    case .set: (opening, closing, hasLabels) = ("set [", "]", false)
    case .dictionary: (opening, closing) = ("[", "]")
    case .tuple, .structure, .enumeration: (opening, closing) = ("(", ")")
    default: return
    }
    guard parts.reduce(0, { $0 + $1.length(withLabel: hasLabels) }) <= Self.foldedLength else { return }
    var text: [TreeLine.Span] = []
    switch node {
    case .structure, .enumeration: text = lines[line].text
    default: break
    }
    text.append(TreeLine.Span(opening))
    for (index, part) in parts.enumerated() {
      if index > 0 { text.append(TreeLine.Span(", ")) }
      if hasLabels, let label = part.label.first, !label.text.hasPrefix(".") { text += part.label + [TreeLine.Span(": ")] }
      text += part.text + part.suffix
    }
    text.append(TreeLine.Span(closing))
    lines[line].text = text
    lines[line].isWhole = true
    lines.removeSubrange((line + 1)...)
  }
}
