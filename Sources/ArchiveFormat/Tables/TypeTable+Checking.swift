/// What has to hold across the entries of a table.
extension TypeTable {
  /// - Parameter start: where the table stands, for error messages.
  func check(_ start: ByteReader) throws(FormatError) {
    var containsInline = false
    for entry in entries {
      switch entry {
      case .optional(let type), .array(let type), .set(let type):
        try checkValueType(type, start)
      case .dictionary(let key, let value):
        try checkValueType(key, start)
        try checkValueType(value, start)
      case .inlineArray(let element, _):
        try checkValueType(element, start)
        containsInline = containsInline || element.entryIndex != nil
      case .tuple(let members), .structure(_, _, let members):
        for member in members {
          try checkValueType(member.type, start)
          containsInline = containsInline || member.type.entryIndex != nil
        }
      case .enumeration(_, _, let cases):
        for enumCase in cases {
          if let payload = enumCase.payload { try checkValueType(payload, start) }
        }
      case .object(_, _, let superclass, let properties):
        for property in properties { try checkValueType(property.type, start) }
        guard let superclass else { continue }
        guard self[superclass]?.isObject == true else {
          throw start.fail(.malformed, "type \(superclass.rawValue) is a superclass and no class")
        }
      }
    }
    try checkSuperclassesEnd(start)
    if containsInline { try checkValuesEnd(start) }
  }

  private func checkValueType(_ type: TypeID, _ start: ByteReader) throws(FormatError) {
    guard isValueType(type) else { throw start.fail(.malformed, "type \(type.rawValue) is not a type of values") }
  }

  private func superclassIndex(of index: Int) -> Int? {
    if case .object(_, _, let superclass?, _) = entries[index] { superclass.entryIndex } else { nil }
  }

  /// The most levels that a class may have, itself included: a reader walks every class of an archive up to its base.
  static let maximumClassDepth = 256

  private func checkSuperclassesEnd(_ start: ByteReader) throws(FormatError) {
    guard entries.indices.contains(where: { superclassIndex(of: $0) != nil }) else { return }
    var levels = [Int](repeating: 0, count: entries.count)
    var chain: [Int] = []
    for first in entries.indices {
      chain.removeAll(keepingCapacity: true)
      var index: Int? = first
      while let current = index, levels[current] == 0 {
        if chain.count == Self.maximumClassDepth {
          let isCycle = chain.contains(current)
          throw start.fail(isCycle ? .malformed : .limitExceeded, "a class inherits from itself, or over too many levels")
        }
        chain.append(current)
        index = superclassIndex(of: current)
      }
      var level = index.map { levels[$0] } ?? 0
      for current in chain.reversed() {
        level += 1
        levels[current] = level
      }
      guard level <= Self.maximumClassDepth else {
        throw start.fail(.limitExceeded, "a class inherits over more than \(Self.maximumClassDepth) levels")
      }
    }
  }

  /// The number of properties of a class, inherited ones included: the columns of a block of its objects. 0 for other entries.
  ///
  /// - Complexity: O(levels of the class), at most 256.
  func columnCount(of index: Int) -> Int {
    var count = 0
    var next: Int? = index
    while let current = next, case .object(_, _, let superclass, let properties) = entries[current] {
      count += properties.count
      next = superclass?.entryIndex
    }
    return count
  }

  /// The entries whose values are parts of the values of entry `index`, once for each mention.
  private func inlineParts(of index: Int, _ body: (Int) -> Void) {
    switch entries[index] {
    case .inlineArray(let element, _):
      if let part = element.entryIndex { body(part) }
    case .tuple(let members), .structure(_, _, let members):
      for member in members { if let part = member.type.entryIndex { body(part) } }
    default: break
    }
  }

  /// Takes away entries that are part of no other one until none is left; what can't be taken away contains itself.
  private func checkValuesEnd(_ start: ByteReader) throws(FormatError) {
    var mentions = [Int](repeating: 0, count: entries.count)
    for index in entries.indices { inlineParts(of: index) { mentions[$0] += 1 } }
    var free = entries.indices.filter { mentions[$0] == 0 }
    var left = entries.count
    while let index = free.popLast() {
      left -= 1
      inlineParts(of: index) { part in
        mentions[part] -= 1
        if mentions[part] == 0 { free.append(part) }
      }
    }
    guard left == 0 else { throw start.fail(.malformed, "a value type contains itself") }
  }
}
