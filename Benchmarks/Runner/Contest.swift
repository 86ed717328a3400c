/// One workload and everyone who takes part in it.
struct Contest {
  /// A contender that cannot do this workload, and why.
  struct Absence {
    var contender: String
    var reason: String
    /// nil for both.
    var operation: Operation?
  }

  /// Two contenders whose ratio is what the workload is about, printed under its figures.
  struct Ratio {
    let contender: String
    let yardstick: String
    let operation: Operation

    init(of contender: String, to yardstick: String, operation: Operation) {
      (self.contender, self.yardstick, self.operation) = (contender, yardstick, operation)
    }
  }

  let name: String
  /// Objects, or what `unit` says, in the graph.
  let objects: Int
  let unit: String
  /// Operations in one lap: more than one where a single operation is shorter than the clock can tell.
  let iterations: Int
  var contenders: [any Contender]
  var absences: [Absence]
  /// What has to be known to read the figures, printed under them.
  var notes: [String]
  var ratios: [Ratio]
  /// The contender whose times are 1 in the tables.
  let yardstick: String

  /// Takes the original graph apart, where releasing it would not do; removes what is left on the disk.
  let finish: () -> Void

  init(
    _ name: String, objects: Int, unit: String = "objects", iterations: Int = 1, contenders: [any Contender], absences: [Absence] = [],
    notes: [String] = [], ratios: [Ratio] = [], yardstick: String = ContenderName.hand, finish: @escaping () -> Void = {}
  ) {
    self.name = name
    self.objects = objects
    self.unit = unit
    self.iterations = iterations
    self.contenders = contenders
    self.absences = absences
    self.notes = notes
    self.ratios = ratios
    self.yardstick = yardstick
    self.finish = finish
  }
}

/// A workload that cannot run here, by its maker.
struct Skip: Error {
  var reason: String
}
