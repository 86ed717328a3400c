import ArchiveFormat

/// Damages archives along their structure: what comes out has right lengths and a right seal, so that a reader has to find the damage itself.
package struct ArchiveMutator {
  var generator: SeededGenerator
  /// Where parts are taken from; the archive itself unless there is another one.
  private let donor: ArchiveParts?

  /// - Parameter donor: An archive whose parts may be put into others.
  package init(seed: UInt64, donor: ArchiveParts? = nil) {
    generator = SeededGenerator(seed: seed)
    self.donor = donor
  }

  /// Changes an archive in some places.
  package mutating func mutate(_ parts: inout ArchiveParts, edits: Int) { for _ in 0..<edits { edit(&parts) } }

  private mutating func edit(_ parts: inout ArchiveParts) {
    switch generator.below(16) {
    case 0: editBlocks(&parts)
    case 1: editRoots(&parts)
    case 2, 3: editTypes(&parts)
    case 4: if generator.once(in: 3) { editPools(&parts) } else { editBlocks(&parts) }
    case 5: if generator.once(in: 4) { parts.isSegmented.toggle() } else { takeFromDonor(&parts) }
    default: editColumn(&parts)
    }
  }

  // MARK: Columns

  private mutating func editColumn(_ parts: inout ArchiveParts) {
    let objects = parts.blocks.map(\.rows)
    if parts.blocks.isEmpty || generator.once(in: 8) {
      let index = generator.below(parts.roots.count)
      guard parts.roots.indices.contains(index) else { return }
      let root = parts.roots[index]
      edit(&parts.roots[index].bytes, root.type, 1, parts.types, objects)
      return
    }
    let index = generator.below(parts.blocks.count)
    let block = parts.blocks[index]
    let column = generator.below(block.columns.count)
    guard block.columns.indices.contains(column) else { return }
    let types = parts.types.properties(of: block.type)
    let type = types.count == block.columns.count ? types[column] : nil
    edit(&parts.blocks[index].columns[column], type, block.rows, parts.types, objects)
  }

  /// Changes a column at one of the borders in it.
  private mutating func edit(_ bytes: inout [UInt8], _ type: TypeID?, _ rows: Int, _ types: TypeTable, _ objects: [Int]) {
    var map = ColumnMap(types)
    if let type {
      unsafe bytes.withUnsafeBytes { bytes in
        var r = unsafe ByteReader(bytes)
        try? map.walk(type, rows, &r)
      }
    }
    guard let span = generator.pick(map.spans), !span.range.isEmpty, span.range.upperBound <= bytes.count else {
      return damage(&bytes, 0..<bytes.count)
    }
    if generator.once(in: 4) { return damage(&bytes, span.range) }
    switch span.role {
    case .integers(let rows): editIntegers(&bytes, span.range, rows, objects)
    case .presence(let rows): editPresence(&bytes, span.range, rows)
    case .chunk(let type, let rows):
      switch type {
      case .bool: editPresence(&bytes, span.range, rows)
      case .double, .date, .cgFloat, .string, .data, .character, .substring, .float, .uuid, .decimal, .void, .float16, .any, .record:
        replace(&bytes, span, map.spans)
      case _ where type.isScalar || types[type]?.isObject == true: editIntegers(&bytes, span.range, rows, objects)
      default: replace(&bytes, span, map.spans)
      }
    case .typeList, .body: replace(&bytes, span, map.spans)
    }
  }

  private mutating func editIntegers(_ bytes: inout [UInt8], _ range: Range<Int>, _ rows: Int, _ objects: [Int]) {
    let values = unsafe bytes.withUnsafeBytes { bytes in
      var r = unsafe ByteReader(UnsafeRawBufferPointer(rebasing: bytes[range]))
      return Integers.decode(rows, &r)
    }
    guard var values, !values.isEmpty else { return damage(&bytes, range) }
    for _ in 0...generator.below(3) {
      let row = generator.below(values.count)
      switch generator.below(6) {
      case 0: values[row] = values[row] &+ Int64(generator.below(5) - 2)
      case 1: values.swapAt(row, generator.below(values.count))
      case 2: values = [Int64](repeating: interesting(objects), count: values.count)
      case 3: values[row] = values[generator.below(values.count)]
      default: values[row] = interesting(objects)
      }
    }
    bytes.replaceSubrange(range, with: Integers.encode(values))
  }

  private mutating func editPresence(_ bytes: inout [UInt8], _ range: Range<Int>, _ rows: Int) {
    let values = unsafe bytes.withUnsafeBytes { bytes in
      var r = unsafe ByteReader(UnsafeRawBufferPointer(rebasing: bytes[range]))
      return TruthValues.decode(rows, &r)
    }
    guard var values, !values.isEmpty else { return damage(&bytes, range) }
    values[generator.below(values.count)] ^= 1
    bytes.replaceSubrange(range, with: TruthValues.encode(values))
  }

  /// Puts another part of the same column in a part's place.
  private mutating func replace(_ bytes: inout [UInt8], _ span: ColumnMap.Span, _ spans: [ColumnMap.Span]) {
    guard generator.once(in: 2), let other = generator.pick(spans), other.range.upperBound <= bytes.count else {
      return damage(&bytes, span.range)
    }
    bytes.replaceSubrange(span.range, with: Array(bytes[other.range]))
  }

  /// Numbers at which something changes, and those of objects.
  private mutating func interesting(_ objects: [Int]) -> Int64 {
    if generator.once(in: 2), let block = objects.indices.randomElement(using: &generator) {
      return Int64(block << 10 | generator.below(objects[block] + 1))
    }
    let numbers: [Int64] = [
      0, 1, -1, 2, 7, 8, 63, 64, 127, 128, 255, 256, 512, 1_023, 1_024, 1_025, 32_768, 65_535, 65_536, 1 << 20, 1 << 31, 1 << 32, 1 << 40,
      .max, .min, .min + 1,
    ]
    return generator.pick(numbers) ?? 0
  }

  // MARK: Bytes

  /// Changes some bytes of a range, the first of which often says how the others are encoded.
  mutating func damage(_ bytes: inout [UInt8], _ range: Range<Int>) {
    if range.isEmpty {
      bytes.insert(UInt8(generator.below(256)), at: range.lowerBound)
      return
    }
    let place = generator.once(in: 3) ? range.lowerBound : range.lowerBound + generator.below(range.count)
    let end = min(range.upperBound, place + 1 + generator.below(8))
    switch generator.below(8) {
    case 0: bytes[place] ^= 1 << UInt8(generator.below(8))
    case 1: bytes[place] = UInt8(generator.below(10))
    case 2: bytes[place] = UInt8(generator.below(256))
    case 3: bytes.removeSubrange(place..<end)
    case 4: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
    case 5: bytes.insert(UInt8(generator.below(256)), at: place)
    case 6: bytes.replaceSubrange(place..<(place + 1), with: varint())
    default: bytes.replaceSubrange(place..<end, with: (place..<end).map { _ in UInt8(generator.below(256)) })
    }
  }

  private mutating func varint() -> [UInt8] {
    let number = UInt64(bitPattern: interesting([]))
    return written { $0.appendVarint(number) }
  }

  private mutating func editPools(_ parts: inout ArchiveParts) {
    damage(&parts.pools, 0..<parts.pools.count)
  }

  // MARK: Blocks and roots

  private mutating func editBlocks(_ parts: inout ArchiveParts) {
    guard !parts.blocks.isEmpty else { return }
    let index = generator.below(parts.blocks.count)
    let other = generator.below(parts.blocks.count)
    switch generator.below(9) {
    case 0: parts.blocks.remove(at: index)
    case 1: if parts.blocks.count < 200 { parts.blocks.insert(parts.blocks[index], at: other) }
    case 2: parts.blocks.swapAt(index, other)
    case 3: parts.blocks[index].rows += generator.below(5) - 2
    case 4: parts.blocks[index].rows = generator.pick([0, 1, 7, 8, 1_023, 1_024, 1_025, 1 << 40]) ?? 0
    case 5: parts.blocks[index].type = type(parts.types)
    case 6: parts.blocks[index].columns.swapAt(generator.below(parts.blocks[index].columns.count), 0)
    case 7: parts.blocks[index].columns.remove(at: generator.below(parts.blocks[index].columns.count))
    default: if let column = generator.pick(parts.blocks[other].columns) { parts.blocks[index].columns.append(column) }
    }
    if parts.blocks.indices.contains(index) {
      parts.blocks[index].rows = max(parts.blocks[index].rows, 0)
      if parts.blocks[index].columns.isEmpty { parts.blocks[index].columns = [[0]] }
    }
  }

  private mutating func editRoots(_ parts: inout ArchiveParts) {
    guard !parts.roots.isEmpty else { return }
    let index = generator.below(parts.roots.count)
    switch generator.below(6) {
    case 0: parts.roots[index].type = type(parts.types)
    case 1: parts.roots[index].key = generator.pick(["root", "", "text", "object", "r\u{F6}ot", "ro\u{308}ot"]) ?? ""
    case 2: parts.roots.append(parts.roots[index])
    case 3: parts.roots[index].bytes = generator.pick(parts.blocks.flatMap(\.columns)) ?? []
    case 4: if parts.roots.count > 1 { parts.roots.remove(at: index) }
    default: damage(&parts.roots[index].bytes, 0..<parts.roots[index].bytes.count)
    }
  }

  // MARK: Types

  private mutating func type(_ types: TypeTable) -> TypeID {
    types.entries.isEmpty || generator.once(in: 2)
      ? TypeID(UInt32(generator.below(64))) : TypeID(entry: generator.below(types.entries.count + 1))
  }

  private mutating func editTypes(_ parts: inout ArchiveParts) {
    if parts.types.entries.isEmpty || generator.once(in: 6) {
      var bytes = parts.typeBytes ?? written { parts.types.encode(into: &$0) }
      damage(&bytes, 0..<bytes.count)
      parts.typeBytes = bytes
      return
    }
    let index = generator.below(parts.types.entries.count)
    switch generator.below(6) {
    case 0: parts.types.entries.swapAt(index, generator.below(parts.types.entries.count))
    case 1: parts.types.entries.append(parts.types.entries[index])
    default: edit(&parts.types.entries[index], parts.types)
    }
  }

  private mutating func edit(_ entry: inout TypeEntry, _ types: TypeTable) {
    switch entry {
    case .optional, .array, .set, .dictionary, .inlineArray:
      let part = type(types)
      entry =
        generator.pick([
          .optional(part), .array(part), .set(part), .dictionary(key: type(types), value: part),
          .inlineArray(part, count: generator.pick([0, 1, 2, 3, 1_025, 1 << 40]) ?? 0),
        ]) ?? entry
    case .tuple(var members):
      edit(&members, types)
      entry = .tuple(members)
    case .structure(let name, let version, var fields):
      edit(&fields, types)
      entry = .structure(name: edited(name, types), version: edited(version), fields: fields)
    case .object(let name, let version, let superclass, var properties):
      edit(&properties, types)
      entry = .object(
        name: edited(name, types), version: edited(version), superclass: generator.once(in: 8) ? type(types) : superclass,
        properties: properties)
    case .enumeration(let name, let version, var cases):
      if let index = cases.indices.randomElement(using: &generator) {
        switch generator.below(5) {
        case 0: cases[index].payload = cases[index].payload == nil ? type(types) : nil
        case 1: cases[index].payload = type(types)
        case 2: cases.swapAt(index, generator.below(cases.count))
        case 3: cases.remove(at: index)
        default: cases.append(cases[index])
        }
      }
      entry = .enumeration(name: edited(name, types), version: edited(version), cases: cases)
    }
  }

  private mutating func edit(_ members: inout [Property], _ types: TypeTable) {
    guard let index = members.indices.randomElement(using: &generator), !generator.once(in: 8) else {
      members.append(Property(key: "added", type: type(types)))
      return
    }
    switch generator.below(6) {
    case 0: members.remove(at: index)
    case 1: members.swapAt(index, generator.below(members.count))
    case 2: members[index].key = generator.pick(["", "$keys", "name", "\0", members[0].key]) ?? ""
    default: members[index].type = type(types)
    }
  }

  private mutating func edited(_ name: String, _ types: TypeTable) -> String {
    guard generator.once(in: 6), let entry = generator.pick(types.entries) else { return name }
    switch entry {
    case .structure(let other, _, _), .enumeration(let other, _, _), .object(let other, _, _, _): return other
    default: return "zoo.Dog"
    }
  }

  private mutating func edited(_ version: UInt64) -> UInt64 { generator.once(in: 12) ? generator.pick([0, 1, 2, .max]) ?? 0 : version }

  // MARK: Another archive

  private mutating func takeFromDonor(_ parts: inout ArchiveParts) {
    let donor = donor ?? parts
    switch generator.below(4) {
    case 0: if let block = generator.pick(donor.blocks), parts.blocks.count < 200 { parts.blocks.append(block) }
    case 1: if let entry = generator.pick(donor.types.entries), parts.types.entries.count < 200 { parts.types.entries.append(entry) }
    case 2:
      if let column = generator.pick(donor.blocks.flatMap(\.columns)), let index = parts.blocks.indices.randomElement(using: &generator) {
        parts.blocks[index].columns[generator.below(parts.blocks[index].columns.count)] = column
      }
    default: if let root = generator.pick(donor.roots) { parts.roots = [root] }
    }
  }
}

extension ArchiveMutator {
  /// Changes an input of `FuzzTarget.structure`: the archive, and now and then how it is read.
  package static func mutate(input: [UInt8], donor: [UInt8]?, seed: UInt64) -> [UInt8] {
    let length = UnarchiverFuzzing.headLength
    guard input.count > length else { return input }
    func parts(_ input: [UInt8]) -> ArchiveParts? { unsafe Array(input.dropFirst(length)).withUnsafeBytes { unsafe ArchiveParts($0) } }
    var mutator = ArchiveMutator(seed: seed, donor: donor.flatMap(parts))
    var head = Array(input.prefix(length))
    if mutator.generator.once(in: 16) { head[0] = UInt8(mutator.generator.below(32)) }
    if mutator.generator.once(in: 8) { head[1] = UInt8(mutator.generator.below(64)) }
    guard var parts = parts(input) else {
      var archive = Array(input.dropFirst(length))
      mutator.damage(&archive, 0..<archive.count)
      return head + (ArchiveParts.resealed(archive) ?? archive)
    }
    mutator.mutate(&parts, edits: 1 + mutator.generator.below(4))
    return head + parts.assembled()
  }
}
