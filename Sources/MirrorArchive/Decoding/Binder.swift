import ArchiveFormat
import ArchiveReflection

/// Connects what an archive describes to what the program declares: once per archive, never per value.
struct Binder {
  let types: TypeTable
  /// What may be decoded. While hand-coded objects are made it grows by what they ask for.
  var universe: Universe
  var allowsAnyClass: Bool
  /// What happens where the archive does not fit the program.
  var options: DecodingOptions
  /// Today's names for archived ones; nil where none has changed.
  var names: ClassNames?
  /// Per type-table entry: the class whose objects the archive has under it.
  private(set) var classes: [ClassPlan?]
  private var readers: [Key: ColumnReader] = [:]
  /// The keys of the readers, in the order in which they were entered.
  private var entered: [Key] = []
  /// Entries that a declared type answers for, or that are skipped.
  private var answered: Set<Int> = []
  /// The same in the order in which they were added.
  private var answers: [Int] = []
  /// The classes whose objects are read as values of structs, each with the places of the columns that are read.
  var valueEntries: [Int: Set<Int>] = [:]
  /// Where in the program's types a reader is being made.
  var path: [String] = []
  private var depth = 0
  /// Per type-table entry of a struct or enum that is read: how it fits the program.
  private(set) var typeFacts: [Int: ValueTypeFacts] = [:]

  /// How deeply types may be nested in types. A recursive type of the program is one type, but an archive can write it out level by level.
  private static let maximumDepth = 128

  private struct Key: Hashable {
    let id: TypeID
    let codec: ObjectIdentifier
  }

  init(
    types: TypeTable, universe: Universe, allowsAnyClass: Bool, names: ClassNames?, options: DecodingOptions = DecodingOptions(),
    classes: [ClassPlan?]? = nil
  ) {
    self.types = types
    self.options = options
    self.names = names
    self.universe = universe
    self.allowsAnyClass = allowsAnyClass
    self.classes = classes ?? Array(repeating: nil, count: types.entries.count)
  }

  /// Gives up the readers, which may refer to each other in circles.
  func unbind() { for reader in readers.values { reader.unbind() } }

  // MARK: Classes

  /// The gate, first part: finds the class under its archive name in the list of what is admitted; nowhere else.
  mutating func resolveClass(_ id: TypeID) throws -> ClassPlan {
    guard let index = id.entryIndex, case .object(let name, _, _, _)? = types[id] else {
      throw ArchiveError(.malformed, message: "a block of objects has a type that is no class")
    }
    if let known = classes[index] { return known }
    let plan: ClassPlan
    if let found = try mappedPlan(name) ?? admittedPlan(named: name) {
      plan = found
    } else if allowsAnyClass {
      plan = try InsecureLookup.classPlan(named: currentName(of: name))
    } else {
      throw ArchiveError(
        .typeNotAllowed,
        message:
          "the archive holds objects of class '\(name)', which the list of named types does not reach through declared property types; "
          + "name the class in the call, declare it in archiveRules(subclasses:), or register it")
    }
    if case .impossible(let error) = plan.construction { throw error }
    classes[index] = plan
    return plan
  }

  /// The plan of a class that takes the place of one the universe does not know, after the same check.
  mutating func substitute(_ type: AnyClass, for id: TypeID) throws -> ClassPlan {
    guard let index = id.entryIndex, case .object(let name, _, _, _)? = types[id] else {
      throw ArchiveError(.malformed, message: "a block of objects has a type that is no class")
    }
    let plan = try admittedPlan(type, for: name)
    if case .impossible(let error) = plan.construction { throw error }
    classes[index] = plan
    // The properties that the archive has under this name are the substitute's.
    var renamed = names ?? ClassNames()
    renamed.classes[name] = type
    names = renamed
    return plan
  }

  /// The plan of the class that the program has named for an archived name.
  private func mappedPlan(_ name: String) throws -> ClassPlan? {
    guard let type = names?.classes[name] else { return nil }
    return try admittedPlan(type, for: name)
  }

  private func admittedPlan(_ type: AnyClass, for name: String) throws -> ClassPlan {
    if !allowsAnyClass && !universe.contains(type) {
      throw ArchiveError(
        .typeNotAllowed,
        message: "\(Reflection.unqualifiedName(of: type)) stands in for the archived class '\(name)', but the list of named types does not "
          + "reach it; name it in the call, declare it in archiveRules(subclasses:), or register it")
    }
    return try PlanRegistry.shared.classPlan(for: type)
  }

  /// The name that an archived class or value type has today.
  func currentName(of name: String) -> String {
    if universe.renamedArguments.isEmpty { return names?.currentName(of: name) ?? name }
    // Former names may be those from before or after a move to another module.
    let renamed = GenericName.renamingArguments(of: name, universe.renamedArguments)
    guard let names else { return renamed }
    return GenericName.renamingArguments(of: names.currentName(of: renamed), universe.renamedArguments)
  }

