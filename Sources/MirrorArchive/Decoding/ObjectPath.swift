import ArchiveFormat
import ArchiveReflection

/// The path from the root of an archive to one of its objects: who refers to it, who refers to that one, and so on back to the root.
///
/// Found in the archive's own columns, after something has gone wrong; a path that is too long, or that damaged bytes hide, begins with the
/// class and number of an object in the middle.
struct ObjectPath {
  let layout: ArchiveLayout
  let readers: [ClassReader?]

  func path(of object: Int) -> String {
    var place = ""
    var current = object
    var work = 0
    for _ in 0..<ObjectError.maximumHops where work < ObjectError.maximumWork {
      let search = ReferenceSearch(for: current, in: layout.types)
      if let found = findInRoots(search) { return found + place }
      guard let owner = owner(search, &work) else { break }
      place = owner.place + place
      current = owner.object
    }
    return name(of: current) + place
  }

  private func findInRoots(_ search: ReferenceSearch) -> String? {
    for (index, root) in layout.roots.enumerated() {
      var bytes = layout.rootReaders[index]
      if let found = try? search.find(root.type, count: 1, in: &bytes) { return root.key + found.place }
    }
    return nil
  }

  private func owner(_ search: ReferenceSearch, _ work: inout Int) -> (object: Int, place: String)? {
    for (index, block) in layout.blocks.enumerated() {
      guard let reader = readers[block.type.entryIndex ?? 0] else { continue }
      work += block.count * max(1, reader.steps.count)
      var bytes = layout.blockReaders[index]
      for step in reader.steps {
        var column = bytes
        if block.count >= BlockLayout.firstFramedCount {
          guard let length = try? bytes.readCount(), let framed = try? bytes.slice(length) else { break }
          column = framed
        }
        if let found = try? search.find(step.type, count: block.count, in: &column) {
          return (index << 10 | found.row, (step.isRecord ? "" : ".\(step.name)") + found.place)
        }
        if block.count < BlockLayout.firstFramedCount { bytes = column }
      }
    }
    return nil
  }

  private func name(of object: Int) -> String {
    guard object >> 10 < layout.blocks.count, let reader = readers[layout.blocks[object >> 10].type.entryIndex ?? 0] else {
      return "object \(object)"
    }
    return "\(Reflection.unqualifiedName(of: reader.plan.type))#\(object)"
  }
}
