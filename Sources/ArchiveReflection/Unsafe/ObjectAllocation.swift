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

    /// - Throws: `.unsupportedType` for an actor.
    package init(_ shape: ClassShape) throws(ReflectionError) {
      guard !shape.isActor else {
        throw ReflectionError(
          code: .unsupportedType, typeName: Reflection.displayName(of: shape.type),
          message: "An actor cannot be made without one of its initialisers; give it `init()`.")
      }
      type = shape.type
      size = shape.instanceSize
      alignmentMask = shape.alignmentMask
    }

    /// Allocates an object. The caller must initialise every stored property before anything else sees it.
    package func allocate() -> AnyObject {
      runtimeAllocate(bufferType: type, size: size, alignmentMask: alignmentMask)
    }
  }

  /// Gives up an object whose stored properties are all uninitialised: the last release frees it without running `deinit`.
  package static func abandon(_ o: AnyObject) {
    // SAFETY: the first word of an object is its class. `Shell` has no properties, so destroying it touches nothing but the header.
    unsafe Unmanaged.passUnretained(o).toOpaque().storeBytes(of: unsafeBitCast(Shell.self as AnyClass, to: UInt.self), as: UInt.self)
  }
}
