import ArchiveFormat
import ArchiveReflection

/// How the blocks of one archived class are read into objects of one class of today.
@safe
final class ClassReader {
  /// One column. Shared, not copied, because steps are walked for every block.
  @safe
  final class Step {
    /// The key in the archive.
    let key: String
    /// The name in the program.
    let name: String
    /// Nil for a property that this program does not have.
    let reader: ColumnReader?
    let offset: Int
    let type: TypeID
    let poolID: UInt64
    /// Waits until everything else is filled, because reading it runs code of the program, such as `hash(into:)`.
    let isDeferred: Bool

    /// The same reader and what it says, for the loop over the columns of small blocks, where counting would cost more than a value does.
    let uncounted: Unmanaged<ColumnReader>?
    let hasBlank: Bool

    /// Whether anything is made of the values.
    var isRead: Bool { reader.map { !$0.passesOver } ?? false }

    init(key: String, name: String, reader: ColumnReader?, offset: Int, type: TypeID, poolID: UInt64, isDeferred: Bool) {
      self.key = key
      self.name = name
      self.reader = reader
      self.offset = offset
      self.type = type
      self.poolID = poolID
      self.isDeferred = isDeferred
      unsafe uncounted = reader.map { unsafe .passUnretained($0) }
      hasBlank = reader?.codec.hasBlank ?? false
    }

    /// The keys that are coded by hand, which stand with the properties.
    var isRecord: Bool { type == .record }
  }

  /// When a property is filled.
  enum Phase {
    /// At once.
    case first
    /// When the hand-coded objects that it refers to have been made.
    case late
    /// When everything else is filled.
    case deferred
  }

  let plan: ClassPlan
  /// In what the archived properties and those of today differ.
  let facts: ClassFacts
  let steps: [Step]
  private let uncounted: UnsafeMutableBufferPointer<Unmanaged<Step>>
  /// Whether objects that an initializer has filled get each property when its column comes, and nothing else: so it is with nearly all.
  private let isPlain: Bool
  /// Properties that the archive does not have and that no initializer fills: they are nil, or what the rules say.
  private let absent: [AbsentField]
  /// Properties that the archive does not have and to which the rules give another value than the initializer does.
  private let replaced: [(value: PropertyDefault, offset: Int, witnesses: ValueWitnesses)]

  init(_ id: TypeID, _ plan: ClassPlan, _ binder: inout Binder) throws {
    self.plan = plan
    let archived = ArchivedProperties(id, binder.types)
    let typeName = Reflection.unqualifiedName(of: plan.type)
    let (bound, missing) = try archived.bind(to: plan, binder)
    var unknown: [(key: String, owner: String, step: Int)] = []
    var conversions: [ClassFacts.Conversion] = []
    var steps: [Step] = []
    for (ordinal, column) in archived.columns.enumerated() {
      let property = column.property
      let poolID = StringPools.id(entry: id.entryIndex ?? 0, ordinal: ordinal)
      guard let known = bound[ordinal] else {
        binder.skip(property.type)
        // Keys that were coded by hand are the object's own affair as long as it has code for them.
        if property.type != .record || !plan.hasRecord { unknown.append((property.key, column.level, steps.count)) }
        steps.append(
          Step(key: property.key, name: property.key, reader: nil, offset: 0, type: property.type, poolID: poolID, isDeferred: false))
        continue
      }
      let reader = try binder.ruledReader(
        known.codec, property.type, rule: known.rule, known.defaultValue, below: "\(typeName).\(known.name)")
      if let converted = binder.conversion(of: property.type, to: known.codec) {
        conversions.append(ClassFacts.Conversion(key: known.key, archived: converted.archived, declared: converted.declared))
      }
      steps.append(
        Step(
          key: property.key, name: known.name, reader: reader, offset: known.offset, type: property.type, poolID: poolID,
          isDeferred: known.codec.traits.needsCompleteGraph))
    }
    self.steps = steps
    facts = ClassFacts(
      version: archived.version, unknown: ClassFacts.unknownKeys(unknown), defaulted: missing.map(\.key), converted: conversions)
    guard case .allocation = plan.construction else {
      var replaced = plan.omittedDefaults
      for property in missing {
        if let value = property.defaultValue { replaced.append((value, property.offset, property.codec.witnesses)) }
      }
      self.replaced = replaced
      absent = []
      unsafe uncounted = Self.uncounted(steps)
      isPlain = replaced.isEmpty && !steps.isEmpty && !steps.contains { $0.isDeferred }
      return
    }
    var absent: [AbsentField] = []
    for property in missing where property.codec.witnesses.size > 0 {
      guard let field = AbsentField(property.codec, property.offset, property.defaultValue) else {
        throw ArchiveError(
          .missingValue, path: "\(typeName).\(property.name)",
          message: "the archive has no '\(property.key)' and no initializer gives it a value; make it Optional, give it a default in "
            + "archiveRules, or add init() (MirrorInitializable)")
      }
      absent.append(field)
    }
    self.absent = absent
    replaced = []
    unsafe uncounted = Self.uncounted(steps)
    isPlain = false
  }

  deinit { unsafe uncounted.deallocate() }

  private static func uncounted(_ steps: [Step]) -> UnsafeMutableBufferPointer<Unmanaged<Step>> {
    let memory = UnsafeMutableBufferPointer<Unmanaged<Step>>.allocate(capacity: steps.count)
    for i in steps.indices { unsafe memory.initializeElement(at: i, to: .passUnretained(steps[i])) }
    return unsafe memory
  }

