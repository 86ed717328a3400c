import ArchiveFormat
import ArchiveReflection

/// Structs and tuples: the columns of their fields, one after another.
final class StructCodec: ValueCodec, @unchecked Sendable {
  struct Member {
    let key: String
    let codec: ValueCodec
    let offset: Int
  }

  /// How fields that no archive holds get a value.
  enum Omitted {
    case none
    /// From the type's own initializer.
    case initializer(any MirrorInitializable.Type)
    /// `@Transient` fields of Optionals, which are nil.
    case empty([(type: any TransientStorage.Type, offset: Int)])
  }

  let isTuple: Bool
  private(set) var members: [Member] = []
  private(set) var omitted = Omitted.none
  private let name: Result<String, ArchiveError>

  init(_ type: Any.Type, isTuple: Bool, name: Result<String, ArchiveError>) {
    self.isTuple = isTuple
    self.name = name
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
      let name = isTuple ? nil : try self.name.get()
      // Named types are known by their declaration; only what a tuple or collection in `Any` holds is described exactly.
      let fields =
        try isTuple
        ? members.map { Property(key: $0.key, type: try $0.codec.describe(&types)) }
        : types.byDeclaration { types in try members.map { Property(key: $0.key, type: try $0.codec.describe(&types)) } }
      return name.map { .structure(name: $0, version: 0, fields: fields) } ?? .tuple(fields)
    }
  }

  override func discover(_ rows: Rows, _ e: inout EncodingState) throws {
    for member in members where member.codec.traits.hasReferences {
      do {
        try member.codec.discover(rows.advanced(by: member.offset), &e)
      } catch let error as LocatedError {
        throw error.moved(to: error.row, below: component(member.key))
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
        throw error.moved(to: error.row, below: component(member.key))
      }
    }
  }

  fileprivate func component(_ key: String) -> String { key.hasPrefix(".") ? key : "." + key }

  override func makeReader(_ id: TypeID, _ binder: inout Binder) throws -> ColumnReader {
    let fields: [Property]
    switch binder.types[id] {
    case .tuple(let found) where isTuple: fields = found
    case .structure(let found, _, let itsFields) where !isTuple:
      guard case .success(let name) = name, binder.currentName(of: found) == name else { throw binder.mismatch(id, type) }
      fields = itsFields
    default: throw binder.mismatch(id, type)
    }
    if isTuple && fields.count != members.count { throw binder.mismatch(id, type) }
    return try binder.reader(for: id, self) { reader, binder in
      // A second value would be made where the first one already is.
      var bound: Set<Int> = []
      reader.steps = try fields.enumerated().map { index, field in
        let known = isTuple ? members.indices.first { $0 == index } : members.firstIndex { $0.key == field.key }
        guard let known else {
          binder.skip(field.type)
          return .skip(field.type)
        }
        if !bound.insert(known).inserted {
          throw ArchiveError(.malformed, message: "the archive has the field '\(field.key)' of \(type) twice")
        }
        return .member(
          try binder.reader(members[known].codec, field.type, below: field.key), offset: members[known].offset, key: members[known].key)
      }
      try reader.complete(members.filter { member in !isTuple && !fields.contains { $0.key == member.key } })
    } make: {
      StructReader(self)
    }
  }
}

private final class StructReader: ColumnReader, @unchecked Sendable {
  enum Step {
    case member(ColumnReader, offset: Int, key: String)
    case skip(TypeID)
  }

  var steps: [Step] = []
  override func unbind() { steps = [] }
  /// Optional fields that the archive does not have: they are nil.
  private var absent: [(codec: OptionalCodec, offset: Int)] = []
  private let structure: StructCodec

  init(_ codec: StructCodec) {
    structure = codec
    super.init(codec)
  }

  func complete(_ missing: [StructCodec.Member]) throws {
    if case .initializer = structure.omitted { return }
    for member in missing {
      guard let optional = member.codec as? OptionalCodec else {
        throw ArchiveError(
          .missingValue, path: "\(structure.type).\(member.key)",
          message: "the archive has no '\(member.key)' and \(structure.type) has no default for it; "
            + "make the property Optional or let \(structure.type) conform to MirrorInitializable")
      }
      absent.append((optional, member.offset))
    }
  }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    // SAFETY: fields are initialised one after another in every row; a failure destroys those that are done, in every row.
    var isAssigning = false
    if case .initializer(let type) = structure.omitted {
      // User code, but only `init()`: each row starts from the type's own defaults.
      unsafe rows.visit { _, p in unsafe initializeDefault(type, at: p) }
      isAssigning = true
    }
    var done: [(ValueCodec, Int)] = []
    var index = 0
    do {
      if steps.isEmpty { try FixedColumn.skip(count: rows.count, width: 0, from: &d.reader) }
      while index < steps.count {
        switch steps[index] {
        case .skip(let type): try d.skip(type, count: rows.count)
        case .member(let reader, let offset, _):
          if isAssigning {
            try reader.assign(rows.advanced(by: offset), &d)
          } else {
            try reader.read(rows.advanced(by: offset), &d)
            if !reader.codec.witnesses.isTrivial { done.append((reader.codec, offset)) }
          }
        }
        index += 1
      }
    } catch {
      if isAssigning { codec.destroy(rows) }
      for (codec, offset) in done { codec.destroy(rows.advanced(by: offset)) }
      if let error = error as? LocatedError, index < steps.count, case .member(_, _, let key) = steps[index] {
        throw error.moved(to: error.row, below: structure.component(key))
      }
      throw error
    }
    if isAssigning { return }
    for (optional, offset) in absent {
      unsafe rows.visit { _, p in unsafe optional.wrapped.witnesses.storeNone(p + offset) }
    }
    if case .empty(let transients) = structure.omitted {
      for (type, offset) in transients { unsafe rows.visit { _, p in _ = unsafe type.makeEmpty(at: p + offset) } }
    }
  }
}

/// Initialises memory of the type `type` with what its initializer gives.
private func initializeDefault<T: MirrorInitializable>(_ type: T.Type, at memory: UnsafeMutableRawPointer) {
  // SAFETY: the caller hands over uninitialised memory of this very type.
  unsafe memory.initializeMemory(as: T.self, to: T())
}
