// swift-tools-version: 6.2
import PackageDescription

/// The one list of settings, for every target.
let settings: [SwiftSetting] = [
  .strictMemorySafety(),  // SE-0458
  .enableUpcomingFeature("ExistentialAny"),  // SE-0335
  .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
  .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
]

let package = Package(
  name: "MirrorArchive",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "MirrorArchive", targets: ["MirrorArchive"]),
    .library(name: "ArchiveCache", targets: ["ArchiveCache"]),
    .executable(name: "archivist", targets: ["archivist"]),
  ],
  targets: [
    // Floor 0: bytes and columns; what a type is made of. Neither knows the other.
    .target(name: "ArchiveFormat", swiftSettings: settings),
    .target(name: "ArchiveReflection", swiftSettings: settings),
    // Floor 1: the archiver.
    .target(name: "MirrorArchive", dependencies: ["ArchiveFormat", "ArchiveReflection"], swiftSettings: settings),
    // Floor 2: what keeps archives on a disk. ArchiveFormat lends its hashes.
    .target(name: "ArchiveCache", dependencies: ["MirrorArchive", "ArchiveFormat"], swiftSettings: settings),
    // Floor 3: the tool that shows what is in an archive.
    .executableTarget(
      name: "archivist", dependencies: ["MirrorArchive", "ArchiveFormat"], path: "Sources/Archivist", swiftSettings: settings),
    // The comparison that decides whether to switch.
    .executableTarget(
      name: "Benchmarks", dependencies: ["MirrorArchive", "ArchiveCache"], path: "Benchmarks", exclude: ["Results"], swiftSettings: settings
    ),
    .testTarget(name: "ArchiveFormatTests", dependencies: ["ArchiveFormat"], swiftSettings: settings),
    // Types that the reflection tests see from another module.
    .target(name: "ReflectionFixtures", path: "Tests/ReflectionFixtures", swiftSettings: settings),
    .testTarget(
      name: "ArchiveReflectionTests", dependencies: ["ArchiveReflection", "ReflectionFixtures"], swiftSettings: settings),
    // Classes of a module that knows nothing of the tests that inherit from them.
    .target(name: "ArchiveFixtures", dependencies: ["MirrorArchive"], path: "Tests/ArchiveFixtures", swiftSettings: settings),
    .testTarget(
      name: "MirrorArchiveTests",
      dependencies: ["MirrorArchive", "ArchiveCache", "ArchiveFormat", "ArchiveReflection", "ArchiveFixtures", "ArchiveFuzzing"],
      resources: [.copy("Fixtures")], swiftSettings: settings),
    // Functions that take any bytes and say what is wrong with the library; the models of the golden archives, which they know how to damage.
    .target(
      name: "ArchiveFuzzing", dependencies: ["MirrorArchive", "ArchiveFormat"], path: "Tests/Fuzzing/ArchiveFuzzing",
      swiftSettings: settings),
    .testTarget(
      name: "FuzzingTests", dependencies: ["ArchiveFuzzing", "MirrorArchive", "ArchiveFormat"], path: "Tests/Fuzzing/FuzzingTests",
      swiftSettings: settings),
    // What the cache's tests start as other processes, and kill.
    .executableTarget(
      name: "CacheTorture", dependencies: ["ArchiveCache", "MirrorArchive"], path: "Tests/CacheTorture", swiftSettings: settings),
    // The example of the page about the cache, which a test runs.
    .executableTarget(
      name: "CacheExample", dependencies: ["ArchiveCache", "MirrorArchive"], path: "Tests/CacheExample", packageAccess: false,
      swiftSettings: settings),
    .testTarget(
      name: "ArchiveCacheTests", dependencies: ["ArchiveCache", "MirrorArchive", "ArchiveFormat", "CacheExample", "CacheTorture"],
      resources: [.copy("Fixtures")], swiftSettings: settings),
    // The tool's parts, and the tool itself as another process.
    .testTarget(
      name: "ArchivistTests", dependencies: ["archivist", "MirrorArchive", "ArchiveFormat"], exclude: ["Fixtures"],
      swiftSettings: settings),
    // What a user of the library can write: without the access that the other tests have.
    .testTarget(name: "PublicAPITests", dependencies: ["MirrorArchive", "ArchiveCache"], packageAccess: false, swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

// Needs the flags of libFuzzer to be linked, so that it would break every ordinary build: see `.ci/fuzz`.
if Context.environment["MIRRORARCHIVE_FUZZING"] != nil {
  package.targets.append(
    .executableTarget(
      name: "ArchiveFuzzer", dependencies: ["ArchiveFuzzing"], path: "Tests/Fuzzing/ArchiveFuzzer", swiftSettings: settings))
}
