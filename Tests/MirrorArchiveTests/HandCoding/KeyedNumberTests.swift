import Foundation
import MirrorArchive
import Testing

/// CASES row 11: a number is read as another type exactly, or not at all.
@Suite("Numbers by key")
struct KeyedNumberTests {
  /// A stored value, how it is asked for, and what comes back: nil means that it throws `invalidValue`.
  struct Conversion: Sendable, CustomStringConvertible {
    let description: String
    let write: @Sendable (KeyedArchiver) throws -> Void
    /// Records what is wrong with each way of asking.
    let check: @Sendable (KeyedUnarchiver) -> [String]

    init<Stored: Sendable, Asked: Equatable & Sendable>(
      _ stored: Stored, _ expected: Asked?, as _: Asked.Type = Asked.self, code: ArchiveError.Code = .invalidValue,
      _ get: (@Sendable (KeyedUnarchiver) throws -> Asked)? = nil,
      _ getIfPresent: (@Sendable (KeyedUnarchiver) throws -> Asked?)? = nil
    ) {
      description = "\(Stored.self) \(stored) as \(Asked.self)"
      write = { try $0.encode(stored, forKey: "key") }
      check = { coder in
        var ways: [(String, () throws -> Asked?)] = [
          ("decode", { try coder.decode(Asked.self, forKey: "key") }),
          ("decode optional", { try coder.decode(Asked?.self, forKey: "key") }),
          ("decodeIfPresent", { try coder.decodeIfPresent(Asked.self, forKey: "key") }),
        ]
        if let get { ways.append(("getter", { try get(coder) })) }
        if let getIfPresent { ways.append(("getter if present", { try getIfPresent(coder) })) }
        return ways.compactMap { name, way in
          do {
            let read = try way()
            return read == expected && expected != nil ? nil : "\(name) gave \(read as Any)"
          } catch let error as ArchiveError {
            return expected == nil && error.code == code && error.path.hasSuffix("key") ? nil : "\(name) threw \(error)"
          } catch {
            return "\(name) threw \(error)"
          }
        }
      }
    }
  }

  static let widths: [Conversion] = [
    Conversion(5, 5, as: Int8.self, { try $0.decodeInt8(forKey: "key") }, { try $0.decodeInt8IfPresent(forKey: "key") }),
    Conversion(5, 5, as: UInt64.self, { try $0.decodeUInt64(forKey: "key") }, { try $0.decodeUInt64IfPresent(forKey: "key") }),
    Conversion(Int8(-5), -5, as: Int.self, { try $0.decodeInt(forKey: "key") }, { try $0.decodeIntIfPresent(forKey: "key") }),
    Conversion(UInt8(200), 200, as: Int16.self, { try $0.decodeInt16(forKey: "key") }),
    Conversion(UInt8(200), nil, as: Int8.self, { try $0.decodeInt8(forKey: "key") }, { try $0.decodeInt8IfPresent(forKey: "key") }),
    Conversion(Int.max, nil, as: Int32.self, { try $0.decodeInt32(forKey: "key") }, { try $0.decodeInt32IfPresent(forKey: "key") }),
    Conversion(Int.min, nil, as: Int32.self, { try $0.decodeInt32(forKey: "key") }),
    Conversion(Int.max, 9_223_372_036_854_775_807, as: UInt64.self, { try $0.decodeUInt64(forKey: "key") }),
    Conversion(UInt64.max, nil, as: Int.self, { try $0.decodeInt(forKey: "key") }),
    Conversion(UInt64.max, nil, as: Int64.self, { try $0.decodeInt64(forKey: "key") }),
    Conversion(UInt64.max, .max, as: UInt.self, { try $0.decodeUInt(forKey: "key") }),
    Conversion(-1, nil, as: UInt.self, { try $0.decodeUInt(forKey: "key") }, { try $0.decodeUIntIfPresent(forKey: "key") }),
    Conversion(-1, nil, as: UInt8.self, { try $0.decodeUInt8(forKey: "key") }),
    Conversion(-1, nil, as: UInt16.self, { try $0.decodeUInt16(forKey: "key") }),
    Conversion(-1, nil, as: UInt32.self, { try $0.decodeUInt32(forKey: "key") }),
    Conversion(-1, nil, as: UInt64.self, { try $0.decodeUInt64(forKey: "key") }),
    Conversion(256, nil, as: UInt8.self, { try $0.decodeUInt8(forKey: "key") }),
    Conversion(65_536, nil, as: UInt16.self, { try $0.decodeUInt16(forKey: "key") }),
    Conversion(4_294_967_296, nil, as: UInt32.self, { try $0.decodeUInt32(forKey: "key") }),
    Conversion(-32_769, nil, as: Int16.self, { try $0.decodeInt16(forKey: "key") }),
    Conversion(Int?.some(7), 7, as: Int16.self, { try $0.decodeInt16(forKey: "key") }),
  ]

