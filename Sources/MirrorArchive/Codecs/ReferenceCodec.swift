import ArchiveFormat
import ArchiveReflection

/// What may be stored where a class or `AnyObject` is declared.
enum DeclaredObject {
  case anyObject
  case instances(of: AnyClass)
}

/// Strong references to objects: a column of object numbers.
final class ReferenceCodec: ValueCodec, @unchecked Sendable {
  let declared: DeclaredObject

  init(_ type: Any.Type, declared: DeclaredObject) {
    self.declared = declared
    super.init(type)
  }

  override var ownTraits: Traits { Traits(hasReferences: true) }

  /// What may stand where no class is declared is asked of the gate object by object.
  override var reach: Reach {
    if case .instances = declared { .word(isOptional: false) } else { .hidden }
  }

  override func describe(_ types: inout TypeTableBuilder) throws -> TypeID {
    guard types.isExact, case .instances(let type) = declared else { return .reference }
    return try types.byDeclaration { try PlanRegistry.shared.classPlan(for: type).describe(&$0) }
  }

  override func discover(_ rows: Rows, _ e: inout EncodingState) throws {
    if e.graph.isSearching {
      if let row = e.graph.find(in: rows) { throw LocatedError.find(row: row) }
      return
    }
    // SAFETY: every row holds one strong reference, which is one word.
    let isOpen: Bool
    if case .anyObject = declared { isOpen = true } else { isOpen = false }
    if isOpen { try e.admission.admitInOpenPlace(rows, replacesAll: e.graph.replacesAll) }
    var row = 0
    do {
      try e.graph.reach(rows, isOpen: isOpen, admitting: &e.admission, failedRow: &row)
    } catch let error as ArchiveError {
      throw LocatedError(error.code, row: row, error.message)
    }
  }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    // SAFETY: every row holds one strong reference, which is one word.
    if rows.count == 1, e.graph.substitutions.entries.isEmpty {
      let address = unsafe rows[0].load(as: UnsafeMutableRawPointer.self)
      guard let number = unsafe e.graph.soleNumber(of: address) else { throw unsafe e.missingNumber(of: address, row: 0) }
      return IntegerColumn.encodeOne(Int64(number), into: &e.writer)
    }
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    let numbers = unsafe e.scratch.allocate(Int64.self, rows.count)
    if let row = unsafe e.graph.numbers(of: rows, into: numbers) {
      throw unsafe e.missingNumber(of: unsafe rows[row].load(as: UnsafeRawPointer.self), row: row)
    }
    if case .instances(let type) = declared, !e.graph.substitutions.entries.isEmpty {
      for i in 0..<rows.count { try unsafe e.requireFitting(numbers[i], in: type, row: i) }
    }
    unsafe IntegerColumn.encode(UnsafeBufferPointer(start: numbers, count: rows.count), into: &e.writer)
  }

  override func makeReader(_ id: TypeID, _ binder: inout Binder) throws -> ColumnReader {
    guard id == .reference || binder.types[id]?.isObject == true else { throw binder.mismatch(id, type) }
    let admitted = try binder.admitted(for: declared)
    if binder.options.unknownClasses == .skip {
      return SkippingReferenceReader(self, admitted: admitted, isLenient: binder.options.conversionPolicy == .lenient)
    }
    return ReferenceReader(self, admitted: admitted)
  }
}

private final class ReferenceReader: ColumnReader, @unchecked Sendable {
  let admitted: AdmittedObjects

  init(_ codec: ReferenceCodec, admitted: AdmittedObjects) {
    self.admitted = admitted
    super.init(codec)
  }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: `resolve` checks every number and every object's class before the first row is written.
    let places = unsafe d.scratch.allocate(Int64.self, rows.count)
    unsafe try d.resolve(count: rows.count, admitted: admitted, into: places)
    unsafe rows.visit { i, p in
      unsafe p.storeBytes(of: d.objects.retained(Int(truncatingIfNeeded: places[i])), as: UnsafeMutableRawPointer.self)
    }
  }

}

extension EncodingState {
  /// Throws if an object that is archived for another one could not be read where a class is declared.
  ///
  /// One that may be replaced when it is read is left to that.
  fileprivate func requireFitting(_ number: Int64, in declared: AnyClass, row: Int) throws {
    let type: AnyClass = graph.blocks[Int(number >> 10)].plan.type
    var next: AnyClass? = type
    while let current = next {
      if current == declared { return }
      next = _getSuperclass(current)
    }
    if type is any ArchiveSubstitution.Type { return }
    throw LocatedError(
      .typeMismatch, row: row,
      "a \(Reflection.unqualifiedName(of: type)) is to be archived where a \(Reflection.unqualifiedName(of: declared)) is declared; "
        + "hand out an object of that class, or one that conforms to ArchiveSubstitution and hands one out when it is read")
  }

  /// Why a reference has no number.
  fileprivate func missingNumber(of address: UnsafeRawPointer, row: Int) -> LocatedError {
    if unsafe graph.isNothing(address) {
      return LocatedError(
        .invalidValue, row: row, "nil is to be archived for an object whose place is not Optional; make it Optional, or hand out an object")
    }
    return LocatedError(.invalidValue, row: row, "the object graph changed while it was encoded: this object was not there before")
  }
}

/// `weak` and `unowned` properties: kept if their target is archived through a strong path, whatever the order.
final class ConditionalReferenceCodec: ValueCodec, @unchecked Sendable {
  let ownership: Ownership
  let declared: DeclaredObject
  let isOptional: Bool
  /// The declared type of the property.
  let field: WeakField.DeclaredType

