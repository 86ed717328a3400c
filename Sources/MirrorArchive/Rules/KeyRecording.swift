import ArchiveReflection
public import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How many objects are being made, by any thread, for the keys that their properties are declared with. Otherwise nobody notes anything.
@usableFromInline let keyRecordings = Atomic<Int>(0)

/// What the ``Key`` wrappers of one thread note while one object is made.
///
/// Other objects are made on the way, the defaults of properties for example. A declaration says where it stands: the type, file, line and column
/// tell those of one class from all others, and properties are initialised in the order in which they are declared.
@usableFromInline
enum KeyRecording {
  struct Declaration: Equatable {
    let valueType: Any.Type
    let key: String?
    let formerKeys: [String]
    fileprivate let type: String
    fileprivate let place: Place

    static func == (a: Declaration, b: Declaration) -> Bool {
      a.valueType == b.valueType && a.key == b.key && a.formerKeys == b.formerKeys && a.place == b.place
    }
  }

  fileprivate struct Place: Equatable {
    let file: String
    let line: UInt32
    let column: UInt32
  }

  /// Per thread, one list for each object that is being made there for its keys, the innermost last.
  private static let threads = Locked<[UInt: [[Declaration]]]>([:])

  private static var thread: UInt {
    #if canImport(Darwin)
      // SAFETY: the address is a number here, and never followed.
      unsafe UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }

  /// Whether this thread is making an object for its keys.
  @usableFromInline
  @inline(never)
  static func isActive() -> Bool {
    let thread = thread
    return threads.withLock { $0[thread] != nil }
  }

  @usableFromInline
  @inline(never)
  static func note(
    _ valueType: Any.Type, _ key: String?, _ formerly: FormerKeys, file: StaticString, type: StaticString, line: UInt32, column: UInt32
  ) {
    let declaration = Declaration(
      valueType: valueType, key: key, formerKeys: formerly.keys, type: type.description,
      place: Place(file: file.description, line: line, column: column))
    let thread = thread
    threads.withLock { threads in
      guard let last = threads[thread]?.indices.last else { return }
      threads[thread]?[last].append(declaration)
    }
  }

  /// Makes one object or value and returns what was noted meanwhile.
  static func declarations(whileMaking type: any MirrorInitializable.Type) -> [Declaration] {
    let thread = thread
    threads.withLock { $0[thread, default: []].append([]) }
    keyRecordings.add(1, ordering: .relaxed)
    withExtendedLifetime(type.init()) {}
    keyRecordings.subtract(1, ordering: .relaxed)
    return threads.withLock { threads in
      let noted = threads[thread]?.popLast() ?? []
      if threads[thread]?.isEmpty ?? false { threads[thread] = nil }
      return noted
    }
  }

  /// The declarations of one class or struct in their order; nil if one was noted in two ways.
  static func declarations(of type: Any.Type, in noted: [Declaration]) -> [Declaration]? {
    let name = Reflection.unqualifiedName(of: type).prefix { $0 != "<" }
    var found: [Declaration] = []
    // A type may be made more than once, with the same result each time.
    for declaration in noted where declaration.type == name {
      if let known = found.first(where: { $0.place == declaration.place }) {
        if known != declaration { return nil }
      } else {
        found.append(declaration)
      }
    }
    return found
  }
}

extension EffectiveRules {
  /// Makes rules of the keys that properties are declared with.
  ///
  /// - Parameter type: The struct, or the class whose plan is made.
  static func noteKeys(of type: Any.Type, in levels: inout [Level]) throws {
    guard let keyed = levels.first(where: { $0.properties.contains(where: \.isKeyed) }) else { return }
    let name = keyed.properties.first(where: \.isKeyed)?.name
    guard let initializable = type as? any MirrorInitializable.Type else {
      throw ArchiveError.invalidRules(
        type, name,
        "@Key needs init() (MirrorCoding or MirrorInitializable); name the key in archiveRules instead: PropertyRule(\"\(name ?? "")\", key: ...)"
      )
    }
    let noted = KeyRecording.declarations(whileMaking: initializable)
    for level in levels.indices {
      let places = levels[level].properties.indices.filter { levels[level].properties[$0].isKeyed }
      if places.isEmpty { continue }
      let declarations = KeyRecording.declarations(of: levels[level].type, in: noted)
      let types = places.map { ObjectIdentifier(levels[level].properties[$0].field.type) }
      guard let declarations, declarations.map({ ObjectIdentifier($0.valueType) }) == types else {
        throw ArchiveError.invalidRules(
          levels[level].type, levels[level].properties[places[0]].name,
          "the keys of @Key properties cannot be told from each other, because init() does not initialise each of them once as it is declared, "
            + "or another type of that name is made with it; name the keys in archiveRules instead: PropertyRule(..., key: ...)")
      }
      for (place, declaration) in zip(places, declarations) {
        let property = levels[level].properties[place].name
        if declaration.key?.isEmpty ?? false || declaration.formerKeys.contains("") {
          throw ArchiveError.invalidRules(
            levels[level].type, property, "a key of '\(property)' is empty; leave it out for the name of the property")
        }
        levels[level].properties[place].rule = PropertyRule(property, key: declaration.key, formerKeys: declaration.formerKeys)
      }
    }
  }
}
