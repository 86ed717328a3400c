// The functions of the Swift runtime behind `Mirror`. Each signature is exactly the one the standard library declares: the compiler merges the
// declarations by symbol name and stops when they differ. None of the symbols is on the list that `@_silgen_name` reserves for the runtime.

#if _ptrauth(_arm64e)
  #error("arm64e signs the witness functions that this target calls; build for arm64.")
#endif

/// What the runtime tells about one field beside its type.
@unsafe struct RuntimeFieldMetadata {
  var name: UnsafePointer<CChar>? = nil
  // Set for tuple labels, which are allocated for the caller.
  var freeFunction: (@convention(c) (UnsafePointer<CChar>?) -> Void)? = nil
  var isStrong = false
  var isVar = false
}

/// The number of stored properties, inherited ones included. Only for classes, structs and tuples: existentials crash.
@_silgen_name("swift_reflectionMirror_recursiveCount")
func runtimeFieldCount(_ type: Any.Type) -> Int

/// The declared type of a stored property, nil if the runtime cannot make it.
@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
func runtimeFieldType(_ type: Any.Type, index: Int, fieldMetadata: UnsafeMutablePointer<RuntimeFieldMetadata>) -> Any.Type?

/// The byte offset of a stored property.
@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
func runtimeFieldOffset(_ type: Any.Type, index: Int) -> Int

/// The kind word of a type's metadata.
@_silgen_name("swift_getMetadataKind")
func runtimeKind(_ type: Any.Type) -> UInt

/// The descriptor of the class, struct or enum behind a type, nil for all other types.
@_silgen_name("swift_getTypeContextDescriptor")
func runtimeDescriptor(_ type: Any.Type) -> UnsafeRawPointer?

/// Allocates a reference-counted object and sets its header, nothing else.
@_silgen_name("swift_bufferAllocate")
func runtimeAllocate(bufferType: AnyClass, size: Int, alignmentMask: Int) -> AnyObject

/// The alignment to ask `runtimeAllocate` for: no more than a word where `malloc` guarantees what is needed, because the runtime takes a slower
/// way to the memory for more.
func runtimeAlignmentMask(for needed: Int) -> Int {
  let guaranteed = 2 * MemoryLayout<UInt>.size - 1
  return needed <= guaranteed ? MemoryLayout<UInt>.size - 1 : needed
}

/// How far instances of a class reach before and after their address, in bytes.
@_silgen_name("_swift_getSwiftClassInstanceExtents")
func runtimeInstanceExtents(_ type: AnyClass) -> (negative: UInt, positive: UInt)