  /// Fills properties of the objects of one block.
  ///
  /// - Parameter late: Per step, whether it refers to objects that are made later; nil if none does.
  func fill(block: Int, from bytes: ByteReader, _ phase: Phase, late: [Bool]? = nil, _ d: inout DecodingState) throws {
    d.reader = bytes
    let rows = d.objects.rows(ofBlock: block)
    if isPlain, rows.count < BlockLayout.firstFramedCount, late == nil, phase == .first { return try fillPlainly(block, rows, &d) }
    let isBare = d.objects.isBare(block: block)
    if steps.isEmpty { try FixedColumn.skip(count: rows.count, width: 0, from: &d.reader) }
    var hasGaps = false
    let hasMemory = d.objects.hasCompleteMemory(block: block)
    for index in unsafe uncounted.indices {
      let isLate = late?[index] ?? false
      // SAFETY: the steps belong to this reader, which is not let go of while it reads.
      try unsafe uncounted[index]._withUnsafeGuaranteedRef { step in
        // Behind a protocol or a class there is no empty value for bare memory, so such a property cannot wait.
        let canWait = !isBare || step.hasBlank
        let itsPhase: Phase = step.isDeferred && canWait ? .deferred : isLate ? .late : .first
        if itsPhase == .late && !canWait { hasGaps = true }
        do {
          try fill(step, rows, block, isBare && !hasMemory && (phase == .first || !canWait), phase, itsPhase, &d)
        } catch {
          throw located(error, step, block)
        }
      }
    }
    if d.reader.remaining > 0 { throw leftOver(d.reader) }
    if phase == .first { fillRest(rows, block, isBare, &d) }
    if isBare && !hasMemory && (hasGaps ? phase == .late : phase == .first) {
      try d.objects.verify(block: block, plan)
      d.objects.completeMemory(ofBlock: block)
    }
  }

  /// The same for a few objects whose properties all have values already, each of which is replaced at once.
  private func fillPlainly(_ block: Int, _ rows: Rows, _ d: inout DecodingState) throws {
    for index in unsafe uncounted.indices {
      // SAFETY: the steps belong to this reader, which is not let go of while it reads, and their readers to them.
      try unsafe uncounted[index]._withUnsafeGuaranteedRef { step in
        do {
          guard let reader = unsafe step.uncounted else { return try d.skip(step.type, count: rows.count) }
          d.poolID = step.poolID
          try unsafe reader._withUnsafeGuaranteedRef { try $0.assign(rows.advanced(by: step.offset), &d) }
          if d.notices.count > 0 { d.report(block: block, place: ".\(step.name)") }
        } catch {
          throw located(error, step, block)
        }
      }
    }
    if d.reader.remaining > 0 { throw leftOver(d.reader) }
  }

  /// What the archive has nothing for.
  private func fillRest(_ rows: Rows, _ block: Int, _ isBare: Bool, _ d: inout DecodingState) {
    guard isBare else {
      if replaced.isEmpty { return }
      // What is replaced may be objects, and their `deinit` may let go of objects that are still needed.
      d.objects.holdAll()
      for (value, offset, witnesses) in replaced { value.assign(rows.advanced(by: offset), witnesses) }
      return
    }
    for field in absent {
      field.initialize(rows)
      d.objects.fill(block: block, field.codec, field.offset)
    }
    if case .allocation(_, let omitted) = plan.construction {
      for field in omitted {
        field.initialize(rows)
        d.objects.fill(block: block, field.codec, field.offset)
      }
    }
  }

  /// - Parameter isBare: The property's memory holds no value yet.
  private func fill(
    _ step: Step, _ rows: Rows, _ block: Int, _ isBare: Bool, _ phase: Phase, _ itsPhase: Phase, _ d: inout DecodingState
  ) throws {
    let isFramed = rows.count >= BlockLayout.firstFramedCount
    let length = isFramed ? try d.reader.readCount() : 0
    guard let reader = unsafe step.uncounted, itsPhase == phase else {
      if isBare, phase == .first, let codec = step.reader?.codec, codec.hasBlank {
        unsafe rows.advanced(by: step.offset).visit { _, p in unsafe codec.initializeBlank(p) }
        d.objects.fill(block: block, codec, step.offset)
      }
      return isFramed ? try d.reader.skip(length) : try d.skip(step.type, count: rows.count)
    }
    var outer: ByteReader?
    if isFramed {
      let column = try d.reader.slice(length)
      outer = d.reader
      d.reader = column
    }
    d.poolID = step.poolID
    let fields = rows.advanced(by: step.offset)
    // SAFETY: the reader belongs to the step.
    try unsafe reader._withUnsafeGuaranteedRef { reader in
      if isBare {
        try reader.read(fields, &d)
        d.objects.fill(block: block, reader.codec, step.offset)
      } else {
        try reader.assign(fields, &d)
      }
    }
    if d.notices.count > 0 { d.report(block: block, place: ".\(step.name)") }
    if let outer {
      if d.reader.remaining > 0 { throw d.malformed("\(d.reader.remaining) bytes are left over behind the column", row: 0) }
      d.reader = outer
    }
  }

  private func leftOver(_ rest: ByteReader) -> ArchiveError {
    ArchiveError(
      .malformed, offset: rest.offset,
      message: "\(rest.remaining) bytes are left over behind the properties of \(Reflection.unqualifiedName(of: plan.type))")
  }

  /// The error with what is known here about its place.
  private func located(_ error: any Error, _ step: Step, _ block: Int) -> any Error {
    if let error = error as? FormatError { return ArchiveError(error, path: "\(Reflection.unqualifiedName(of: plan.type)).\(step.name)") }
    guard let error = error as? LocatedError else { return error }
    var located = error.error
    located.message = "\(Reflection.unqualifiedName(of: plan.type)).\(step.name): \(located.message)"
    return ObjectError(error: located, object: block << 10 | error.row, place: ".\(step.name)\(error.suffix)")
  }
}
