import Testing
@testable import ArchiveReflection

@Test func builds() {}
