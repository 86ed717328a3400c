import ArchiveFormat
import ArchiveReflection

/// Structs and tuples: the columns of their fields, one after another.
final class StructCodec: ValueCodec, @unchecked Sendable {
  final class Member: Sendable {
    /// The key under which it is archived.
    let key: String
    let codec: ValueCodec
    let offset: Int
    /// The name in the program.
    let name: String
    /// Keys under which older archives have it, in the order in which they are looked for.
    let formerKeys: [String]
    /// The rule about its values; nil if only keys are ruled, as a rule.
    let rule: PropertyRule?
    /// The default that the rule gives, in the form of the field.
    let defaultValue: PropertyDefault?

    init(
      key: String, codec: ValueCodec, offset: Int, name: String, formerKeys: [String] = [], rule: PropertyRule? = nil,
      defaultValue: PropertyDefault? = nil
    ) {
      self.key = key
      self.codec = codec
      self.offset = offset
      self.name = name
      self.formerKeys = formerKeys
      self.rule = rule
      self.defaultValue = defaultValue
    }
  }

  /// How fields that no archive holds get a value.
  enum Omitted {
    case none
    /// From the type's own initializer, and over that from the rules.
    case initializer(any MirrorInitializable.Type, [(value: PropertyDefault, offset: Int, witnesses: ValueWitnesses)])
    /// One by one.
    case fields([OmittedField])
  }

  let isTuple: Bool
  private(set) var members: [Member] = []
  private(set) var omitted = Omitted.none
  let name: ArchivedName
  let version: UInt64

  init(_ type: Any.Type, isTuple: Bool, name: ArchivedName, version: UInt64 = 0) {
    self.isTuple = isTuple
    self.name = name
    self.version = version
    super.init(type)
  }

  func resolve(_ members: [Member], omitted: Omitted) {
    self.members = members
    self.omitted = omitted
  }

  override var children: [ValueCodec] { members.map(\.codec) }

  override var hasBlank: Bool {
    if case .none = omitted { return members.allSatisfy { $0.codec.hasBlank } }
    return false
  }
  override func initializeBlank(_ p: UnsafeMutableRawPointer) {
    // SAFETY: the caller hands over uninitialised memory of this type, of which the members are parts.
    for member in members { unsafe member.codec.initializeBlank(p + member.offset) }
  }

  override func unlink(_ rows: Rows) {
    for member in members where member.codec.traits.hasReferences { member.codec.unlink(rows.advanced(by: member.offset)) }
  }

  override func describe(_ types: inout TypeTableBuilder) throws -> TypeID {
    try types.id(for: self) { types in
      // Named types are known by their declaration; only what a tuple or collection in `Any` holds is described exactly.
      let fields =
        try isTuple
        ? members.map { Property(key: $0.key, type: try $0.codec.describe(&types)) }
        : types.byDeclaration { types in try members.map { Property(key: $0.key, type: try $0.codec.describe(&types)) } }
      return isTuple ? .tuple(fields) : .structure(name: name.current, version: version, fields: fields)
    }
  }

  override func discover(_ rows: Rows, _ e: inout EncodingState) throws {
    for member in members where member.codec.traits.hasReferences {
      do {
        try member.codec.discover(rows.advanced(by: member.offset), &e)
      } catch let error as LocatedError {
        throw error.moved(to: error.row, below: component(member.name))
      }
    }
  }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    if members.isEmpty {
      return unsafe FixedColumn.encode(UnsafeRawBufferPointer(start: nil, count: 0), width: 0, into: &e.writer)
    }
    for member in members {
      do {
        try member.codec.encode(rows.advanced(by: member.offset), &e)
      } catch let error as LocatedError {
        throw error.moved(to: error.row, below: component(member.name))
      }
    }
  }

  fileprivate func component(_ key: String) -> String { key.hasPrefix(".") ? key : "." + key }

  override func makeReader(_ id: TypeID, _ binder: inout Binder) throws -> ColumnReader {
    switch binder.types[id] {
    case .tuple(let elements) where isTuple && elements.count == members.count:
      return try binder.reader(for: id, self) { reader, binder in
        reader.steps = try zip(elements, members).map { element, member in
          .member(try binder.reader(member.codec, element.type, below: member.name), offset: member.offset, name: member.name)
        }
      } make: {
        StructReader(self)
      }
    case .structure(let found, let version, let fields) where !isTuple && binder.isName(found, of: name):
      return try binder.reader(for: id, self) { reader, binder in
        try bind(
          reader, id,
          ValueTypeFacts(archivedName: found, currentName: name.current, archivedVersion: version, currentVersion: self.version),
          fields, &binder)
      } make: {
        StructReader(self)
      }
    default: throw binder.mismatch(id, type)
    }
  }

  /// A reader of blocks whose objects are values of this type today, and the places of the columns that it does not pass over.
  func makeReader(
    ofObjects columns: [ArchivedProperty], _ id: TypeID, _ name: String, _ version: UInt64, _ binder: inout Binder
  ) throws -> (reader: ColumnReader, columns: Set<Int>) {
    let reader = StructReader(self)
    let fields = columns.map { Property(key: $0.key, type: $0.type) }
    let facts = ValueTypeFacts(
      archivedName: name, currentName: self.name.current, archivedVersion: version, currentVersion: self.version)
    try bind(reader, id, facts, fields, &binder)
    reader.poolIDs = columns.map(\.poolID)
    return (reader, Set(reader.steps.indices.filter { reader.steps[$0].isRead }))
  }

  private func bind(_ reader: StructReader, _ id: TypeID, _ known: ValueTypeFacts, _ fields: [Property], _ binder: inout Binder) throws {
    var facts = known
    // Which member each archived field becomes.
    var bound = [Int?](repeating: nil, count: fields.count)
    var missing: [Member] = []
    for (index, member) in members.enumerated() {
      let places = fields.indices.filter { fields[$0].key == member.key }
      if places.count > 1 {
        throw ArchiveError(.malformed, message: "the archive has the field '\(member.key)' of \(type) twice")
      }
      if let place = places.first ?? member.formerKeys.lazy.compactMap({ key in fields.firstIndex { $0.key == key } }).first {
        bound[place] = index
      } else {
        missing.append(member)
      }
    }
    reader.steps = try zip(fields, bound).map { field, index in
      guard let member = index.map({ members[$0] }) else {
        binder.skip(field.type)
        facts.unknownKeys.append(field.key)
        return .skip(field.type)
      }
      let inner = try binder.ruledReader(member.codec, field.type, rule: member.rule, member.defaultValue, below: member.name)
      if let converted = binder.conversion(of: field.type, to: member.codec) {
        facts.convertedKeys.append((key: field.key, archived: converted.archived, declared: converted.declared))
      }
      return .member(inner, offset: member.offset, name: member.name)
    }
    facts.defaultedKeys = missing.map(\.key)
    try reader.complete(missing)
    binder.note(facts, id)
  }
}

