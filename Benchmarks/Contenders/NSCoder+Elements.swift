import Foundation

extension NSCoder {
  /// A key for each element. As one `NSArray` the elements would cost quadratic time on Linux: `NSKeyedArchiver` looks every object up by
  /// its hash, the hash of an array is its count, and so all arrays of one length are compared element by element.
  func encodeElements(_ objects: [some NSObject & NSSecureCoding], forKey key: String) {
    encode(objects.count, forKey: key)
    for (index, object) in objects.enumerated() {
      encode(object, forKey: "\(key).\(index)")
    }
  }

  /// What `encodeElements` has written; nil when an element is missing or of another class.
  func decodeElements<Object: NSObject & NSSecureCoding>(of type: Object.Type, forKey key: String) -> [Object]? {
    var objects: [Object] = []
    for index in 0..<max(decodeInteger(forKey: key), 0) {
      guard let object = decodeObject(of: type, forKey: "\(key).\(index)") else { return nil }
      objects.append(object)
    }
    return objects
  }

  /// Asks first: a missing key is an error of the whole archive on Linux, with a line in the log.
  func stringIfPresent(forKey key: String) -> String? {
    containsValue(forKey: key) ? decodeObject(of: NSString.self, forKey: key) as String? : nil
  }
}
