import ArchiveCache
import CacheTorture
import Foundation
import Testing

extension Torture {
  /// Disks that take nothing more.
  @Suite("Full disks", .serialized)
  struct FullDiskTests {
    /// Whether this process may mount file systems that nobody else sees.
    static let canMount: Bool = {
      guard let child = try? Child("note", [:], launcher: Self.smallDisk("true")) else { return false }
      return child.finish().code == 0
    }()

    /// Mounts a file system of 4 MB and runs a command of the shell on it, as `$1` and its arguments.
    static func smallDisk(_ command: String) -> [String] {
      ["unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=4m none \"${DISK:-/mnt}\" && " + command, "sh"]
    }

    @Test("On a full disk old values stay, nothing is left over, and removing makes room", .enabled(if: canMount)) func smallDisk() throws {
      let outcome = try Child("full-disk", ["directory": "/mnt/cache"], launcher: Self.smallDisk("exec \"$@\"")).finishWell()
      #expect((20..<64).contains(outcome.counts["stored"] ?? 0), "entries of 64 KiB in 4 MiB")
    }

    @Test("On a disk that can only be read, what is there is found and what cannot be done is said", .enabled(if: canMount))
    func readOnly() throws {
      let script = "\"$1\" full-disk \"$3\" && mount -o remount,ro /mnt && exec \"$@\""
      _ = try Child("read-only-disk", ["directory": "/mnt/cache"], launcher: Self.smallDisk(script)).finishWell()
    }

    @Test("A process that may write no larger files keeps the old values") func fileLimit() throws {
      let scratch = try Scratch()
      let outcome = try Child("full-disk", ["directory": scratch.path, "file-limit": 100_000]).finishWell()
      #expect(outcome.counts["stored"] == 3)
    }
  }
}
