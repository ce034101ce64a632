/** The messages that the previews of the suites map, published as `acme/shop`. */
export const shopProto = `
syntax = "proto3";
package acme.shop.v1;

enum Level { LEVEL_UNSPECIFIED = 0; LOW = 1; HIGH = 2; }
message Customer { string name = 1; }
message Address { string city = 1; }
message Line { string sku = 1; int32 count = 2; }
message Order {
  string title = 1;
  int64 total = 2;
  double weight = 3;
  bool paid = 4;
  bytes raw = 5;
  Customer customer = 6;
  repeated Line lines = 7;
  map<string, string> labels = 8;
}
message Report {
  string text = 1;
  int64 number = 2;
  int32 small = 3;
  bytes data = 4;
  Level level = 5;
  Customer customer = 6;
  Address address = 7;
  repeated string words = 8;
  repeated Line lines = 9;
}
`;

/** A sample of `acme.shop.v1.Order`. */
export const order = {
  title: 'tea',
  total: '7',
  weight: 1.5,
  paid: true,
  raw: '/w==',
  customer: { name: 'Ada' },
  lines: [{ sku: 'a', count: 2 }],
  labels: { color: 'green' },
};

/** A failing mapping: field of `acme.shop.v1.Report`, expression over the order, and the full error text. */
type PreviewFailure = [field: string, expression: string, error: string | RegExp];

const transform = (name: string, detail: string) => `transform TRANSFORM_${name} failed: ${detail}`;

/** The documented errors of adapters and transforms, with their exact texts. */
export const specifiedFailures: readonly PreviewFailure[] = [
  ['text', 'cel("title +")', /^CEL parse error: ./],
  ['text', 'cel("")', /^CEL parse error: the expression is empty$/],
  ['text', 'cel("titel")', /^CEL compilation failed: .*titel/],
  ['text', `cel("title + 1")`, /^CEL compilation failed: ./],
  ['text', 'cel("lines[4].sku")', /^CEL evaluation failed: index (out of range|4 out of bounds)/],
  ['number', 'cel("total / (total - 7)")', 'CEL evaluation failed: division by zero'],
  ['text', 'cel("labels[\'size\']")', 'CEL evaluation failed: no such key: size'],
  [
    'te(x)t',
    'title',
    'adapter: malformed destination field path "te(x)t": "(" and ")" are not allowed in it',
  ],
  [
    'address',
    'customer',
    /^adapter: field pick "customer" maps message type "acme.shop.v1.Customer" into differently-typed message field "address" \(type "acme.shop.v1.Address"\)/,
  ],
  ['text', 'customer', /^adapter: field pick "customer" .* cannot convert between a message and a scalar/],
  ['customer', 'title', /^adapter: field pick "title" .* cannot convert between a message and a scalar/],
  [
    'text',
    'lines.sku',
    /^adapter: field pick "lines.sku" requires matching cardinality: "lines" is repeated/,
  ],
  ['text', 'lines', /^adapter: field pick "lines" .* requires matching cardinality: pick one element/],
  ['words', 'title', /^adapter: field pick "title" .* requires matching cardinality/],
  ['number', 'total | mult', transform('MULT', 'multiply needs a multiplier value, e.g. multiply(2)')],
  ['number', 'total | mult("x")', transform('MULT', 'multiply: "x" is not a number')],
  ['number', 'total | add', transform('ADD', 'add needs a value to add, e.g. add(5)')],
  ['number', 'total | add("x")', transform('ADD', 'add: "x" is not a number')],
  ['number', 'title | mult(2)', transform('MULT', 'cannot convert string to float')],
  ['number', 'paid | add(2)', transform('ADD', 'cannot convert bool to float')],
  ['text', 'title | suffix', transform('SUFFIX', 'suffix needs a string to append, e.g. suffix(" world")')],
  ['text', 'title | prefix', transform('PREFIX', 'prefix needs a string to prepend, e.g. prefix("hi ")')],
  ['text', 'cel()', transform('CEL', 'cel requires 1 or 2 args (expression[, srcField])')],
  ['text', 'title | cel("value +")', /^transform TRANSFORM_CEL failed: CEL parse error: ./],
  ['text', 'title | replace("a")', transform('REPLACE', 'replace requires 2 args (from, to)')],
  ['text', 'title | replace("", "b")', transform('REPLACE', 'replace: `from` is required')],
  [
    'text',
    'title | regex_replace("a")',
    transform('REGEX_REPLACE', 'regex_replace requires 2 args (pattern, replacement)'),
  ],
  [
    'text',
    'title | regex_replace("", "b")',
    transform('REGEX_REPLACE', 'regex_replace: `pattern` is required'),
  ],
  [
    'text',
    'title | regex_replace("(", "b")',
    /^transform TRANSFORM_REGEX_REPLACE failed: regex_replace: invalid pattern: ./,
  ],
  ['text', 'title | slice(1)', transform('SLICE', 'slice requires 2 args (start, end)')],
  ['text', 'title | split("e")', transform('SPLIT', 'split requires 2 args (sep, index)')],
  ['text', 'title | split("", 0)', transform('SPLIT', 'split: `separator` is required')],
  ['text', 'title | split("e", 5)', transform('SPLIT', 'split: index 5 out of range')],
  ['text', 'title | default', transform('DEFAULT', 'default requires 1 arg')],
  ['text', 'title | cast', transform('CAST', 'cast requires 1 arg (target kind)')],
  ['number', 'title | cast("int64")', transform('CAST', 'cast: "tea" is not a number')],
  ['number', 'lines | cast("int64")', transform('CAST', 'cast: cannot convert list to int64')],
  ['data', 'total | cast("bytes")', transform('CAST', 'cast: cannot convert int64 to bytes')],
  ['number', 'title | cast("number")', transform('CAST', 'cast: unsupported target kind "number"')],
];

