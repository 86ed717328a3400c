import ArchiveFormat
import Testing

/// The calls for one row against those for any number of rows.
@Suite("Columns of one row")
struct OneRowTests {
  @Test(
    "An integer is written and read as a chunk of one",
    arguments: [0, 1, -1, 63, 64, -64, -65, 8_191, 8_192, 1 << 31, .max, .min] as [Int64])
  func integers(value: Int64) throws {
    let bytes = written { IntegerColumn.encodeOne(value, into: &$0) }
    #expect(bytes == Integers.encode([value]))
    #expect(try readingAll(bytes) { try IntegerColumn.decodeOne(from: &$0) } == value)
  }

  @Test("A truth value is written and read as a chunk of one", arguments: [false, true]) func truth(value: Bool) throws {
    let bytes = written { BoolColumn.encodeOne(value, into: &$0) }
    #expect(bytes == Bools.encode([value]))
    #expect(try readingAll(bytes) { try BoolColumn.decodeOne(from: &$0) } == value)
  }

  @Test("A string is written and read as a chunk of one", arguments: [0, 1, 15, 16, 127, 128, 300, 20_000])
  func strings(length: Int) throws {
    let string = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ length) }
    let bytes = written { w in unsafe string.withUnsafeBytes { unsafe BytesColumn.encodeOne($0, into: &w) } }
    #expect(bytes == Strings.encode([string]))
    #expect(try readingAll(bytes) { unsafe [UInt8](try BytesColumn.decodeOne(from: &$0)) } == string)
  }

  @Test("Bad bytes are refused with the same error at the same offset", arguments: 0..<4) func hostile(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let huge = [UInt8](repeating: 0xFF, count: 9)
    var inputs: [[UInt8]] = [[], [2], [0x80], [5, 1, 2], huge + [1], huge + [2], huge + [0x7F], huge]
    for _ in 0..<2_000 { inputs.append((0..<Int(generator.next() % 12)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }) }
    for input in inputs {
      agree(input, { try IntegerColumn.decodeOne(from: &$0) }, { try Integers.decode(1, &$0)[0] })
      agree(input, { try BoolColumn.decodeOne(from: &$0) }, { try Bools.decode(1, &$0)[0] })
      agree(input, { unsafe [UInt8](try BytesColumn.decodeOne(from: &$0)) }, { try Strings.decode(1, &$0)[0] })
    }
  }

  private func agree<Value: Equatable>(
    _ input: [UInt8], _ one: (inout ByteReader) throws -> Value, _ general: (inout ByteReader) throws -> Value
  ) {
    func outcome(_ body: (inout ByteReader) throws -> Value) -> (Value?, Int, FormatError?) {
      reading(input) { r in
        do {
          return (try body(&r), r.remaining, nil)
        } catch {
          return (nil, 0, error as? FormatError)
        }
      }
    }
    let (left, right) = (outcome(one), outcome(general))
    #expect(left.0 == right.0 && left.1 == right.1, "\(input)")
    #expect(left.2?.code == right.2?.code && left.2?.offset == right.2?.offset && left.2?.message == right.2?.message, "\(input)")
  }
}
