import ArchiveFormat
import MirrorArchive

/// Finds what a path leads to, without reading what lies beside the way.
struct PathSearch {
  /// What has been found.
  enum Target {
    case value(ValuePlace)
    case object(Int)
  }

  private let archive: ArchiveCursor

  init(_ archive: ArchiveCursor) { self.archive = archive }

  /// - Throws: `Problem` if the path leads to nothing, and what reading throws.
  func find(_ path: ArchivePath) throws -> Target {
    var target: Target
    switch path.start {
    case .root(let key):
      guard let index = archive.layout.roots.firstIndex(where: { $0.key == key }) else {
        let keys = archive.layout.roots.prefix(8).map { Text.quoted($0.key, limit: 40) }
        throw Problem(message: "there is no root \(Text.quoted(key, limit: 80)); there are: \(keys.joined(separator: ", "))")
      }
      target = .value(try archive.root(index))
    case .object(let number):
      _ = try archive.objectClass(of: number)
      target = .object(number)
    }
    target = try settled(target)
    var passed = ArchivePath(path.start)
    for component in path.components {
      let next = passed.appending(component)
      guard let found = try step(component, from: target) else {
        throw Problem(message: "there is nothing at \(next): \(passed) is \(try description(target))")
      }
      target = try settled(found)
      passed = next
    }
    return target
  }

  /// Goes through what is no step.
  private func settled(_ target: Target) throws -> Target {
    guard case .value(var place) = target else { return target }
    while true {
      switch try place.kind() {
      case .scalar(.reference(let number)): return .object(number)
      case .node(.any, _), .node(.constant, _):
        guard let inside = try place.part(0) else { return .value(place) }
        place = inside
      default: return .value(place)
      }
    }
  }

  private func step(_ component: ArchivePath.Component, from target: Target) throws -> Target? {
    switch target {
    case .object(let number):
      return try property(component, of: number).map { .value($0) }
    case .value(let place): return try part(component, of: place).map { .value($0) }
    }
  }

  private func property(_ component: ArchivePath.Component, of number: Int) throws -> ValuePlace? {
    let properties = try archive.objectClass(of: number).properties
    switch component {
    case .key(let key), .entry(let key):
      if let index = properties.lastIndex(where: { $0.key == key && ($0.type != .record || key == TreeLines.recordKey) }) {
        return try archive.property(index, of: number)
      }
    default: break
    }
    // What hand-written coding has stored.
    guard let index = properties.lastIndex(where: { $0.type == .record }) else { return nil }
    return try part(component, of: try archive.property(index, of: number))
  }

  private func part(_ component: ArchivePath.Component, of place: ValuePlace) throws -> ValuePlace? {
    guard case .node(let node, let count) = try place.kind() else { return nil }
    switch (node, component) {
    case (.array, .index(let index)), (.set, .index(let index)), (.inlineArray, .index(let index)), (.tuple, .index(let index)):
      return try place.part(index)
    case (.dictionary, _): return try entry(component, of: place, count)
    case (.tuple(let members), .key(let key)), (.tuple(let members), .entry(let key)):
      let index = members.firstIndex { $0.key == key || $0.key == ".\(key)" } ?? Int(key)
      return try index.flatMap { try place.part($0) }
    case (.structure(_, _, let members), .key(let key)), (.structure(_, _, let members), .entry(let key)):
      return try members.firstIndex { $0.key == key }.flatMap { try place.part($0) }
    case (.record(let members), .key(let key)), (.record(let members), .entry(let key)):
      return try members.firstIndex { RecordKey.key(of: $0) == key }.flatMap { try place.part($0) }
    case (.record(let members), .index(let number)):
      // Values without a key are counted by themselves.
      let keyless = members.indices.filter { RecordKey.key(of: members[$0]) == nil }
      return keyless.indices.contains(number) ? try place.part(keyless[number]) : nil
    case (.enumeration(_, _, let one, _), _):
      guard let payload = try place.part(0) else { return nil }
      switch component {
      case .key(one.name), .entry(one.name): return payload
      default: break
      }
      // The name of the case may be left out.
      switch try settled(.value(payload)) {
      case .object(let number): return try property(component, of: number)
      case .value(let inside): return try part(component, of: inside)
      }
    default: return nil
    }
  }

  /// Finds the value of an entry by its key; a number that is no key is the place of an entry.
  private func entry(_ component: ArchivePath.Component, of place: ValuePlace, _ count: Int) throws -> ValuePlace? {
    var second: Int?
    for index in 0..<count {
      guard let key = try place.key(index)?.value() else { return nil }
      switch component {
      case .key(let text), .entry(let text):
        if key.asKey == text { return try place.part(index) }
      case .index(let number):
        if key.int64Value == Int64(number) { return try place.part(index) }
        if second == nil, key.stringValue == "\(number)" { second = index }
      }
    }
    guard case .index(let number) = component else { return nil }
    return try place.part(second ?? number)
  }

  private func description(_ target: Target) throws -> String {
    switch target {
    case .object(let number):
      let objectClass = try archive.objectClass(of: number)
      let keys = objectClass.properties.filter { $0.type != .record }.prefix(20).map(\.key)
      return "\(objectClass.name) #\(number)" + (keys.isEmpty ? "" : " with \(keys.joined(separator: ", "))")
    case .value(let place):
      switch try place.kind() {
      case .null: return "nil"
      case .scalar(let value): return ScalarText.span(value).text
      case .node(let node, let count):
        switch node {
        case .array, .inlineArray: return "an array of \(Text.count(count, "element"))"
        case .set: return "a set of \(Text.count(count, "element"))"
        case .dictionary: return "a dictionary of \(Text.count(count, "entry", "entries"))"
        case .tuple(let members): return "a tuple with " + members.prefix(20).map(\.key).joined(separator: ", ")
        case .structure(let name, _, let members): return "\(name) with " + members.prefix(20).map(\.key).joined(separator: ", ")
        case .enumeration(let name, _, let one, _): return "\(name).\(one.name)"
        case .record(let members):
          return "a container with " + members.prefix(20).compactMap { RecordKey.key(of: $0) }.joined(separator: ", ")
        case .any, .constant: return "a constant of the program"
        }
      }
    }
  }
}
