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
      switch component {
      case .key(let key), .entry(let key): return try property(key, of: number).map { .value($0) }
      default: return nil
      }
    case .value(let place): return try part(component, of: place).map { .value($0) }
    }
  }

  private func property(_ key: String, of number: Int) throws -> ValuePlace? {
    let properties = try archive.objectClass(of: number).properties
    if let index = properties.lastIndex(where: { $0.key == key && $0.type != .record }) {
      return try archive.property(index, of: number)
    }
    // What hand-written coding has stored.
    for (index, property) in properties.enumerated().reversed() where property.type == .record {
      if let found = try part(.key(key), of: try archive.property(index, of: number)) { return found }
    }
    return nil
  }

  private func part(_ component: ArchivePath.Component, of place: ValuePlace) throws -> ValuePlace? {
    guard case .node(let node, let count) = try place.kind() else { return nil }
    switch (node, component) {
    case (.array, .index(let index)), (.set, .index(let index)), (.inlineArray, .index(let index)), (.tuple, .index(let index)):
      return try place.part(index)
    case (.dictionary, .index(let number)):
      return try entry(of: place, count) { $0.int64Value == Int64(number) } ?? place.part(number)
    case (.dictionary, .entry(let key)), (.dictionary, .key(let key)):
      return try entry(of: place, count) { $0.stringValue == key }
    case (.tuple(let members), .key(let key)), (.tuple(let members), .entry(let key)):
      let index = members.firstIndex { $0.key == key || $0.key == ".\(key)" } ?? Int(key)
      return try index.flatMap { try place.part($0) }
    case (.structure(_, _, let members), .key(let key)), (.structure(_, _, let members), .entry(let key)):
      return try members.firstIndex { $0.key == key }.flatMap { try place.part($0) }
    case (.record(let members), .key(let key)), (.record(let members), .entry(let key)):
      return try members.firstIndex { RecordKey.key(of: $0) == key }.flatMap { try place.part($0) }
    case (.enumeration(_, _, let one, _), .key(let key)), (.enumeration(_, _, let one, _), .entry(let key)):
      return one.name == key ? try place.part(0) : nil
    default: return nil
    }
  }

  private func entry(of place: ValuePlace, _ count: Int, _ isWanted: (ArchiveValue) -> Bool) throws -> ValuePlace? {
    for index in 0..<count {
      guard var key = try place.key(index) else { return nil }
      if case .node(.any, _) = try key.kind(), let inside = try key.part(0) { key = inside }
      if case .scalar(let value) = try key.kind(), isWanted(value) { return try place.part(index) }
    }
    return nil
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
