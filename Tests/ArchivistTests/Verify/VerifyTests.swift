import Foundation
import MirrorArchive
import Testing
import archivist

@Suite("verify")
struct VerifyTests {
  /// What is wrong with an archive; nil if it is sound.
  private func fault(of data: Data) -> Problem? {
    do {
      // SAFETY: nothing of the bytes is kept.
      _ = unsafe try data.withUnsafeBytes { bytes in unsafe try Verification(of: bytes) }
      return nil
    } catch {
      return Problem(error)
    }
  }

  @Test("Golden archives are sound", arguments: Archives.golden) func golden(_ name: String) throws {
    let data = try Archives.data(golden: name)
    let verification = unsafe try data.withUnsafeBytes { bytes in unsafe try Verification(of: bytes) }
    #expect(verification.byteCount == data.count)
    // One has objects on purpose that nothing refers to.
    #expect((verification.lostObjectCount == 0) == (name != "strange"))
    #expect(try verification.objectCount == KeyedUnarchiver.header(of: data).objectCount)
    let outcome = try ToolProcess.run(["verify", Archives.path(golden: name)])
    #expect(outcome.code == 0 && outcome.errors.isEmpty && outcome.output.hasPrefix("\(Archives.path(golden: name)): ok, "))
    #expect(try ToolProcess.run(["verify", "-q", Archives.path(golden: name)]).output.isEmpty)
  }

  @Test("Of the test vectors those are sound that a reader does not refuse") func vectors() {
    for (name, data, refusal) in Archives.vectors {
      let fault = fault(of: data)
      #expect((fault == nil) == (refusal == nil), "\(name): \(fault?.text ?? "sound"), \(refusal ?? "not to be refused")")
    }
  }

  @Test("Every flip of a single bit is found", arguments: Archives.golden) func flips(_ name: String) throws {
    var data = try Archives.data(golden: name)
    // Each time all of the archive is looked at: of long ones every so many bits are flipped, in turn at each place of a byte.
    let step = data.count * 8 * data.count / 30_000_000 | 1
    for place in stride(from: 0, to: data.count * 8, by: step) {
      data[place / 8] ^= 1 << UInt8(place % 8)
      if fault(of: data)?.offset == nil { Issue.record("bit \(place % 8) of byte \(place / 8)") }
      data[place / 8] ^= 1 << UInt8(place % 8)
    }
  }

