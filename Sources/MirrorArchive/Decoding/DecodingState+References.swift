import ArchiveFormat
import ArchiveReflection

/// References to objects, and those to objects that are not there.
extension DecodingState {
  /// Reads a column of references: every number is checked against the objects, every object's class against `admitted`, before `target`
  /// gets the objects' places.
  ///
  /// - Parameter leavingOut: The place of an object that is not made, because its class is unknown or not admitted, is -1, with a notice.
  mutating func resolve(
    count: Int, admitted: AdmittedObjects, into target: UnsafeMutablePointer<Int64>, leavingOut: Bool = false
  ) throws {
    unsafe try IntegerColumn.decode(count: count, from: &reader, into: target)
    if objects.isGradual { return unsafe try resolveGradually(count, admitted, target, leavingOut) }
    // What references in a row lead to is mostly in one block, which is looked at once.
    var lastBlock = Int64.min
    var places = 0..<0
    for i in 0..<count {
      // SAFETY: `target` has room for `count` numbers.
      let number = unsafe target[i]
      let block = number >> 10
      if block != lastBlock {
        guard objects.index(of: number) != nil else { throw missing(number, row: i) }
        guard admitted.flags[objects.entry(ofBlock: Int(block))], objects.isMade(block: Int(block)) else {
          throw notAdmitted(objects.plan(ofBlock: Int(block))?.type, row: i)
        }
        lastBlock = block
        places = objects.places(ofBlock: Int(block))
      }
      let place = places.lowerBound &+ Int(truncatingIfNeeded: number & 1023)
      if place >= places.upperBound { throw missing(number, row: i) }
      unsafe target[i] = Int64(place)
    }
  }

  private mutating func missing(_ number: Int64, row: Int) -> LocatedError {
    malformed("a reference points to object \(number), which does not exist", row: row)
  }

  /// Why the objects of a block are not made; nil if they are, or nothing has led to them.
  func refusal(ofBlock block: Int) -> ArchiveError? { refusals?.blocks[block] }

  /// The objects of a block are not made, or after all they are.
  mutating func setRefusal(_ refusal: ArchiveError?, ofBlock block: Int) {
    if refusal != nil && refusals == nil { refusals = Refusals() }
    refusals?.blocks[block] = refusal
  }

  /// The error for a place that cannot do without an object that is not made.
  func refusal(row: Int) -> LocatedError {
    let refusal = refusals?.last ?? ArchiveError(.typeNotAllowed, message: "an object of an unknown class is not admitted here")
    return LocatedError(refusal.code, row: row, offset: reader.offset, refusal.message)
  }

  private mutating func leaveOut(_ refusal: ArchiveError, row: Int) {
    if refusals == nil { refusals = Refusals() }
    if refusals?.last == nil { refusals?.last = refusal }
    notices.add(Notice(.leftOut, row: row, "an object is left out: \(refusal.message)"))
  }

  /// An object of an unknown class is kept, and stands where a class of the program is declared.
  private func notKept(_ index: Int, row: Int) -> LocatedError {
    let name = (objects.original(at: index) as? UnknownObject)?.className ?? ""
    return LocatedError(
      .typeNotAllowed, row: row, offset: reader.offset,
      "the archive holds an object of class '\(name)', which the program does not know or admit, and the declared type does not admit the "
        + "UnknownObject that is kept of it; name the class, or declare the place as MirrorCoding, AnyObject or Any")
  }

  private func notAdmitted(_ type: AnyClass?, row: Int) -> LocatedError {
    LocatedError(
      .typeNotAllowed, row: row, offset: reader.offset,
      "an object of class \(type.map { Reflection.unqualifiedName(of: $0) } ?? "unknown") is not admitted here by the declared type")
  }

  /// The same where objects come about one after another, and others may stand in for them.
  private mutating func resolveGradually(
    _ count: Int, _ admitted: AdmittedObjects, _ target: UnsafeMutablePointer<Int64>, _ leavingOut: Bool
  ) throws {
    var lastBlock: Int64 = -1
    if leavingOut { refusals?.last = nil }
    for i in 0..<count {
      // SAFETY: `target` holds `count` numbers.
      let number = unsafe target[i]
      guard let index = objects.index(of: number) else {
        throw malformed("a reference points to object \(number), which does not exist", row: i)
      }
      guard let plan = objects.plan(ofBlock: Int(number >> 10)) else {
        guard let refusal = refusal(ofBlock: Int(number >> 10)) else {
          throw malformed("a reference points to object \(number), which does not exist", row: i)
        }
        if !leavingOut { throw LocatedError(refusal.code, row: i, offset: reader.offset, refusal.message) }
        unsafe target[i] = -1
        leaveOut(refusal, row: i)
        continue
      }
      unsafe target[i] = Int64(index)
      switch objects.progress(at: index) {
      case .unmade, .inProgress:
        throw LocatedError(
          .cycle, row: i, offset: reader.offset,
          "this \(Reflection.unqualifiedName(of: plan.type)) is still being made, because its init(coder:) has led here; "
            + "ask for it with decodeObject(of:forKey:whenReady:)")
      case .substituted:
        guard let type = objects.object(at: index).map({ Swift.type(of: $0) }), isAdmitted(type, admitted) else {
          throw notAdmitted(objects.object(at: index).map { Swift.type(of: $0) }, row: i)
        }
        continue
      case .raw: if isHandingOut { objects.setProgress(.rawHandedOut, at: index) }
      case .final, .rawHandedOut: break
      }
      if number >> 10 == lastBlock { continue }
      guard isAdmitted(plan.type, admitted) else {
        if plan.type == UnknownObject.self { throw notKept(index, row: i) }
        let error = notAdmitted(plan.type, row: i)
        // What nobody has named for open places is left out as well; an object of a class that does not fit the declared one is an error.
        guard leavingOut, case .anyObject = admitted.declared else { throw error }
        unsafe target[i] = -1
        leaveOut(error.error, row: i)
        continue
      }
      lastBlock = number >> 10
    }
  }

  private func isAdmitted(_ type: AnyClass, _ admitted: AdmittedObjects) -> Bool {
    if admitted.isConditional, case .anyObject = admitted.declared { return true }
    return binder?.admits(type, admitted.declared) ?? false
  }
}
