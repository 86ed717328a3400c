import ArchiveFormat
import ArchiveReflection

extension Binder {
  /// A reader that makes objects of structs with the same properties; nil for other pairs, and for classes whose objects only their own code
  /// makes or replaces.
  mutating func objectReader(_ codec: ValueCodec, _ id: TypeID) throws -> ColumnReader? {
    guard let reference = codec as? ReferenceCodec, case .instances(let type) = reference.declared,
      case .structure(_, let version, let fields)? = types[id]
    else { return nil }
    let plan = try PlanRegistry.shared.classPlan(for: type)
    if plan.hasRecord || plan.substitutes { return nil }
    if case .impossible(let error) = plan.construction { throw error }
    answer(id)
    return try ObjectMaker(reference, plan, fields, version: version, &self)
  }
}

/// Reads the columns of a struct into the properties of new objects, one for each row.
private final class ObjectMaker: ColumnReader, @unchecked Sendable {
  private struct Step {
    /// Nil for a field that the class has no property for.
    var reader: ColumnReader?
    var offset = 0
    var name = ""
    let type: TypeID
  }

  private let plan: ClassPlan
  private let facts: ClassFacts
  private let hasReferences: Bool
  private var steps: [Step] = []
  private var absent: [AbsentField] = []
  private var replaced: [(value: PropertyDefault, offset: Int, witnesses: ValueWitnesses)] = []

  init(_ codec: ReferenceCodec, _ plan: ClassPlan, _ fields: [Property], version: UInt64, _ binder: inout Binder) throws {
    self.plan = plan
    hasReferences = plan.hasReferences || plan.hasConditional
    let typeName = Reflection.unqualifiedName(of: plan.type)
    steps = fields.map { Step(type: $0.type) }
    var missing: [PropertyPlan] = []
    // The nearest property of a name first: a struct has no levels.
    for property in plan.levels.reversed().flatMap(\.properties) {
      let keys = [property.key] + property.formerKeys
      let place = keys.lazy.compactMap { key in fields.firstIndex { $0.key == key } }.first
      guard let place, steps[place].reader == nil else {
        missing.append(property)
        continue
      }
      steps[place].offset = property.offset
      steps[place].name = property.name
      steps[place].reader = try binder.ruledReader(
        property.codec, fields[place].type, rule: property.rule, property.defaultValue, below: "\(typeName).\(property.name)")
    }
    for step in steps where step.reader == nil { binder.skip(step.type) }
    let unknown = zip(fields, steps).enumerated().filter { $1.1.reader == nil }
    facts = ClassFacts(
      version: version, unknown: unknown.map { ClassFacts.UnknownKey(name: $1.0.key, key: $1.0.key, step: $0) },
      defaulted: missing.map(\.key))
    super.init(codec)
    try complete(missing, typeName)
  }

