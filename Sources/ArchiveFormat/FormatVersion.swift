package enum ArchiveFormatVersion { package static let current: UInt8 = 1 }
