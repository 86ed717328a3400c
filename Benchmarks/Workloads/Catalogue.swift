/// A workload that has not been built yet.
struct Workload: Sendable {
  let name: String
  let summary: String
  /// The stack on which it has to run; nil for the caller's own.
  var stackSize: Int?
  let make: @Sendable (Options) throws -> Contest

  /// In the order in which they run.
  static let all: [Workload] = [
    Workload(name: "shop", summary: "10,000 fruits as class objects in a home page") { _ in Contest.shop() },
    Workload(name: "shop-structs", summary: "the same fruits as structs in one array") { _ in Contest.shopStructs() },
    Workload(name: "evolution", summary: "the shop of an older release, read by that release and by a later one") { _ in Contest.evolution()
    },
    Workload(name: "hand-coded", summary: "100,000 objects of two properties with coding code, and without") { Contest.handCoded($0) },
    Workload(name: "iso", summary: "languages, countries and their parts, from Debian's iso-codes") { _ in try Contest.isoWorld() },
    Workload(name: "tree", summary: "20,000 nodes that own their children") { _ in Contest.tree() },
    Workload(name: "graph", summary: "1,000 people with 10 friends each, and weak bosses") { _ in Contest.graph() },
    Workload(name: "text", summary: "50,000 strings of 5 to 200 bytes") { _ in Contest.text() },
    Workload(name: "numeric", summary: "1,000,000 doubles, 1,000,000 integers, 100,000 flags") { _ in Contest.numeric() },
    Workload(name: "wide", summary: "1,000 objects of 60 properties, inherited through four classes") { _ in try Contest.wide() },
    Workload(name: "deep", summary: "2,000 layers of a drawing: values in values in values") { _ in Contest.deep() },
    Workload(name: "list", summary: "1,000,000 linked nodes, on a stack of 512 KiB", stackSize: 512 << 10) { _ in Contest.list() },
    Workload(name: "small", summary: "one fruit, warm") { _ in Contest.small() },
    Workload(name: "small-graph", summary: "a home page with three fruits, warm") { _ in Contest.smallGraph() },
    Workload(name: "cache-small", summary: "pages with a body of a few bytes, in caches") {
      try Contest.pages("cache-small", bodySize: 20, $0)
    },
    Workload(name: "cache-4KB", summary: "pages of 4 KB") { try Contest.pages("cache-4KB", bodySize: 4_000, $0) },
    Workload(name: "cache-64KB", summary: "pages of 64 KB") { try Contest.pages("cache-64KB", bodySize: 65_000, $0) },
    Workload(name: "cache-1MB", summary: "pages of 1 MiB") { try Contest.pages("cache-1MB", bodySize: 1 << 20, $0) },
  ]

  static func named(_ name: String) -> Workload? {
    (all + growing).first { $0.name == name }
  }
}
