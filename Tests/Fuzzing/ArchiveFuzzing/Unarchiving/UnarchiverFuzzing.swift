import ArchiveFormat
import Foundation
import MirrorArchive

/// Two bytes choose what the rest, an archive, is read as: the model and how.
package enum UnarchiverFuzzing {
  package static let headLength = 2

  static func run(_ input: Data, verifyingChecksum: Bool) throws(FuzzFailure) {
    guard input.count > headLength else { return }
    let model = FuzzModel.all[Int(input[input.startIndex]) % FuzzModel.all.count]
    let archive = Data(input.dropFirst(headLength))
    if unsafe archive.withUnsafeBytes({ unsafe Expansion.isTooLarge($0) }) { return }
    try model.run(archive, Reading(bits: input[input.startIndex + 1], verifyingChecksum: verifyingChecksum))
  }
}

/// How an archive is read.
struct Reading: Sendable {
  let allowsAnyClass: Bool
  let options: DecodingOptions
  /// With an unarchiver, instead of in one call.
  let isKeyed: Bool
  let isOnDemand: Bool
  let verifyingChecksum: Bool

  init(bits: UInt8, verifyingChecksum: Bool) {
    allowsAnyClass = bits & 1 != 0
    let policies: [DecodingOptions.UnknownClassPolicy] = [.reject, .skip, .keep, .reject]
    options = DecodingOptions(conversionPolicy: bits & 8 != 0 ? .lenient : .exact, unknownClasses: policies[Int(bits >> 1 & 3)])
    isKeyed = bits & 16 != 0
    isOnDemand = bits & 32 != 0
    self.verifyingChecksum = verifyingChecksum
  }

  /// The same for an archive that was written just now.
  private init(again other: Reading) {
    (allowsAnyClass, options, isKeyed, isOnDemand) = (other.allowsAnyClass, other.options, other.isKeyed, other.isOnDemand)
    verifyingChecksum = true
  }
  var again: Reading { Reading(again: self) }

  func unarchiver(_ archive: Data) throws -> KeyedUnarchiver {
    let unarchiver = try KeyedUnarchiver(
      forReadingFrom: archive, verification: !verifyingChecksum ? .none : isOnDemand ? .onDemand : .whole)
    unarchiver.requiresSecureCoding = !allowsAnyClass
    unarchiver.options = options
    return unarchiver
  }

  func root<Root>(_ type: Root.Type, _ archive: Data) throws -> Root {
    if isKeyed { return try unarchiver(archive).decode(type, forKey: "root") }
    return try KeyedUnarchiver.unarchivedObject(
      of: type, from: archive, options: options, unsafelyAllowingAnyClass: allowsAnyClass, verifyingChecksum: verifyingChecksum)
  }
}

/// What an archive is tried as.
struct FuzzModel: Sendable {
  private let body: @Sendable (Data, Reading) throws -> Void

  /// Reads the root as a `Root`; what is read is archived and read again, and has to be the same.
  ///
  /// - Parameter mayBeTied: Whether the graph may have circles.
  init<Root>(_: Root.Type, mayBeTied: Bool = true) {
    body = { archive, reading in
      let first = try reading.root(Root.self, archive)
      defer { if mayBeTied { Untying.untie(first) } }
      do {
        let written = try Self.archive(first, reading)
        let second = try reading.again.root(Root.self, written)
        defer { if mayBeTied { Untying.untie(second) } }
        let rewritten = try Self.archive(second, reading)
        try require(
          written == rewritten || Self.keepsOrder(written), "\(Root.self) is another one when it is archived and read again")
      } catch let failure as FuzzFailure {
        throw failure
      } catch {
        throw FuzzFailure("\(Root.self) was read, but not archived and read again: \(error)")
      }
    }
  }

  init(_ body: @escaping @Sendable (Data, Reading) throws -> Void) { self.body = body }

  func run(_ archive: Data, _ reading: Reading) throws(FuzzFailure) {
    do { try body(archive, reading) } catch let failure as FuzzFailure {
      throw failure
    } catch {
      if !(error is ArchiveError) { throw FuzzFailure("reading throws something that is no ArchiveError: \(error)") }
    }
  }