  static let floating: [Conversion] = [
    Conversion(5, 5.0, as: Double.self, { try $0.decodeDouble(forKey: "key") }, { try $0.decodeDoubleIfPresent(forKey: "key") }),
    Conversion(5, 5.0, as: Float.self, { try $0.decodeFloat(forKey: "key") }, { try $0.decodeFloatIfPresent(forKey: "key") }),
    Conversion(1 << 53, 9_007_199_254_740_992, as: Double.self, { try $0.decodeDouble(forKey: "key") }),
    Conversion((1 << 53) + 1, nil, as: Double.self, { try $0.decodeDouble(forKey: "key") }),
    Conversion((1 << 24) + 1, nil, as: Float.self, { try $0.decodeFloat(forKey: "key") }),
    Conversion(Int.max, nil, as: Double.self, { try $0.decodeDouble(forKey: "key") }),
    Conversion(4.0, 4, as: Int.self, { try $0.decodeInt(forKey: "key") }, { try $0.decodeIntIfPresent(forKey: "key") }),
    Conversion(-4.0, -4, as: Int8.self, { try $0.decodeInt8(forKey: "key") }),
    Conversion(3.75, nil, as: Int.self, { try $0.decodeInt(forKey: "key") }, { try $0.decodeIntIfPresent(forKey: "key") }),
    Conversion(0.1, nil, as: Int.self, { try $0.decodeInt(forKey: "key") }),
    Conversion(1e300, nil, as: Int.self, { try $0.decodeInt(forKey: "key") }),
    Conversion(9_223_372_036_854_775_808.0, nil, as: Int.self, { try $0.decodeInt(forKey: "key") }),
    Conversion(-9_223_372_036_854_775_808.0, .min, as: Int.self, { try $0.decodeInt(forKey: "key") }),
    Conversion(Double.nan, nil, as: Int.self, { try $0.decodeInt(forKey: "key") }),
    Conversion(Double.infinity, nil, as: Int64.self, { try $0.decodeInt64(forKey: "key") }),
    Conversion(-1.0, nil, as: UInt.self, { try $0.decodeUInt(forKey: "key") }),
    Conversion(Float(0.1), Double(Float(0.1)), as: Double.self, { try $0.decodeDouble(forKey: "key") }),
    Conversion(0.5, 0.5, as: Float.self, { try $0.decodeFloat(forKey: "key") }),
    Conversion(0.1, nil, as: Float.self, { try $0.decodeFloat(forKey: "key") }, { try $0.decodeFloatIfPresent(forKey: "key") }),
    Conversion(1e300, nil, as: Float.self, { try $0.decodeFloat(forKey: "key") }),
    Conversion(Double.infinity, .infinity, as: Float.self, { try $0.decodeFloat(forKey: "key") }),
  ]

  static let others: [Conversion] = [
    Conversion(1, true, as: Bool.self, { try $0.decodeBool(forKey: "key") }, { try $0.decodeBoolIfPresent(forKey: "key") }),
    Conversion(0, false, as: Bool.self, { try $0.decodeBool(forKey: "key") }),
    Conversion(UInt8(1), true, as: Bool.self, { try $0.decodeBool(forKey: "key") }),
    Conversion(2, nil, as: Bool.self, { try $0.decodeBool(forKey: "key") }, { try $0.decodeBoolIfPresent(forKey: "key") }),
    Conversion(-1, nil, as: Bool.self, { try $0.decodeBool(forKey: "key") }),
    Conversion(true, 1, as: Int.self, { try $0.decodeInt(forKey: "key") }),
    Conversion(false, 0, as: UInt8.self, { try $0.decodeUInt8(forKey: "key") }),
    Conversion("42", 42, as: Int.self, { try $0.decodeInt(forKey: "key") }, { try $0.decodeIntIfPresent(forKey: "key") }),
    Conversion("-7", -7, as: Int16.self, { try $0.decodeInt16(forKey: "key") }),
    Conversion("300", nil, as: UInt8.self, { try $0.decodeUInt8(forKey: "key") }),
    Conversion("x", nil, as: Int.self, { try $0.decodeInt(forKey: "key") }),
    Conversion("", nil, as: Int.self, { try $0.decodeInt(forKey: "key") }),
    Conversion(" 42", nil, as: Int.self, { try $0.decodeInt(forKey: "key") }),
    Conversion("3.5", nil, as: Int.self, { try $0.decodeInt(forKey: "key") }),
    Conversion("99999999999999999999", nil, as: Int.self, { try $0.decodeInt(forKey: "key") }),
    Conversion(42, "42", as: String.self, { try $0.decodeString(forKey: "key") }, { try $0.decodeStringIfPresent(forKey: "key") }),
    Conversion(Int8(-7), "-7", as: String.self, { try $0.decodeString(forKey: "key") }),
  ]

