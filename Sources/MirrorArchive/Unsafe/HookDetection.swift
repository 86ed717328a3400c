/// Whether a subclass of `MirrorCoding` overrides a hook, so that those who do not pay nothing for it.
///
/// An open method is called through a word of the class's dispatch table, which subclasses inherit at the same place. Where that word is
/// follows from two classes of which one overrides the method and the other does not. If it cannot be found (another layout, signed
/// pointers), every class counts as one that overrides.
package enum HookDetection {
  package static func overridesWillEncode(_ type: MirrorCoding.Type) -> Bool { differs(type, at: willEncodeWord) }
  package static func overridesDidDecode(_ type: MirrorCoding.Type) -> Bool { differs(type, at: didDecodeWord) }

  private class Plain: MirrorCoding {}
  private class Encoding: MirrorCoding { override func willEncode() throws {} }
  private class Decoding: MirrorCoding { override func didDecode(_ context: DecodingContext) throws {} }

  private static let willEncodeWord = word(of: Encoding.self)
  private static let didDecodeWord = word(of: Decoding.self)

  private static func word(of overriding: MirrorCoding.Type) -> Int? {
    #if canImport(ObjectiveC) || _ptrauth(_arm64e)
      return nil
    #else
      let base = unsafe words(MirrorCoding.self)
      let plain = unsafe words(Plain.self)
      let other = unsafe words(overriding)
      // SAFETY: the fifth word holds the size of the class in bytes and, in its upper half, what of that lies in front of the first word.
      let size = unsafe base[4]
      let end = (Int(truncatingIfNeeded: UInt32(truncatingIfNeeded: size)) - Int(truncatingIfNeeded: size >> 32)) / MemoryLayout<UInt>.size
      guard (8...256).contains(end) else { return nil }
      var found: Int?
      for i in 5..<end where unsafe base[i] == plain[i] && base[i] != other[i] {
        if found != nil { return nil }
        found = i
      }
      return found
    #endif
  }

  private static func words(_ type: MirrorCoding.Type) -> UnsafePointer<UInt> {
    // SAFETY: a class reference is the address of its metadata.
    unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self)
  }

  private static func differs(_ type: MirrorCoding.Type, at word: Int?) -> Bool {
    guard let word else { return true }
    // SAFETY: a subclass has the words of its superclass at the same places.
    return unsafe words(type)[word] != words(MirrorCoding.self)[word]
  }
}
