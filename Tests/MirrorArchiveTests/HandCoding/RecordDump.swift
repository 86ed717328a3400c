import ArchiveFormat
import Foundation
import MirrorArchive
import Testing

/// What an archive holds, read by its bytes alone: the hand-coded objects' keys with the bytes of their values.
struct RecordDump {
  struct Value: Equatable {
    let key: String
    let type: TypeID
    let bytes: [UInt8]
  }

  /// Key at the top level -> type and bytes.
  private(set) var roots: [Value] = []
  /// Class name -> its hand-coded objects, block by block.
  private(set) var records: [String: [[Value]]] = [:]
  /// The class and the number of objects of every block.
  private(set) var blocks: [(name: String, count: Int)] = []
  let types: TypeTable

  init(_ data: Data) throws {
    let bytes = [UInt8](data)
    let parts = unsafe try bytes.withUnsafeBytes { buffer -> (TypeTable, [Value], [String: [[Value]]], [(String, Int)]) in
      let layout = try unsafe ArchiveLayout(parsing: buffer)
      let roots = zip(layout.roots, layout.rootReaders).map { root, reader in
        Value(key: root.key, type: root.type, bytes: Self.bytes(reader))
      }
      var records: [String: [[Value]]] = [:]
      var blocks: [(String, Int)] = []
      for (block, reader) in zip(layout.blocks, layout.blockReaders) {
        guard case .object(let name, _, _, _)? = layout.types[block.type] else { continue }
        blocks.append((name, block.count))
        var reader = reader
        for column in Self.columns(of: block.type, layout.types) {
          let framed = block.count >= 8 ? try reader.readCount() : nil
          if column == .record {
            var bytes = reader
            if let framed { bytes = try reader.slice(framed) }
            records[name, default: []] += try Self.records(block.count, &bytes, layout.types)
            if framed == nil { reader = bytes }
          } else if let framed {
            try reader.skip(framed)
          } else {
            try ColumnSkipper(types: layout.types).skip(column, count: block.count, from: &reader)
          }
        }
        #expect(reader.remaining == 0, "bytes left over in a block of \(name)")
      }
      return (layout.types, roots, records, blocks)
    }
    (types, roots, records, blocks) = parts
  }

  /// The columns of a class, base first.
  private static func columns(of type: TypeID, _ types: TypeTable) -> [TypeID] {
    guard case .object(_, _, let superclass, let properties)? = types[type] else { return [] }
    return (superclass.map { columns(of: $0, types) } ?? []) + properties.map(\.type)
  }

  private static func bytes(_ reader: ByteReader) -> [UInt8] {
    var reader = reader
    let rest = unsafe try? reader.readBytes(reader.remaining)
    return unsafe rest.map { unsafe [UInt8]($0) } ?? []
  }

  /// The rows of a record column.
  static func records(_ count: Int, _ r: inout ByteReader, _ types: TypeTable) throws -> [[Value]] {
    var shapes = [Int64](repeating: 0, count: count)
    var lengths = [Int64](repeating: 0, count: count)
    unsafe try shapes.withUnsafeMutableBufferPointer { buffer in
      unsafe try IntegerColumn.decode(count: count, from: &r, into: try #require(buffer.baseAddress))
    }
    let bodies = unsafe try lengths.withUnsafeMutableBufferPointer { buffer in
      unsafe try BytesColumn.decode(count: count, from: &r, lengths: try #require(buffer.baseAddress))
    }
    var body = unsafe ByteReader(bodies)
    return try zip(shapes, lengths).map { shape, length in
      guard case .tuple(let members)? = types[TypeID(UInt32(shape))] else {
        throw FormatError(code: .malformed, offset: 0, message: "no shape")
      }
      var row = try body.slice(Int(length))
      let values = try members.map { member in
        var rest = row
        if member.type == .record {
          _ = try records(1, &rest, types)
        } else {
          try ColumnSkipper(types: types).skip(member.type, count: 1, from: &rest)
        }
        var value = row
        let bytes = unsafe [UInt8](try value.readBytes(row.remaining - rest.remaining))
        row = rest
        return Value(key: member.key, type: member.type, bytes: bytes)
      }
      #expect(row.remaining == 0, "bytes left over in a record")
      return values
    }
  }

  /// The contents of a container.
  func contents(of value: Value) throws -> [Value] {
    unsafe try value.bytes.withUnsafeBytes { buffer in
      var reader = unsafe ByteReader(buffer)
      return try Self.records(1, &reader, types)[0]
    }
  }
}

extension [RecordDump.Value] {
  /// The value of a key.
  subscript(key: String) -> RecordDump.Value? { first { $0.key == key } }
}