  /// The gate, second part: per type-table entry, whether its objects may be stored where `declared` stands.
  func admitted(for declared: DeclaredObject) throws -> AdmittedObjects {
    AdmittedObjects(declared: declared, isConditional: false, flags: classes.map { $0.map { admits($0.type, declared) } ?? false })
  }

  /// Whether objects of a class may be stored where `declared` stands.
  func admits(_ type: AnyClass, _ declared: DeclaredObject) -> Bool {
    switch declared {
    case .anyObject where type == UnknownObject.self: options.unknownClasses == .keep
    case .anyObject: allowsAnyClass || universe.containsInOpenPlace(type)
    case .instances(let ancestor): isSubclass(type, of: ancestor)
    }
  }

  /// The same for `weak` and `unowned` properties, which bring nothing in that a strong path has not. Whether an object conforms to a declared
  /// protocol is checked when it is stored.
  func admitted(forConditional declared: DeclaredObject) throws -> AdmittedObjects {
    if case .anyObject = declared { return AdmittedObjects(declared: declared, isConditional: true, flags: classes.map { $0 != nil }) }
    return AdmittedObjects(declared: declared, isConditional: true, flags: try admitted(for: declared).flags)
  }

  /// Notes how a struct or an enum fits.
  mutating func note(_ facts: ValueTypeFacts, _ id: TypeID) {
    if let index = id.entryIndex { typeFacts[index] = facts }
  }

  /// Types of the program that entries of the archive are read into.
  var boundTypes: [(index: Int, type: Any.Type)] {
    var bound = readers.compactMap { key, reader in key.id.entryIndex.map { (index: $0, type: reader.codec.type) } }
    for (index, entry) in types.entries.enumerated() {
      if case .object(let name, _, _, _) = entry, let plan = universe.classes[currentName(of: name)] { bound.append((index, plan.type)) }
    }
    return bound
  }

  // MARK: Readers

  private mutating func enter(_ reader: ColumnReader, _ key: Key) {
    if readers.updateValue(reader, forKey: key) == nil { entered.append(key) }
  }

  /// Runs `body` in a binder that goes on being used if it fails: the readers that a failure leaves unfinished are taken back.
  mutating func undoing<R>(_ body: (inout Binder) throws -> R) throws -> R {
    let before = entered.count
    do {
      return try body(&self)
    } catch {
      for key in entered[before...] { readers.removeValue(forKey: key)?.unbind() }
      entered.removeSubrange(before...)
      path = []
      depth = 0
      throw error
    }
  }

  /// Runs `body`; of what it has begun nothing is left if it finds types that do not fit each other.
  mutating func attempt<R>(_ body: (inout Binder) throws -> R) throws -> Result<R, ArchiveError> {
    let (readerCount, answerCount, pathCount, depth) = (entered.count, answers.count, path.count, self.depth)
    do {
      return .success(try body(&self))
    } catch let error as ArchiveError where error.code == .typeMismatch {
      for key in entered[readerCount...] { readers.removeValue(forKey: key)?.unbind() }
      entered.removeSubrange(readerCount...)
      for index in answers[answerCount...] { answered.remove(index) }
      answers.removeSubrange(answerCount...)
      path.removeSubrange(pathCount...)
      self.depth = depth
      return .failure(error)
    }
  }

  /// Whether a reader for these two types can be made without altering values.
  func binds(_ codec: ValueCodec, _ id: TypeID) -> Bool {
    var probe = self
    probe.options.conversionPolicy = .exact
    probe.readers = [:]
    defer { probe.unbind() }
    return (try? probe.reader(codec, id)) != nil
  }

  /// Runs `body` one level deeper: types that are put together by rules may be nested in an archive without end.
  mutating func nested<R>(_ body: (inout Binder) throws -> R) throws -> R {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.maximumDepth {
      throw ArchiveError(.nestingTooDeep, message: "the archive nests types in types more than \(Self.maximumDepth) deep")
    }
    return try body(&self)
  }

  /// The reader that brings the archived type `id` into values of `codec`'s type.
  mutating func reader(_ codec: ValueCodec, _ id: TypeID, below component: String? = nil) throws -> ColumnReader {
    if let known = readers[Key(id: id, codec: ObjectIdentifier(codec))] { return known }
    depth += 1
    defer { depth -= 1 }
    if depth > Self.maximumDepth {
      throw ArchiveError(.nestingTooDeep, message: "the archive nests types in types more than \(Self.maximumDepth) deep")
    }
    if let component { path.append(component) }
    let reader: ColumnReader
    if options.conversionPolicy == .lenient {
      reader = try lenientReader(codec, id) { try codec.makeConvertingReader(id, &$0) }
    } else {
      reader = try codec.makeConvertingReader(id, &self)
    }
    if component != nil { path.removeLast() }
    enter(reader, Key(id: id, codec: ObjectIdentifier(codec)))
    answer(id)
    return reader
  }

