import Foundation
import MirrorArchive

/// The page of a shop, as the documents in `Fixtures` describe it.
final class HomePage: MirrorCoding {
  var name = ""
  var location = ""
  var number = 0
  var money = 0.0
  var open = false
  var address: String?
  var fruits: [ShopFruit] = []
  var owner: ShopOwner?
}

final class ShopFruit: MirrorCoding {
  var name = ""
  var count = 0
  var price = 0.0
  var onSale = false
}

final class ShopOwner: MirrorCoding {
  var name = ""
  var age = 0
}

/// The rows of the documents.
enum ShopDocument {
  struct Page: Decodable {
    let name: String
    let location: String
    let number: Int
    let money: Double
    let open: Bool
    let address: String?
    let fruits: [Fruit]
    let owner: Owner
  }
  struct Fruit: Decodable {
    let name: String
    let count: Int
    let price: Double
    let onsale: Bool
  }
  struct Owner: Decodable {
    let name: String
    let age: Int
  }

  private static func data(_ name: String) throws -> Data {
    guard let file = Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Fixtures") else {
      throw CocoaError(.fileNoSuchFile)
    }
    return try Data(contentsOf: file)
  }

  static func page() throws -> HomePage {
    let document = try JSONDecoder().decode(Page.self, from: data("shop"))
    let page = HomePage()
    page.name = document.name
    page.location = document.location
    page.number = document.number
    page.money = document.money
    page.open = document.open
    page.address = document.address
    page.fruits = document.fruits.map(fruit)
    let owner = ShopOwner()
    owner.name = document.owner.name
    owner.age = document.owner.age
    page.owner = owner
    return page
  }

  static func fruits() throws -> [ShopFruit] {
    try JSONDecoder().decode([Fruit].self, from: data("fruits")).map(fruit)
  }

  private static func fruit(_ document: Fruit) -> ShopFruit {
    let fruit = ShopFruit()
    fruit.name = document.name
    fruit.count = document.count
    fruit.price = document.price
    fruit.onSale = document.onsale
    return fruit
  }
}
