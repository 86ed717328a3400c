import Foundation

/// `Fruit` as it is written for `NSKeyedArchiver`.
final class KeyedFruit: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let name: String
  let count: Int
  let price: Double
  let onSale: Bool
  let tag: String?

  init(_ fruit: Fruit) {
    name = fruit.name
    count = fruit.count
    price = fruit.price
    onSale = fruit.onSale
    tag = fruit.tag
  }

  /// The same values as the class that the other contenders use, for the comparison.
  var fruit: Fruit {
    Fruit(name: name, count: count, price: price, onSale: onSale, tag: tag)
  }

  func encode(with coder: NSCoder) {
    coder.encode(name as NSString, forKey: "name")
    coder.encode(count, forKey: "count")
    coder.encode(price, forKey: "price")
    coder.encode(onSale, forKey: "onSale")
    if let tag { coder.encode(tag as NSString, forKey: "tag") }
  }

  init?(coder: NSCoder) {
    guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
    self.name = name as String
    count = coder.decodeInteger(forKey: "count")
    price = coder.decodeDouble(forKey: "price")
    onSale = coder.decodeBool(forKey: "onSale")
    tag = coder.stringIfPresent(forKey: "tag")
  }
}

/// `Owner` as it is written for `NSKeyedArchiver`.
final class KeyedOwner: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let name: String
  let age: Int

  init(_ owner: Owner) {
    name = owner.name
    age = owner.age
  }

  func encode(with coder: NSCoder) {
    coder.encode(name as NSString, forKey: "name")
    coder.encode(age, forKey: "age")
  }

  init?(coder: NSCoder) {
    guard let name = coder.decodeObject(of: NSString.self, forKey: "name") else { return nil }
    self.name = name as String
    age = coder.decodeInteger(forKey: "age")
  }
}

/// `HomePage` as it is written for `NSKeyedArchiver`.
final class KeyedHomePage: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let name: String
  let location: String
  let number: Int
  let money: Double
  let open: Bool
  let address: String?
  let fruits: [KeyedFruit]
  let owner: KeyedOwner?

  init(_ page: HomePage) {
    name = page.name
    location = page.location
    number = page.number
    money = page.money
    open = page.open
    address = page.address
    fruits = page.fruits.map(KeyedFruit.init)
    owner = page.owner.map(KeyedOwner.init)
  }

  var homePage: HomePage {
    HomePage(
      name: name, location: location, number: number, money: money, open: open, address: address, fruits: fruits.map(\.fruit),
      owner: owner.map { Owner(name: $0.name, age: $0.age) })
  }

  func encode(with coder: NSCoder) {
    coder.encode(name as NSString, forKey: "name")
    coder.encode(location as NSString, forKey: "location")
    coder.encode(number, forKey: "number")
    coder.encode(money, forKey: "money")
    coder.encode(open, forKey: "open")
    if let address { coder.encode(address as NSString, forKey: "address") }
    coder.encode(NSArray(array: fruits), forKey: "fruits")
    if let owner { coder.encode(owner, forKey: "owner") }
  }

  init?(coder: NSCoder) {
    guard let name = coder.decodeObject(of: NSString.self, forKey: "name"),
      let location = coder.decodeObject(of: NSString.self, forKey: "location"),
      let fruits = coder.decodeObject(of: [NSArray.self, KeyedFruit.self], forKey: "fruits") as? [KeyedFruit]
    else { return nil }
    self.name = name as String
    self.location = location as String
    number = coder.decodeInteger(forKey: "number")
    money = coder.decodeDouble(forKey: "money")
    open = coder.decodeBool(forKey: "open")
    address = coder.stringIfPresent(forKey: "address")
    self.fruits = fruits
    owner = coder.containsValue(forKey: "owner") ? coder.decodeObject(of: KeyedOwner.self, forKey: "owner") : nil
  }
}
