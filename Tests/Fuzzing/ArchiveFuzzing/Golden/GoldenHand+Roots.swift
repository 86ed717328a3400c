import MirrorArchive

extension GoldenHand {
  static func roots() -> [GoldenRoot] {
    [
      GoldenRoot(
        "loose", making: { (0..<11).map { Loose($0) } },
        isRight: { loose in
          loose.count == 11 && loose.enumerated().allSatisfy { $0.element.number == $0.offset && $0.element.isRight }
        }),
      GoldenRoot(
        "tree", making: tree,
        isRight: { tree in
          let (first, second) = (tree.children[0], tree.children[1])
          return tree.parent == nil && first.parent === tree && second.parent === tree && first.children[0].parent === first
            && first.elsewhere === second && second.elsewhere == nil && first.children.map(\.name) == ["leaf"]
        }),
      GoldenRoot("box", making: { Box() }, isRight: { $0.isRight }),
      GoldenRoot(
        "levels", making: levels,
        isRight: { levels in
          let upper = levels[1] as? Upper
          return levels.count == 2 && levels[0].keys == "base" && levels[0].extra == 7 && upper?.keys == "upper" && upper?.extra == 8
            && upper?.top == 0.25 && upper?.more == "more"
        }),
      GoldenRoot(
        "hierarchy", making: { [Base(id: 5), Derived(["a", "b"])] },
        isRight: { objects in
          objects.map(\.baseID) == [5, 2] && (objects[1] as? Derived)?.tags == ["a", "b"]
        }),
      // Something else archives the first of them.
      GoldenRoot(
        keys: ["kept", "lost", "keeper"],
        encode: { coder in
          let (kept, lost) = (Branch("kept"), Branch("lost"))
          try coder.encodeConditionalObject(kept, forKey: "kept")
          try coder.encodeConditionalObject(lost, forKey: "lost")
          try coder.encode([kept], forKey: "keeper")
        },
        isRight: { coder in
          let kept = try coder.decodeObject(of: Branch.self, forKey: "kept")
          return try coder.decode([Branch].self, forKey: "keeper")[0] === kept && kept.name == "kept"
            && coder.decodeObjectIfPresent(of: Branch.self, forKey: "lost") == nil
        }),
    ] + keys.map { GoldenRoot($0, $0) }
  }

  private static func tree() -> Branch {
    let second = Branch("second")
    return Branch("root", [Branch("first", [Branch("leaf")], elsewhere: second), second])
  }

  private static func levels() -> [Level] {
    let (level, upper) = (Level(), Upper())
    (level.keys, level.extra) = ("base", 7)
    (upper.keys, upper.extra, upper.top, upper.more) = ("upper", 8, 0.25, "more")
    return [level, upper]
  }
}
