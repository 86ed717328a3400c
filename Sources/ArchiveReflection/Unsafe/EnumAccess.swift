/// Takes enum values apart and puts them together, for an enum that is only known at run time.
package struct EnumAccess: Sendable {
  /// The cases, in tag order.
  package let shape: EnumShape
  /// The enum's own witnesses.
  package let witnesses: ValueWitnesses
  /// The witnesses of the payload of each case, nil for cases without.
  package let payloads: [ValueWitnesses?]
  // For the way from a tag to its payload, in one place.
  private let payloadCases: [PayloadCase?]

  private struct PayloadCase: Sendable {
    var type: Any.Type
    var witnesses: ValueWitnesses
    var isIndirect: Bool
  }

  package init(_ shape: EnumShape) {
    self.shape = shape
    witnesses = ValueWitnesses(shape.type)
    let payloads = shape.cases.map { $0.payload.map { ValueWitnesses($0) } }
    self.payloads = payloads
    payloadCases = zip(shape.cases, payloads).map { shape, witnesses in
      guard let type = shape.payload, let witnesses else { return nil }
      return PayloadCase(type: type, witnesses: witnesses, isIndirect: shape.isIndirect)
    }
  }

  /// The index in `shape.cases` of the case of the enum value at `p`.
  @inline(__always)
  package func tag(of p: UnsafeRawPointer) -> Int {
    // SAFETY: the caller passes the address of a value of the enum. There is none of an enum without cases.
    if shape.isTrivialByte { return Int(unsafe p.load(as: UInt8.self)) }
    return Int(unsafe witnesses.enumTag(p))
  }

  /// Initialises `destination` with a copy of the payload of the enum value at `p`, whose case is `tag`.
  ///
  /// Does nothing for a case without payload.
  package func copyPayload(of p: UnsafeRawPointer, tag: Int, to destination: UnsafeMutableRawPointer) {
    guard let payload = payloadCases[tag] else { return }
    let isBorrowed = witnesses.isBitwiseTakable
    // SAFETY: the caller passes a value of the enum, whose case this is, and room for its payload. Projecting destroys the enum value, so it
    // is done to a copy: where values may be moved in memory, to the bare bytes, which own nothing; else to a real copy, which is used up.
    unsafe withUnsafeTemporaryAllocation(byteCount: max(witnesses.size, 1), alignment: witnesses.alignmentMask + 1) { scratch in
      guard let copy = scratch.baseAddress else { return }
      if isBorrowed {
        unsafe copy.copyMemory(from: p, byteCount: witnesses.size)
      } else {
        unsafe witnesses.initializeWithCopy(copy, p)
      }
      unsafe witnesses.projectEnumData(copy)
      if payload.isIndirect {
        unsafe IndirectBox.copyPayload(of: payload.type, from: copy, to: destination)
        if !isBorrowed { unsafe IndirectBox.release(copy, of: payload.type) }
      } else if isBorrowed {
        unsafe payload.witnesses.initializeWithCopy(destination, copy)
      } else {
        unsafe payload.witnesses.initializeWithTake(destination, copy)
      }
    }
  }

  /// Initialises `p` with the case `tag`, moving its payload from `payload`, which is uninitialised afterwards.
  ///
  /// All bytes of the value that carry no information are zero before the enum is put together.
  /// - Parameter payload: Not looked at for a case without payload; must not overlap `p`.
  package func initialize(_ p: UnsafeMutableRawPointer, tag: Int, takingPayload payload: UnsafeMutableRawPointer?) {
    // SAFETY: the caller passes room for a value of the enum and, if the case has one, a payload. A payload never is larger than its enum.
    unsafe p.initializeMemory(as: UInt8.self, repeating: 0, count: witnesses.size)
    if let payload = unsafe payload, let payloadCase = payloadCases[tag] {
      if payloadCase.isIndirect {
        unsafe IndirectBox.makeBox(of: payloadCase.type, taking: payload, at: p)
      } else {
        unsafe payloadCase.witnesses.initializeWithTake(p, payload)
      }
    }
    unsafe witnesses.injectEnumTag(p, UInt32(truncatingIfNeeded: tag))
  }
}
