/// The boxes that payloads of indirect enum cases live in, for one type of payload.
///
/// An indirect enum with a single case is represented by the bare box, which is what projecting an indirect case yields. So the compiler makes,
/// reads and releases the boxes; only where a box keeps its payload is written down here, and checked before it is relied on.
package class IndirectBox: @unchecked Sendable {
  // Unchecked, because a class that is not final has to be: neither this class nor its only subclass has mutable state.

  fileprivate indirect enum Box<Payload> { case payload(Payload) }

  private let witnesses: ValueWitnesses
  private let payloadOffset: Int

  /// Boxes for payloads of `type`.
  package static func boxes(for type: Any.Type) -> IndirectBox {
    func open<Payload>(_: Payload.Type) -> IndirectBox { TypedIndirectBox<Payload>(ValueWitnesses(type)) }
    return _openExistential(type, do: open)
  }

  fileprivate init(_ witnesses: ValueWitnesses) {
    self.witnesses = witnesses
    payloadOffset = Self.payloadOffset(alignmentMask: witnesses.alignmentMask)
  }

  /// The payload in the box that `box` points to, nil if it cannot be told where boxes keep it.
  ///
  /// Valid as long as the box.
  package final func payloadAddress(inBoxAt box: UnsafeRawPointer) -> UnsafeRawPointer? {
    guard Self.isLayoutKnown else { return nil }
    // SAFETY: the caller passes the address of a box reference for a payload of this type; the layout has been checked.
    return unsafe box.load(as: UnsafeRawPointer.self) + payloadOffset
  }

  /// Initialises `destination` with a copy of the payload in the box that `box` points to. The box stays as it is.
  package final func copyPayload(fromBoxAt box: UnsafeRawPointer, to destination: UnsafeMutableRawPointer) {
    // The box of an empty payload need not be an object of its own, and there is nothing to copy.
    if witnesses.size == 0 && witnesses.isTrivial { return }
    if let payload = unsafe payloadAddress(inBoxAt: box) {
      unsafe witnesses.initializeWithCopy(destination, payload)
    } else {
      unsafe copyPayloadByCompiler(fromBoxAt: box, to: destination)
    }
  }

  /// Moves the payload at `source` into a new box and the reference to that box to `destination`, which may be the same address.
  package func makeBox(taking source: UnsafeMutableRawPointer, at destination: UnsafeMutableRawPointer) {}

  /// Releases the box that `box` points to.
  package func release(boxAt box: UnsafeMutableRawPointer) {}

  fileprivate func copyPayloadByCompiler(fromBoxAt box: UnsafeRawPointer, to destination: UnsafeMutableRawPointer) {}
}

private final class TypedIndirectBox<Payload>: IndirectBox, @unchecked Sendable {
  // SAFETY for all three: the caller passes the address of a box reference, and a payload or room for one, of this type.

  override func makeBox(taking source: UnsafeMutableRawPointer, at destination: UnsafeMutableRawPointer) {
    let payload = unsafe source.assumingMemoryBound(to: Payload.self).move()
    unsafe destination.initializeMemory(as: Box<Payload>.self, to: .payload(payload))
  }

  override func release(boxAt box: UnsafeMutableRawPointer) {
    unsafe box.assumingMemoryBound(to: Box<Payload>.self).deinitialize(count: 1)
  }

  override func copyPayloadByCompiler(fromBoxAt box: UnsafeRawPointer, to destination: UnsafeMutableRawPointer) {
    switch unsafe box.assumingMemoryBound(to: Box<Payload>.self).pointee {
    case .payload(let payload): unsafe destination.initializeMemory(as: Payload.self, to: payload)
    }
  }
}

extension IndirectBox {
  private struct Wide: Equatable { var lanes = SIMD8<Double>(repeating: 3) }

  /// Whether boxes have the layout that `payloadAddress` relies on, found out by looking at some.
  static let isLayoutKnown = agrees(7) && agrees(UInt8(200)) && agrees("text") && agrees([1]) && agrees(Wide())

  // Behind the two words of an object, at the next address that suits the payload.
  private static func payloadOffset(alignmentMask: Int) -> Int {
    (2 * MemoryLayout<UInt>.size + alignmentMask) & ~alignmentMask
  }

  private static func agrees<Payload: Equatable>(_ payload: Payload) -> Bool {
    guard MemoryLayout<Box<Payload>>.size == MemoryLayout<UInt>.size else { return false }
    let box = Box.payload(payload)
    // SAFETY: a box holds at least two words of object, the payload and what aligns it, so that many bytes are there in any case.
    return unsafe withUnsafePointer(to: box) { field in
      let object = unsafe UnsafeRawPointer(field).load(as: UnsafeRawPointer.self)
      let offset = payloadOffset(alignmentMask: MemoryLayout<Payload>.alignment - 1)
      return unsafe withUnsafeBytes(of: payload) { expected in
        unsafe zip(expected, UnsafeRawBufferPointer(start: object + offset, count: expected.count)).allSatisfy { $0 == $1 }
      }
    }
  }
}
