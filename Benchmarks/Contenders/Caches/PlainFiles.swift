import Foundation
import MirrorArchive

/// What anybody has to pay: archives in files, by the system's own calls, and nothing that makes a cache of it. A reader can see half a page,
/// and nobody would notice.
final class PlainFiles: PageStore {
  let operations: [Operation] = [.put, .replace, .diskHit, .miss, .open]
  private let directory: String
  /// What a reader would have to ask the system for.
  private var sizes: [String: Int] = [:]

  init(_ directory: URL) throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    self.directory = directory.path
  }

  private func path(_ key: String) -> String { directory + "/" + key }

  func put(_ page: Page, _ key: String) throws {
    let archive = try KeyedArchiver.archivedData(withRootObject: page)
    let file = unsafe Foundation.open(path(key), O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { throw Unavailable(description: "cannot create a file") }
    defer { close(file) }
    // SAFETY: the system reads as many bytes as there are.
    let count = unsafe archive.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
    guard count == archive.count else { throw Unavailable(description: "cannot write a file") }
    if sizes[key] != count { sizes[key] = count }
  }

  func diskHit(_ key: String) throws -> Page? {
    let file = unsafe Foundation.open(path(key), O_RDONLY)
    if file < 0 { return nil }
    defer { close(file) }
    let archive = UnsafeMutableRawBufferPointer.allocate(byteCount: sizes[key] ?? 0, alignment: 16)
    defer { unsafe archive.deallocate() }
    // SAFETY: the system writes no more than there is room for, and the archive stays what it is while it is decoded.
    let count = unsafe read(file, archive.baseAddress, archive.count)
    guard count == archive.count else { throw Unavailable(description: "cannot read a file") }
    return unsafe try KeyedUnarchiver.unarchivedObject(of: Page.self, from: UnsafeRawBufferPointer(archive))
  }

  func open() throws -> AnyObject? {
    guard unsafe mkdir(directory, 0o700) == -1, errno == EEXIST else { throw Unavailable(description: "the directory is gone") }
    return nil
  }

  func remove(_ key: String) throws { unsafe unlink(path(key)) }

  func byteCount(_ key: String) throws -> Int { sizes[key] ?? 0 }
}
