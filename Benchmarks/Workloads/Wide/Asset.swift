import Foundation
import MirrorArchive

/// The first of four levels: what every thing that a company owns has.
class Asset: MirrorCoding {
  var id = 0
  var name = ""
  var maker = ""
  var country = ""
  private var serial: UInt64 = 0
  var created = Date(timeIntervalSinceReferenceDate: 0)
  var changed = Date(timeIntervalSinceReferenceDate: 0)
  var price = 0.0
  var isActive = false
  private var isInsured = false
  var owner: String?
  var note: String?
  var warranty: Int?
  var rating: Float = 0
  private var revision: Int32 = 0
}

extension Asset {
  @inline(__always)
  final func visitAsset(_ visitor: inout some PropertyVisitor) throws {
    id = try visitor.visit(id, "id")
    name = try visitor.visit(name, "name")
    maker = try visitor.visit(maker, "maker")
    country = try visitor.visit(country, "country")
    serial = try visitor.visit(serial, "serial")
    created = try visitor.visit(created, "created")
    changed = try visitor.visit(changed, "changed")
    price = try visitor.visit(price, "price")
    isActive = try visitor.visit(isActive, "isActive")
    isInsured = try visitor.visit(isInsured, "isInsured")
    owner = try visitor.visit(owner, "owner")
    note = try visitor.visit(note, "note")
    warranty = try visitor.visit(warranty, "warranty")
    rating = try visitor.visit(rating, "rating")
    revision = try visitor.visit(revision, "revision")
  }

  @inline(__always)
  final func writeAsset(to writer: inout HandWriter) {
    let (name, maker, country, owner, note) = (name, maker, country, owner, note)
    let texts = name.utf8.count + maker.utf8.count + country.utf8.count + (owner?.utf8.count ?? 0) + (note?.utf8.count ?? 0)
    writer.reserve(1 + 3 * 8 + 4 + 9 * HandWriter.maximumVarint + texts)
    writer.byte(
      (isActive ? 1 : 0) | (isInsured ? 2 : 0) | (owner == nil ? 0 : 4) | (note == nil ? 0 : 8) | (warranty == nil ? 0 : 16))
    writer.signed(id)
    writer.string(name)
    writer.string(maker)
    writer.string(country)
    writer.varint(serial)
    writer.raw(created.timeIntervalSinceReferenceDate)
    writer.raw(changed.timeIntervalSinceReferenceDate)
    writer.raw(price)
    if let owner { writer.string(owner) }
    if let note { writer.string(note) }
    if let warranty { writer.signed(warranty) }
    writer.raw(rating)
    writer.signed(Int(revision))
  }

  @inline(__always)
  final func readAsset(from reader: inout HandReader) throws(HandError) {
    let flags = try reader.byte()
    isActive = flags & 1 != 0
    isInsured = flags & 2 != 0
    id = try reader.signed()
    name = try reader.string()
    maker = try reader.string()
    country = try reader.string()
    serial = try reader.varint()
    created = Date(timeIntervalSinceReferenceDate: try reader.raw(as: Double.self))
    changed = Date(timeIntervalSinceReferenceDate: try reader.raw(as: Double.self))
    price = try reader.raw(as: Double.self)
    if flags & 4 != 0 { owner = try reader.string() }
    if flags & 8 != 0 { note = try reader.string() }
    if flags & 16 != 0 { warranty = try reader.signed() }
    rating = try reader.raw(as: Float.self)
    revision = try reader.signed(as: Int32.self)
  }
}