  init(_ type: Any.Type, declared: DeclaredObject, ownership: Ownership, isOptional: Bool) {
    field = WeakField.DeclaredType(type)
    self.declared = declared
    self.ownership = ownership
    self.isOptional = isOptional
    super.init(type)
  }

  override func destroy(_ rows: Rows) {
    // SAFETY: every row is an initialised field of this ownership.
    unsafe rows.visit { _, p in unsafe WeakField.deinitialize(p, ownership: ownership) }
  }

  override var ownTraits: Traits { Traits(hasConditional: true) }

  override func describe(_ types: inout TypeTableBuilder) throws -> TypeID { .optionalReference }

  /// Appends the column of one reference that is kept if its target has a number by now.
  static func encode(_ target: AnyObject?, _ e: inout EncodingState) {
    let number = target.flatMap { unsafe e.graph.number(of: unsafe Unmanaged.passUnretained($0).toOpaque()) }
    let presence: UInt8 = number == nil ? 0 : 1
    unsafe withUnsafePointer(to: presence) { unsafe BoolColumn.encode(UnsafeBufferPointer(start: $0, count: 1), into: &e.writer) }
    if let number { e.writer.appendZigzag(Int64(number)) }
  }

  override func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    let mark = e.scratch.mark()
    defer { e.scratch.release(mark) }
    let presence = unsafe e.scratch.allocate(UInt8.self, rows.count)
    let numbers = unsafe e.scratch.allocate(Int64.self, rows.count)
    var present = 0
    // SAFETY: every row is a field of this ownership; the target is held while its address is looked up.
    unsafe try rows.visit { i, p in
      let target = unsafe WeakField.load(p, ownership: ownership)
      let number: UInt? = target.flatMap { unsafe e.graph.number(of: Unmanaged.passUnretained($0).toOpaque()) }
      if let number {
        unsafe presence[i] = 1
        unsafe numbers[present] = Int64(number)
        present += 1
      } else {
        unsafe presence[i] = 0
        if !isOptional || (ownership != .weak && target != nil) {
          throw LocatedError(
            .missingUnownedTarget, row: i,
            "an unowned reference points to an object that no strong path of the archive reaches; archive its owner too, or declare it weak"
          )
        }
      }
    }
    unsafe BoolColumn.encode(UnsafeBufferPointer(start: presence, count: rows.count), into: &e.writer)
    unsafe IntegerColumn.encode(UnsafeBufferPointer(start: numbers, count: present), into: &e.writer)
  }

  override func makeReader(_ id: TypeID, _ binder: inout Binder) throws -> ColumnReader {
    // A reference that was strong may have been one that cannot be nil.
    let isOptional = binder.optionalPayload(of: id) == .reference
    guard isOptional || id == .reference else { throw binder.mismatch(id, type) }
    return ConditionalReferenceReader(
      self, admitted: try binder.admitted(forConditional: declared), hasPresence: isOptional,
      skips: binder.options.unknownClasses == .skip)
  }
}

private final class ConditionalReferenceReader: ColumnReader, @unchecked Sendable {
  let admitted: AdmittedObjects
  private let conditional: ConditionalReferenceCodec
  private let hasPresence: Bool
  /// Objects of unknown classes are left out.
  private let skips: Bool

  init(_ codec: ConditionalReferenceCodec, admitted: AdmittedObjects, hasPresence: Bool, skips: Bool) {
    self.admitted = admitted
    self.hasPresence = hasPresence
    self.skips = skips
    conditional = codec
    super.init(codec)
  }

  override func assignColumn(_ rows: Rows, _ d: inout DecodingState) throws { try store(rows, &d, isFresh: false) }
  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws { try store(rows, &d, isFresh: true) }

  private func store(_ rows: Rows, _ d: inout DecodingState, isFresh: Bool) throws {
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: numbers and classes are checked by `resolve`; the field's overlay does the reference counting.
    let found = try d.presence(rows.count, isStored: hasPresence)
    let presence = unsafe found.flags
    let present = found.count
    let places = unsafe d.scratch.allocate(Int64.self, present)
    let noticeCount = d.notices.count
    unsafe try d.resolve(count: present, admitted: admitted, into: places, leavingOut: skips)
    if d.notices.count > noticeCount {
      let rows = (0..<rows.count).filter { unsafe presence[$0] != 0 }
      d.notices.move(since: noticeCount) { $0.move(to: rows[$0.row], below: "") }
    }
    if !conditional.isOptional && present < rows.count {
      throw d.missing("an unowned reference has no target in the archive")
    }
    var next = 0
    for i in 0..<rows.count {
      var target: AnyObject?
      if unsafe presence[i] != 0 {
        let place = Int(truncatingIfNeeded: unsafe places[next])
        if place >= 0 { target = unsafe Unmanaged<AnyObject>.fromOpaque(d.objects[place]).takeUnretainedValue() }
        next += 1
      }
      if target == nil && !conditional.isOptional {
        for done in 0..<i where isFresh { unsafe WeakField.deinitialize(rows[done], ownership: conditional.ownership) }
        throw d.refusal(row: i)
      }
      let stored =
        isFresh
        ? unsafe WeakField.initialize(rows[i], to: target, declared: conditional.field, ownership: conditional.ownership)
        : unsafe WeakField.assign(target, to: rows[i], declared: conditional.field, ownership: conditional.ownership)
      if !stored {
        for done in 0..<i where isFresh { unsafe WeakField.deinitialize(rows[done], ownership: conditional.ownership) }
        throw d.invalid("the object is not a \(codec.type)", row: i)
      }
    }
  }
}
