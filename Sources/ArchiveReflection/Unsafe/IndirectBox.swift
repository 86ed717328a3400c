/// The boxes that payloads of indirect enum cases live in.
///
/// An indirect enum with a single case is represented by the bare box, which is what projecting an indirect case yields.
package enum IndirectBox {
  private indirect enum Box<Payload> { case payload(Payload) }

  /// Initialises `destination` with a copy of the payload in the box that `box` points to. The box stays as it is.
  package static func copyPayload(of type: Any.Type, from box: UnsafeRawPointer, to destination: UnsafeMutableRawPointer) {
    func open<Payload>(_: Payload.Type) {
      // SAFETY: the caller passes the address of a box reference for a payload of this type, and room for one.
      switch unsafe box.assumingMemoryBound(to: Box<Payload>.self).pointee {
      case .payload(let payload): unsafe destination.initializeMemory(as: Payload.self, to: payload)
      }
    }
    _openExistential(type, do: open)
  }

  /// Moves the payload at `source` into a new box and the reference to that box to `destination`, which may be the same address.
  package static func makeBox(of type: Any.Type, taking source: UnsafeMutableRawPointer, at destination: UnsafeMutableRawPointer) {
    func open<Payload>(_: Payload.Type) {
      // SAFETY: the caller passes the address of a payload of this type, and room for one reference.
      let payload = unsafe source.assumingMemoryBound(to: Payload.self).move()
      unsafe destination.initializeMemory(as: Box<Payload>.self, to: .payload(payload))
    }
    _openExistential(type, do: open)
  }

  /// Releases the box that `box` points to.
  package static func release(_ box: UnsafeMutableRawPointer, of type: Any.Type) {
    func open<Payload>(_: Payload.Type) {
      // SAFETY: the caller passes the address of an owned box reference for a payload of this type.
      unsafe box.assumingMemoryBound(to: Box<Payload>.self).deinitialize(count: 1)
    }
    _openExistential(type, do: open)
  }
}
