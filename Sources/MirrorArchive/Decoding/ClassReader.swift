import ArchiveFormat
import ArchiveReflection

/// How the blocks of one archived class are read into objects of one class of today.
struct ClassReader {
  struct Step {
    let key: String
    /// Nil for a property that this program does not have.
    let reader: ColumnReader?
    let offset: Int
    let type: TypeID
    let poolID: UInt64
    /// Waits until everything else is filled, because reading it runs code of the program, such as `hash(into:)`.
    let isDeferred: Bool

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
  let version: UInt64
  let facts: TypeFacts
  private(set) var steps: [Step] = []
  /// Optional properties that the archive does not have, for objects no initializer fills.
  private(set) var absent: [(codec: OptionalCodec, offset: Int)] = []

  init(_ id: TypeID, _ plan: ClassPlan, _ binder: inout Binder) throws {
    self.plan = plan
    // The archived levels, in the end base first.
    var chain: [(name: String, properties: [Property])] = []
    var version: UInt64 = 0
    var next: TypeID? = id
    while let current = next, case .object(let name, let itsVersion, let superclass, let properties)? = binder.types[current] {
      if current == id { version = itsVersion }
      chain.append((name, properties))
      next = superclass
    }
    chain.reverse()
    self.version = version
    var unknown: [(key: String, owner: String, step: Int)] = []
    // By offset, which properties without bytes do not have.
    var bound: Set<Int> = []
    var ordinal = 0
    for archived in chain {
      let name = binder.currentName(of: archived.name)
      let level = plan.levels.firstIndex { $0.name == name }
      for property in archived.properties {
        let poolID = StringPools.id(entry: id.entryIndex ?? 0, ordinal: ordinal)
        ordinal += 1
        let known = level.flatMap { level in plan.levels[level].properties.first { $0.key == property.key } }
        if let known, property.type != .record {
          let place = "\(Reflection.unqualifiedName(of: plan.type)).\(property.key)"
          let reader = try binder.propertyReader(known.codec, property.type, below: place)
          if known.codec.witnesses.size > 0, !bound.insert(known.offset).inserted {
            throw ArchiveError(.malformed, message: "the archive has the property '\(property.key)' twice")
          }
          steps.append(
            Step(
              key: property.key, reader: reader, offset: known.offset, type: property.type, poolID: poolID,
              isDeferred: known.codec.traits.needsCompleteGraph))
        } else {
          if property.type != .record { unknown.append((property.key, archived.name, steps.count)) }
          binder.skip(property.type)
          steps.append(Step(key: property.key, reader: nil, offset: 0, type: property.type, poolID: poolID, isDeferred: false))
        }
      }
    }
    facts = TypeFacts(version: version, unknown: TypeFacts.unknownKeys(unknown))
    if case .allocation = plan.construction {
      for level in plan.levels {
        for property in level.properties where property.codec.witnesses.size > 0 && !bound.contains(property.offset) {
          guard let optional = property.codec as? OptionalCodec else {
            throw ArchiveError(
              .missingValue, path: "\(Reflection.unqualifiedName(of: plan.type)).\(property.key)",
              message:
                "the archive has no '\(property.key)' and no initializer gives it a value; make it Optional or add init() (MirrorInitializable)"
            )
          }
          absent.append((optional, property.offset))
        }
      }
    }
  }

  /// Fills properties of the objects of one block.
  ///
  /// - Parameter late: Per step, whether it refers to objects that are made later; nil if none does.
  func fill(block: Int, from bytes: ByteReader, _ phase: Phase, late: [Bool]? = nil, _ d: inout DecodingState) throws {
    d.reader = bytes
    let rows = d.objects.rows(ofBlock: block)
    let isBare = d.objects.isBare(block: block)
    if steps.isEmpty { try FixedColumn.skip(count: rows.count, width: 0, from: &d.reader) }
    var hasGaps = false
    let hasMemory = d.objects.hasCompleteMemory(block: block)
    for (index, step) in steps.enumerated() {
      let isLate = late?[index] ?? false
      // Behind a protocol or a class there is no empty value for bare memory, so such a property cannot wait.
      let canWait = !isBare || step.reader?.codec.hasBlank ?? false
      let itsPhase: Phase = step.isDeferred && canWait ? .deferred : isLate ? .late : .first
      if itsPhase == .late && !canWait { hasGaps = true }
      do {
        try fill(step, rows, block, isBare && !hasMemory && (phase == .first || !canWait), phase, itsPhase, &d)
      } catch let error as LocatedError {
        throw located(error, step, block)
      } catch let error as FormatError {
        throw ArchiveError(error, path: "\(Reflection.unqualifiedName(of: plan.type)).\(step.key)")
      }
    }
    if d.reader.remaining > 0 {
      throw ArchiveError(
        .malformed, offset: d.reader.offset,
        message: "\(d.reader.remaining) bytes are left over behind the properties of \(Reflection.unqualifiedName(of: plan.type))")
    }
    if isBare && phase == .first {
      for (optional, offset) in absent {
        unsafe rows.visit { _, p in unsafe optional.wrapped.witnesses.storeNone(p + offset) }
        d.objects.fill(block: block, optional, offset)
      }
      if case .allocation(_, let transients) = plan.construction {
        // Only an Optional comes here; its empty value owns nothing, so a failure has nothing to take back.
        for (type, offset) in transients { unsafe rows.visit { _, p in _ = unsafe type.makeEmpty(at: p + offset) } }
      }
    }
    if isBare && !hasMemory && (hasGaps ? phase == .late : phase == .first) {
      try d.objects.verify(block: block, plan)
      d.objects.completeMemory(ofBlock: block)
    }
  }

  /// - Parameter isBare: The property's memory holds no value yet.
  private func fill(
    _ step: Step, _ rows: Rows, _ block: Int, _ isBare: Bool, _ phase: Phase, _ itsPhase: Phase, _ d: inout DecodingState
  ) throws {
    let isFramed = rows.count >= BlockLayout.firstFramedCount
    let length = isFramed ? try d.reader.readCount() : 0
    guard let reader = step.reader, itsPhase == phase else {
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
    if isBare {
      try reader.read(fields, &d)
      d.objects.fill(block: block, reader.codec, step.offset)
    } else {
      try reader.assign(fields, &d)
    }
    if d.notices.count > 0 { d.report(block: block, place: ".\(step.key)") }
    if let outer {
      if d.reader.remaining > 0 { throw d.malformed("\(d.reader.remaining) bytes are left over behind the column", row: 0) }
      d.reader = outer
    }
  }

  private func located(_ error: LocatedError, _ step: Step, _ block: Int) -> ObjectError {
    var located = error.error
    located.message = "\(Reflection.unqualifiedName(of: plan.type)).\(step.key): \(located.message)"
    return ObjectError(error: located, object: block << 10 | error.row, place: ".\(step.key)\(error.suffix)")
  }
}