private final class StructReader: ColumnReader, @unchecked Sendable {
  enum Step {
    case member(ColumnReader, offset: Int, name: String)
    case skip(TypeID)

    var isRead: Bool {
      if case .member(let reader, _, _) = self { !reader.passesOver } else { false }
    }
  }

  var steps: [Step] = []
  /// Per step, where the columns are those of a block of objects: each in its frame, with a string pool of its own.
  var poolIDs: [UInt64]?
  override func unbind() { steps = [] }
  /// Fields that the archive does not have and that no initializer fills: they are nil, or what the rules say.
  private var absent: [AbsentField] = []
  /// Fields that the archive does not have and to which the rules give another value than the initializer does.
  private var replaced: [(value: PropertyDefault, offset: Int, witnesses: ValueWitnesses)] = []
  private let structure: StructCodec

  init(_ codec: StructCodec) {
    structure = codec
    super.init(codec)
  }

  func complete(_ missing: [StructCodec.Member]) throws {
    if case .initializer(_, let defaults) = structure.omitted {
      replaced = defaults
      for member in missing {
        if let value = member.defaultValue { replaced.append((value, member.offset, member.codec.witnesses)) }
      }
      return
    }
    for member in missing {
      guard let field = AbsentField(member.codec, member.offset, member.defaultValue) else {
        throw ArchiveError(
          .missingValue, path: "\(structure.type).\(member.name)",
          message: "the archive has no '\(member.key)' and \(structure.type) has no default for it; make the property Optional, give it a "
            + "default in archiveRules, or let \(structure.type) conform to MirrorInitializable")
      }
      absent.append(field)
    }
  }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    // SAFETY: fields are initialised one after another in every row; a failure destroys those that are done, in every row.
    var isAssigning = false
    if case .initializer(let type, _) = structure.omitted {
      // User code, but only `init()`: each row starts from the type's own defaults.
      unsafe rows.visit { _, p in unsafe initializeDefault(type, at: p) }
      isAssigning = true
    }
    var done: [(ValueCodec, Int)] = []
    var index = 0
    do {
      if steps.isEmpty { try FixedColumn.skip(count: rows.count, width: 0, from: &d.reader) }
      while index < steps.count {
        var outer: ByteReader?
        if let poolIDs {
          d.poolID = poolIDs[index]
          if rows.count >= BlockLayout.firstFramedCount {
            let column = try d.reader.slice(try d.reader.readCount())
            outer = d.reader
            d.reader = column
          }
        }
        switch steps[index] {
        case .skip(let type): try d.skip(type, count: rows.count)
        case .member(let reader, let offset, let name):
          let notices = d.notices.count
          if isAssigning {
            try reader.assign(rows.advanced(by: offset), &d)
          } else {
            try reader.read(rows.advanced(by: offset), &d)
            if !reader.codec.witnesses.isTrivial { done.append((reader.codec, offset)) }
          }
          if d.notices.count > notices {
            d.notices.move(since: notices) { $0.move(to: $0.row, below: structure.component(name)) }
          }
        }
        if let outer {
          if d.reader.remaining > 0 { throw d.malformed("\(d.reader.remaining) bytes are left over behind the column", row: 0) }
          d.reader = outer
        }
        index += 1
      }
    } catch {
      if isAssigning { codec.destroy(rows) }
      for (codec, offset) in done { codec.destroy(rows.advanced(by: offset)) }
      if let error = error as? LocatedError, index < steps.count, case .member(_, _, let name) = steps[index] {
        throw error.moved(to: error.row, below: structure.component(name))
      }
      throw error
    }
    if isAssigning {
      if !replaced.isEmpty { d.objects.holdAll() }
      for (value, offset, witnesses) in replaced { value.assign(rows.advanced(by: offset), witnesses) }
      return
    }
    for field in absent { field.initialize(rows) }
    if case .fields(let fields) = structure.omitted { for field in fields { field.initialize(rows) } }
  }
}

/// Initialises memory of the type `type` with what its initializer gives.
private func initializeDefault<T: MirrorInitializable>(_ type: T.Type, at memory: UnsafeMutableRawPointer) {
  // SAFETY: the caller hands over uninitialised memory of this very type.
  unsafe memory.initializeMemory(as: T.self, to: T())
}
