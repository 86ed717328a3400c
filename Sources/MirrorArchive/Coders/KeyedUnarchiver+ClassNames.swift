extension KeyedUnarchiver {
  // MARK: Class names

  /// Tells which class the objects archived under a name are of today; nil takes it back.
  ///
  /// Several names may lead to one class. The class has to be admitted like any other. Set it before objects of the class are reached.
  /// - Parameters:
  ///   - type: The class.
  ///   - name: The name in the archive.
  public func setClass(_ type: AnyClass?, forClassName name: String) { changeNames { $0.classes[name] = type } }

  /// The class that was set for a name with ``setClass(_:forClassName:)-method``, here or for the whole program.
  public func `class`(forClassName name: String) -> AnyClass? {
    ownNames.classes[name] ?? ClassNames.global?.classes[name]
  }

  /// Tells the module of today for types that were archived in another one; nil takes it back.
  ///
  /// With `setModule("Kit", forModuleName: "App")` the archived `App.Entry` is `Kit.Entry`, `App.Box<App.Entry>` is `Kit.Box<Kit.Entry>`.
  /// - Parameters:
  ///   - module: The module that has the types today.
  ///   - name: The module that had them.
  public func setModule(_ module: String?, forModuleName name: String) { changeNames { $0.modules[name] = module } }

  /// The same as ``setClass(_:forClassName:)-method`` for all unarchivers of the program that are made from now on.
  public static func setClass(_ type: AnyClass?, forClassName name: String) { ClassNames.changeGlobal { $0.classes[name] = type } }

  /// The class that was set for a name for the whole program.
  public static func `class`(forClassName name: String) -> AnyClass? { ClassNames.global?.classes[name] }

  /// The same as ``setModule(_:forModuleName:)-(String?,String)`` for all unarchivers of the program that are made from now on.
  public static func setModule(_ module: String?, forModuleName name: String) { ClassNames.changeGlobal { $0.modules[name] = module } }
}