  /// Whether hash tables in it may have objects as keys: those stand in the order of iteration, which is another one each time.
  private static func keepsOrder(_ archive: Data) -> Bool {
    guard let types = try? reading([UInt8](archive), { unsafe try ArchiveLayout(parsing: $0.rest).types }) else { return false }
    return types.entries.contains { entry in
      switch entry {
      case .dictionary(let key, _), .set(let key): types.mayRefer(key)
      default: false
      }
    }
  }

  private static func archive<Root>(_ root: Root, _ reading: Reading) throws -> Data {
    // The one-shot calls admit the class of the root everywhere in it.
    let archiver = KeyedArchiver(requiringSecureCoding: !reading.allowsAnyClass, allowing: Root.self is AnyClass ? [Root.self] : [])
    archiver.outputFormatting = .sortedKeys
    try archiver.encode(root, forKey: "root")
    return try archiver.encodedData
  }

  /// Numbers are never given to other models, because the committed inputs say them.
  static let all = [
    FuzzModel(Golden.Scalars.self, mayBeTied: false), FuzzModel([Golden.Row].self, mayBeTied: false),
    FuzzModel(Golden.Collections.self, mayBeTied: false), FuzzModel(Golden.Enums.self, mayBeTied: false),
    FuzzModel(Golden.Graph.self), FuzzModel(Golden.Anything.self), FuzzModel(Golden.Library.self, mayBeTied: false),
    FuzzModel(Golden.Records.self),
    FuzzModel(Golden.Constant.self, mayBeTied: false), FuzzModel([Golden.Later.Person].self, mayBeTied: false), FuzzModel(readKeys),
    FuzzModel(Zoo.Today.self),
    FuzzModel(readContents), FuzzModel(readAnything), FuzzModel(Mixed.self), FuzzModel(readOneOf), FuzzModel(Proxied.self),
    FuzzModel(Hashed.self),
  ]

  // MARK: Other ways to read

  @Sendable private static func readKeys(_ archive: Data, _ reading: Reading) throws {
    let coder = try reading.unarchiver(archive)
    defer { coder.finishDecoding() }
    var kept: [Any] = []
    defer { Untying.untie(kept) }
    for key in coder.allKeys.prefix(20) {
      _ = coder.storedType(forKey: key)
      try require(coder.containsValue(forKey: key), "a key that is listed is not there")
      func read<T>(_ type: T.Type) { if let value = try? coder.decode(type, forKey: key) { kept.append(value) } }
      read(String.self)
      read([Int].self)
      read(Int?.self)
      read(Golden.Size.self)
      read([Golden.Constant].self)
      if let object = try? coder.decodeObject(of: Golden.Constant.self, forKey: key) { kept.append(object) }
      _ = try? coder.decodeContainer(forKey: key) { inner in
        for key in inner.allKeys { _ = try inner.decodeBool(forKey: key) }
      }
    }
    _ = coder.report
  }

  @Sendable private static func readContents(_ archive: Data, _ reading: Reading) throws {
    let contents = try ArchiveDocument(of: archive, verifyingChecksum: reading.verifyingChecksum)
    for object in contents.objects { for field in object.properties { _ = field.value == field.value } }
    if reading.verifyingChecksum { _ = try KeyedUnarchiver.header(of: archive) }
  }

  @Sendable private static func readAnything(_ archive: Data, _ reading: Reading) throws {
    Untying.untie(try reading.root(Any.self, archive))
  }

  @Sendable private static func readOneOf(_ archive: Data, _ reading: Reading) throws {
    let types: [Any.Type] = [
      Golden.Constant.self, [Golden.Constant].self, Golden.Size.self, [String: Int].self, Golden.Tree.self, Double.self,
    ]
    if reading.verifyingChecksum {
      Untying.untie(try KeyedUnarchiver.unarchivedObject(ofClasses: types, from: archive, options: reading.options))
    } else {
      let coder = try reading.unarchiver(archive)
      defer { coder.finishDecoding() }
      Untying.untie(try coder.decodeObject(ofClasses: types, forKey: "root"))
    }
  }
}