  private func complete(_ missing: [PropertyPlan], _ typeName: String) throws {
    guard case .allocation = plan.construction else {
      replaced = plan.omittedDefaults
      for property in missing {
        if let value = property.defaultValue { replaced.append((value, property.offset, property.codec.witnesses)) }
      }
      return
    }
    for property in missing where property.codec.witnesses.size > 0 {
      guard let field = AbsentField(property.codec, property.offset, property.defaultValue) else {
        throw ArchiveError(
          .missingValue, path: "\(typeName).\(property.name)",
          message:
            "the archived struct has no '\(property.key)' and no initializer gives it a value; make it Optional, give it a default in "
            + "archiveRules, or add init() (MirrorInitializable)")
      }
      absent.append(field)
    }
  }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    if rows.count == 0 { return }
    if hasReferences && d.objects.hasIncompleteMemory {
      // If the graph were given up, the new object's deinit would see the others without their properties.
      throw LocatedError(
        .unsupportedType, row: 0, offset: d.reader.offset,
        "a struct becomes a \(codec.type), which refers to other objects, in an object that has no init() to begin with; let its class "
          + "conform to MirrorInitializable")
    }
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: `make` retains each object once; the counts go to the rows, or are given up after a failure.
    let objects = unsafe d.scratch.allocate(UnsafeMutableRawPointer.self, rows.count)
    unsafe try plan.make(rows.count, into: objects)
    let made = unsafe Rows(pointers: objects, count: rows.count)
    try fill(made, &d)
    if plan.hasDidDecode {
      let list = (0..<rows.count).map { unsafe Unmanaged<AnyObject>.fromOpaque(objects[$0]).takeUnretainedValue() }
      if d.converted == nil { d.converted = ConvertedObjects([]) }
      d.converted?.made.append(MadeObjects(plan: plan, facts: facts, objects: list))
    }
    unsafe rows.visit { i, p in unsafe p.storeBytes(of: objects[i], as: UnsafeMutableRawPointer.self) }
  }

  private func fill(_ made: Rows, _ d: inout DecodingState) throws {
    var done: [(codec: ValueCodec, offset: Int)] = []
    var isBare = false
    if case .allocation = plan.construction { isBare = true }
    do {
      if steps.isEmpty { try FixedColumn.skip(count: made.count, width: 0, from: &d.reader) }
      for step in steps {
        guard let reader = step.reader else {
          try d.skip(step.type, count: made.count)
          continue
        }
        try fill(made.advanced(by: step.offset), isBare, reader, step.name, &d)
        if isBare { done.append((reader.codec, step.offset)) }
      }
      if isBare {
        for field in absent {
          field.initialize(made)
          done.append((field.codec, field.offset))
        }
        if case .allocation(_, let omitted) = plan.construction {
          for field in omitted {
            field.initialize(made)
            done.append((field.codec, field.offset))
          }
        }
      } else if !replaced.isEmpty {
        d.objects.holdAll()  // What is replaced may be objects with a `deinit`.
        for (value, offset, witnesses) in replaced { value.assign(made.advanced(by: offset), witnesses) }
      }
      // SAFETY: all properties of the objects hold values now.
      try plan.verify(with: unsafe Unmanaged<AnyObject>.fromOpaque(made[0]).takeUnretainedValue())
    } catch {
      d.objects.holdAll()
      // SAFETY: nobody else has the objects. Those without an initializer are freed without their `deinit`.
      if isBare {
        for (codec, offset) in done { codec.destroy(made.advanced(by: offset)) }
        unsafe made.visit { _, p in unsafe ObjectAllocation.abandon(Unmanaged<AnyObject>.fromOpaque(p).takeUnretainedValue()) }
      }
      unsafe made.visit { _, p in unsafe Unmanaged<AnyObject>.fromOpaque(p).release() }
      throw error
    }
  }

  private func fill(_ fields: Rows, _ isBare: Bool, _ reader: ColumnReader, _ name: String, _ d: inout DecodingState) throws {
    let notices = d.notices.count
    do {
      if isBare { try reader.read(fields, &d) } else { try reader.assign(fields, &d) }
    } catch let error as LocatedError {
      throw error.moved(to: error.row, below: "." + name)
    }
    if d.notices.count > notices { d.notices.move(since: notices) { $0.move(to: $0.row, below: "." + name) } }
  }
}

extension DecodingState {
  /// Calls `didDecode` on the objects that were made from structs: what they refer to may not have been told yet.
  mutating func callMadeHooks() throws {
    guard let made = converted?.takeMade() else { return }
    objects.holdAll()  // The hooks may let go of any object.
    try made.callHooks()
  }
}

extension [MadeObjects] {
  /// Tells them in the reverse order in which they were made.
  func callHooks() throws {
    for group in reversed() {
      for object in group.objects.reversed() {
        // SAFETY: the object is of the plan's class, and held by the list.
        unsafe try group.plan.didDecode(Unmanaged.passUnretained(object).toOpaque(), DecodingContext(group.facts, nil, row: 0))
      }
    }
  }
}
