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
    /// the one of the most derived class; the others have the name of their class and a dot in front: `object["Shop.Item.id"]`.
    ///
    /// - Complexity: O(number of properties).
    public subscript(key: String) -> ArchiveValue? {
      if let index = kind.column(key) { return values[index] }
      return kind.record.flatMap { values[$0][key] }
    }
  }
}

extension ArchiveDocument.Object: Equatable {
  /// Whether both have the same number, class and values.
  public static func == (a: ArchiveDocument.Object, b: ArchiveDocument.Object) -> Bool {
    a.number == b.number && (a.kind === b.kind || a.kind.type == b.kind.type) && a.values == b.values
  }
}

extension UnknownClass {
  /// The place of a property that is not coded by hand; of several the one of the most derived class, unless the name of the class and a dot
  /// stand in front of the key.
  func column(_ key: String) -> Int? {
    if let index = columns.lastIndex(where: { $0.key == key && $0.type != .record }) { return index }
    guard let dot = key.lastIndex(of: ".") else { return nil }
    return column(String(key[key.index(after: dot)...]), of: String(key[..<dot]))
  }

  /// The place of a property that a class of the hierarchy declares, if it is not coded by hand.
  func column(_ key: String, of level: String) -> Int? {
    columns.lastIndex { $0.key == key && $0.level == level && $0.type != .record }
  }

  /// The key that leads to a place.
  func unambiguousKey(of index: Int) -> String {
    let own = columns[index]
    return columns.lastIndex { $0.key == own.key } == index ? own.key : "\(own.level).\(own.key)"
  }

  /// The place of what is coded by hand.
  var record: Int? { columns.lastIndex { $0.type == .record } }
}
