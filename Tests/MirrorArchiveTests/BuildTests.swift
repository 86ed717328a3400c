import Testing
@testable import MirrorArchive

@Test func builds() {}
