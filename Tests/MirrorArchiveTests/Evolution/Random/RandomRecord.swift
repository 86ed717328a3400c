import MirrorArchive

/// What the random test asks of the models: the same properties in another order, of other types, in another class of the hierarchy.
protocol RandomModel: MirrorCoding {
  /// Where the property `moved` is declared.
  static var ownerOfMoved: Part { get }
  /// Gives every property a value that comes from the number, as the lens lets it through.
  func fill(_ number: Int, _ lens: Lens, written: Part)
  /// All values in words, but for references to other records.
  var contents: [String: String] { get }
  var nextRecord: AnyObject? { get }
  var backRecord: AnyObject? { get }
  func link(next: any RandomModel, back: any RandomModel)
  func unlink()
  /// What `didDecode` was told.
  var unknownKeys: [String] { get }
  var defaultedKeys: [String] { get }
}

// MARK: The first model

class RecordBase<N: Guise, S: Side>: MirrorCoding {
  override class var archiveRules: ArchiveRules {
    Change.current.rules(
      .base, isReader: S.isReader, of: RecordBase.self,
      defaults: [
        "a": .value(N(guise: Lens.ruled("a"))), "b": .value(N(guise: Lens.ruled("b"))), "c": .value([N(guise: Lens.ruled("c"))]),
        "moved": .value(N(guise: Lens.ruled("moved"))), "late": .value(Lens.ruled("late")),
      ])
  }
  private var a = N(guise: Lens.initial("a"))
  var b: N? = N(guise: Lens.initial("b"))
  var c = [N(guise: Lens.initial("c"))]
  var moved = N(guise: Lens.initial("moved"))
  private var late = Lens.initial("late")

  func fillBase(_ number: Int, _ lens: Lens, written: Part) {
    a = N(guise: lens(.base, "a", number).number)
    b = N(guise: lens(.base, "b", number + 1).number)
    c = [N(guise: lens(.base, "c", number + 2).number)]
    moved = N(guise: lens(.base, "moved", number + 3, written: written).number)
    late = lens(.base, "late", number + 4).number
  }
  var baseContents: [String: String] {
    ["base.a": a.text, "b": b?.text ?? "nil", "c": "\(c.map { $0.text })", "moved": moved.text, "late": "\(late)"]
  }
}

final class Record<N: Guise, S: Side>: RecordBase<N, S>, RandomModel {
  override class var archiveRules: ArchiveRules {
    Change.current.rules(
      .derived, isReader: S.isReader, of: Record.self,
      defaults: [
        "a": .value(N(guise: Lens.ruled("a"))), "table": .value(["k": N(guise: Lens.ruled("table"))]),
        "pair": .value((N(guise: Lens.ruled("pair")), y: N(guise: Lens.ruled("pair")))),
        "list": .value([N(guise: Lens.ruled("list"))] as Set),
        "choice": .value(RandomChoice<N, S>(Lens.ruled("choice"))), "inner": .value(RandomInner<N, S>(Lens.ruled("inner"))),
        "inners": .value(RandomInner<N, S>.several(Lens.ruled("inners"))), "leaf": .value(RandomLeaf<N, S>(Lens.ruled("leaf"))),
        "next": .value(Record?.none), "back": nil, "text": .value("\(Lens.ruled("text"))"),
      ])
  }
  private var a = N(guise: Lens.initial("a"))
  var table = ["k": N(guise: Lens.initial("table"))]
  var pair = (N(guise: Lens.initial("pair")), y: N(guise: Lens.initial("pair")))
  var list = [N(guise: Lens.initial("list"))] as Set
  var choice = RandomChoice<N, S>(Lens.initial("choice"))
  var inner = RandomInner<N, S>(Lens.initial("inner"))
  var inners = RandomInner<N, S>.several(Lens.initial("inners"))
  var leaf: RandomLeaf<N, S>? = RandomLeaf(Lens.initial("leaf"))
  var next: Record?
  weak var back: Record?
  var text = "\(Lens.initial("text"))"
  @Transient var unknownKeys: [String] = []
  @Transient var defaultedKeys: [String] = []
  override func didDecode(_ context: DecodingContext) throws {
    try super.didDecode(context)
    (unknownKeys, defaultedKeys) = (context.unknownKeys, context.defaultedKeys)
  }

  static var ownerOfMoved: Part { .base }
  var nextRecord: AnyObject? { next }
  var backRecord: AnyObject? { back }
  func link(next: any RandomModel, back: any RandomModel) { (self.next, self.back) = (next as? Record, back as? Record) }
  func unlink() { (next, back) = (nil, nil) }

  func fill(_ number: Int, _ lens: Lens, written: Part) {
    fillBase(number, lens, written: written)
    a = N(guise: lens(.derived, "a", number + 5).number)
    table = ["k": N(guise: lens(.derived, "table", number + 6).number)]
    let one = lens(.derived, "pair", number + 7).number
    pair = (N(guise: one), y: N(guise: one))
    list = [N(guise: lens(.derived, "list", number + 8).number)]
    choice = through(lens(.derived, "choice", number)) { RandomChoice($0, $1) }
    inner = through(lens(.derived, "inner", number + 9)) { RandomInner($0, $1) }
    inners = through(lens(.derived, "inners", number + 10)) { RandomInner.several($0, $1) }
    leaf = through(lens(.derived, "leaf", number + 11)) { RandomLeaf($0, $1) }
    text = "\(lens(.derived, "text", number + 12).number)"
  }
  var contents: [String: String] {
    baseContents.merging([
      "a": a.text, "table": "\(table.map { "\($0) \($1.text)" })", "pair": "\(pair.0.text) \(pair.y.text)",
      "list": "\(list.map { $0.text })",
      "choice": choice.text, "inner": inner.text, "inners": "\(inners.map { $0.text })", "leaf": leaf?.text ?? "nil", "text": text,
    ]) { first, _ in first }
  }
}

