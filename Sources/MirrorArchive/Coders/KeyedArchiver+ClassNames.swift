extension KeyedArchiver {
  /// Names a class in the archive of this archiver instead of its own archive name; nil for that.
  ///
  /// Also gives private and local classes a name. Holds for archives that are begun later and for classes that this one does not have yet: a
  /// class has one name in an archive. A reader finds the class by ``KeyedUnarchiver/setClass(_:forClassName:)-method``. Two classes under one name in
  /// one archive throw `duplicateName` while they are encoded.
  public func setClassName(_ name: String?, for type: AnyClass) {
    classNames[ObjectIdentifier(type)] = name
    handOverNames()
  }

  /// The name that this archiver was told for a class; nil if it was told none.
  public func className(for type: AnyClass) -> String? { classNames[ObjectIdentifier(type)] }

  /// Names a class in all archives that the program writes instead of its own archive name; nil for that.
  ///
  /// Program-wide and meant for start-up: it discards the plans that were built so far. A name that one archiver was told goes before it.
  public static func setClassName(_ name: String?, for type: AnyClass) { PlanRegistry.shared.setClassName(name, for: type) }

  /// The name that the program has set for a class; nil if it has set none.
  public static func className(for type: AnyClass) -> String? { PlanRegistry.shared.className(for: type) }
}
