import ArchiveFormat
import ArchiveReflection

/// What rules do to the readers of properties.
extension Binder {
  /// The reader of a stored property, or of a field of a struct, that rules may be about.
  ///
  /// - Parameters:
  ///   - rule: What is said about its values, nil mostly.
  ///   - value: The rule's default, in the form of the property.
  mutating func ruledReader(
    _ codec: ValueCodec, _ id: TypeID, rule: PropertyRule?, _ value: PropertyDefault?, below component: String
  ) throws -> ColumnReader {
    var partial: ColumnReader?
    if rule?.usesDefaultForUnknownCases ?? false {
      path.append(component)
      partial = try caseReader(codec, id)
      path.removeLast()
    }
    let reader = try partial ?? propertyReader(codec, id, rule: rule, below: component)
    guard let value else { return reader }
    switch reader {
    case let partial as PartialReader where partial.keepsValues: return DefaultingReader(partial, value)
    case let constant as LetReader:
      if let partial = constant.inner as? PartialReader { return LetReader(DefaultingReader(partial, value)) }
      return reader
    default: return reader
    }
  }

  /// A reader that leaves rows of unknown cases alone, for an enum or an Optional of one; nil if something else was archived.
  private mutating func caseReader(_ codec: ValueCodec, _ id: TypeID) throws -> ColumnReader? {
    if let payload = letPayload(of: id) {
      let inner = (codec as? LetCodec)?.inner ?? codec
      return try partialReader(inner, payload).map { LetReader($0) }
    }
    return try partialReader((codec as? LetCodec)?.inner ?? codec, id)
  }

  private mutating func partialReader(_ codec: ValueCodec, _ id: TypeID) throws -> PartialReader? {
    if let enumeration = codec as? EnumCodec, let reader = try enumeration.makePartialReader(id, &self) { return reader }
    if codec is EnumCodec, let reader = try rawReader(codec, id, isLenient: true) { return reader }
    let payload = optionalPayload(of: id)
    guard payload != nil || codec is OptionalCodec else { return nil }
    // What is archived may be an Optional where none is declared, or the other way round.
    let wrapped = (codec as? OptionalCodec)?.wrapped ?? codec
    guard !(wrapped is OptionalCodec), let inner = try partialReader(wrapped, payload ?? id) else { return nil }
    return PartialOptionalReader(codec, inner, isArchivedOptional: payload != nil)
  }

  /// The archived type and the declared one in words, if they are not the same.
  ///
  /// Structs and enums are the same if they go by one name; what differs inside them is noted with them.
  func conversion(of id: TypeID, to codec: ValueCodec) -> (archived: String, declared: String)? {
    switch codec {
    // What most properties are, without describing anything.
    case let scalar as ScalarCodec where scalar.scalar == id: return nil
    case let optional as OptionalCodec where id.wrappedScalar != nil:
      if let scalar = optional.wrapped as? ScalarCodec, scalar.scalar == id.wrappedScalar { return nil }
      if id == .optionalReference, optional.wrapped is ReferenceCodec { return nil }
    case is ReferenceCodec where id == .reference: return nil
    default: break
    }
    let inner = (codec as? LetCodec)?.inner ?? codec
    let archived = letPayload(of: id) ?? id
    var own = TypeTableBuilder()
    guard let declared = try? inner.describe(&own) else { return nil }
    var budget = 256
    if isSame(archived, declared, own.table, &budget) { return nil }
    return (types.describe(archived), own.table.describe(declared))
  }

  private func isSame(_ id: TypeID, _ declared: TypeID, _ own: TypeTable, _ budget: inout Int) -> Bool {
    budget -= 1
    if budget < 0 { return true }
    if let payload = optionalPayload(of: id) {
      guard let wrapped = own.optionalPayload(of: declared) else { return false }
      return isSame(payload, wrapped, own, &budget)
    }
    switch (types[id], own[declared]) {
    case (nil, nil): return id == declared || (id == .pooledString && declared == .string)
    case (.array(let a)?, .array(let b)?), (.set(let a)?, .set(let b)?): return isSame(a, b, own, &budget)
    case (.inlineArray(let a, let count)?, .inlineArray(let b, let declaredCount)?):
      return count == declaredCount && isSame(a, b, own, &budget)
    case (.dictionary(let key, let value)?, .dictionary(let declaredKey, let declaredValue)?):
      return isSame(key, declaredKey, own, &budget) && isSame(value, declaredValue, own, &budget)
    case (.tuple(let a)?, .tuple(let b)?):
      return a.count == b.count && zip(a, b).allSatisfy { isSame($0.type, $1.type, own, &budget) }
    case (.structure(let name, _, _)?, .structure(let declaredName, _, _)?),
      (.enumeration(let name, _, _)?, .enumeration(let declaredName, _, _)?):
      return currentName(of: name) == declaredName || id.entryIndex.flatMap { typeFacts[$0]?.currentName } == declaredName
    case (.object?, nil): return declared == .reference
    case (.object?, .object?): return true
    default: return false
    }
  }
}