func through<Value>(_ place: (number: Int, lens: Lens), _ make: (Int, Lens) -> Value) -> Value { make(place.number, place.lens) }

// MARK: The second model: another order, `moved` in the other class, an array for the set

class MirroredBase<N: Guise, S: Side>: MirrorCoding {
  override class var archiveRules: ArchiveRules {
    Change.current.rules(
      .base, isReader: S.isReader, of: MirroredBase.self,
      defaults: [
        "late": .value(Lens.ruled("late")), "c": .value([N(guise: Lens.ruled("c"))]), "b": .value(N(guise: Lens.ruled("b"))),
        "a": .value(N(guise: Lens.ruled("a"))),
      ])
  }
  private var late = Lens.initial("late")
  var c = [N(guise: Lens.initial("c"))]
  var b: N? = N(guise: Lens.initial("b"))
  private var a = N(guise: Lens.initial("a"))

  func fillBase(_ number: Int, _ lens: Lens) {
    a = N(guise: lens(.base, "a", number).number)
    b = N(guise: lens(.base, "b", number + 1).number)
    c = [N(guise: lens(.base, "c", number + 2).number)]
    late = lens(.base, "late", number + 4).number
  }
  var baseContents: [String: String] { ["base.a": a.text, "b": b?.text ?? "nil", "c": "\(c.map { $0.text })", "late": "\(late)"] }
}

final class Mirrored<N: Guise, S: Side>: MirroredBase<N, S>, RandomModel {
  override class var archiveRules: ArchiveRules {
    Change.current.rules(
      .derived, isReader: S.isReader, of: Mirrored.self,
      defaults: [
        "text": .value("\(Lens.ruled("text"))"), "back": nil, "next": .value(Mirrored?.none),
        "leaf": .value(RandomLeaf<N, S>(Lens.ruled("leaf"))), "inners": .value(RandomInner<N, S>.several(Lens.ruled("inners"))),
        "inner": .value(RandomInner<N, S>(Lens.ruled("inner"))), "choice": .value(RandomChoice<N, S>(Lens.ruled("choice"))),
        "list": .value([N(guise: Lens.ruled("list"))]), "pair": .value((N(guise: Lens.ruled("pair")), y: N(guise: Lens.ruled("pair")))),
        "table": .value(["k": N(guise: Lens.ruled("table"))]), "moved": .value(N(guise: Lens.ruled("moved"))),
        "a": .value(N(guise: Lens.ruled("a"))),
      ])
  }
  var text = "\(Lens.initial("text"))"
  weak var back: Mirrored?
  var next: Mirrored?
  var leaf: RandomLeaf<N, S>? = RandomLeaf(Lens.initial("leaf"))
  var inners = RandomInner<N, S>.several(Lens.initial("inners"))
  var inner = RandomInner<N, S>(Lens.initial("inner"))
  var choice = RandomChoice<N, S>(Lens.initial("choice"))
  var list = [N(guise: Lens.initial("list"))]
  var pair = (N(guise: Lens.initial("pair")), y: N(guise: Lens.initial("pair")))
  var table = ["k": N(guise: Lens.initial("table"))]
  var moved = N(guise: Lens.initial("moved"))
  private var a = N(guise: Lens.initial("a"))
  @Transient var unknownKeys: [String] = []
  @Transient var defaultedKeys: [String] = []
  override func didDecode(_ context: DecodingContext) throws {
    try super.didDecode(context)
    (unknownKeys, defaultedKeys) = (context.unknownKeys, context.defaultedKeys)
  }

  static var ownerOfMoved: Part { .derived }
  var nextRecord: AnyObject? { next }
  var backRecord: AnyObject? { back }
  func link(next: any RandomModel, back: any RandomModel) { (self.next, self.back) = (next as? Mirrored, back as? Mirrored) }
  func unlink() { (next, back) = (nil, nil) }

  func fill(_ number: Int, _ lens: Lens, written: Part) {
    fillBase(number, lens)
    moved = N(guise: lens(.derived, "moved", number + 3, written: written).number)
    a = N(guise: lens(.derived, "a", number + 5).number)
    table = ["k": N(guise: lens(.derived, "table", number + 6).number)]
    let one = lens(.derived, "pair", number + 7).number
    pair = (N(guise: one), y: N(guise: one))
    list = [N(guise: lens(.derived, "list", number + 8).number)]
    choice = through(lens(.derived, "choice", number)) { RandomChoice($0, $1) }
    inner = through(lens(.derived, "inner", number + 9)) { RandomInner($0, $1) }
    inners = through(lens(.derived, "inners", number + 10)) { RandomInner.several($0, $1) }
    leaf = through(lens(.derived, "leaf", number + 11)) { RandomLeaf($0, $1) }
    text = "\(lens(.derived, "text", number + 12).number)"
  }
  var contents: [String: String] {
    baseContents.merging([
      "a": a.text, "table": "\(table.map { "\($0) \($1.text)" })", "pair": "\(pair.0.text) \(pair.y.text)",
      "list": "\(list.map { $0.text })",
      "choice": choice.text, "inner": inner.text, "inners": "\(inners.map { $0.text })", "leaf": leaf?.text ?? "nil", "text": text,
      "moved": moved.text,
    ]) { first, _ in first }
  }
}
