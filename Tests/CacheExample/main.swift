import ArchiveCache
import Foundation
import MirrorArchive

/// What takes a while to find out.
final class Factors: MirrorCoding {
  var number = 0
  var primes: [Int] = []
}

func factors(of number: Int) -> Factors {
  print("computing \(number)")
  let result = Factors()
  result.number = number
  var rest = number
  var divisor = 2
  while rest > 1 {
    if rest.isMultiple(of: divisor) {
      result.primes.append(divisor)
      rest /= divisor
    } else {
      divisor = divisor * divisor > rest ? rest : divisor + 1
    }
  }
  return result
}

var configuration = ArchiveCacheConfiguration()
configuration.limits.diskByteCount = 16 << 20
let cache = try ArchiveCache<Int, Factors>(name: "org.example.factors", configuration: configuration)
for number in CommandLine.arguments.dropFirst().compactMap({ Int($0) }) where number > 1 {
  let found = try cache.value(forKey: number, timeToLive: 30 * 86_400) { factors(of: number) }
  print("\(number) = " + found.primes.map { String($0) }.joined(separator: " x "))
}
