import ArchiveFormat
import Foundation
import Testing
import archivist

/// Keeps what it is told.
struct Recorder: AnatomySink {
  var wantsWords: Bool
  var annotations: [Annotation] = []

  init(words: Bool) { wantsWords = words }

  mutating func annotate(_ annotation: Annotation) { annotations.append(annotation) }

  /// The annotations of an archive; what is thrown is kept beside them.
  static func annotations(of data: Data, words: Bool = true) -> (annotations: [Annotation], error: (any Error)?) {
    // SAFETY: the bytes are there until the walk is over; the annotations hold none of them.
    unsafe data.withUnsafeBytes { bytes in
      var anatomist = unsafe Anatomist(bytes, Recorder(words: words))
      do {
        try anatomist.run()
        return (anatomist.sink.annotations, nil)
      } catch {
        return (anatomist.sink.annotations, error)
      }
    }
  }
}

@Suite("What the bytes of an archive mean")
struct AnatomyTests {
  @Test("Every byte of the golden archives has one meaning, in order, with words and without", arguments: Archives.golden, [true, false])
  func coverage(_ name: String, _ words: Bool) throws {
    checkCoverage(try Archives.data(golden: name), name, words: words)
  }

  @Test("Every byte of the test vectors has one meaning, in order, with words and without") func vectors() {
    #expect(Archives.vectors.count > 100)
    for (name, data, refusal) in Archives.vectors where refusal == nil {
      checkCoverage(data, name, words: true)
      checkCoverage(data, name, words: false)
    }
  }

  private func checkCoverage(_ data: Data, _ name: String, words: Bool) {
    let (annotations, error) = Recorder.annotations(of: data, words: words)
    #expect(error == nil, "\(name)")
    var end = 0
    for annotation in annotations {
      #expect(annotation.offset == end && annotation.length > 0, "\(name): \(annotation)")
      #expect(annotation.meaning.isEmpty != words, "\(name): \(annotation)")
      #expect(!annotation.meaning.contains("cannot be shown"), "\(name): \(annotation)")
      end = annotation.offset + annotation.length
    }
    #expect(end == data.count, "\(name)")
  }

  @Test("A damaged archive has meanings up to the fault", arguments: Archives.golden) func damaged(_ name: String) throws {
    let data = try Archives.data(golden: name)
    for length in stride(from: 0, to: data.count, by: max(1, data.count / 97)) {
      let (annotations, error) = Recorder.annotations(of: data.prefix(length))
      #expect(error != nil)
      var end = 0
      for annotation in annotations {
        #expect(annotation.offset == end)
        end = annotation.offset + annotation.length
      }
      #expect(end <= length)
    }
  }

  @Test("Words make no difference to what is found, whatever the bytes are", arguments: Archives.golden)
  func forged(_ name: String) throws {
    let seed: UInt64 = 11
    let archive = try Archives.data(golden: name)
    guard archive.count < 20_000, archive[archive.startIndex + 4] & 4 == 0 else { return }
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<(ToolProcess.isSanitized ? 20 : 60) {
      var body = Sealed.body(of: archive)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        body[Int.random(in: 0..<body.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      let forged = Sealed.archive(flags: archive[archive.startIndex + 4], body: body)
      let (annotations, error) = Recorder.annotations(of: forged)
      let wordless = Recorder.annotations(of: forged, words: false).error
      #expect(error.map { Problem($0).text } == wordless.map { Problem($0).text }, "seed \(seed): \(forged.base64EncodedString())")
      var end = 0
      for annotation in annotations {
        #expect(annotation.offset == end && annotation.length > 0, "seed \(seed): \(forged.base64EncodedString())")
        end = annotation.offset + annotation.length
      }
      #expect(error != nil || end == forged.count)
    }
  }

  /// The parts of the page about the format that have the bytes of a whole archive in a table.
  static let examples: [[(offset: Int, bytes: [UInt8])]] = {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/MirrorArchive/MirrorArchive.docc/ArchiveFormat.md")
    guard let text = try? String(contentsOf: page, encoding: .utf8) else { return [] }
    return text.components(separatedBy: "\n\n").compactMap { block in
      var offset = 0
      var rows: [(offset: Int, bytes: [UInt8])] = []
      for row in block.components(separatedBy: "\n") where row.hasPrefix("| `") {
        let bytes = row.split(separator: "`")[1].split(separator: " ").compactMap { UInt8($0, radix: 16) }
        rows.append((offset, bytes))
        offset += bytes.count
      }
      return rows.first?.bytes.starts(with: [0x4D, 0x41, 0x9E]) == true ? rows : nil
    }
  }()

  @Test("The tables of bytes on the page about the format divide archives where meanings begin", arguments: examples.indices)
  func page(_ index: Int) {
    let rows = Self.examples[index]
    let (annotations, error) = Recorder.annotations(of: Data(rows.flatMap(\.bytes)))
    #expect(error == nil)
    let starts = Set(annotations.map(\.offset))
    for row in rows { #expect(starts.contains(row.offset), "\(row)") }
  }

  @Test("There are tables on the page") func pageHasTables() { #expect(Self.examples.count >= 2) }

  @Test("Texts and numbers are shown with what they are of") func words() throws {
    let (annotations, _) = Recorder.annotations(of: try Archives.data(golden: "small"))
    #expect(
      annotations.map(\.meaning) == [
        "magic", "format version 1, for readers of version 1", "flags: simple", "the body has 38 bytes", "the type table has 2 entries",
        "entry 0, type 64: class, 2 properties", "name \"golden.Constant\"", "\"number\": Int", "\"kind\": Int",
        "entry 1, type 65: tuple of 1 member", "\"\": Int?", "number, present: yes", "number: 7", "kind, present: no",
        "checksum of all in front of it: xxHash64, right",
      ])
  }
}
