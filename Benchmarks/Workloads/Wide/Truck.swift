import Foundation

/// How soon a truck has to leave.
enum Priority: Int, Codable, CaseIterable {
  case low, normal, high
}

/// The fourth level: 60 properties in all, ten of them private, twelve Optionals.
final class Truck: Vehicle, Codable {
  var axles = 0
  var load = 0.0
  var volume = 0.0
  var hasTrailer = false
  var hasCrane = false
  var trailer: String?
  var cargo = ""
  var route = ""
  var stops: [Int] = []
  var toll = 0.0
  private var tachograph: UInt64 = 0
  var departure = Date(timeIntervalSinceReferenceDate: 0)
  var arrival: Date?
  private var temperature: Float?
  var priority = Priority.normal

  required init() {
    super.init()
  }

  init(from decoder: any Decoder) throws {
    super.init()
    var visitor = DecodingVisitor(container: try decoder.container(keyedBy: PropertyKey.self))
    try visit(&visitor)
  }

  func encode(to encoder: any Encoder) throws {
    var visitor = EncodingVisitor(container: encoder.container(keyedBy: PropertyKey.self))
    try visit(&visitor)
  }

  /// All four levels.
  func visit(_ visitor: inout some PropertyVisitor) throws {
    try visitAsset(&visitor)
    try visitMachine(&visitor)
    try visitVehicle(&visitor)
    axles = try visitor.visit(axles, "axles")
    load = try visitor.visit(load, "load")
    volume = try visitor.visit(volume, "volume")
    hasTrailer = try visitor.visit(hasTrailer, "hasTrailer")
    hasCrane = try visitor.visit(hasCrane, "hasCrane")
    trailer = try visitor.visit(trailer, "trailer")
    cargo = try visitor.visit(cargo, "cargo")
    route = try visitor.visit(route, "route")
    stops = try visitor.visit(stops, "stops")
    toll = try visitor.visit(toll, "toll")
    tachograph = try visitor.visit(tachograph, "tachograph")
    departure = try visitor.visit(departure, "departure")
    arrival = try visitor.visit(arrival, "arrival")
    temperature = try visitor.visit(temperature, "temperature")
    priority = try visitor.visit(priority, "priority")
  }

  @inline(__always)
  func write(to writer: inout HandWriter) {
    writeAsset(to: &writer)
    writeMachine(to: &writer)
    writeVehicle(to: &writer)
    let (trailer, cargo, route, stops) = (trailer, cargo, route, stops)
    let texts = (trailer?.utf8.count ?? 0) + cargo.utf8.count + route.utf8.count
    writer.reserve(2 + 5 * 8 + 4 + (6 + stops.count) * HandWriter.maximumVarint + texts)
    writer.byte(
      (hasTrailer ? 1 : 0) | (hasCrane ? 2 : 0) | (trailer == nil ? 0 : 4) | (arrival == nil ? 0 : 8) | (temperature == nil ? 0 : 16))
    writer.signed(axles)
    writer.raw(load)
    writer.raw(volume)
    if let trailer { writer.string(trailer) }
    writer.string(cargo)
    writer.string(route)
    writer.numbers(stops)
    writer.raw(toll)
    writer.varint(tachograph)
    writer.raw(departure.timeIntervalSinceReferenceDate)
    if let arrival { writer.raw(arrival.timeIntervalSinceReferenceDate) }
    if let temperature { writer.raw(temperature) }
    writer.byte(UInt8(truncatingIfNeeded: priority.rawValue))
  }

  @inline(__always)
  func read(from reader: inout HandReader) throws(HandError) {
    try readAsset(from: &reader)
    try readMachine(from: &reader)
    try readVehicle(from: &reader)
    let flags = try reader.byte()
    hasTrailer = flags & 1 != 0
    hasCrane = flags & 2 != 0
    axles = try reader.signed()
    load = try reader.raw(as: Double.self)
    volume = try reader.raw(as: Double.self)
    if flags & 4 != 0 { trailer = try reader.string() }
    cargo = try reader.string()
    route = try reader.string()
    stops = try reader.numbers()
    toll = try reader.raw(as: Double.self)
    tachograph = try reader.varint()
    departure = Date(timeIntervalSinceReferenceDate: try reader.raw(as: Double.self))
    if flags & 8 != 0 { arrival = Date(timeIntervalSinceReferenceDate: try reader.raw(as: Double.self)) }
    if flags & 16 != 0 { temperature = try reader.raw(as: Float.self) }
    guard let priority = Priority(rawValue: Int(try reader.byte())) else { throw .malformed }
    self.priority = priority
  }
}

/// The trucks one after the other; every level of the hierarchy writes its own properties, some of which only it can see.
enum HandTrucks {
  static func encode(_ trucks: [Truck]) -> Data {
    var writer = HandWriter(capacity: 64 + 700 * trucks.count)
    writer.reserve(HandWriter.maximumVarint)
    writer.varint(UInt64(trucks.count))
    trucks.forEachBorrowed { truck in truck.write(to: &writer) }
    return writer.finish()
  }

  static func decode(_ data: Data) throws -> [Truck] {
    try HandReader.read(data) { reader in
      try reader.rows(minimumSize: 100) { reader throws(HandError) in
        let truck = Truck()
        try truck.read(from: &reader)
        return truck
      }
    }
  }
}