  /// What no rule makes another thing of.
  static let mismatches: [Conversion] = [
    Conversion([1], nil, as: Int.self, code: .typeMismatch, { try $0.decodeInt(forKey: "key") }),
    Conversion(1, nil, as: [Int].self, code: .typeMismatch),
    Conversion(Date.distantPast, nil, as: Double.self, code: .typeMismatch, { try $0.decodeDouble(forKey: "key") }),
    Conversion(1.5, nil, as: Date.self, code: .typeMismatch, { try $0.decodeDate(forKey: "key") }),
    Conversion(Data([1]), nil, as: String.self, code: .typeMismatch, { try $0.decodeString(forKey: "key") }),
    Conversion("text", nil, as: Data.self, code: .typeMismatch, { try $0.decodeData(forKey: "key") }),
    Conversion("text", nil, as: URL.self, code: .typeMismatch, { try $0.decodeURL(forKey: "key") }),
    Conversion("E621E1F8-C36C-495A-93FC-0C247A3E6E5F", nil, as: UUID.self, code: .typeMismatch, { try $0.decodeUUID(forKey: "key") }),
    Conversion(UUID(), nil, as: String.self, code: .typeMismatch, { try $0.decodeString(forKey: "key") }),
    Conversion(["a": 1], nil, as: [Int].self, code: .typeMismatch),
    Conversion([1, 2], nil, as: [String: Int].self, code: .typeMismatch),
    Conversion(["a"], nil, as: [Date].self, code: .typeMismatch),
    Conversion(Date.distantPast, nil, as: Int.self, code: .typeMismatch, { try $0.decodeInt(forKey: "key") }),
    Conversion(Data([1]), nil, as: Int.self, code: .typeMismatch, { try $0.decodeInt(forKey: "key") }),
  ]

  @Test("Exact, or thrown, at the top, in a hand-coded object and beside reflected properties", arguments: widths + floating + others)
  func conversion(conversion: Conversion) throws {
    for place in [KeyedPlace.top, .object, .inner, .extras] {
      let wrong = try place.pass(write: conversion.write, read: conversion.check)
      #expect(wrong.isEmpty, "\(conversion) at \(place)")
    }
  }

  @Test("Other types are a mismatch", arguments: mismatches) func mismatch(conversion: Conversion) throws {
    for place in [KeyedPlace.top, .object] {
      let wrong = try place.pass(write: conversion.write, read: conversion.check)
      #expect(wrong.isEmpty, "\(conversion) at \(place)")
    }
  }

  @Test("A mismatch names both types and the key", arguments: KeyedPlace.allCases) func mismatchText(place: KeyedPlace) throws {
    try place.pass(
      write: {
        try $0.encode(["a": Date.distantPast], forKey: "stored")
        try $0.encode("text", forKey: "text")
        try $0.encode(Hand(1), forKey: "object")
      },
      read: { coder throws in
        expectRefusal(.typeMismatch, at: "stored", naming: ["[String: Date]", "Int"]) { try coder.decodeInt(forKey: "stored") }
        expectRefusal(.typeMismatch, at: "stored", naming: ["Int"]) { try coder.decodeIntIfPresent(forKey: "stored") }
        expectRefusal(.typeMismatch, at: "text", naming: ["String", "Hand"]) { try coder.decodeObject(of: Hand<Int>.self, forKey: "text") }
        expectRefusal(.typeMismatch, at: "object", naming: ["Int"]) { try coder.decodeInt(forKey: "object") }
        expectRefusal(.typeMismatch, at: "text") { try coder.decodeBytes(forKey: "text") }
        expectRefusal(.typeMismatch, at: "text") { try coder.decodeContainer(forKey: "text") { _ in } }
        expectRefusal(.typeMismatch, at: "text") { try coder.decodeArrayOfObjects(ofClass: Hand<Int>.self, forKey: "text") }
      })
  }
}
