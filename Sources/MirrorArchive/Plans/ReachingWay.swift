/// A property through which further objects are reached.
struct ReachingWay {
  let property: PropertyPlan
  let offset: Int
  let reach: Reach

  init(_ property: PropertyPlan) {
    self.property = property
    offset = property.offset
    reach = property.codec.reach
  }
}
