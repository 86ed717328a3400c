/// Objects that others may be archived for: those that can replace themselves and, if somebody asked to be told, all.
///
/// They are met while columns are looked through, where no code of the program may run; so they wait until that is done.
@safe
struct Substitutions {
  enum Outcome {
    case waiting
    /// Its replacement is being asked for.
    case working
    case number(UInt)
    /// Nothing is archived for it.
    case nothing
  }

  @safe
  struct Entry {
    /// Kept alive by the graph.
    let object: Unmanaged<AnyObject>
    var outcome = Outcome.waiting
    /// How the first place that refers to it admits what is archived.
    let isHandOver: Bool
    let isOpen: Bool
  }

  private(set) var entries: [Entry] = []
  private var next = 0
  /// Some object has nothing archived for it, so references to it are nil.
  private(set) var hasNothing = false

  /// Numbers from here on are entries of the list.
  static let firstNumber: UInt = 1 << 62

  var isWaiting: Bool { next < entries.count }

  /// Adds an object and returns what stands for its number.
  mutating func add(_ object: Unmanaged<AnyObject>, isHandOver: Bool, isOpen: Bool) -> UInt {
    unsafe entries.append(Entry(object: object, isHandOver: isHandOver, isOpen: isOpen))
    return Self.firstNumber + UInt(entries.count - 1)
  }

  /// The next object that nobody has been asked about.
  mutating func nextWaiting() -> Int? {
    while next < entries.count {
      next += 1
      if case .waiting = entries[next - 1].outcome { return next - 1 }
    }
    return nil
  }

  /// The number of the object that is archived for an entry; nil if there is none, or none yet.
  func number(_ standIn: UInt) -> UInt? {
    if case .number(let number) = entries[Int(standIn - Self.firstNumber)].outcome { number } else { nil }
  }

  func outcome(_ index: Int) -> Outcome { entries[index].outcome }

  mutating func settle(_ index: Int, _ outcome: Outcome) {
    entries[index].outcome = outcome
    if case .nothing = outcome { hasNothing = true }
  }
}
