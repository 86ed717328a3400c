import ArchiveFormat
import Foundation

/// An archive put together byte by byte, for what the archiver does not write.
struct HandMade {
  private var types: [TypeEntry] = []
  private var roots: [(key: RootKey, bytes: [UInt8])] = []
  private var blocks: [(header: BlockHeader, bytes: [UInt8])] = []
  /// The section of string pools; none if it is empty.
  var pools: [UInt8] = []

  /// The number of a type, which gets an entry unless it has one.
  mutating func type(_ entry: TypeEntry) -> TypeID {
    if let index = types.firstIndex(of: entry) { return TypeID(entry: index) }
    types.append(entry)
    return TypeID(entry: types.count - 1)
  }

  mutating func addRoot(_ key: String, _ type: TypeID, _ bytes: [UInt8]) {
    roots.append((RootKey(key: key, type: type, byteCount: bytes.count), bytes))
  }

  /// - Parameter columns: the columns of all properties; with eight objects or more their lengths are put in front of them.
  mutating func addBlock(_ type: TypeID, _ objects: Int, _ columns: [[UInt8]]) {
    let bytes = columns.flatMap { column in
      objects < firstEncodedRowCount ? column : written { $0.appendVarint(UInt64(column.count)) } + column
    }
    blocks.append((BlockHeader(type: type, count: objects, byteCount: bytes.count), bytes))
  }

  func data(isSegmented: Bool = false) -> Data {
    let (rootBytes, blockBytes) = (roots.flatMap(\.bytes), blocks.flatMap(\.bytes))
    return Data(
      written { w in
        unsafe pools.withUnsafeBytes { pools in
          unsafe rootBytes.withUnsafeBytes { rootBytes in
            unsafe blockBytes.withUnsafeBytes { blockBytes in
              unsafe ArchiveFrame.assemble(
                types: TypeTable(entries: types), pools: pools, roots: roots.map(\.key), rootBytes: rootBytes,
                blocks: blocks.map(\.header), blockBytes: blockBytes, segmentedAbove: isSegmented ? 0 : .max, into: &w)
            }
          }
        }
      })
  }
}

/// Eight numbers of two neighbouring values, in each encoding of integers whether or not it saves anything.
struct IntegerForm {
  let name: String
  /// What is to be added to the base of all forms: 0 or 1.
  let values: [Int64]
  let bytes: [UInt8]

  private static let bits: [Int64] = [1, 0, 1, 1, 0, 0, 1, 0]

  private init(_ name: String, _ values: [Int64], _ write: (inout ByteWriter) -> Void) {
    (self.name, self.values, bytes) = (name, values, written(write))
  }

  static func all(from base: Int64 = 0) -> [IntegerForm] {
    [
      IntegerForm("constant", [Int64](repeating: 1, count: 8)) { w in
        w.append(0)
        w.appendZigzag(base + 1)
      },
      offsets("1 byte", encoding: 1, width: 1, base), offsets("2 bytes", encoding: 2, width: 2, base),
      offsets("4 bytes", encoding: 3, width: 4, base),
      IntegerForm("raw", bits) { w in
        w.append(4)
        for bit in bits { w.appendLE64(UInt64(bitPattern: base + bit)) }
      },
      IntegerForm("packed", bits) { w in
        w.append(5)
        w.appendZigzag(base)
        w.append(1)
        // The first number is the lowest bit.
        w.append(0b0100_1101)
      },
      IntegerForm("deltas", bits) { w in
        w.append(6)
        w.appendZigzag(base + 1)
        w.appendZigzag(-1)
        w.append(2)
        // -1, 1, 0, -1, 0, 1, -1, each more by one, and two bits that say nothing.
        w.append(0b00_01_10_00)
        w.append(0b00_00_10_01)
      },
      IntegerForm("steps", [Int64](repeating: 0, count: 8)) { w in
        w.append(6)
        w.appendZigzag(base)
        w.appendZigzag(0)
        w.append(0)
      },
      IntegerForm("runs", [1, 1, 1, 1, 0, 0, 0, 1]) { w in
        for byte: UInt8 in [7, 3] { w.append(byte) }
        for (length, value) in [(4, 1), (3, 0), (1, 1)] as [(UInt8, Int64)] {
          w.append(length)
          w.appendZigzag(base + value)
        }
      },
    ]
  }

  private static func offsets(_ name: String, encoding: UInt8, width: Int, _ base: Int64) -> IntegerForm {
    IntegerForm("offsets of \(name)", bits) { w in
      w.append(encoding)
      w.appendZigzag(base - 2)
      for bit in bits {
        w.append(UInt8(bit + 2))
        for _ in 1..<width { w.append(0) }
      }
    }
  }
}
