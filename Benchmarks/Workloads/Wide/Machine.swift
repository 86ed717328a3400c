import Foundation

/// What drives a machine.
enum Fuel: String, Codable, CaseIterable {
  case diesel, petrol, electricity, hydrogen
}

/// The second level.
class Machine: Asset {
  var model = ""
  var power = 0.0
  var voltage: Int32 = 0
  var cylinders: UInt8 = 0
  var hours = 0
  var fuel = Fuel.diesel
  var noise: Float = 0
  var isElectric = false
  var isCertified = false
  var certificate: String?
  var inspected: Date?
  var mass = 0.0
  private var efficiency: Double?
  var parts: [Int] = []
  private var checksum: UInt64 = 0
}

extension Machine {
  @inline(__always)
  final func visitMachine(_ visitor: inout some PropertyVisitor) throws {
    model = try visitor.visit(model, "model")
    power = try visitor.visit(power, "power")
    voltage = try visitor.visit(voltage, "voltage")
    cylinders = try visitor.visit(cylinders, "cylinders")
    hours = try visitor.visit(hours, "hours")
    fuel = try visitor.visit(fuel, "fuel")
    noise = try visitor.visit(noise, "noise")
    isElectric = try visitor.visit(isElectric, "isElectric")
    isCertified = try visitor.visit(isCertified, "isCertified")
    certificate = try visitor.visit(certificate, "certificate")
    inspected = try visitor.visit(inspected, "inspected")
    mass = try visitor.visit(mass, "mass")
    efficiency = try visitor.visit(efficiency, "efficiency")
    parts = try visitor.visit(parts, "parts")
    checksum = try visitor.visit(checksum, "checksum")
  }

  @inline(__always)
  final func writeMachine(to writer: inout HandWriter) {
    let (model, certificate, parts) = (model, certificate, parts)
    let texts = model.utf8.count + (certificate?.utf8.count ?? 0)
    writer.reserve(3 + 4 * 8 + 4 + (6 + parts.count) * HandWriter.maximumVarint + texts)
    writer.byte(
      (isElectric ? 1 : 0) | (isCertified ? 2 : 0) | (certificate == nil ? 0 : 4) | (inspected == nil ? 0 : 8)
        | (efficiency == nil ? 0 : 16) | fuel.number &<< 5)
    writer.string(model)
    writer.raw(power)
    writer.signed(Int(voltage))
    writer.byte(cylinders)
    writer.signed(hours)
    writer.raw(noise)
    if let certificate { writer.string(certificate) }
    if let inspected { writer.raw(inspected.timeIntervalSinceReferenceDate) }
    writer.raw(mass)
    if let efficiency { writer.raw(efficiency) }
    writer.numbers(parts)
    writer.varint(checksum)
  }

  @inline(__always)
  final func readMachine(from reader: inout HandReader) throws(HandError) {
    let flags = try reader.byte()
    isElectric = flags & 1 != 0
    isCertified = flags & 2 != 0
    fuel = try Fuel(number: flags &>> 5)
    model = try reader.string()
    power = try reader.raw(as: Double.self)
    voltage = try reader.signed(as: Int32.self)
    cylinders = try reader.byte()
    hours = try reader.signed()
    noise = try reader.raw(as: Float.self)
    if flags & 4 != 0 { certificate = try reader.string() }
    if flags & 8 != 0 { inspected = Date(timeIntervalSinceReferenceDate: try reader.raw(as: Double.self)) }
    mass = try reader.raw(as: Double.self)
    if flags & 16 != 0 { efficiency = try reader.raw(as: Double.self) }
    parts = try reader.numbers()
    checksum = try reader.varint()
  }
}

extension Fuel {
  fileprivate var number: UInt8 {
    switch self {
    case .diesel: 0
    case .petrol: 1
    case .electricity: 2
    case .hydrogen: 3
    }
  }

  @inline(__always)
  fileprivate init(number: UInt8) throws(HandError) {
    switch number {
    case 0: self = .diesel
    case 1: self = .petrol
    case 2: self = .electricity
    case 3: self = .hydrogen
    default: throw .malformed
    }
  }
}
