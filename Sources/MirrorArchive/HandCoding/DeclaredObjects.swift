import ArchiveReflection

/// Which objects a value of some type can refer to directly, by the declarations inside it.
struct DeclaredObjects {
  private var classes: [AnyClass] = []
  private var isOpen = false
  private var isAnything = false

  init(only type: AnyClass) { classes = [type] }

  init(in codec: ValueCodec) {
    var seen: Set<ObjectIdentifier> = []
    var pending = [codec]
    while let next = pending.popLast() {
      guard seen.insert(ObjectIdentifier(next)).inserted else { continue }
      pending += next.children
      switch next {
      case let reference as ReferenceCodec: add(reference.declared, isConditional: false)
      case let reference as ConditionalReferenceCodec: add(reference.declared, isConditional: true)
      case is AnyCodec: isOpen = true
      default: break
      }
    }
  }

  private mutating func add(_ declared: DeclaredObject, isConditional: Bool) {
    switch declared {
    case .instances(let type): classes.append(type)
    case .anyObject: if isConditional { isAnything = true } else { isOpen = true }
    }
  }

  /// Whether some place in the value admits objects of this class: asked before such an object is made.
  func admits(_ type: AnyClass, _ binder: Binder) -> Bool {
    isAnything || classes.contains { isSubclass(type, of: $0) } || (isOpen && binder.admits(type, .anyObject))
  }
}
