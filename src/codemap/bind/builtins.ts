const OBJECTS = [
  Array,
  String,
  Map,
  Set,
  Promise,
  Object,
  Function,
  RegExp,
  Number,
  Date,
  Symbol,
  WeakMap,
  Error,
];
const STATICS = [Math, JSON, Reflect];
/** Of other languages' lists, texts, streams and loggers. */
const OTHERS =
  "log warn error info debug trace on once off emit close end write read open addEventListener removeEventListener append extend insert remove items update format strip split join encode decode startswith endswith lower upper len print String Error Unwrap unwrap expect clone iter into collect as_ref as_str to_string to_owned push_str ok err unwrap_or equals hashCode toString getClass add addAll put size isEmpty contains stream each first last to_s to_a nil? empty? new";

const NAMES = new Set([
  ...OBJECTS.flatMap((type) => [
    ...Object.getOwnPropertyNames(type.prototype),
    ...Object.getOwnPropertyNames(type),
  ]),
  ...STATICS.flatMap((object) => Object.getOwnPropertyNames(object)),
  ...OTHERS.split(" "),
]);

/** Whether a member's name is one that the language's own values have, so that it says little about an unknown receiver. */
export function isBuiltinMember(name: string): boolean {
  return NAMES.has(name);
}
