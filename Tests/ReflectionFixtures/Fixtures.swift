/// A base class with a property that subclasses elsewhere cannot see.
open class Vehicle {
  public var wheels: Int
  private var plate: String

  public init(wheels: Int, plate: String) {
    self.wheels = wheels
    self.plate = plate
  }

  /// The hidden property.
  public var shownPlate: String { plate }
}

/// A generic base class.
open class Crate<Content> {
  public var content: Content
  public var label: String

  public init(content: Content, label: String) {
    self.content = content
    self.label = label
  }
}

/// An enum of another module.
public enum Signal: Equatable {
  case off
  case dimmed(percent: Int)
  case colour(red: UInt8, green: UInt8, blue: UInt8)
  case named(String)
}