  /// A reader with readers inside: entered before they are made, so that types may contain themselves.
  mutating func reader<Reader: ColumnReader>(
    for id: TypeID, _ codec: ValueCodec, _ fill: (Reader, inout Binder) throws -> Void, make: () -> Reader
  ) throws -> ColumnReader {
    let key = Key(id: id, codec: ObjectIdentifier(codec))
    if let known = readers[key] { return known }
    let reader = make()
    enter(reader, key)
    answer(id)
    try fill(reader, &self)
    return reader
  }

  /// What `id` is optional of, if it is an optional.
  func optionalPayload(of id: TypeID) -> TypeID? { types.optionalPayload(of: id) }

  /// How many Optionals there are around what `id` describes, as far as `limit`: an archive may describe one that holds itself.
  func optionalLevels(of id: TypeID, limit: Int) -> Int {
    var levels = 0
    var inner = id
    while levels < limit, let payload = optionalPayload(of: inner) {
      levels += 1
      inner = payload
    }
    return levels
  }

  /// What `id` stores, if it is the form of a `let`.
  func letPayload(of id: TypeID) -> TypeID? {
    if case .tuple(let fields)? = types[id], fields.count == 1 { return optionalPayload(of: fields[0].type) }
    return nil
  }

  /// The reader of a property that was a `let` when the archive was written, whatever it is today.
  mutating func letReader(_ codec: ValueCodec, _ id: TypeID) throws -> ColumnReader {
    guard let payload = letPayload(of: id) else { throw mismatch(id, codec.type) }
    return LetReader(try reader(codec, payload))
  }

  func mismatch(_ id: TypeID, _ type: Any.Type) -> ArchiveError {
    var message = "the archive holds \(types.describe(id)) where the program declares \(type)"
    switch types[id] {
    case .structure(let name, _, _) where Reflection.kind(of: type) == .structure,
      .enumeration(let name, _, _) where Reflection.kind(of: type) == .enumeration:
      if LibraryTypes.module(of: type) == nil {
        message += "; if the type was renamed, let it conform to MirrorCodable with ArchiveRules(name: \"\(name)\")"
      }
    default: break
    }
    return ArchiveError(.typeMismatch, path: path.joined(separator: "."), message: message)
  }

  // MARK: What only Any reaches

  /// Notes that a declared type answers for an archived one.
  mutating func answer(_ id: TypeID) {
    if let index = id.entryIndex, answered.insert(index).inserted { answers.append(index) }
  }

  /// Marks what the objects of a class are made of, none of which will be.
  mutating func skipProperties(of id: TypeID) {
    var next: TypeID? = id
    while let current = next, case .object(_, _, let superclass, let properties)? = types[current] {
      for property in properties { skip(property.type) }
      next = superclass
    }
  }

  /// Marks a skipped type and everything inside it: nothing of it will be made.
  mutating func skip(_ id: TypeID) {
    var pending = [id]
    while let next = pending.popLast() {
      guard let index = next.entryIndex, answered.insert(index).inserted else { continue }
      answers.append(index)
      switch types.entries[index] {
      case .optional(let inner), .array(let inner), .set(let inner), .inlineArray(let inner, _): pending.append(inner)
      case .dictionary(let key, let value): pending += [key, value]
      case .tuple(let fields), .structure(_, _, let fields): pending += fields.map(\.type)
      case .enumeration(_, _, let cases): pending += cases.compactMap(\.payload)
      case .object: break
      }
    }
  }

  /// The gate, third part: named value types that no declared type answers for can only stand in `Any`; each must be admitted there.
  mutating func checkOpenTypes() throws {
    // What an admitted type declares is admitted with it.
    for (index, entry) in types.entries.enumerated() where !answered.contains(index) {
      switch entry {
      case .structure(let name, _, _), .enumeration(let name, _, _):
        if OpenTypes.isAdmitted(name, self) { skip(TypeID(entry: index)) }
      default: break
      }
    }
    for (index, entry) in types.entries.enumerated() where !answered.contains(index) {
      switch entry {
      case .structure(let name, _, _), .enumeration(let name, _, _): _ = try OpenTypes.type(named: name, self)
      default: break
      }
    }
  }

  /// A reader for a value that stands in `Any`: the archive says which type it has, the gate whether that is admitted.
  mutating func openReader(_ id: TypeID) throws -> ColumnReader {
    let type = try OpenTypes.type(id, self)
    return try reader(try PlanRegistry.shared.codec(for: type), id)
  }
}

/// Which objects may be stored at a place.
struct AdmittedObjects {
  let declared: DeclaredObject
  /// `weak` and `unowned` places bring nothing in that a strong path has not.
  let isConditional: Bool
  /// Per type-table entry: whether its objects may be stored here. For graphs whose classes are all known before the first object is made.
  let flags: [Bool]
}

/// Whether `type` is `ancestor` or inherits from it.
func isSubclass(_ type: AnyClass, of ancestor: AnyClass) -> Bool {
  var current: AnyClass? = type
  while let one = current {
    if one == ancestor { return true }
    current = _getSuperclass(one)
  }
  return false
}
