/// One entry of a type's field descriptor, as the compiler wrote it.
struct FieldRecord {
  /// Empty when the names were stripped.
  var name: String
  var isIndirect: Bool
  var ownership: Ownership
  /// Nil for an enum case without payload.
  var mangledType: MangledType?
}

/// A mangled type name inside a loaded binary.
@safe package struct MangledType {
  private let start: UnsafePointer<UInt8>
  private let length: Int

  // SAFETY: mangled names in field records are nul-terminated and are never unloaded. A byte below 0x20 announces a reference of a fixed
  // number of bytes, which may contain zeros.
  @unsafe package init(at start: UnsafePointer<UInt8>) {
    var length = 0
    while unsafe start[length] != 0 { unsafe length += Self.step(start[length]) }
    unsafe self.start = unsafe start
    self.length = length
  }

  /// How many bytes a character of the name takes, or a reference with the bytes behind its first one.
  private static func step(_ first: UInt8) -> Int {
    switch first {
    case 0x01...0x17: 5
    case 0x18...0x1f: 1 + MemoryLayout<UInt>.size
    default: 1
    }
  }

  /// The characters of the name; of a reference only its first byte, since those behind it are an address, and no letters whatever they are.
  private var characters: [UInt8] {
    var characters: [UInt8] = []
    var index = 0
    // SAFETY: the index is below `length`, and each step leads to the next character or to the end.
    while index < length {
      unsafe characters.append(start[index])
      unsafe index += Self.step(start[index])
    }
    return characters
  }

  /// The reference-storage operator at the end of the name.
  package var ownership: Ownership {
    let end = characters.suffix(2)
    guard length > 2, end.first == UInt8(ascii: "X") else { return .strong }
    switch end.last {
    case UInt8(ascii: "w"): return .weak
    case UInt8(ascii: "o"): return .unowned
    case UInt8(ascii: "u"): return .unmanaged
    default: return .strong
    }
  }

  /// Whether the type is made by calling a function, as types are that the runtime's demangler cannot be trusted with.
  package var usesAccessor: Bool {
    // SAFETY: a nul byte ends the name, so there is always a first byte.
    unsafe start[0] == 0x09
  }

  /// Whether the type is `()`, or a generic parameter or member type that may stand for it.
  package var canBeVoid: Bool {
    let characters = characters
    guard let first = characters.first else { return false }
    if characters == [UInt8(ascii: "y"), UInt8(ascii: "t")] { return true }
    if first == UInt8(ascii: "x") || first == UInt8(ascii: "q") { return true }
    return characters.contains(UInt8(ascii: "Q"))
  }

  /// Makes the type, with generic parameters bound as in `owner`, a struct or enum.
  func resolve(in owner: Any.Type) -> Any.Type? {
    // SAFETY: the generic arguments of struct and enum metadata follow its kind and descriptor words. They are read only for names that
    // mention parameters, which only generic types have.
    guard let descriptor = unsafe runtimeDescriptor(owner) else { return nil }
    let arguments = unsafe unsafeBitCast(owner, to: UnsafeRawPointer.self) + 2 * MemoryLayout<UInt>.size
    return unsafe _getTypeByMangledNameInContext(start, UInt(length), genericContext: descriptor, genericArguments: arguments)
  }
}

/// The parts of a type's context descriptor that reflection needs.
@safe struct TypeDescriptor {
  private let address: UnsafeRawPointer

  /// Nil for types that are not declared as a class, struct or enum.
  init?(_ type: Any.Type) {
    guard let address = unsafe runtimeDescriptor(type) else { return nil }
    unsafe self.address = unsafe address
  }

  /// Equal for all specialisations of one generic type.
  var identity: UInt { UInt(bitPattern: unsafe address) }

  // SAFETY for all loads here: the layout of type context descriptors is part of the stable ABI on Apple platforms and the same elsewhere.
  // After flags, parent, name, accessor and fields (five 32-bit words) a struct has its field count, an enum the counts of its cases with and
  // without payload; a class has four more words before its field count.

  /// The stored properties a class adds, or a struct has, according to the descriptor.
  var declaredFieldCount: Int? {
    switch unsafe address.load(as: UInt32.self) & 0x1f {
    case 16: return Int(unsafe address.load(fromByteOffset: 36, as: UInt32.self))
    case 17: return Int(unsafe address.load(fromByteOffset: 20, as: UInt32.self))
    default: return nil
    }
  }

  /// The cases of an enum according to the descriptor.
  var declaredCaseCounts: (payload: Int, empty: Int)? {
    guard unsafe address.load(as: UInt32.self) & 0x1f == 18 else { return nil }
    let payload = unsafe address.load(fromByteOffset: 20, as: UInt32.self) & 0xff_ffff
    let empty = unsafe address.load(fromByteOffset: 24, as: UInt32.self)
    return (Int(payload), Int(empty))
  }

  /// The field records, nil if the module was compiled without them.
  var records: [FieldRecord]? {
    // SAFETY: a field descriptor is {type, superclass, u16 kind, u16 record size, u32 count, records}, a record {flags, type, name}; all
    // references are relative to their own position and 0 means none.
    guard let fields = unsafe Self.target(of: address + 16) else { return nil }
    let recordSize = Int(unsafe fields.load(fromByteOffset: 10, as: UInt16.self))
    let count = Int(unsafe fields.load(fromByteOffset: 12, as: UInt32.self))
    return (0..<count).map { index in
      let record = unsafe fields + 16 + index * recordSize
      let mangled = unsafe Self.target(of: record + 4).map { unsafe MangledType(at: $0.assumingMemoryBound(to: UInt8.self)) }
      let name = unsafe Self.target(of: record + 8).map { unsafe String(cString: $0.assumingMemoryBound(to: CChar.self)) }
      return FieldRecord(
        name: name ?? "", isIndirect: unsafe record.load(as: UInt32.self) & 1 != 0, ownership: mangled?.ownership ?? .strong,
        mangledType: mangled)
    }
  }

  @unsafe private static func target(of reference: UnsafeRawPointer) -> UnsafeRawPointer? {
    let distance = unsafe reference.load(as: Int32.self)
    return distance == 0 ? nil : unsafe reference + Int(distance)
  }
}
