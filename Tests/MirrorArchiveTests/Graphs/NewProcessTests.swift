import Foundation
import MirrorArchive
import Testing

/// What one process wrote, another reads: nothing but the bytes goes from one to the other.
@Suite("A new process")
struct NewProcessTests {
  final class Task: MirrorCoding {
    private var done = true
    private var notes = ["a", "b"]
    fileprivate(set) var attempts = 3
    var title = ""
    weak var parent: Task?
    var children: [Task] = []

    func fail() {
      done = false
      notes = []
      attempts = 0
    }
    var state: String { "\(done) \(notes) \(attempts)" }
  }

  @Test("A private property is read by a process that never wrote it")
  func privateProperty() async throws {
    let task = Task()
    task.title = "write"
    let child = Task()
    child.fail()
    child.parent = task
    task.children = [child]
    let path = try HandOver.write(KeyedArchiver.archivedData(withRootObject: task))
    defer { HandOver.remove(path) }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let read = try KeyedUnarchiver.unarchivedObject(ofClass: Task.self, from: HandOver.read(path))
      #expect(read.state == #"true ["a", "b"] 3"#)
      #expect(read.title == "write")
      let child = try #require(read.children.first)
      #expect(child.state == "false [] 0")
      #expect(child.parent === read)
    }
  }
}
