import MirrorArchive
import Testing

/// Expects an `ArchiveError` of one code, with a path and a message that help.
/// - Parameters:
///   - place: what the error's path has to contain: the property, or the whole path.
///   - words: what the message has to contain, whatever the case: type, property, cure.
@discardableResult
func expectRefusal<Result>(
  _ code: ArchiveError.Code, at place: String? = nil, naming words: [String] = [],
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) -> ArchiveError? {
  do {
    let result = try body()
    Issue.record("no error, but \(Result.self): \(result)", sourceLocation: sourceLocation)
  } catch let error as ArchiveError {
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    if let place {
      #expect(error.path.contains(place), "path \(error.path) of \(error)", sourceLocation: sourceLocation)
    }
    for word in words {
      #expect(error.message.lowercased().contains(word.lowercased()), "no \(word) in: \(error.message)", sourceLocation: sourceLocation)
    }
    return error
  } catch {
    Issue.record(error, "not an ArchiveError", sourceLocation: sourceLocation)
  }
  return nil
}