/** Other errors, whose texts may change. */
export const furtherFailures: readonly PreviewFailure[] = [
  ['text', '', /^adapter: malformed expression "": the expression is empty/],
  ['text', 'title |', /^adapter: malformed expression .*: expected a transform name at column 8/],
  ['text', 'title "x"', /^adapter: malformed expression .*: expected "\|" or the end at column 7/],
  ['text', '#', /^adapter: malformed expression "#": unexpected "#" at column 1: compute with cel/],
  ['text', '"open', /^adapter: malformed expression .*has no closing double quote$/],
  ['text', '"\\q"', /^adapter: malformed expression .*unknown escape/],
  ['text', 'upper(title)', /^adapter: malformed expression .*"upper" at column 1 needs a piped value/],
  ['text', 'title | upper(title)', /^adapter: malformed expression .*expected a literal/],
  ['text', `title${' | trim'.repeat(33)}`, /has more than 32 transforms$/],
  ['text', `"${'x'.repeat(8_192)}"`, /the expression is longer than 8192 characters$/],
  ['text', 'title | shout', /^adapter: unknown transform "shout" at column 9: use one of mult, add, /],
  [
    'text',
    'titel',
    'adapter: field pick "titel": acme.shop.v1.Order has no field "titel": it has title, total, weight, paid, raw, customer, lines, labels; for a string literal, write \'"titel"\'',
  ],
  ['text', 'title.size', 'adapter: field pick "title.size" leads through "title", which is not a message'],
  [
    'text',
    'labels.color',
    /^adapter: field pick "labels.color" requires matching cardinality: "labels" is a map/,
  ],
  [
    'text',
    'other:title',
    /^adapter: undeclared source "other" in field pick "other:title": the sources are "a"$/,
  ],
  ['txt', 'title', /^adapter: destination field path "txt": acme.shop.v1.Report has no field "txt"/],
  [
    'text.a',
    'title',
    /^adapter: destination field path "text.a" leads through "text", which is not a message$/,
  ],
  ['lines.sku', 'title', /^adapter: destination field path "lines.sku" requires matching cardinality/],
  ['', 'title', /^adapter: malformed destination field path ""/],
  [
    'number',
    'title',
    /^adapter: field pick "title" has type string, but field "number" has type int64: convert it/,
  ],
  ['small', '3000000000', /^adapter: 3000000000 is out of the range of field "small" \(int32\)$/],
  ['small', 'weight', /^adapter: 1.5 is not an integer, which field "small" \(int32\) requires/],
  [
    'level',
    '"MIDDLE"',
    /^adapter: "MIDDLE" is not a value of enum acme.shop.v1.Level in field "level": use one of LEVEL/,
  ],
  ['text', 'raw | cast("string")', transform('CAST', 'cast: cannot convert bytes to string')],
  ['small', '3000000000 | cast("int32")', /^transform TRANSFORM_CAST failed: cast: 3000000000 is out of/],
  ['text', 'title | upper(1)', transform('UPPER', 'upper takes no args')],
  ['text', 'title | lower(1)', transform('LOWER', 'lower takes no args')],
  ['text', 'title | trim(1)', transform('TRIM', 'trim takes no args')],
  ['number', 'title | length(1)', transform('LENGTH', 'length takes no args')],
  ['text', 'title | slice("a", 2)', transform('SLICE', 'slice: "a" is not an integer')],
  ['text', 'title | split("e", "x")', transform('SPLIT', 'split: "x" is not an integer')],
  [
    'text',
    'title | regex_replace("a", "$2")',
    /^transform TRANSFORM_REGEX_REPLACE failed: regex_replace: the replacement refers to group "2"/,
  ],
  ['text', 'cel("value", "a b")', /^transform TRANSFORM_CEL failed: srcField "a b" is not a field path$/],
  ['text', `cel("${'['.repeat(250)}${']'.repeat(250)}")`, /^CEL parse error: the expression is nested/],
  ['text', 'cel("dyn(1)")', 'adapter: cannot store int64 in field "text" (string)'],
  ['words', 'cel("dyn(1)")', 'adapter: cannot store int64 in repeated field "words"'],
  ['customer', 'cel("dyn(1)")', 'adapter: cannot store int64 in field "customer" (acme.shop.v1.Customer)'],
  ['number', '1'.repeat(5_000), /^adapter: malformed expression .*: the number at column 1 is too long$/],
  [
    'text',
    `cel("'${'x'.repeat(4_100)}'")`,
    /^CEL parse error: the expression is longer than 4096 characters$/,
  ],
  [
    'number',
    'cel("[1,2,3,4,5,6,7,8,9,10].map(a, [1,2,3,4,5,6,7,8,9,10].map(b, [1,2,3,4,5,6,7,8,9,10].map(c, [1,2,3,4,5,6,7,8,9,10].map(d, [1,2,3,4,5,6,7,8,9,10].map(e, [1,2,3].map(f, f)))))).size()")',
    'adapter: field "number": the expression is too expensive to evaluate on this input: move such work into a node',
  ],
];
