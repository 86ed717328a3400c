import Foundation
import MirrorArchive
import Testing

@Suite("Documents: classes of another program")
struct DocumentForeignTests {
  /// The classes of the program that writes.
  enum Writer {
    final class Account: MirrorCoding {
      var owner = ""
      var cents = 0
      var history: [Entry] = []
      class override var archiveRules: ArchiveRules { ArchiveRules(name: "bank.Account", version: 2) }
    }
    final class Entry: MirrorCoding {
      var text = ""
      var cents = 0
      weak var account: Account?
      class override var archiveRules: ArchiveRules { ArchiveRules(name: "bank.Entry") }
    }
  }

  /// Those of the program that reads.
  enum Reader {
    final class Account: MirrorCoding {
      var owner = ""
      var cents = 0
      var history: [Entry] = []
      class override var archiveRules: ArchiveRules { ArchiveRules(name: "bank.Account", version: 2) }
    }
    final class Entry: MirrorCoding {
      var text = ""
      var cents = 0
      weak var account: Account?
      class override var archiveRules: ArchiveRules { ArchiveRules(name: "bank.Entry") }
    }
  }

  @Test("One property is changed, and nothing else, for the program with the classes")
  func change() throws {
    let account = Writer.Account()
    account.owner = "Ada"
    account.cents = 500
    account.history = (0..<20).map { number in
      let entry = Writer.Entry()
      entry.text = "entry \(number % 3)"
      entry.cents = number
      entry.account = account
      return entry
    }
    var document = try ArchiveDocument(try KeyedArchiver.archivedData(withRootObject: account))
    #expect(document.object(document["root"])?.className == "bank.Account")
    #expect(document.object(document["root"])?.classVersion == 2)
    try document.set(1_000, at: "root.history[7].cents")
    let read = try KeyedUnarchiver.unarchivedObject(ofClass: Reader.Account.self, from: try document.encoded())
    #expect(read.owner == "Ada" && read.cents == 500 && read.history.count == 20)
    for (number, entry) in read.history.enumerated() {
      #expect(entry.text == "entry \(number % 3)" && entry.cents == (number == 7 ? 1_000 : number) && entry.account === read)
    }
  }
}
