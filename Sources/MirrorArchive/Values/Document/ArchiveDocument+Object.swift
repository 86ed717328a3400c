import ArchiveFormat

extension ArchiveDocument {
  /// An object: its class as the archive describes it, and the values of its properties.
  public struct Object: Sendable {
    /// The number of the object, which references to it have.
    public let number: Int
    let kind: UnknownClass
    /// A value per column of the class.
    var values: [ArchiveValue]

    /// A property with its value.
    public struct Property: Sendable, Equatable {
      /// The archive name of the class of the hierarchy that declares it: two of them may have properties with the same key.
      public let className: String
      /// The key.
      public let key: String
      /// The type that the archive gives it.
      public let type: ArchiveType
      /// The value.
      public let value: ArchiveValue
    }

    /// The archive name of the class.
    public var className: String { kind.name }

    /// The class.
    public var type: ArchiveType { kind.type }

    /// The version that the rules of the class declared when the archive was written; 0 if they declared none.
    public var classVersion: UInt64 { kind.version }

    /// The archive names of the superclasses that have archived properties, the next one first.
    public var superclassNames: [String] { kind.superclassNames }

    /// The properties, those of the topmost superclass first. What hand-written coding has stored is one ``ArchiveValue/container(_:)``
    /// under the key `$keys`.
    public var properties: [Property] {
      zip(kind.columns, values).map { column, value in
        Property(className: column.level, key: column.key, type: ArchiveType(column.type, in: kind.type.table), value: value)
      }
    }

    /// The value of a property, or of a key that was coded by hand; nil if there is none. Of properties with the same key in several classes
    /// the one of the most derived class.
    ///
    /// - Complexity: O(number of properties).
    public subscript(key: String) -> ArchiveValue? {
      if let index = kind.column(key) { return values[index] }
      return kind.record.flatMap { values[$0][key] }
    }

    /// The value of a property that one class of the hierarchy declares; nil if there is none.
    public subscript(key: String, of className: String) -> ArchiveValue? { kind.column(key, of: className).map { values[$0] } }
  }
}

extension ArchiveDocument.Object: Equatable {
  /// Whether both have the same number, class and values.
  public static func == (a: ArchiveDocument.Object, b: ArchiveDocument.Object) -> Bool {
    a.number == b.number && (a.kind === b.kind || a.kind.type == b.kind.type) && a.values == b.values
  }
}

extension UnknownClass {
  /// The place of a property that is not coded by hand; of several the one of the most derived class.
  func column(_ key: String, of level: String? = nil) -> Int? {
    columns.lastIndex { $0.key == key && $0.type != .record && (level == nil || $0.level == level) }
  }

  /// The place of what is coded by hand.
  var record: Int? { columns.lastIndex { $0.type == .record } }
}
