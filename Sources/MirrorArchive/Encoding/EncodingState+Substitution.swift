import ArchiveFormat
import ArchiveReflection

/// An error that concerns an object which has no number yet.
struct SubstitutionError: Error, @unchecked Sendable {
  var error: ArchiveError
  let object: AnyObject
}

extension EncodingState {
  /// How often one object may be replaced by another, that one by a third, and so on.
  private static let maximumChain = 16

  /// Asks what is to be archived for the objects that wait for it.
  mutating func settleSubstitutions() throws {
    makeRecorder()
    let coder = unsafe recorderPointer().pointee.coder
    let (isHandOver, phase) = (admission.isHandOver, coder.phase)
    coder.phase = .busy
    defer {
      admission.isHandOver = isHandOver
      coder.phase = phase
    }
    while let index = graph.nextWaiting() {
      let entry = graph.substitutions.entries[index]
      let object = unsafe entry.object.takeUnretainedValue()
      admission.isHandOver = entry.isHandOver
      var chain = [index]
      do {
        let outcome = try settle(object, &chain, isOpen: entry.isOpen)
        for entry in chain { graph.settle(entry, outcome) }
      } catch let error as ArchiveError where error.path.isEmpty {
        throw SubstitutionError(error: error, object: object)
      }
    }
  }

  /// What is archived for an object. `chain` gets the entries of all that have led there.
  private mutating func settle(_ object: AnyObject, _ chain: inout [Int], isOpen: Bool) throws -> Substitutions.Outcome {
    let coder = unsafe recorderPointer().pointee.coder
    graph.settle(chain[0], .working)
    var current = object
    while let substituting = current as? any ArchiveSubstitution {
      let replacement = try substituting.replacementObject(for: coder)
      if replacement === current { break }
      coder.willReplace(current, with: replacement)
      guard let replacement else { return .nothing }
      if chain.count > Self.maximumChain {
        throw ArchiveError(.invalidValue, message: "replacement objects are replaced again and again; the last one has to return itself")
      }
      if let known = try follow(replacement, &chain, lists: replacement is any ArchiveSubstitution) { return known }
      current = replacement
    }
    guard let chosen = try coder.willEncode(current) else {
      coder.willReplace(current, with: nil)
      return .nothing
    }
    if chosen !== current {
      coder.willReplace(current, with: chosen)
      if let known = try follow(chosen, &chain, lists: false) { return known }
    }
    if isOpen, !admission.isHandOver { try admission.universe?.admitInOpenPlace(type(of: chosen)) }
    return .number(try graph.add(chosen, admitting: &admission))
  }

  /// What is known of an object that stands in for another one: nil if it is new.
  private mutating func follow(_ object: AnyObject, _ chain: inout [Int], lists: Bool) throws -> Substitutions.Outcome? {
    switch graph.knowledge(of: object) {
    case .number(let number): return .number(number)
    case .nothing:
      if lists { chain.append(graph.list(object, like: chain[0])) }
    case .listed(let index):
      switch graph.substitutions.outcome(index) {
      case .number(let number): return .number(number)
      case .nothing: return .nothing
      case .working:
        throw ArchiveError(.invalidValue, message: "objects replace each other in a circle; one of them has to return itself")
      case .waiting: chain.append(index)
      }
    }
    if lists || chain.count > 1, let last = chain.last { graph.settle(last, .working) }
    return nil
  }
}
