import Foundation
import MirrorArchive
import Testing

final class SFruit: MirrorCoding { var name = ""; var count = 0; var price = 0.0; var onSale = false; var tag: String? }
class SShop: MirrorCoding { var name = ""; var fruits: [SFruit] = []; private var opened = Date(); weak var parent: SShop?; func when() -> Date { opened } }
enum SKind: Equatable { case daily, weekly(day: Int) }
final class SMarket: SShop { var stalls: [String: SFruit] = [:]; var kind = SKind.weekly(day: 3); var any: Any = 5; var pt = (lat: 1.5, lon: 2.5); var u = URL(string: "http://a/b")!; var s: Set<Int> = [1,2]; var oo: Int?? = .some(nil) }

@Test func smoke() throws {
  let m = SMarket()
  m.name = "Market"
  for i in 0..<3000 { let f = SFruit(); f.name = "fruit \(i % 500) and more text"; f.count = i; f.price = Double(i) / 100; f.tag = i % 3 == 0 ? nil : "t\(i % 20)"; m.fruits.append(f) }
  m.stalls["x"] = m.fruits[7]
  m.parent = m
  m.any = ["a": [1, 2, "x"] as [Any]] as [String: Any]
  let data = try KeyedArchiver.archivedData(withRootObject: m)
  print("bytes", data.count)
  let b = try KeyedUnarchiver.unarchivedObject(ofClass: SMarket.self, from: data)
  #expect(b.name == "Market" && b.fruits.count == 3000 && b.stalls["x"] === b.fruits[7] && b.parent === b)
  #expect(b.when() == m.when() && b.kind == m.kind && b.pt == m.pt && b.u == m.u && b.s == m.s && b.oo == m.oo)
  for i in 0..<3000 { #expect(b.fruits[i].name == m.fruits[i].name && b.fruits[i].count == i && b.fruits[i].price == m.fruits[i].price && b.fruits[i].tag == m.fruits[i].tag) }
  print(b.any)
  let small = SFruit(); small.name = "apple"; small.count = 3; small.price = 1.5; small.tag = nil
  let d2 = try KeyedArchiver.archivedData(withRootObject: small)
  print(d2.count, d2.map { String($0, radix: 16) }.joined(separator: " "))
}
