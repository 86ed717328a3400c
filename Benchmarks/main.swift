import Foundation

do {
  let options = try Options(Array(CommandLine.arguments.dropFirst()))
  if options.wantsHelp {
    print(Options.help)
    exit(0)
  }
  #if DEBUG
    try Relaunch.inRelease(CommandLine.arguments.dropFirst())
  #else
    if let peak = options.peak {
      try PeakMemory.report(peak, options: options)
    } else if let path = options.filePath {
      try LargeFile.read(path)
    } else if options.measuresShapes {
      try Shapes.run(options)
    } else if options.readsFile {
      try LargeFile.run()
    } else if let profile = options.profile {
      try Benchmark.profile(profile, options: options)
    } else if try !Benchmark.run(options, arguments: CommandLine.arguments.dropFirst()) {
      exit(1)
    }
  #endif
} catch let error as UsageError {
  writeToStandardError("Benchmarks: \(error.description)\n\n\(Options.help)\n")
  exit(64)
} catch {
  writeToStandardError("Benchmarks: \(error)\n")
  exit(1)
}
