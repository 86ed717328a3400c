/// A dictionary that knows the order in which its keys were last used.
///
/// The order is a list through one array: to move a key to its front takes no allocation and counts no reference, and to let go of everything
/// takes no recursion.
struct LeastRecentlyUsed<Key: Hashable, Value> {
  private struct Slot {
    var key: Key
    var value: Value?
    /// Towards the front.
    var newer: Int32
    /// Towards the back.
    var older: Int32
  }

  private var places: [Key: Int32] = [:]
  private var slots: [Slot] = []
  private var front: Int32 = -1
  private var back: Int32 = -1
  /// The first of the slots that are free, which are a list by `older`.
  private var free: Int32 = -1

  var count: Int { places.count }

  /// The value of a key, which becomes the one that was used last. O(1).
  mutating func use(_ key: Key) -> Value? {
    guard let place = places[key] else { return nil }
    if place != front {
      unlink(place)
      linkInFront(place)
    }
    return slots[Int(place)].value
  }

  /// The value of a key; the order stays. O(1).
  func peek(_ key: Key) -> Value? { places[key].flatMap { slots[Int($0)].value } }

  /// Sets the value of a key, which becomes the one that was used last. O(1), amortised.
  /// - Returns: The value that it had.
  mutating func set(_ value: Value, for key: Key) -> Value? {
    if let place = places[key] {
      let old = slots[Int(place)].value
      slots[Int(place)].key = key
      slots[Int(place)].value = value
      if place != front {
        unlink(place)
        linkInFront(place)
      }
      return old
    }
    let place: Int32
    if free >= 0 {
      place = free
      free = slots[Int(place)].older
      slots[Int(place)] = Slot(key: key, value: value, newer: -1, older: -1)
    } else {
      place = Int32(slots.count)
      slots.append(Slot(key: key, value: value, newer: -1, older: -1))
    }
    places[key] = place
    linkInFront(place)
    return nil
  }

  /// Removes a key. O(1).
  mutating func remove(_ key: Key) -> Value? {
    guard let place = places.removeValue(forKey: key) else { return nil }
    unlink(place)
    let old = slots[Int(place)].value
    slots[Int(place)].value = nil
    slots[Int(place)].older = free
    free = place
    return old
  }

  /// The key that was used longest ago, and its value. O(1).
  var oldest: (key: Key, value: Value)? {
    guard back >= 0, let value = slots[Int(back)].value else { return nil }
    return (slots[Int(back)].key, value)
  }

  /// The key that was used before `key`. O(1).
  func newer(than key: Key) -> (key: Key, value: Value)? {
    guard let place = places[key] else { return nil }
    let next = slots[Int(place)].newer
    guard next >= 0, let value = slots[Int(next)].value else { return nil }
    return (slots[Int(next)].key, value)
  }

  mutating func removeAll() { self = LeastRecentlyUsed() }

  private mutating func unlink(_ place: Int32) {
    let (newer, older) = (slots[Int(place)].newer, slots[Int(place)].older)
    if newer >= 0 { slots[Int(newer)].older = older } else { front = older }
    if older >= 0 { slots[Int(older)].newer = newer } else { back = newer }
  }

  private mutating func linkInFront(_ place: Int32) {
    slots[Int(place)].newer = -1
    slots[Int(place)].older = front
    if front >= 0 { slots[Int(front)].newer = place } else { back = place }
    front = place
  }
}
