import Foundation

/// A name and a count, row by row.
enum HandStock {
  static func encode(_ items: [Stock]) -> Data {
    var writer = HandWriter(capacity: 64 + 24 * items.count)
    writer.reserve(HandWriter.maximumVarint)
    writer.varint(UInt64(items.count))
    items.forEachBorrowed { item in
      let name = item.name
      writer.reserve(2 * HandWriter.maximumVarint + name.utf8.count)
      writer.string(name)
      writer.signed(item.count)
    }
    return writer.finish()
  }

  static func decode(_ data: Data) throws -> [Stock] {
    try HandReader.read(data) { reader in
      try reader.rows(minimumSize: 2) { reader throws(HandError) in
        Stock(name: try reader.string(), count: try reader.signed())
      }
    }
  }
}
