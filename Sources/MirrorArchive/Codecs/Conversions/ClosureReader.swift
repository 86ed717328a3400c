import ArchiveFormat
import ArchiveReflection

/// Reads a property through a closure that a rule has for it. In lenient mode what the closure cannot be given leaves the default.
final class ClosureReader: ValueReader, @unchecked Sendable {
  private let stored: ColumnReader
  private let conversion: any ClosureConverting
  private let hasPresence: Bool
  private let isOptional: Bool

  /// - Parameters:
  ///   - stored: Reads what the closure takes.
  ///   - hasPresence: Whether the archived type is an Optional of that.
  ///   - isOptional: Whether the closure's value is what the property is an Optional of.
  init(
    _ codec: ValueCodec, _ stored: ColumnReader, _ conversion: any ClosureConverting, hasPresence: Bool, isOptional: Bool, isLenient: Bool
  ) {
    self.stored = stored
    self.conversion = conversion
    self.hasPresence = hasPresence
    self.isOptional = isOptional
    super.init(codec, isLenient: isLenient)
  }

  private var nilMessage: String { "the archive holds nil where the program declares \(codec.type), which is not Optional" }

  override func readPartially(_ rows: Rows, _ present: UnsafeMutablePointer<UInt8>, _ d: inout DecodingState) throws {
    if rows.count == 0 { return }
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    let presence = try d.presence(rows.count, isStored: hasPresence)
    let optional = codec as? OptionalCodec
    if presence.count < rows.count, optional == nil {
      // SAFETY: one flag per row.
      for row in 0..<rows.count where unsafe presence.flags[row] == 0 {
        if !isLenient { throw absence(row: row, &d) }
        d.notices.add(Notice(.keptDefault, row: row, nilMessage))
      }
    }
    let witnesses = stored.codec.witnesses
    // SAFETY: room for the values that are there, and a flag that says whether one could be read; the closure takes them one by one, what it
    // has not taken is destroyed.
    let memory = unsafe d.scratch.bytes(presence.count &* witnesses.stride, alignmentMask: witnesses.alignmentMask)
    let values = unsafe Rows(base: memory, stride: witnesses.stride, count: presence.count)
    let isThere = unsafe d.scratch.allocate(UInt8.self, max(presence.count, 1))
    if presence.count > 0 { unsafe try readStored(values, isThere, presence, rows.count, &d) }
    var next = 0
    do {
      for row in 0..<rows.count {
        if unsafe presence.flags[row] != 0 {
          next += 1
          if unsafe isThere[next - 1] == 0 { continue }
          unsafe try conversion.convert(taking: values[next - 1], to: rows[row], asOptional: isOptional)
        } else if let optional {
          unsafe optional.wrapped.witnesses.storeNone(rows[row])
        } else {
          continue
        }
        unsafe present[row] = 1
      }
    } catch {
      for rest in next..<presence.count where unsafe isThere[rest] != 0 { unsafe witnesses.destroy(values[rest]) }
      unsafe destroy(rows, present, &d)
      throw error
    }
  }

  override func absence(row: Int, _ d: inout DecodingState) -> LocatedError {
    if let notice = d.notices.last(ofRow: row), notice.message != nilMessage { return super.absence(row: row, &d) }
    d.objects.holdAll()  // What was read so far is about to be given up.
    return LocatedError(.missingValue, row: row, offset: d.reader.offset, nilMessage)
  }

  private func readStored(
    _ values: Rows, _ isThere: UnsafeMutablePointer<UInt8>, _ presence: Presence, _ rowCount: Int, _ d: inout DecodingState
  ) throws {
    if stored.codec.traits.hasReferences && d.objects.hasIncompleteMemory {
      throw LocatedError(
        .unsupportedType, row: 0, offset: d.reader.offset,
        "a conversion takes \(stored.codec.type), which refers to objects, and the object has no init() to begin with; let its class conform "
          + "to MirrorInitializable")
    }
    // Code of the program gets what is read, and may let go of any object.
    let wasHandingOut = d.isHandingOut
    d.isHandingOut = true
    defer { d.isHandingOut = wasHandingOut }
    let noticeCount = d.notices.count
    do {
      // SAFETY: one flag per value.
      if isLenient {
        unsafe try stored.readWherePossible(values, isThere, &d)
      } else {
        try stored.read(values, &d)
        unsafe isThere.initialize(repeating: 1, count: values.count)
      }
    } catch let error as LocatedError {
      throw presence.moved(error, rows: rowCount)
    }
    presence.moveNotices(since: noticeCount, rows: rowCount, &d)
    d.objects.holdAll()
  }
}
