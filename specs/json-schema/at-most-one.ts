import type { MessageModel } from '../messages/message-model.ts';

/** A schema that says which properties must be there, and what must not be the case. */
export interface Presence {
  required?: string[];
  anyOf?: Presence[];
  oneOf?: Presence[];
  not?: Presence;
}

/** Pairs are the shorter and plainer way up to here. */
const mostPaired = 12;

/**
 * At most one field of each oneof, as keywords that stand beside the properties of an object. No two members of a oneof: tools
 * that make forms and types of a schema read nothing into that. A large oneof would have too many pairs; it says that one member
 * is there and no other, or none.
 */
export function atMostOnePerOneof({ oneofs, fields }: MessageModel): {
  not?: Presence;
  allOf?: Presence[];
} {
  const jsonNames = new Map(fields.map(({ name, jsonName }) => [name, jsonName]));
  const members = oneofs.map((oneof) => oneof.fields.map((name) => jsonNames.get(name) ?? name));
  const pairs = members.filter(({ length }) => length <= mostPaired).flatMap(pairsOf);
  const large = members.filter(({ length }) => length > mostPaired);
  const [only] = pairs;
  return {
    ...(only === undefined ? {} : { not: pairs.length === 1 ? only : { anyOf: pairs } }),
    ...(large.length === 0 ? {} : { allOf: large.map(oneOrNone) }),
  };
}

function pairsOf(names: readonly string[]): Presence[] {
  return names.flatMap((name, index) =>
    names.slice(index + 1).map((other): Presence => ({ required: [name, other] })),
  );
}

function oneOrNone(names: readonly string[]): Presence {
  const present = names.map((name): Presence => ({ required: [name] }));
  return { oneOf: [...present, { not: { anyOf: present } }] };
}
