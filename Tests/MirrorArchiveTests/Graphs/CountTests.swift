import Foundation
import MirrorArchive
import Testing

/// Decoding counts references late and several at once: in the end each object must have exactly as many owners as places refer to it.
@Suite("Owners of decoded objects")
struct CountTests {
  final class Target: MirrorCoding {
    static let live = Tally()
    var number = 0
    required init() {
      super.init()
      Self.live.add(1)
    }
    deinit { Self.live.add(-1) }
  }

  /// Refers in every way in which a reference is stored.
  final class Holder: MirrorCoding {
    var one: Target?
    var many: [Target] = []
    var some: [Target?] = []
    var table: [String: Target] = [:]
    var pair: (Target?, Target?) = (nil, nil)
    weak var observed: Target?
    var text = ""
    func letGo() { (one, many, some, table, pair) = (nil, [], [], [:], (nil, nil)) }
  }

  /// The same without an initializer.
  final class Bare: MirrorCodable {
    let target: Target
    let many: [Target]
    weak var observed: Target?
    init(_ target: Target, _ many: [Target]) { (self.target, self.many, observed) = (target, many, target) }
  }

  /// Lets go of what it has when it is complete.
  final class Hooked: MirrorCoding {
    var many: [Target] = []
    var other: Target?
    override func didDecode(_ context: DecodingContext) throws {
      many = []
    }
  }

  final class Refusing: MirrorCoding {
    var many: [Target] = []
    override func didDecode(_ context: DecodingContext) throws { throw CancellationError() }
  }

  /// Takes the target out of its only place, and says whether nobody else has it.
  private static func isUnique(_ take: () -> Target?) -> Bool {
    var target = take()
    return target != nil && isKnownUniquelyReferenced(&target)
  }

  private static let counts = [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 254, 255, 256, 257, 258, 600, 1_023, 1_024, 1_025, 3_000]

  @Test("A target that stands in an array many times has one owner when the array is gone", arguments: counts) func array(count: Int) throws
  {
    let holder = Holder()
    let target = Target()
    holder.many = Array(repeating: target, count: count)
    let read = try roundTrip(holder)
    #expect(read.many.count == count && read.many.allSatisfy { $0 === read.many[0] })
    #expect(
      Self.isUnique {
        let target = read.many[0]
        read.many = []
        return target
      })
  }

  @Test("A target that many objects refer to has one owner when they are gone", arguments: counts) func properties(count: Int) throws {
    let target = Target()
    let holders = (0..<count).map { index in
      let holder = Holder()
      holder.one = target
      holder.some = index.isMultiple(of: 3) ? [nil, target] : []
      holder.table = index.isMultiple(of: 5) ? ["key": target] : [:]
      holder.pair = (index.isMultiple(of: 7) ? target : nil, nil)
      holder.observed = target
      return holder
    }
    let read = try roundTrip(holders)
    #expect(read.count == count && read.allSatisfy { $0.one === read[0].one && $0.observed === read[0].one })
    for holder in read.dropFirst() { holder.letGo() }
    #expect(read[0].observed != nil)
    #expect(
      Self.isUnique {
        let target = read[0].one
        read[0].letGo()
        return target
      })
    #expect(read.allSatisfy { $0.observed == nil })
  }

  @Test("Objects made without an initializer count what they refer to", arguments: counts) func bare(count: Int) throws {
    let target = Target()
    var read: [Bare]? = try roundTrip((0..<count).map { Bare(target, Array(repeating: target, count: $0 % 4)) })
    #expect(read?.count == count && read?.allSatisfy { $0.observed === $0.target && $0.target === read?[0].target } == true)
    #expect(
      Self.isUnique {
        let target = read?[0].target
        read = nil
        return target
      })
  }

  @Test("A hook may let go of what was decoded", arguments: counts) func hook(count: Int) throws {
    let target = Target()
    let hooked = Hooked()
    hooked.many = Array(repeating: target, count: count)
    hooked.other = target
    let read = try roundTrip(hooked)
    #expect(read.many.isEmpty)
    #expect(
      Self.isUnique {
        let target = read.other
        read.other = nil
        return target
      })
  }

  @Test("What was decoded, refused or given up leaves nothing alive") func nothingLeft() async {
    await #expect(processExitsWith: .success) {
      reported {
        func graph() -> [Holder] {
          let targets = (0..<40).map { _ in Target() }
          return (0..<60).map { index in
            let holder = Holder()
            holder.one = index.isMultiple(of: 4) ? nil : targets[index % 11]
            holder.many = (0..<index % 5).map { targets[($0 * 7 + index) % 40] }
            holder.some = [targets[index % 3], nil]
            holder.table = ["key": targets[39 - index % 40]]
            holder.observed = targets[index % 40]
            holder.text = index.isMultiple(of: 2) ? "short" : "a text that is longer than fifteen bytes"
            return holder
          }
        }
        let data = try KeyedArchiver.archivedData(withRootObject: graph())
        let before = Target.live.value
        for _ in 0..<20 { #expect(try KeyedUnarchiver.unarchivedObject(of: [Holder].self, from: data).count == 60) }
        #expect(Target.live.value == before)
        for position in data.indices {
          for bits in [0x01, 0x40, 0xff] as [UInt8] {
            var damaged = data
            damaged[position] ^= bits
            _ = try? KeyedUnarchiver.unarchivedObject(of: [Holder].self, from: damaged, verifyingChecksum: false)
            #expect(Target.live.value == before, "byte \(position) with \(bits)")
          }
        }
        let refusing = Refusing()
        refusing.many = Array(repeating: Target(), count: 300)
        let refused = try KeyedArchiver.archivedData(withRootObject: refusing)
        let alive = Target.live.value
        #expect(throws: CancellationError.self) { try KeyedUnarchiver.unarchivedObject(of: Refusing.self, from: refused) }
        #expect(Target.live.value == alive)
      }
    }
  }
}
