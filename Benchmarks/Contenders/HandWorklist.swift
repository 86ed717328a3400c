/// Objects of one class in the order in which they were met, each of them handed out once.
///
/// The objects have to be kept alive by somebody else: the graph that is being encoded.
@safe
struct HandWorklist<Object: AnyObject>: ~Copyable {
  private var table: HandObjectTable
  private var objects: ContiguousArray<Unmanaged<Object>>
  private var position = 0

  init(expected: Int) {
    table = HandObjectTable(expected: expected)
    // SAFETY: here and below, whoever made the list keeps the objects alive longer than the list.
    unsafe objects = ContiguousArray<Unmanaged<Object>>()
    unsafe objects.reserveCapacity(expected)
  }

  var count: Int { table.count }

  /// The number of `object`, which is new to the list or not.
  @inline(__always)
  mutating func number(of object: Object) -> UInt64 {
    let known = table.count
    let number = table.number(of: object)
    if number == known { unsafe objects.append(Unmanaged.passUnretained(object)) }
    return UInt64(number)
  }

  /// The next object that has not been handed out, not retained.
  @inline(__always)
  mutating func next() -> Unmanaged<Object>? {
    guard position < table.count else { return nil }
    let object = unsafe objects[position]
    position &+= 1
    return unsafe object
  }
}
