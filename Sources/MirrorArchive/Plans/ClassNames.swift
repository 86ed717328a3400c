/// What a program says about names of types that have changed since an archive was written.
struct ClassNames: @unchecked Sendable {
  /// Archived name -> the class of today.
  var classes: [String: AnyClass] = [:]
  /// Archived module -> the module of today.
  var modules: [String: String] = [:]

  var isEmpty: Bool { classes.isEmpty && modules.isEmpty }

  /// Where both say something, these win.
  func over(_ others: ClassNames) -> ClassNames {
    ClassNames(
      classes: classes.merging(others.classes) { mine, _ in mine }, modules: modules.merging(others.modules) { mine, _ in mine })
  }

  /// The name that an archived class, struct or enum has today: that of the class it is mapped to, or the same one in another module.
  func currentName(of name: String) -> String {
    if let type = classes[name], let current = PlanRegistry.shared.archiveName(of: type) { return current }
    return modules.isEmpty ? name : movedName(name)
  }

  /// The name with its modules exchanged, also those inside generic arguments: `App.Box<App.Item>`.
  private func movedName(_ name: String) -> String {
    var moved = ""
    var token = ""
    var isFirst = true
    func flush() {
      moved += isFirst ? modules[token] ?? token : token
      token = ""
    }
    for character in name {
      switch character {
      case ".":
        flush()
        isFirst = false
        moved.append(character)
      case _ where GenericName.isPunctuation(character):
        // What stands alone is no module.
        moved += token
        token = ""
        isFirst = true
        moved.append(character)
      default: token.append(character)
      }
    }
    return moved + token
  }

  // MARK: Program-wide

  private static let shared = Locked(ClassNames())

  /// The program-wide names; nil if there are none.
  static var global: ClassNames? { shared.withLock { $0.isEmpty ? nil : $0 } }

  static func changeGlobal(_ change: (inout ClassNames) -> Void) {
    shared.withLock { change(&$0) }
    // What was bound under the old names is bound anew.
    PlanRegistry.shared.forgetUniverses()
  }
}
