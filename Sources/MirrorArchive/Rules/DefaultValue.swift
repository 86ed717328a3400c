/// A value for what an archive does not hold, made anew for each object.
///
/// ```swift
/// PropertyRule("level", default: .value(3))
/// ```
public struct DefaultValue: Sendable {
  let maker: any DefaultMaking

  /// The value of an expression.
  /// - Parameter make: Gives the value; its type is the declared type of the property (or that of which the property is an Optional), which
  ///   is checked when the type is first used: another one is the error `invalidRules`.
  public static func value<Value>(_ make: @autoclosure @escaping @Sendable () -> Value) -> DefaultValue {
    DefaultValue(maker: DefaultMaker(make: make))
  }
}

/// A default without its type.
protocol DefaultMaking: Sendable {
  var type: Any.Type { get }
  /// Initialises memory of the type `type`, or of an Optional of it.
  func initialize(_ p: UnsafeMutableRawPointer, asOptional: Bool)
}

private struct DefaultMaker<Value>: DefaultMaking {
  let make: @Sendable () -> Value

  var type: Any.Type { Value.self }

  func initialize(_ p: UnsafeMutableRawPointer, asOptional: Bool) {
    // SAFETY: the caller hands over uninitialised memory of this type, or of an Optional of it if it says so.
    if asOptional {
      unsafe p.initializeMemory(as: Value?.self, to: make())
    } else {
      unsafe p.initializeMemory(as: Value.self, to: make())
    }
  }
}
