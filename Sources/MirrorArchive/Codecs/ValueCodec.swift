import ArchiveFormat
import ArchiveReflection

/// How the values of one type travel between memory and columns. One instance per type, shared by everything that stores the type.
///
/// A codec works on whole columns (up to 1,024 rows at a time); what it costs to call it is paid once per column, not per value.
/// Immutable once its plan is published, so it may be used by any number of threads.
class ValueCodec: @unchecked Sendable {
  let type: Any.Type
  let witnesses: ValueWitnesses
  /// What `hasReferences` and the gate need to know about the whole tree below; set when the plan is published.
  final var traits: Traits { unsafe storedTraits }
  // SAFETY: written before the plan is published, by one thread, and only read from then on; columns of small objects would pay for the
  // check more than for anything else.
  @exclusivity(unchecked) private var storedTraits = Traits()

  struct Traits: Equatable {
    /// Some value below may refer to objects: the graph is discovered through it.
    var hasReferences = false
    /// Reading a value may run the program's `hash(into:)`, `==` and `<`: it waits until everything else is filled.
    var needsCompleteGraph = false
    /// What is archived for a value depends on what else is: there are weak or unowned references.
    var hasConditional = false
    /// Which types occur is known only when values are written: some value below stands in `Any`.
    var describesValues = false
  }

  init(_ type: Any.Type) {
    self.type = type
    witnesses = ValueWitnesses(type)
  }

  /// The codecs of the values inside.
  var children: [ValueCodec] { [] }
  /// Whether a value of this type counts as one level of nesting.
  var nests: Bool { false }
  /// Whether this codec itself (not its children) stores references or runs user code when it is read.
  var ownTraits: Traits { Traits() }

  /// Whether reading runs code of the program on the objects that the values inside refer to.
  var looksIntoReferences: Bool { false }

  /// Whether encoding looks at nothing but the bytes of a value and what they own, and runs no code of the program: then the bytes may be copied
  /// beforehand.
  var isPlain: Bool { false }

  /// Where in a value the references lie, if they lie nowhere else.
  var reach: Reach { .hidden }

  /// Gives a number to every object that these rows refer to. Called only if `traits.hasReferences`.
  func discover(_ rows: Rows, _ e: inout EncodingState) throws {}

  /// Appends the column of these rows (at most 1,024) to the archive.
  func encode(_ rows: Rows, _ e: inout EncodingState) throws {
    preconditionFailure("every codec encodes")
  }

  /// The type's id in the archive's type table, which gets an entry where one is needed.
  func describe(_ types: inout TypeTableBuilder) throws -> TypeID {
    preconditionFailure("every codec describes its type")
  }

  /// A reader for columns of the archived type `id`, or a thrown `typeMismatch`.
  func makeReader(_ id: TypeID, _ binder: inout Binder) throws -> ColumnReader {
    preconditionFailure("every codec makes readers")
  }

  /// Whether there is an empty value of this type that needs no archive and no user code.
  var hasBlank: Bool { false }
  /// Initialises memory with the empty value. Called only if `hasBlank`.
  func initializeBlank(_ p: UnsafeMutableRawPointer) {}

  /// How a value that holds nothing is told from the bits; nil if it cannot be told. Such a value may be overwritten without being destroyed,
  /// and `initializeBlank` makes one.
  var vacancy: NoneMark? { nil }

  /// Takes references out of values that can do without, so that a graph that is given up falls apart object by object.
  func unlink(_ rows: Rows) {}

  /// Destroys the values of these rows.
  func destroy(_ rows: Rows) {
    if witnesses.isTrivial { return }
    // SAFETY: the caller says that every row holds a value of this codec's type.
    unsafe rows.visit { _, p in unsafe witnesses.destroy(p) }
  }
}

/// Where in a value the references lie that lead to further objects.
enum Reach {
  /// The value is one word, which is a reference or, where `isOptional`, nil.
  case word(isOptional: Bool)
  /// The value is an array of such words, in the known layout of arrays; none of them is nil.
  case elements
  /// Only the codec knows.
  case hidden
}

extension ValueCodec {
  /// Computes the traits of all `codecs` from their children. Complexity: O(codecs x depth of change), a few passes.
  static func resolveTraits(of codecs: [ValueCodec]) {
    for codec in codecs { unsafe codec.storedTraits = codec.ownTraits }
    var changed = true
    while changed {
      changed = false
      for codec in codecs {
        var traits = codec.traits
        for child in codec.children {
          traits.hasReferences = traits.hasReferences || child.traits.hasReferences
          traits.needsCompleteGraph = traits.needsCompleteGraph || child.traits.needsCompleteGraph
          traits.hasConditional = traits.hasConditional || child.traits.hasConditional
          traits.describesValues = traits.describesValues || child.traits.describesValues
        }
        traits.needsCompleteGraph = traits.needsCompleteGraph || (codec.looksIntoReferences && traits.hasReferences)
        if traits != codec.traits {
          unsafe codec.storedTraits = traits
          changed = true
        }
      }
    }
  }
}

/// Reads columns of one archived type into memory of one type of today. Made by `ValueCodec.makeReader`, one per binding.
class ColumnReader: @unchecked Sendable {
  let codec: ValueCodec
  init(_ codec: ValueCodec) { self.codec = codec }

  /// Lets go of the readers inside: readers of types that contain themselves refer to each other.
  func unbind() {}

  /// Whether nothing is made of the column's values.
  var passesOver: Bool { false }

  /// Reads one column (at most 1,024 rows) into uninitialised rows: initialises all of them, or throws and leaves none initialised.
  final func read(_ rows: Rows, _ d: inout DecodingState) throws {
    do {
      try readColumn(rows, &d)
    } catch {
      d.objects.holdAll()  // Before whoever called gives up what it has read so far.
      throw error
    }
  }

  /// Reads one column into rows that hold values, which are replaced. If it throws, every row still holds a valid value.
  final func assign(_ rows: Rows, _ d: inout DecodingState) throws {
    do {
      try assignColumn(rows, &d)
    } catch {
      d.objects.holdAll()
      throw error
    }
  }

  /// What `read` does, for each kind of reader.
  func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    preconditionFailure("every reader reads")
  }

  /// What `assign` does; readers that know better than to read and then move override it.
  func assignColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    let witnesses = codec.witnesses
    if witnesses.isTrivial { return try read(rows, &d) }
    // What an initializer leaves is mostly empty.
    if let vacancy = codec.vacancy, vacancy.fits(rows) {
      do {
        return try read(rows, &d)
      } catch {
        unsafe rows.visit { _, p in unsafe codec.initializeBlank(p) }
        throw error
      }
    }
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    // SAFETY: the temporary rows are as large and as aligned as the type asks; `read` initialises all or none of them.
    let temporary = unsafe d.scratch.bytes(rows.count &* witnesses.stride, alignmentMask: witnesses.alignmentMask)
    let values = unsafe Rows(base: temporary, stride: witnesses.stride, count: rows.count)
    try read(values, &d)
    // What is replaced may be objects, and their `deinit` may let go of objects that are still needed.
    if codec.traits.hasReferences { d.objects.holdAll() }
    unsafe rows.visit { i, p in unsafe witnesses.assignWithTake(p, values[i]) }
  }
}
