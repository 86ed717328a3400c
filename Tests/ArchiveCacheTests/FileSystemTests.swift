import ArchiveCache
import Testing

@Suite("System calls")
struct FileSystemTests {
  @Test("What is not there says so") func absence() {
    let error = #expect(throws: SystemError.self) { try FileSystem().status(at: "/nowhere/at/all") }
    #expect(error?.meansAbsence == true)
    #expect(error?.description == "status of '/nowhere/at/all': No such file or directory")
  }
}
