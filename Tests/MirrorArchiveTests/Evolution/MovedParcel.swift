import MirrorArchive

/// What `ArchiveFixtures.MovedParcel` was when it stood in this module.
final class MovedParcel: MirrorCoding {
  var weight = 0.0
  var labels: [MovedSize] = []
}