/// Puts the default of a property's rule where a partial reader has nothing.
final class DefaultingReader: ColumnReader, @unchecked Sendable {
  private let partial: PartialReader
  private let value: PropertyDefault
  override var passesOver: Bool { partial.passesOver }

  init(_ partial: PartialReader, _ value: PropertyDefault) {
    self.partial = partial
    self.value = value
    super.init(partial.codec)
  }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: one flag per row; rows without a flag of 1 hold no value.
    let present = unsafe d.scratch.allocate(UInt8.self, rows.count)
    unsafe present.initialize(repeating: 0, count: rows.count)
    unsafe try partial.readPartially(rows, present, &d)
    unsafe rows.visit { i, p in if unsafe present[i] == 0 { unsafe value.initialize(p) } }
  }
}

/// Optionals of values that a reader may have nothing for: nil is a value, nothing is none.
final class PartialOptionalReader: PartialReader, @unchecked Sendable {
  private let wrapped: PartialReader
  private let isArchivedOptional: Bool

  /// - Parameter codec: Of the Optional, or of what is wrapped if none is declared.
  init(_ codec: ValueCodec, _ wrapped: PartialReader, isArchivedOptional: Bool) {
    self.wrapped = wrapped
    self.isArchivedOptional = isArchivedOptional
    super.init(codec)
    if codec is OptionalCodec { unsafe fallback = { p in unsafe codec.initializeBlank(p) } }
  }

  override func readPartially(_ rows: Rows, _ present: UnsafeMutablePointer<UInt8>, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: payloads are read into the Optionals' own memory (offset 0); then each row that has one gets its tag.
    let presence = unsafe d.scratch.allocate(UInt8.self, rows.count)
    if isArchivedOptional {
      unsafe try BoolColumn.decode(count: rows.count, from: &d.reader, into: presence)
    } else {
      unsafe presence.initialize(repeating: 1, count: rows.count)
    }
    let pointers = unsafe d.scratch.allocate(UnsafeMutableRawPointer.self, rows.count)
    let places = unsafe d.scratch.allocate(Int.self, rows.count)
    var count = 0
    let isOptional = codec is OptionalCodec
    unsafe try rows.visit { i, p in
      if unsafe presence[i] == 0, !isOptional {
        throw LocatedError(
          .missingValue, row: i, offset: d.reader.offset,
          "the archive holds nil where the program declares \(codec.type), which is not Optional")
      }
      unsafe pointers[count] = p
      unsafe places[count] = i
      count &+= Int(unsafe presence[i])
    }
    let flags = unsafe d.scratch.allocate(UInt8.self, count)
    unsafe flags.initialize(repeating: 0, count: count)
    if count > 0 || !isArchivedOptional {
      let notices = d.notices.count
      do {
        unsafe try wrapped.readPartially(Rows(pointers: pointers, count: count), flags, &d)
      } catch let error as LocatedError {
        throw unsafe error.moved(to: error.row < count ? places[error.row] : error.row, below: "")
      }
      if d.notices.count > notices {
        d.notices.move(since: notices) { notice in unsafe notice.move(to: notice.row < count ? places[notice.row] : notice.row, below: "") }
      }
    }
    for k in 0..<count where unsafe flags[k] != 0 {
      if isOptional { unsafe wrapped.codec.witnesses.storeSome(pointers[k]) }
      unsafe present[places[k]] = 1
    }
    unsafe rows.visit { i, p in
      if unsafe presence[i] != 0 { return }
      unsafe wrapped.codec.witnesses.storeNone(p)
      unsafe present[i] = 1
    }
  }
}

extension Notices {
  /// Translates those that came since from rows that hold a value to all rows: `presence` has a 1 for each that does.
  mutating func move(since mark: Int, toRowsAmong presence: UnsafePointer<UInt8>, count: Int) {
    let rows = (0..<count).filter { unsafe presence[$0] != 0 }
    move(since: mark) { notice in if rows.indices.contains(notice.row) { notice.move(to: rows[notice.row], below: "") } }
  }
}
