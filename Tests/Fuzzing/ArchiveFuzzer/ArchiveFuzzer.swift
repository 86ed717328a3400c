import ArchiveFuzzing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One fuzzer for all targets: which one says the environment, `FUZZ_TARGET=columns`.
///
/// libFuzzer brings a `main`, and the package manager gives every executable one with the name of its target; so this is that one, and it
/// calls the fuzzer as a library.
@_cdecl("ArchiveFuzzer_main")
func start(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
  guard let name = unsafe getenv("FUZZ_TARGET"), FuzzTarget(rawValue: unsafe String(cString: name)) != nil else {
    print("set FUZZ_TARGET to one of: \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
    return 64
  }
  var (count, arguments) = unsafe (count, arguments)
  // SAFETY: the fuzzer gives as many bytes as it says, and gets the arguments of the process.
  return unsafe runDriver(&count, &arguments) { unsafe run($0, $1) }
}

/// The name under which libFuzzer's own `main` looks for it, which some builds take nevertheless.
@_cdecl("LLVMFuzzerTestOneInput")
func run(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do throws(FuzzFailure) {
    unsafe try Chosen.target.run(UnsafeRawBufferPointer(start: bytes, count: count))
  } catch {
    fatalError("\(Chosen.target.rawValue): \(error)")
  }
  return 0
}

private enum Chosen {
  static let target: FuzzTarget = unsafe getenv("FUZZ_TARGET").flatMap { unsafe FuzzTarget(rawValue: String(cString: $0)) } ?? .columns
}

// MARK: Mutations

/// Called for each new input. Archives with checksums are damaged along their structure; for all others the fuzzer's own ways are the best.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int, _ seed: CUnsignedInt) -> Int {
  if Chosen.target == .structure {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    let mutated = ArchiveMutator.mutate(input: input, donor: nil, seed: UInt64(seed))
    if let count = unsafe store(mutated, bytes, limit) { return count }
  }
  return unsafe mutateBytes(bytes, count, limit)
}

/// Called for two inputs that are to become one.
@_cdecl("LLVMFuzzerCustomCrossOver")
func crossOver(
  _ one: UnsafePointer<UInt8>, _ oneCount: Int, _ other: UnsafePointer<UInt8>, _ otherCount: Int, _ out: UnsafeMutablePointer<UInt8>,
  _ limit: Int, _ seed: CUnsignedInt
) -> Int {
  let one = unsafe [UInt8](UnsafeBufferPointer(start: one, count: oneCount))
  let other = unsafe [UInt8](UnsafeBufferPointer(start: other, count: otherCount))
  if Chosen.target == .structure {
    let crossed = ArchiveMutator.mutate(input: one, donor: other, seed: UInt64(seed))
    return unsafe store(crossed, out, limit) ?? 0
  }
  var generator = SeededGenerator(seed: UInt64(seed))
  let end = Int.random(in: 0...one.count, using: &generator)
  let begin = Int.random(in: 0...other.count, using: &generator)
  return unsafe store(Array((one[..<end] + other[begin...]).prefix(limit)), out, limit) ?? 0
}

/// - Returns: nil if there is no room.
private func store(_ bytes: [UInt8], _ out: UnsafeMutablePointer<UInt8>, _ limit: Int) -> Int? {
  guard !bytes.isEmpty, bytes.count <= limit else { return nil }
  // SAFETY: the fuzzer has room for as many bytes as it says.
  unsafe bytes.withUnsafeBufferPointer { unsafe out.update(from: $0.baseAddress.unsafelyUnwrapped, count: $0.count) }
  return bytes.count
}

// MARK: What libFuzzer exports

private typealias Body = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>, _ body: Body
) -> CInt

@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ limit: Int) -> Int
