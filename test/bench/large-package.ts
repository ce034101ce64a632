import type { NodeDeclaration, PublishBody } from '../../specs/operations/package-shapes.ts';

const nouns = [
  'Order', 'Invoice', 'Customer', 'Shipment', 'Payment', 'Product', 'Warehouse', 'Supplier', 'Contract', 'Ticket',
  'Refund', 'Coupon', 'Subscription', 'Report', 'Account', 'Employee', 'Vehicle', 'Route', 'Quote', 'Campaign',
]; // prettier-ignore
const verbs = [
  'Create',
  'Price',
  'List',
  'Update',
  'Archive',
  'Validate',
  'Approve',
  'Export',
  'Search',
  'Merge',
  'Restore',
  'Watch',
];

/** Maximum number of nodes: every verb of every noun. */
export const mostNodes = nouns.length * verbs.length;

/**
 * Returns a package like those of companies: a file for each business object with its states, parts, money, times, maps
 * and choices, all with comments, and a request and a reply for each node. It has `count` nodes, at most `mostNodes`; a
 * smaller package is a prefix of a larger one.
 */
export function largePackage(handle: string, count: number): PublishBody {
  const nodes = nouns.flatMap((noun) => verbs.map((verb) => declare(noun, verb))).slice(0, count);
  const used = nouns.slice(0, Math.ceil(count / verbs.length));
  return {
    name: `${handle}/commerce`,
    version: '1.0.0',
    description: 'Everything a shop does.',
    visibility: 'private',
    protos: Object.fromEntries([
      ['commerce/v1/money.proto', money],
      ...used.map((noun) => [`commerce/v1/${noun.toLowerCase()}.proto`, objectFile(noun)]),
    ]) as Record<string, string>,
    nodes,
  };
}

function declare(noun: string, verb: string): NodeDeclaration {
  return {
    name: `${verb}${noun}`,
    input: `commerce.v1.${verb}${noun}Request`,
    output: `commerce.v1.${verb}${noun}Reply`,
    mode: 'unary',
    kind: 'standard',
    generic: [],
    description: `${verb}s a ${noun.toLowerCase()} and says what became of it.`,
    required_secrets: [],
  };
}

const money = `syntax = "proto3";
package commerce.v1;

// An amount in the smallest unit of its currency.
message Money {
  // ISO 4217, upper case.
  string currency = 1;
  int64 cents = 2;
}

// Where something is or goes.
message Address {
  repeated string lines = 1;
  string city = 2;
  string postal_code = 3;
  // ISO 3166, two letters.
  string country = 4;
}
`;

function objectFile(noun: string): string {
  const upper = noun.toUpperCase();
  const lower = noun.toLowerCase();
  return `syntax = "proto3";
package commerce.v1;
import "commerce/v1/money.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/struct.proto";

// What a ${lower} can be.
enum ${noun}Status {
  ${upper}_STATUS_UNSPECIFIED = 0;
  // Written down, not yet sent.
  ${upper}_STATUS_DRAFT = 1;
  ${upper}_STATUS_OPEN = 2;
  ${upper}_STATUS_CLOSED = 3;
  ${upper}_STATUS_CANCELLED = 4;
}

// A ${lower} as the books have it.
message ${noun} {
  // Given by us, never used twice.
  string id = 1;
  string display_name = 2;
  ${noun}Status status = 3;
  Money total = 4;
  repeated ${noun}Line lines = 5;
  map<string, string> labels = 6;
  google.protobuf.Timestamp created_at = 7;
  optional double discount = 8;
  oneof contact {
    string email = 9;
    Address address = 10;
  }
  bytes signature = 11;
  google.protobuf.Struct metadata = 12;
  ${noun} replaces = 13;
}

// One line of a ${lower}.
message ${noun}Line {
  string sku = 1;
  int32 quantity = 2;
  Money unit_price = 3;
  bool taxable = 4;
  optional string note = 5;
}
${verbs.map((verb) => portsOf(noun, verb)).join('')}`;
}

function portsOf(noun: string, verb: string): string {
  const lower = noun.toLowerCase();
  return `
// What is needed to ${verb.toLowerCase()} a ${lower}.
message ${verb}${noun}Request {
  ${noun} ${lower} = 1;
  // Who asks.
  string requested_by = 2;
  // Given back as it is.
  uint64 correlation_id = 3;
  repeated string reasons = 4;
  optional bool dry_run = 5;
}

message ${verb}${noun}Reply {
  ${noun} ${lower} = 1;
  repeated string warnings = 2;
  map<string, Money> totals_by_region = 3;
  int64 version = 4;
}
`;
}
