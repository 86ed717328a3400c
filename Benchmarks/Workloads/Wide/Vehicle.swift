/// The third level.
class Vehicle: Machine {
  var plate = ""
  var colour = ""
  var seats = 0
  var doors: UInt8 = 0
  var mileage = 0
  var range = 0.0
  var speed = 0.0
  var latitude = 0.0
  var longitude = 0.0
  var heading: Float = 0
  var isParked = false
  private var driver: String?
  private var insurance: String?
  var lease: Double?
  private var odometer = 0
}

extension Vehicle {
  @inline(__always)
  final func visitVehicle(_ visitor: inout some PropertyVisitor) throws {
    plate = try visitor.visit(plate, "plate")
    colour = try visitor.visit(colour, "colour")
    seats = try visitor.visit(seats, "seats")
    doors = try visitor.visit(doors, "doors")
    mileage = try visitor.visit(mileage, "mileage")
    range = try visitor.visit(range, "range")
    speed = try visitor.visit(speed, "speed")
    latitude = try visitor.visit(latitude, "latitude")
    longitude = try visitor.visit(longitude, "longitude")
    heading = try visitor.visit(heading, "heading")
    isParked = try visitor.visit(isParked, "isParked")
    driver = try visitor.visit(driver, "driver")
    insurance = try visitor.visit(insurance, "insurance")
    lease = try visitor.visit(lease, "lease")
    odometer = try visitor.visit(odometer, "odometer")
  }

  @inline(__always)
  final func writeVehicle(to writer: inout HandWriter) {
    let (plate, colour, driver, insurance) = (plate, colour, driver, insurance)
    let texts = plate.utf8.count + colour.utf8.count + (driver?.utf8.count ?? 0) + (insurance?.utf8.count ?? 0)
    writer.reserve(2 + 5 * 8 + 4 + 7 * HandWriter.maximumVarint + texts)
    writer.byte((isParked ? 1 : 0) | (driver == nil ? 0 : 2) | (insurance == nil ? 0 : 4) | (lease == nil ? 0 : 8))
    writer.string(plate)
    writer.string(colour)
    writer.signed(seats)
    writer.byte(doors)
    writer.signed(mileage)
    writer.raw(range)
    writer.raw(speed)
    writer.raw(latitude)
    writer.raw(longitude)
    writer.raw(heading)
    if let driver { writer.string(driver) }
    if let insurance { writer.string(insurance) }
    if let lease { writer.raw(lease) }
    writer.signed(odometer)
  }

  @inline(__always)
  final func readVehicle(from reader: inout HandReader) throws(HandError) {
    let flags = try reader.byte()
    isParked = flags & 1 != 0
    plate = try reader.string()
    colour = try reader.string()
    seats = try reader.signed()
    doors = try reader.byte()
    mileage = try reader.signed()
    range = try reader.raw(as: Double.self)
    speed = try reader.raw(as: Double.self)
    latitude = try reader.raw(as: Double.self)
    longitude = try reader.raw(as: Double.self)
    heading = try reader.raw(as: Float.self)
    if flags & 2 != 0 { driver = try reader.string() }
    if flags & 4 != 0 { insurance = try reader.string() }
    if flags & 8 != 0 { lease = try reader.raw(as: Double.self) }
    odometer = try reader.signed()
  }
}
