import MirrorArchive
import Testing

/// Classes without hooks pay nothing for them, and no hook is missed: every way to override one is seen.
@Suite("Which classes override a hook")
struct HookDetectionTests {
  class Plain: MirrorCoding { var a = 1 }
  class Encoding: Plain {
    override func willEncode() throws { try super.willEncode() }
  }
  class Decoding: Plain {
    override func didDecode(_ context: DecodingContext) throws {}
  }
  final class HeirOfEncoding: Encoding { var b = 2 }
  final class HeirOfDecoding: Decoding { override class var archiveRules: ArchiveRules { ArchiveRules() } }
  final class Both: Encoding {
    override func didDecode(_ context: DecodingContext) throws {}
  }
  class Generic<T>: MirrorCoding { var value: T? }
  final class HookedGeneric<T>: Generic<T> {
    override func didDecode(_ context: DecodingContext) throws {}
  }

  @Test("Overriding is seen, in the class itself and in its ancestors") func overriding() {
    for type in [Encoding.self, HeirOfEncoding.self, Both.self] as [MirrorCoding.Type] {
      #expect(HookDetection.overridesWillEncode(type), "\(type)")
    }
    for type in [Decoding.self, HeirOfDecoding.self, Both.self, HookedGeneric<Int>.self] as [MirrorCoding.Type] {
      #expect(HookDetection.overridesDidDecode(type), "\(type)")
    }
  }

  @Test("Not overriding is seen where the layout of classes is known") func plain() {
    #if !canImport(ObjectiveC)
      for type in [Plain.self, Decoding.self, HeirOfDecoding.self, Generic<Int>.self, HookedGeneric<String>.self] as [MirrorCoding.Type] {
        #expect(!HookDetection.overridesWillEncode(type), "\(type)")
      }
      for type in [Plain.self, Encoding.self, HeirOfEncoding.self, Generic<[Int]>.self] as [MirrorCoding.Type] {
        #expect(!HookDetection.overridesDidDecode(type), "\(type)")
      }
    #endif
  }
}
