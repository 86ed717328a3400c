import Testing

@testable import ArchiveFormat

@Test func builds() {}
