package enum Reflection {}
