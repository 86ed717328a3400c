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
    Workload(name: "small", summary: "one fruit, warm") { _ in Contest.small() },
  ]
}