  @Test("Every archive that ends too early or too late is found", arguments: ["small", "graph", "roots"])
  func lengths(_ name: String) throws {
    let data = try Archives.data(golden: name)
    for length in 0..<data.count { #expect(fault(of: data.prefix(length)) != nil) }
    #expect(fault(of: data + [0])?.message == "1 bytes follow the archive")
  }

  @Test("An archive of which several segments are damaged is wrong at the first of them") func segments() throws {
    var data = try Archives.segmented()
    #expect(fault(of: data) == nil)
    data[200_000] ^= 1
    data[100_000] ^= 1
    #expect(fault(of: data)?.offset == 65_536)
    data[data.count - 9] ^= 1
    #expect(fault(of: data)?.message == "the archive is damaged: its list of checksums does not match")
  }

  @Test("What cannot be read is not sound, and what is sound can be read", arguments: Archives.golden, [1, 2] as [UInt64])
  func agreement(_ name: String, _ seed: UInt64) throws {
    let archive = try Archives.data(golden: name)
    let flags = archive[archive.startIndex + 4]
    // Archives in segments are sealed in another way, and take long.
    guard archive.count < 20_000, flags & 4 == 0 else { return }
    var generator = SeededGenerator(seed: seed)
    var soundCount = 0
    for _ in 0..<(ToolProcess.isSanitized ? 40 : 120) {
      var body = Sealed.body(of: archive)
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let index = Int.random(in: 0..<body.count, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: body.remove(at: index)
        case 1: body.insert(UInt8.random(in: 0...255, using: &generator), at: index)
        case 2: body[index] &+= 1
        default: body[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        }
      }
      let forged = Sealed.archive(flags: flags, body: body)
      let fault = fault(of: forged)
      let reading = Result { try ArchiveDocument(of: forged) }
      switch reading {
      case .success: #expect(fault == nil, "seed \(seed): \(fault?.text ?? "") in \(forged.base64EncodedString())")
      case .failure(let error):
        #expect(fault != nil, "seed \(seed): \(error) in \(forged.base64EncodedString())")
      }
      if fault == nil { soundCount += 1 }
      if let offset = fault?.offset { #expect((0...forged.count).contains(offset)) }
    }
    #expect(soundCount < 120)
  }

  /// The worked example of the page about the format: the first table there is a simple archive, the second one has two blocks.
  private func basket() throws -> Data {
    let example = try #require(AnatomyTests.examples.last { $0[2].bytes == [0x08] })
    return Data(example.flatMap(\.bytes))
  }

  @Test("A fault behind the right checksum is found where it is") func structure() throws {
    let basket = try basket()
    #expect(fault(of: basket) == nil)
    let faults: [(String, range: Range<Int>, new: [UInt8], offset: Int, message: String)] = [
      ("a reference", 105..<107, [0x84, 0x10], 105, "Basket#0.items: a reference leads to object 1026, which does not exist"),
      ("a text", 99..<100, [0xFF], 99, "Basket#0.owner: the string is not valid UTF-8"),
      ("a presence", 112..<113, [0x02], 112, "Item#1024...#1025.code: a truth value is neither 0 nor 1"),
      ("a case", 132..<133, [0x04], 131, "Item#1024...#1025.label: the index 2 is not below 2"),
      ("the root", 97..<98, [0x01], 97, "root \"root\": a reference leads to object -1, which does not exist"),
    ]
    for (what, range, new, offset, message) in faults {
      let found = fault(of: Sealed.replacing(range, of: basket, with: new))
      #expect(found?.offset == offset && found?.message == message, "\(what): \(found?.text ?? "none")")
    }
    // One byte more in the last block, and in the table that says so.
    let long = Sealed.replacing(135..<135, of: Sealed.replacing(88..<89, of: basket, with: [0x18]), with: [0])
    #expect(fault(of: long)?.text == "Item#1024...#1025.label: 1 bytes are left over behind the properties (at byte 135)")
  }

  @Test("Objects that nothing refers to are counted") func lost() throws {
    // The pen is in the basket no more, and no gift.
    var archive = Sealed.replacing(105..<107, of: try basket(), with: [0x80, 0x10])
    archive = Sealed.replacing(110..<112, of: archive, with: [0x80, 0x10])
    let verification = unsafe try archive.withUnsafeBytes { bytes in unsafe try Verification(of: bytes) }
    #expect(verification.objectCount == 3 && verification.lostObjectCount == 1)
    let outcome = try ToolProcess.run(["verify", "-"], input: archive)
    #expect(outcome.code == 0 && outcome.output.hasPrefix("standard input: ok, 143 bytes, 3 objects, 1 of them referred to by nothing, "))
  }

  #if os(Linux)
    @Test("Memory does not grow with the archive", .enabled(if: !ToolProcess.isSanitized)) func memory() throws {
      let archiver = KeyedArchiver()
      var generator = SeededGenerator(seed: 3)
      try archiver.encode((0..<2_000_000).map { _ in Int(truncatingIfNeeded: generator.next()) }, forKey: "numbers")
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("archivist-\(UUID().uuidString)")
      try archiver.encodedData.write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      // Less memory of its own than the file has bytes; the file itself is mapped, and does not count.
      for command in ["verify -q", "info", "hexdump --range ..100"] {
        let outcome = try ToolProcess.shell("ulimit -d 10000; $TOOL \(command) '\(file.path)'")
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(command): \(outcome.errors)")
      }
    }
  #endif

  @Test("All files are looked at, and each fault is told") func several() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("archivist-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    var data = try Archives.data(golden: "graph")
    data[20] ^= 4
    let damaged = directory.appendingPathComponent("damaged\u{1B}[2J").path
    try data.write(to: URL(fileURLWithPath: damaged))
    let outcome = try ToolProcess.run(["verify", "absent", Archives.path(golden: "small"), damaged, Archives.path(golden: "roots")])
    #expect(outcome.code == 1)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains("small.bin: ok, 52 bytes, 1 object, ") && lines[1].contains("roots.bin: ok, "))
    let errors = outcome.errors.split(separator: "\n")
    try #require(errors.count == 2)
    #expect(errors[0] == "archivist: absent: No such file or directory")
    #expect(errors[1].hasSuffix("damaged\\u{1B}[2J: the archive is damaged: its checksum does not match (at byte 7)"), "\(errors[1])")
  }
}
