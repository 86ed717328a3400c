/// Takes enum values apart and puts them together, for an enum that is only known at run time.
///
/// Only for enums whose payloads `Reflection.refusal(forType:property:in:)` has nothing against: the metadata of a closure or the metatype of a
/// value type misstates what the payload is.
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
    var witnesses: ValueWitnesses
    var box: IndirectBox?
    // The payload, or the reference to its box, is the beginning of the enum value as it is.
    var isInPlace: Bool
  }

  package init(_ shape: EnumShape) {
    self.shape = shape
    witnesses = ValueWitnesses(shape.type)
    let payloads = shape.cases.map { $0.payload.map { ValueWitnesses($0) } }
    self.payloads = payloads
    payloadCases = zip(shape.cases, payloads).map { caseShape, witnesses in
      guard let type = caseShape.payload, let witnesses else { return nil }
      // With a single payload the other cases are told by values that no payload has, or by bytes behind it.
      return PayloadCase(
        witnesses: witnesses, box: caseShape.isIndirect ? .boxes(for: type) : nil, isInPlace: shape.payloadCaseCount <= 1)
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
    // SAFETY: the caller passes a value of the enum, whose case this is, and room for its payload.
    if payload.isInPlace {
      unsafe copy(payload, at: p, to: destination)
    } else {
      unsafe copyProjected(payload, of: p, to: destination)
    }
  }

  private func copy(_ payload: PayloadCase, at p: UnsafeRawPointer, to destination: UnsafeMutableRawPointer) {
    if let box = payload.box {
      unsafe box.copyPayload(fromBoxAt: p, to: destination)
    } else {
      unsafe payload.witnesses.initializeWithCopy(destination, p)
    }
  }

  private func copyProjected(_ payload: PayloadCase, of p: UnsafeRawPointer, to destination: UnsafeMutableRawPointer) {
    // SAFETY: projecting destroys the enum value, so it is done to a copy: where values may be moved in memory, to the bare bytes, which own
    // nothing; else to a real copy, which is used up.
    unsafe withUnsafeTemporaryAllocation(byteCount: max(witnesses.size, 1), alignment: witnesses.alignmentMask + 1) { scratch in
      guard let scratch = scratch.baseAddress else { return }
      if witnesses.isBitwiseTakable {
        unsafe witnesses.copyBytes(scratch, p)
        unsafe witnesses.projectEnumData(scratch)
        unsafe copy(payload, at: scratch, to: destination)
      } else {
        unsafe witnesses.initializeWithCopy(scratch, p)
        unsafe witnesses.projectEnumData(scratch)
        unsafe copy(payload, at: scratch, to: destination)
        if let box = payload.box {
          unsafe box.release(boxAt: scratch)
        } else {
          unsafe payload.witnesses.destroy(scratch)
        }
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
      if let box = payloadCase.box {
        unsafe box.makeBox(taking: payload, at: p)
      } else {
        unsafe payloadCase.witnesses.initializeWithTake(p, payload)
      }
    }
    unsafe witnesses.injectEnumTag(p, UInt32(truncatingIfNeeded: tag))
  }
}
