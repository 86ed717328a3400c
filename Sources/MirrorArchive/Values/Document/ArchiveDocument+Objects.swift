import ArchiveFormat

extension ArchiveDocument {
  // MARK: Values at the top level

  /// Adds a value at the top level, or puts it in the place of the one under this key.
  ///
  /// ```swift
  /// var document = ArchiveDocument()
  /// let fruit = ArchiveType.class(name: "Shop.Fruit", properties: ["name": .string, "count": .int])
  /// let apple = try document.addObject(of: fruit, properties: ["name": "apple", "count": 3])
  /// try document.setRoot(.reference(apple))
  /// let data = try document.encoded()  // as if the program with the class had archived an apple
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - type: Its type, which it is made to fit as in ``set(_:at:)-(_,String)``; nil for the type that it has by itself.
  ///   - key: The key. Archives of one value, as most calls read them, have it under `root`.
  /// - Throws: ``ArchiveError`` with the code `typeMismatch` (also for nil, empty collections and enums without a type: they may be of several),
  ///   `missingValue`, `duplicateKey` or `nestingTooDeep`.
  public mutating func setRoot(_ value: ArchiveValue, type: ArchiveType? = nil, forKey key: String = "root") throws {
    let path = ArchivePath(.root(key))
    var fitting = ValueFitting(self, at: path)
    let type = try type ?? fitting.type(of: value)
    // A class as the type of a value is a reference to one of its objects.
    let root = Root(key: key, type: type.isClass ? .object : type, value: try fitting.fit(value, to: type))
    // It has a copy of the document, which is to be changed in its place.
    _ = consume fitting
    isChanged = true
    setRoot(root)
  }

  // MARK: Objects

  /// Adds an object of a class that the archive describes, or describes as the superclass of one.
  ///
  /// ```swift
  /// let pear = try document.addObject(ofClass: "Shop.Fruit", properties: ["name": "pear", "count": 3])
  /// try document.append(.reference(pear), to: "root.fruits")
  /// ```
  ///
  /// - Parameters:
  ///   - className: The archive name of the class.
  ///   - properties: Values for the properties, which become ones of the archived types as in ``set(_:at:)-(_,String)``. Those left out are nil,
  ///     or constants of the program, where they may be. Of properties with one key in several classes the one of the most derived class is
  ///     meant; the others have the name of their class and a dot in front. What hand-written coding stores is a dictionary or container under `$keys`.
  /// - Returns: The number of the object, for ``ArchiveValue/reference(_:)``.
  /// - Throws: ``ArchiveError`` with the code `unknownType` if the archive has no such class, `missingValue` for a property that is
  ///   needed, `typeMismatch`, `duplicateKey` or `nestingTooDeep`.
  /// - Complexity: O(size of the values).
  @discardableResult
  public mutating func addObject(ofClass className: String, properties: [String: ArchiveValue] = [:]) throws -> Int {
    guard let kind = classes[className] else {
      let known = classes.keys.sorted().prefix(12).joined(separator: ", ")
      throw ArchiveError(
        .unknownType,
        message: "the archive describes no class '\(className)'; there are: \(known). Add an object of a class of your own making")
    }
    return try addObject(kind, properties)
  }

  /// Adds an object of a class of one's own making; see ``setRoot(_:type:forKey:)`` for an example.
  ///
  /// - Parameters:
  ///   - type: The class, made by ``ArchiveType/class(name:version:superclass:properties:)`` or taken from an object.
  ///   - properties: As in ``addObject(ofClass:properties:)``.
  /// - Returns: The number of the object, for ``ArchiveValue/reference(_:)``.
  /// - Throws: The same as ``addObject(ofClass:properties:)``, `typeMismatch` if the type is no class.
  @discardableResult
  public mutating func addObject(of type: ArchiveType, properties: [String: ArchiveValue] = [:]) throws -> Int {
    if !type.isClass { throw ArchiveError(.typeMismatch, message: "\(type) is no class, and only classes have objects") }
    let new = UnknownClass(type.id, in: type.table)
    let kind = classes[new.name].flatMap { $0.type == type ? $0 : nil } ?? new
    let number = try addObject(kind, properties)
    if classes[new.name] == nil { classes[new.name] = kind }
    return number
  }

