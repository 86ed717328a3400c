import ArchiveReflection

/// What secure encoding lets into an archive, so that a reader who names the same types can read it back.
struct EncodingGate {
  /// What a reader may decode; nil when secure encoding is off.
  private(set) var universe: Universe?
  /// The same with what was handed over where only `Any` or a protocol is declared: there its reader has to allow it, nobody else.
  private var openUniverse: Universe?
  /// Hand-written code hands values over: their types are named by that, and its counterpart names them when it reads.
  var isHandOver = false

  init(_ universe: Universe?) { self.universe = universe }

  /// What a reader knows who allows at each place what was handed over there.
  var widestUniverse: Universe? { openUniverse ?? universe }

  /// Admits a type and what is reachable from it through declared property types.
  mutating func name(_ type: Any.Type) throws {
    universe = try universe?.naming(type)
    openUniverse = try openUniverse?.naming(type)
  }

  /// Admits a type for the moment also where only `Any`, `AnyObject` or a protocol is declared.
  private mutating func nameInOpenPlace(_ type: Any.Type) throws {
    try name(type)
    openUniverse = try widestUniverse?.naming(type, isOpen: true)
  }

  /// Throws unless objects of the class may be in the archive.
  mutating func admit(_ plan: ClassPlan) throws {
    if isHandOver { try name(plan.type) }
    try universe?.admit(plan)
  }

  /// Throws unless the objects of these rows may stand where only `AnyObject` or a protocol is declared.
  ///
  /// Objects that may be replaced are looked at again when it is known by what.
  func admitInOpenPlace(_ rows: Rows, replacesAll: Bool) throws {
    guard let universe, !isHandOver, !replacesAll else { return }
    do {
      try universe.admitInOpenPlace(rows)
    } catch let error as LocatedError {
      // SAFETY: every row holds one strong reference.
      let object = unsafe rows[error.row].assumingMemoryBound(to: AnyObject.self).pointee
      guard object is any ArchiveSubstitution else { throw error }
      let rest = rows.slice(error.row + 1, rows.count - error.row - 1)
      do {
        try admitInOpenPlace(rest, replacesAll: false)
      } catch let later as LocatedError {
        throw later.moved(to: later.row + error.row + 1, below: "")
      }
    }
  }

  /// The same for one object.
  func admitInOpenPlace(_ object: AnyObject, replacesAll: Bool) throws {
    guard let universe, !isHandOver, !replacesAll else { return }
    do {
      try universe.admitInOpenPlace(type(of: object))
    } catch {
      if !(object is any ArchiveSubstitution) { throw error }
    }
  }

  /// Throws unless a value of this type may stand in `Any` or `any P`.
  mutating func admitInOpenPlace(_ codec: ValueCodec) throws {
    if isHandOver { try nameParts(of: codec) }
    try (isHandOver ? widestUniverse : universe)?.admitInOpenPlace(codec)
  }

  /// Names the types that a value in an open place is told by.
  private mutating func nameParts(of codec: ValueCodec) throws {
    switch codec {
    case let structure as StructCodec where !structure.isTuple: try nameInOpenPlace(codec.type)
    case is EnumCodec where LibraryTypes.module(of: codec.type) == nil: try nameInOpenPlace(codec.type)
    case let reference as ReferenceCodec:
      if case .instances(let type) = reference.declared { try nameInOpenPlace(type) }
    default:
      if codec.isRepresented { return }
      for child in codec.children { try nameParts(of: child) }
    }
  }
}
