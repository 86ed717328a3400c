internal import Observation

/// Makes objects without running an initialiser, and unmakes them when they cannot be finished.
package enum ObjectAllocation {
  /// Takes the place of the class of an object whose properties are gone, so that its `deinit` does not see them.
  private final class Shell {}

  /// Allocates an object of class `c`. No initialiser runs; the caller must initialise every stored property before anything else sees it.
  ///
  /// Looks at the class each time; use `Recipe` to allocate many.
  /// - Throws: `.unsupportedType` for an actor, `.managedBuffer`, `.objectiveCRoot`, or whatever `Reflection.classShape` throws.
  package static func allocate(_ c: AnyClass) throws(ReflectionError) -> AnyObject {
    try Recipe(Reflection.classShape(of: c, instance: nil)).allocate()
  }

  /// What is needed to allocate objects of one class.
  package struct Recipe: Sendable {
    let type: AnyClass
    let size: Int
    let alignmentMask: Int
    let registrarOffsets: [Int]

    /// - Throws: `.unsupportedType` for an actor.
    package init(_ shape: ClassShape) throws(ReflectionError) {
      guard !shape.isActor else {
        throw ReflectionError(
          code: .unsupportedType, typeName: Reflection.displayName(of: shape.type),
          message: "An actor cannot be made without one of its initialisers; let it conform to MirrorInitializable, with an `init()`.")
      }
      type = shape.type
      size = shape.instanceSize
      alignmentMask = runtimeAlignmentMask(for: shape.alignmentMask)
      registrarOffsets = shape.registrars.map(\.offset)
    }

    /// Allocates an object. The caller must initialise every stored property in the shape's levels before anything else sees it.
    ///
    /// The registrar of an `@Observable` class, which no level lists, is initialised here.
    package func allocate() -> AnyObject {
      let object = runtimeAllocate(bufferType: type, size: size, alignmentMask: alignmentMask)
      // SAFETY: the offsets are those of registrars in this class, and the memory is fresh.
      for offset in registrarOffsets {
        unsafe (Unmanaged.passUnretained(object).toOpaque() + offset)
          .initializeMemory(as: ObservationRegistrar.self, to: ObservationRegistrar())
      }
      return object
    }
  }

  /// Gives up an object whose listed stored properties are all uninitialised: the last release frees it without running `deinit`.
  ///
  /// Looks at the class; meant for the way out of a failure.
  package static func abandon(_ o: AnyObject) {
    let registrars = (try? Reflection.classShape(of: type(of: o), instance: nil))?.registrars ?? []
    // SAFETY: the first word of an object is its class. `Shell` has no properties, so destroying it touches nothing but the header.
    let address = unsafe Unmanaged.passUnretained(o).toOpaque()
    for field in registrars {
      unsafe (address + field.offset).assumingMemoryBound(to: ObservationRegistrar.self).deinitialize(count: 1)
    }
    unsafe address.storeBytes(of: unsafeBitCast(Shell.self as AnyClass, to: UInt.self), as: UInt.self)
  }
}
