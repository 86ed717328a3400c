public import Synchronization

/// A stored property under another key in archives than its name.
///
/// ```swift
/// final class User: MirrorCoding {
///   @Key("user_name", formerly: "userName") var name = ""
///   @Key(formerly: ["years", "age"]) var ageInYears = 0
///   @Key("mail") var address: String?
/// }
/// ```
/// It says the same as ``PropertyRule`` with `key` and `formerKeys`, and the archive holds the same: nothing of the wrapper, so that one may be
/// added to a property or taken away as long as the keys fit. The wrapper takes no room in objects. A rule may say more about the property, a
/// default for example, but no keys.
///
/// The keys are known where an object is initialised and nowhere else, so the type needs `init()`: it inherits from ``MirrorCoding`` or conforms
/// to ``MirrorInitializable``. One object is made with it when the type is first archived or decoded, and dropped. Where there is no `init()`, or
/// it does not initialise the properties with what their declarations say, this is the error `invalidRules`; rules of the type can name the keys
/// then. The expressions for the keys are evaluated for that one object only, and must not depend on anything.
@propertyWrapper
public struct Key<Value> {
  /// The value, as if the property had no wrapper.
  public var wrappedValue: Value

  /// Gives the property another key, and those that it had.
  /// - Parameters:
  ///   - wrappedValue: The default of the property.
  ///   - key: The key in archives.
  ///   - formerly: Keys under which older archives have the property, in the order in which they are looked for.
  ///   - file: The file in which the property is declared; to be left to the compiler, as the following are.
  ///   - type: The type that declares it.
  ///   - line: The line of the declaration.
  ///   - column: The column of the declaration.
  @inlinable
  public init(
    wrappedValue: Value, _ key: @autoclosure () -> String, formerly: @autoclosure () -> FormerKeys = [], file: StaticString = #fileID,
    type: StaticString = #function, line: UInt32 = #line, column: UInt32 = #column
  ) {
    self.wrappedValue = wrappedValue
    if keyRecordings.load(ordering: .relaxed) != 0, KeyRecording.isActive() {
      KeyRecording.note(Value.self, key(), formerly(), file: file, type: type, line: line, column: column)
    }
  }

  /// Gives the property the keys that it had; today's is its name.
  /// - Parameters:
  ///   - wrappedValue: The default of the property.
  ///   - formerly: Keys under which older archives have the property, in the order in which they are looked for.
  ///   - file: The file in which the property is declared; to be left to the compiler, as the following are.
  ///   - type: The type that declares it.
  ///   - line: The line of the declaration.
  ///   - column: The column of the declaration.
  @inlinable
  public init(
    wrappedValue: Value, formerly: @autoclosure () -> FormerKeys, file: StaticString = #fileID, type: StaticString = #function,
    line: UInt32 = #line, column: UInt32 = #column
  ) {
    self.wrappedValue = wrappedValue
    if keyRecordings.load(ordering: .relaxed) != 0, KeyRecording.isActive() {
      KeyRecording.note(Value.self, nil, formerly(), file: file, type: type, line: line, column: column)
    }
  }
}

extension Key where Value: ExpressibleByNilLiteral {
  /// Gives an Optional property another key, and those that it had; its default is nil.
  /// - Parameters:
  ///   - key: The key in archives.
  ///   - formerly: Keys under which older archives have the property, in the order in which they are looked for.
  ///   - file: The file in which the property is declared; to be left to the compiler, as the following are.
  ///   - type: The type that declares it.
  ///   - line: The line of the declaration.
  ///   - column: The column of the declaration.
  @inlinable
  public init(
    _ key: @autoclosure () -> String, formerly: @autoclosure () -> FormerKeys = [], file: StaticString = #fileID,
    type: StaticString = #function, line: UInt32 = #line, column: UInt32 = #column
  ) {
    self.init(wrappedValue: nil, key(), formerly: formerly(), file: file, type: type, line: line, column: column)
  }

  /// Gives an Optional property the keys that it had; today's is its name, its default nil.
  /// - Parameters:
  ///   - formerly: Keys under which older archives have the property, in the order in which they are looked for.
  ///   - file: The file in which the property is declared; to be left to the compiler, as the following are.
  ///   - type: The type that declares it.
  ///   - line: The line of the declaration.
  ///   - column: The column of the declaration.
  @inlinable
  public init(
    formerly: @autoclosure () -> FormerKeys, file: StaticString = #fileID, type: StaticString = #function, line: UInt32 = #line,
    column: UInt32 = #column
  ) {
    self.init(wrappedValue: nil, formerly: formerly(), file: file, type: type, line: line, column: column)
  }
}

extension Key: Sendable where Value: Sendable {}
extension Key: Equatable where Value: Equatable {}
extension Key: Hashable where Value: Hashable {}

/// The keys that a property had: one as a literal, or several as an array.
public struct FormerKeys: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  /// In the order in which they are looked for.
  public var keys: [String]

  /// One key.
  public init(stringLiteral key: String) { keys = [key] }
  /// Several keys.
  public init(arrayLiteral keys: String...) { self.keys = keys }
}

/// Lets a plan recognise ``Key`` storage by its type alone.
protocol KeyStorage {
  /// The type that the program declares.
  static var valueType: Any.Type { get }
}

extension Key: KeyStorage {
  static var valueType: Any.Type { Value.self }
}