  private mutating func addObject(_ kind: UnknownClass, _ properties: [String: ArchiveValue]) throws -> Int {
    let number = (objects.last?.number ?? -1) + 1
    // References to the object itself are good.
    objects.append(Object(number: number, kind: kind, values: []))
    do {
      let path = ArchivePath(.object(number))
      var given: [Int: ArchiveValue] = [:]
      for key in properties.keys.sorted() {
        guard let column = kind.column(key) ?? (key == "$keys" ? kind.record : nil) else {
          let known = kind.columns.map(\.key).joined(separator: ", ")
          throw ArchiveError(
            .typeMismatch, path: "\(path.appending(.key(key)))", message: "the class \(kind.name) has no such property; there are: \(known)"
          )
        }
        given[column] = properties[key]
      }
      var fitting = ValueFitting(self, at: path)
      var values: [ArchiveValue] = []
      for (index, column) in kind.columns.enumerated() {
        let type = ArchiveType(column.type, in: kind.type.table)
        values.append(try fitting.fit(given[index], to: type, forKey: kind.unambiguousKey(of: index)))
      }
      _ = consume fitting
      objects[objects.count - 1].values = values
    } catch {
      objects.removeLast()
      throw error
    }
    isChanged = true
    return number
  }

  /// Makes everything that refers to one object refer to another one.
  ///
  /// - Parameters:
  ///   - old: The number of the object that nothing refers to afterwards.
  ///   - new: The number of the object that takes its place. Its own references to the old one are not changed: so it can be put in front of it.
  /// - Returns: How many references were changed.
  /// - Throws: ``ArchiveError`` with the code `missingValue` if there is no object with the new number.
  /// - Complexity: O(size of the document).
  @discardableResult
  public mutating func redirectReferences(from old: Int, to new: Int) throws -> Int {
    guard index(ofObject: new) != nil else {
      throw ArchiveError(.missingValue, path: "#\(new)", message: "there is no object with this number")
    }
    var count = 0
    for index in roots.indices { roots[index].value.redirect(from: old, to: new, &count) }
    for index in objects.indices where objects[index].number != new {
      for column in objects[index].values.indices { objects[index].values[column].redirect(from: old, to: new, &count) }
    }
    if count > 0 { isChanged = true }
    return count
  }
}

extension ValueFitting {
  /// The type that a value has by itself.
  fileprivate func type(of value: ArchiveValue) throws -> ArchiveType {
    do {
      return try ArchiveType(inferredFrom: value, in: document)
    } catch let error as ArchiveError {
      throw fail(error.code, Location(), error.message)
    }
  }

  /// The value of a property, which may be left out if it can be nil.
  fileprivate mutating func fit(_ value: ArchiveValue?, to type: ArchiveType, forKey key: String) throws -> ArchiveValue {
    if let value { return try fit(value, to: type, below: key) }
    if type.isLetForm { return .constant }
    if type.wrapped != nil { return .null }
    if type.id == .record { return .container([]) }
    throw fail(.missingValue, Location(component: .key(key)), "a value of type \(type) is needed")
  }
}

extension ArchiveValue {
  /// Changes references in all parts.
  fileprivate mutating func redirect(from old: Int, to new: Int, _ count: inout Int) {
    // Found first, and changed where they are: most values have none.
    var pending: [(value: ArchiveValue, steps: [Step])] = [(self, [])]
    var found: [[Step]] = []
    var twice: [[Step]] = []
    while let (value, steps) = pending.popLast() {
      switch value {
      case .reference(old): found.append(steps)
      case .present(let inner): pending.append((inner, steps + [.wrapped]))
      case .any(let typed): pending.append((typed.value, steps + [.wrapped]))
      case .set(let elements) where elements.contains(.reference(new)) && elements.contains(.reference(old)):
        twice.append(steps)
      case .array(let elements), .set(let elements), .inlineArray(let elements):
        for (index, element) in elements.enumerated() where element.mayRefer { pending.append((element, steps + [.element(index)])) }
      case .dictionary(let entries):
        for (index, entry) in entries.enumerated() where entry.value.mayRefer { pending.append((entry.value, steps + [.entry(index)])) }
      case .tuple(let fields):
        for (index, field) in fields.enumerated() where field.value.mayRefer { pending.append((field.value, steps + [.field(index)])) }
      case .structure(let structure):
        for (index, field) in structure.fields.enumerated() where field.value.mayRefer {
          pending.append((field.value, steps + [.field(index)]))
        }
      case .enumeration(let one): if let payload = one.payload { pending.append((payload, steps + [.payload])) }
      case .container(let members):
        for (index, member) in members.enumerated() where member.value.mayRefer { pending.append((member.value, steps + [.member(index)])) }
      default: break
      }
    }
    for steps in found { change(at: steps) { $0 = .reference(new) } }
    // A set has each once.
    for steps in twice { change(at: steps) { $0.changeElements { $0.removeAll { $0 == .reference(old) } } } }
    count += found.count + twice.count
  }

  /// Whether this is a reference, or has parts.
  private var mayRefer: Bool {
    switch self {
    case .reference, .present, .any, .array, .set, .inlineArray, .dictionary, .tuple, .structure, .enumeration, .container: true
    default: false
    }
  }
}
