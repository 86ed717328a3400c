import Foundation

/// Length and bytes, one string after the other.
enum HandText {
  static func encode(_ texts: Texts) -> Data {
    let texts = texts.texts
    var writer = HandWriter(capacity: 64 + 110 * texts.count)
    writer.reserve(HandWriter.maximumVarint)
    writer.varint(UInt64(texts.count))
    for text in texts {
      writer.reserve(HandWriter.maximumVarint + text.utf8.count)
      writer.string(text)
    }
    return writer.finish()
  }

  static func decode(_ data: Data) throws -> Texts {
    try HandReader.read(data) { reader in
      let count = try reader.count(minimumSize: 1)
      var texts: [String] = []
      texts.reserveCapacity(count)
      for _ in 0..<count {
        texts.append(try reader.string())
      }
      return Texts(texts: texts)
    }
  }
}
