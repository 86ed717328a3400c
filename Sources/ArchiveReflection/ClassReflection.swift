internal import Observation

extension Reflection {
  private static let managedBuffer = TypeDescriptor(ManagedBuffer<Int, Int>.self)?.identity

  /// The stored properties of a class and its superclasses.
  ///
  /// A property that cannot be archived is listed like any other; ask `refusal(for:in:)` about it. The storage of an actor's executor and the
  /// registrar of `@Observable` are left out.
  /// - Parameter instance: An object of exactly that class, whose `Mirror` is compared with the field records. A type with a `customMirror` of
  ///   its own is believed only as far as its records go.
  /// - Throws: `.unsupportedType` if it is not a class, `.objectiveCRoot`, `.managedBuffer`, `.missingMetadata`, `.namelessFields`,
  ///   `.layoutMismatch`, `.mirrorDisagrees`.
  package static func classShape(of type: AnyClass, instance: AnyObject?) throws(ReflectionError) -> ClassShape {
    guard kind(of: type) == .classType else {
      throw ReflectionError(
        code: .objectiveCRoot, typeName: displayName(of: type),
        message: "It is not a Swift class; make the property that leads here @Transient.")
    }
    let hierarchy = try hierarchy(of: type)
    let count = runtimeFieldCount(type)
    var levels: [ClassLevel] = []
    var index = 0
    for entry in hierarchy {
      let records = try records(of: entry.type, entry.descriptor)
      var fields: [Field] = []
      for record in records {
        guard index < count else { throw missing(entry.type) }
        fields.append(try field(of: type, at: index, record: record, owner: entry.type))
        index += 1
      }
      levels.append(ClassLevel(type: entry.type, fields: fields))
    }
    guard index == count else { throw missing(type) }

    let size = instanceSize(of: type)
    let all = levels.flatMap(\.fields)
    let isActor = type is any Actor.Type || all.contains { $0.name == "$defaultActor" }
    try checkLayout(of: type, fields: all.filter { !isHidden($0) }, size: size)
    if let instance { try compare(levels, withMirrorOf: instance, isActor: isActor) }
    for level in levels.indices { levels[level].fields.removeAll { isHidden($0) } }
    // 15 is what the allocator guarantees and what the compiler uses for every class that needs no more.
    let alignmentMask = all.reduce(15) { $0 | ValueWitnesses($1.type).alignmentMask }
    return ClassShape(
      type: type, levels: levels, instanceSize: size, isActor: isActor, alignmentMask: alignmentMask,
      registrars: all.filter { isHidden($0) && $0.type == ObservationRegistrar.self })
  }

  /// The bytes that an object of the class takes, its head included.
  package static func instanceSize(of type: AnyClass) -> Int { Int(truncatingIfNeeded: runtimeInstanceExtents(type).positive) }

  /// The classes from the base class down to `type`.
  private static func hierarchy(of type: AnyClass) throws(ReflectionError) -> [(type: AnyClass, descriptor: TypeDescriptor)] {
    var result: [(type: AnyClass, descriptor: TypeDescriptor)] = []
    var next: AnyClass? = type
    while let current = next {
      guard let descriptor = TypeDescriptor(current) else {
        throw ReflectionError(
          code: .objectiveCRoot, typeName: displayName(of: type),
          message: "It inherits from an Objective-C class, whose instance variables are not visible; derive it from a Swift class.")
      }
      guard descriptor.identity != managedBuffer else {
        throw ReflectionError(
          code: .managedBuffer, typeName: displayName(of: type),
          message:
            "The elements of a ManagedBuffer lie behind the object and are not visible; make the property that leads here @Transient.")
      }
      result.append((current, descriptor))
      next = _getSuperclass(current)
    }
    return result.reversed()
  }

  /// The field records of one class or struct, as many as it declares.
  static func records(of type: Any.Type, _ descriptor: TypeDescriptor) throws(ReflectionError) -> [FieldRecord] {
    guard let declared = descriptor.declaredFieldCount else { throw missing(type) }
    let records = descriptor.records ?? []
    guard records.count == declared else { throw missing(type) }
    return records
  }

  /// Storage that the compiler or a macro adds and that belongs to the object, not to its value.
  private static func isHidden(_ field: Field) -> Bool {
    field.name == "$defaultActor" || field.name == "_$observationRegistrar"
  }

  /// Compares the levels with those that `Mirror` finds.
  private static func compare(_ levels: [ClassLevel], withMirrorOf instance: AnyObject, isActor: Bool) throws(ReflectionError) {
    if instance is any CustomReflectable { return }
    var mirror: Mirror? = Mirror(reflecting: instance)
    for level in levels.reversed() {
      guard let current = mirror else { throw disagreement(level.type, found: "no level") }
      // A `Mirror` child is a value: taking it from an `unowned` property whose target is gone would stop the program, and where the metadata
      // misstates what a field holds, there is no value to take. The number of children can always be had.
      let canTakeValues = !isActor && level.fields.allSatisfy { $0.ownership != .unowned && $0.ownership != .unmanaged && isReadable($0) }
      guard current.children.count == level.fields.count else {
        throw disagreement(level.type, found: "\(current.children.count) properties")
      }
      if canTakeValues {
        let labels = current.children.map { $0.label ?? "" }
        guard labels == level.fields.map(\.name) else { throw disagreement(level.type, found: labels.joined(separator: ", ")) }
      }
      mirror = current.superclassMirror
    }
    if let mirror { throw disagreement(levels[0].type, found: "\(mirror.subjectType) above it") }
  }

  private static func isReadable(_ field: Field) -> Bool {
    field.name == "_$observationRegistrar" || refusal(for: field, in: "") == nil
  }

  private static func disagreement(_ type: AnyClass, found: String) -> ReflectionError {
    ReflectionError(
      code: .mirrorDisagrees, typeName: displayName(of: type),
      message: "Mirror and the runtime's field records differ: Mirror found \(found); make the property that leads here @Transient.")
  }
}
