/// One workload and everyone who takes part in it.
struct Contest {
  /// A contender that cannot do this workload, and why.
  struct Absence {
    var contender: String
    var reason: String
  }

  let name: String
  /// Objects (or values, where there is only one object) in the graph.
  let objects: Int
  /// Operations in one lap: more than one where a single operation is shorter than the clock can tell.
  let iterations: Int
  var contenders: [any Contender]
  var absences: [Absence]

  init(_ name: String, objects: Int, iterations: Int = 1, contenders: [any Contender], absences: [Absence] = []) {
    self.name = name
    self.objects = objects
    self.iterations = iterations
    self.contenders = contenders
    self.absences = absences
  }
}
