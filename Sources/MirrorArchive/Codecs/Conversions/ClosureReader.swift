import ArchiveFormat
import ArchiveReflection

/// Reads a property through a closure that a rule has for it.
final class ClosureReader: ColumnReader, @unchecked Sendable {
  private let stored: ColumnReader
  private let conversion: any ClosureConverting
  private let hasPresence: Bool
  private let isOptional: Bool

  /// - Parameters:
  ///   - stored: Reads what the closure takes.
  ///   - hasPresence: Whether the archived type is an Optional of that.
  ///   - isOptional: Whether the closure's value is what the property is an Optional of.
  init(_ codec: ValueCodec, _ stored: ColumnReader, _ conversion: any ClosureConverting, hasPresence: Bool, isOptional: Bool) {
    self.stored = stored
    self.conversion = conversion
    self.hasPresence = hasPresence
    self.isOptional = isOptional
    super.init(codec)
  }

  override func readColumn(_ rows: Rows, _ d: inout DecodingState) throws {
    if rows.count == 0 { return }
    let mark = d.scratch.mark()
    defer { d.scratch.release(mark) }
    let presence = try d.presence(rows.count, isStored: hasPresence)
    let optional = codec as? OptionalCodec
    if presence.count < rows.count, optional == nil {
      // SAFETY: one flag per row.
      let row = (0..<rows.count).first { unsafe presence.flags[$0] == 0 } ?? 0
      throw LocatedError(
        .missingValue, row: row, offset: d.reader.offset,
        "the archive holds nil where the program declares \(codec.type), which is not Optional")
    }
    let witnesses = stored.codec.witnesses
    // SAFETY: room for the values that are there; the closure takes them one by one, what it has not taken is destroyed.
    let memory = unsafe d.scratch.bytes(presence.count &* witnesses.stride, alignmentMask: witnesses.alignmentMask)
    let values = unsafe Rows(base: memory, stride: witnesses.stride, count: presence.count)
    if presence.count > 0 { try readStored(values, presence, rows.count, &d) }
    var taken = 0
    var row = 0
    do {
      while row < rows.count {
        if unsafe presence.flags[row] != 0 {
          taken += 1
          unsafe try conversion.convert(taking: values[taken - 1], to: rows[row], asOptional: isOptional)
        } else if let optional {
          unsafe optional.wrapped.witnesses.storeNone(rows[row])
        }
        row += 1
      }
    } catch {
      stored.codec.destroy(values.slice(taken, presence.count - taken))
      codec.destroy(rows.slice(0, row))
      throw error
    }
  }

  private func readStored(_ values: Rows, _ presence: Presence, _ rowCount: Int, _ d: inout DecodingState) throws {
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
      try stored.read(values, &d)
    } catch let error as LocatedError {
      throw presence.moved(error, rows: rowCount)
    }
    presence.moveNotices(since: noticeCount, rows: rowCount, &d)
    d.objects.holdAll()
  }
}
