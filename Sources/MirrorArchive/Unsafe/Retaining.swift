/// Retains an object `count` times at once.
///
/// The optimiser makes one call of the runtime out of retains of the same object that follow each other, which there is no way to ask for.
/// Complexity: O(`count` / 8).
@inline(never)
@unsafe
func retain(_ object: UnsafeMutableRawPointer, times count: Int) {
  // SAFETY: the caller hands over the address of a live object.
  let object = unsafe Unmanaged<AnyObject>.fromOpaque(object)
  var count = count
  while count >= 8 {
    _ = unsafe object.retain()
    _ = unsafe object.retain()
    _ = unsafe object.retain()
    _ = unsafe object.retain()
    _ = unsafe object.retain()
    _ = unsafe object.retain()
    _ = unsafe object.retain()
    _ = unsafe object.retain()
    count &-= 8
  }
  if count & 4 != 0 {
    _ = unsafe object.retain()
    _ = unsafe object.retain()
    _ = unsafe object.retain()
    _ = unsafe object.retain()
  }
  if count & 2 != 0 {
    _ = unsafe object.retain()
    _ = unsafe object.retain()
  }
  if count & 1 != 0 { _ = unsafe object.retain() }
}
