import Foundation
import MirrorArchive
import Testing

@Suite("The shop")
struct ShopTests {
  @Test("The page comes back with every fact of its document") func page() throws {
    let read = try roundTrip(ShopDocument.page())
    #expect(read.name == "农夫果园")
    #expect(read.location == "上海市 浦东新区 申迪北路 753号 上海迪士尼度假区")
    #expect(read.number == 10_001 && read.money == 998.12 && read.open && read.address == nil)
    #expect(read.fruits.map(\.name) == ["火龙果", "山竹"] && read.fruits.map(\.count) == [2_000, 555])
    #expect(read.fruits.map(\.price) == [56.23, 17.22] && read.fruits.map(\.onSale) == [true, false])
    #expect(read.owner?.name == "姬友大人" && read.owner?.age == 30)
  }

  @Test("The fruits come back with every fact of their document") func fruits() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: ShopDocument.fruits())
    let read = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: ShopFruit.self, from: data)
    #expect(read.map(\.name) == ["苹果🍎", "菠萝🍍", "樱桃🍒"] && read.map(\.count) == [8_855, 555, 2_567])
    #expect(read.map(\.price) == [6.23, 55.22, 100.5] && read.map(\.onSale) == [false, false, true])
  }

  @Test("The page is read in a new process") func newProcess() async throws {
    let page = try ShopDocument.page()
    page.address = "申迪北路 753号"
    page.fruits += try ShopDocument.fruits()
    page.fruits.append(page.fruits[0])
    let path = try HandOver.write(KeyedArchiver.archivedData(withRootObject: page))
    defer { HandOver.remove(path) }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let read = try KeyedUnarchiver.unarchivedObject(ofClass: HomePage.self, from: HandOver.read(path))
      #expect(read.name == "农夫果园" && read.address == "申迪北路 753号" && read.money == 998.12 && read.open)
      #expect(read.fruits.map(\.name) == ["火龙果", "山竹", "苹果🍎", "菠萝🍍", "樱桃🍒", "火龙果"])
      #expect(read.fruits[5] === read.fruits[0])
      #expect(read.fruits[4].price == 100.5 && read.fruits[4].onSale && read.owner?.name == "姬友大人")
    }
  }
}
