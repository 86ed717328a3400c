import Foundation

/// The shop, row by row: no keys, a flag byte for `onSale` and the presence of a tag.
enum HandShop {
  private static let isOnSale: UInt8 = 1
  private static let hasTag: UInt8 = 2

  @inline(__always)
  private static func write(_ fruit: Fruit, to writer: inout HandWriter) {
    let name = fruit.name
    let tag = fruit.tag
    writer.reserve(1 + 8 + 3 * HandWriter.maximumVarint + name.utf8.count + (tag?.utf8.count ?? 0))
    writer.byte((fruit.onSale ? isOnSale : 0) | (tag == nil ? 0 : hasTag))
    writer.signed(fruit.count)
    writer.raw(fruit.price)
    writer.string(name)
    if let tag { writer.string(tag) }
  }

  @inline(__always)
  private static func readFruit(_ reader: inout HandReader) throws(HandError) -> Fruit {
    let flags = try reader.byte()
    let count = try reader.signed()
    let price = try reader.raw(as: Double.self)
    let name = try reader.string()
    let tag = flags & hasTag == 0 ? nil : try reader.string()
    return Fruit(name: name, count: count, price: price, onSale: flags & isOnSale != 0, tag: tag)
  }

  static func encodeRows(_ rows: [FruitRow]) -> Data {
    var writer = HandWriter(capacity: 256 + 40 * rows.count)
    writer.reserve(HandWriter.maximumVarint)
    writer.varint(UInt64(rows.count))
    for row in rows {
      writer.reserve(1 + 8 + 3 * HandWriter.maximumVarint + row.name.utf8.count + (row.tag?.utf8.count ?? 0))
      writer.byte((row.onSale ? isOnSale : 0) | (row.tag == nil ? 0 : hasTag))
      writer.signed(row.count)
      writer.raw(row.price)
      writer.string(row.name)
      if let tag = row.tag { writer.string(tag) }
    }
    return writer.finish()
  }

  /// As `encodeRows`, for a programmer who knows that a loop retains and releases what is in a struct, and wants neither.
  static func encodeRowsInPlace(_ rows: [FruitRow]) -> Data {
    var writer = HandWriter(capacity: 256 + 40 * rows.count)
    writer.reserve(HandWriter.maximumVarint)
    writer.varint(UInt64(rows.count))
    unsafe rows.forEachInPlace { row in
      // SAFETY: here and below, the pointer is valid within this closure.
      unsafe writer.reserve(1 + 8 + 3 * HandWriter.maximumVarint + row.pointee.name.utf8.count + (row.pointee.tag?.utf8.count ?? 0))
      unsafe writer.byte((row.pointee.onSale ? isOnSale : 0) | (row.pointee.tag == nil ? 0 : hasTag))
      unsafe writer.signed(row.pointee.count)
      unsafe writer.raw(row.pointee.price)
      unsafe writer.string(row.pointee.name)
      if let tag = unsafe row.pointee.tag { writer.string(tag) }
    }
    return writer.finish()
  }

  static func decodeRows(_ data: Data) throws -> [FruitRow] {
    try HandReader.read(data) { reader in
      let count = try reader.count(minimumSize: 11)
      var rows: [FruitRow] = []
      rows.reserveCapacity(count)
      for _ in 0..<count {
        let flags = try reader.byte()
        let count = try reader.signed()
        let price = try reader.raw(as: Double.self)
        let name = try reader.string()
        let tag = flags & hasTag == 0 ? nil : try reader.string()
        rows.append(FruitRow(name: name, count: count, price: price, onSale: flags & isOnSale != 0, tag: tag))
      }
      return rows
    }
  }

  static func encodeOne(_ fruit: Fruit) -> Data {
    var writer = HandWriter(capacity: 64)
    write(fruit, to: &writer)
    return writer.finish()
  }

  static func decodeOne(_ data: Data) throws -> Fruit {
    try HandReader.read(data) { reader in
      let fruit = try readFruit(&reader)
      return fruit
    }
  }

  static func encode(_ page: HomePage) -> Data {
    var writer = HandWriter(capacity: 256 + 40 * page.fruits.count)
    writeHead(of: page, to: &writer)
    writer.varint(UInt64(page.fruits.count))
    page.fruits.forEachBorrowed { fruit in write(fruit, to: &writer) }
    return writer.finish()
  }

  /// As `encode`, for a programmer who does not know that no fruit is in two places: the array holds numbers, and each fruit is written once.
  static func encodeWithIdentity(_ page: HomePage) -> Data {
    let fruits = page.fruits
    var writer = HandWriter(capacity: 256 + 44 * fruits.count)
    var met = HandWorklist<Fruit>(expected: fruits.count)
    let position = writer.placeholder()
    writeHead(of: page, to: &writer)
    writer.reserve((1 + fruits.count) * HandWriter.maximumVarint)
    writer.varint(UInt64(fruits.count))
    fruits.forEachBorrowed { fruit in writer.varint(met.number(of: fruit)) }
    writer.fill(position, with: UInt32(met.count))
    while let next = unsafe met.next() {
      unsafe next._withUnsafeGuaranteedRef { fruit in write(fruit, to: &writer) }
    }
    return writer.finish()
  }

  /// Everything but the fruits, and room for their count.
  @inline(__always)
  private static func writeHead(of page: HomePage, to writer: inout HandWriter) {
    let texts = page.name.utf8.count + page.location.utf8.count + (page.address?.utf8.count ?? 0) + (page.owner?.name.utf8.count ?? 0)
    writer.reserve(1 + 8 + 7 * HandWriter.maximumVarint + texts)
    writer.byte((page.open ? 1 : 0) | (page.address == nil ? 0 : 2) | (page.owner == nil ? 0 : 4))
    writer.string(page.name)
    writer.string(page.location)
    writer.signed(page.number)
    writer.raw(page.money)
    if let address = page.address { writer.string(address) }
    if let owner = page.owner {
      writer.string(owner.name)
      writer.signed(owner.age)
    }
  }

  static func decode(_ data: Data) throws -> HomePage {
    try HandReader.read(data) { reader in
      let page = try readHead(&reader)
      let count = try reader.count(minimumSize: 11)
      var fruits: [Fruit] = []
      fruits.reserveCapacity(count)
      for _ in 0..<count {
        fruits.append(try readFruit(&reader))
      }
      page.fruits = fruits
      return page
    }
  }

  static func decodeWithIdentity(_ data: Data) throws -> HomePage {
    try HandReader.read(data) { reader in
      let fruits = try reader.objects(minimumSize: 11) { Fruit() }
      let page = try readHead(&reader)
      page.fruits = try reader.references(to: fruits)
      for fruit in fruits {
        let flags = try reader.byte()
        fruit.onSale = flags & isOnSale != 0
        fruit.count = try reader.signed()
        fruit.price = try reader.raw(as: Double.self)
        fruit.name = try reader.string()
        if flags & hasTag != 0 { fruit.tag = try reader.string() }
      }
      return page
    }
  }

  /// Everything but the fruits.
  @inline(__always)
  private static func readHead(_ reader: inout HandReader) throws(HandError) -> HomePage {
    let flags = try reader.byte()
    let name = try reader.string()
    let location = try reader.string()
    let number = try reader.signed()
    let money = try reader.raw(as: Double.self)
    let address = flags & 2 == 0 ? nil : try reader.string()
    let owner = flags & 4 == 0 ? nil : Owner(name: try reader.string(), age: try reader.signed())
    return HomePage(
      name: name, location: location, number: number, money: money, open: flags & 1 != 0, address: address, fruits: [], owner: owner)
  }
}
