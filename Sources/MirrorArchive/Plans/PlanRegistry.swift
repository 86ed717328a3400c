import ArchiveReflection
import Synchronization

/// All plans and registrations of the program, behind one lock.
///
/// Plans are built outside the lock (building runs the user's `archiveRules`) and published whole; when two threads build the same plan,
/// the first to publish wins and the other's is dropped.
final class PlanRegistry: Sendable {
  static let shared = PlanRegistry()

  private struct State: ~Copyable {
    var codecs: [ObjectIdentifier: ValueCodec] = [:]
    var classes: [ObjectIdentifier: ClassPlan] = [:]
    var names: [ObjectIdentifier: String] = [:]
    /// What classes are called instead of that.
    var classNames: [ObjectIdentifier: String] = [:]
    var registered: [Registration] = []
    /// Counts registrations: what was derived from them is stale when it moves.
    var generation = 0
    var universes: [UniverseKey: Universe] = [:]
    /// The same for one named type, which is what most calls name.
    var universesOfOne: [ObjectIdentifier: Universe] = [:]

    /// Plans and codecs carry names; those built under the old ones are built anew.
    mutating func forgetPlans() {
      generation += 1
      codecs.removeAll()
      classes.removeAll()
      universes.removeAll()
      universesOfOne.removeAll()
    }
  }

  struct Registration: @unchecked Sendable {
    let type: Any.Type
    let name: String?
  }

  private struct UniverseKey: Hashable {
    var types: [ObjectIdentifier]
    var generation: Int
  }

  private let state = Locked(State())
  /// `generation` of the state, for whoever only wants to know whether it has moved.
  private let currentGeneration = Atomic<Int>(0)

  /// Another number than before if something was registered, renamed, or otherwise makes old plans and lists outdated.
  var generation: Int { currentGeneration.load(ordering: .acquiring) }

  /// The codec of a type, built on first use. Throws what the plan refuses.
  func codec(for type: Any.Type) throws -> ValueCodec {
    let key = ObjectIdentifier(type)
    if let known = state.withLock({ $0.codecs[key] }) { return known }
    var builder = PlanBuilder(registry: self)
    let built = try builder.codec(for: type)
    builder.publish()
    return state.withLock { $0.codecs[key] } ?? built
  }

  /// The plan of a class, built on first use.
  func classPlan(for type: AnyClass) throws -> ClassPlan {
    let key = ObjectIdentifier(type)
    if let known = state.withLock({ $0.classes[key] }) { return known }
    var builder = PlanBuilder(registry: self)
    let plan = try builder.classPlan(for: type)
    builder.publish()
    return state.withLock {
      if let known = $0.classes[key] { return known }
      $0.classes[key] = plan
      return plan
    }
  }

  func published(_ key: ObjectIdentifier) -> ValueCodec? { state.withLock { $0.codecs[key] } }

  func publish(_ codecs: [ObjectIdentifier: ValueCodec]) {
    state.withLock { state in state.codecs.merge(codecs) { known, _ in known } }
  }

  /// Gives a type an archive name and admits it wherever a declared type does not rule it out.
  func register(_ type: Any.Type, as name: String?) throws {
    try state.withLock { state in
      if let name {
        if let other = state.registered.first(where: { $0.name == name && $0.type != type }) {
          throw ArchiveError(.duplicateName, message: "'\(name)' already names \(other.type); give \(type) another archive name")
        }
        if let known = state.names[ObjectIdentifier(type)], known != name {
          throw ArchiveError(.duplicateName, message: "\(type) is already registered as '\(known)'")
        }
        state.names[ObjectIdentifier(type)] = name
      }
      if state.registered.contains(where: { $0.type == type && $0.name == name }) { return }
      state.registered.append(Registration(type: type, name: name))
      state.forgetPlans()
      currentGeneration.store(state.generation, ordering: .releasing)
    }
  }

  /// What a class is called instead of its own archive name.
  func className(for type: AnyClass) -> String? { state.withLock { $0.classNames[ObjectIdentifier(type)] } }

  func setClassName(_ name: String?, for type: AnyClass) {
    state.withLock { state in
      if state.classNames[ObjectIdentifier(type)] == name { return }
      state.classNames[ObjectIdentifier(type)] = name
      state.forgetPlans()
      currentGeneration.store(state.generation, ordering: .releasing)
    }
  }

  /// Makes everything that was derived from names and registrations anew.
  func forgetUniverses() {
    state.withLock { state in
      state.generation += 1
      state.universes.removeAll()
      state.universesOfOne.removeAll()
      currentGeneration.store(state.generation, ordering: .releasing)
    }
  }

  var registrations: [Registration] { state.withLock { $0.registered } }

  /// The archive name of a type: as registered, as its rules say, or its Swift name; nil for a private or local type without either.
  func archiveName(of type: Any.Type) -> String? {
    if let name = state.withLock({ $0.classNames[ObjectIdentifier(type)] ?? $0.names[ObjectIdentifier(type)] }) { return name }
    if let name = (type as? any Representation.Type)?.archiveName { return name }
    if let name = (type as? any Archivable.Type)?.archiveRules.name, isOwn(name, of: type) { return name }
    return Reflection.stableName(of: type)
  }

  /// Names under which older archives have a type. They are not inherited.
  static func formerNames(of type: Any.Type) -> [String] {
    guard let names = (type as? any Archivable.Type)?.archiveRules.formerNames, !names.isEmpty else { return [] }
    guard let superclass = (type as? AnyClass).flatMap({ _getSuperclass($0) }) as? any Archivable.Type else { return names }
    let inherited = superclass.archiveRules.formerNames
    return names.filter { !inherited.contains($0) }
  }

  /// Whether a class declares its name itself rather than inheriting the rules of its superclass.
  private func isOwn(_ name: String, of type: Any.Type) -> Bool {
    guard let superclass = (type as? AnyClass).flatMap({ _getSuperclass($0) }) else { return true }
    return (superclass as? any Archivable.Type)?.archiveRules.name != name
  }

  /// What may be decoded for these roots; kept until the next registration.
  func universe(of types: [Any.Type]) throws -> Universe {
    if types.count == 1 {
      if let known = state.withLock({ $0.universesOfOne[ObjectIdentifier(types[0])] }) { return known }
    }
    let generation = state.withLock { $0.generation }
    let key = UniverseKey(types: types.map { ObjectIdentifier($0) }, generation: generation)
    if let known = state.withLock({ $0.universes[key] }) { return known }
    let universe = try Universe(naming: types, registry: self)
    state.withLock { state in
      if state.generation != generation { return }
      if state.universes.count < 4096 { state.universes[key] = universe }
      if types.count == 1 && state.universesOfOne.count < 4096 { state.universesOfOne[ObjectIdentifier(types[0])] = universe }
    }
    return universe
  }
}
