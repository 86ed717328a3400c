public import Foundation
public import MirrorArchive

/// A base class that other modules inherit from. Its private properties have names that subclasses use again.
open class RemoteShelf: MirrorCoding {
  private var id = 1
  private var secret = "remote"
  public var label = ""
  public internal(set) var opened = Date(timeIntervalSinceReferenceDate: 0)

  public final func configure(id: Int, secret: String) {
    self.id = id
    self.secret = secret
  }
  public final var remoteState: String { "\(id) \(secret)" }
}

/// A final class with a class of its own module as a property.
public final class RemoteCrate: MirrorCoding {
  public var shelf: RemoteShelf?
  public var kind = RemoteKind.empty
  public var size = RemoteSize(width: 0, height: 0)
}

/// A class without `init()` and without a base class.
public final class RemoteTag: MirrorCodable {
  public let text: String
  private var weight: Double

  public init(text: String, weight: Double) {
    self.text = text
    self.weight = weight
  }
  public var remoteWeight: Double { weight }
}

/// An enum that conforms to nothing.
public enum RemoteKind: Equatable, Sendable {
  case empty
  case full(count: Int)
  case mixed(names: [String], weight: Double)
}

/// A struct that conforms to nothing of the archiver.
public struct RemoteSize: Hashable, Sendable {
  public var width: Int
  private var height: Int

  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
  public var remoteHeight: Int { height }
}
