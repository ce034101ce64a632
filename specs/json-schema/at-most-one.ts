import type { MessageModel } from '../messages/message-model.ts';

/** A schema of required properties and of conditions that must not hold. */
interface Presence {
  required?: string[];
  anyOf?: Presence[];
  oneOf?: Presence[];
  not?: Presence;
}

/** Largest oneof whose pairs are listed: up to this size, the pairs are the shorter schema. */
const mostPaired = 12;

/**
 * Returns keywords of an object schema that allow at most one field of each oneof. A small oneof excludes each pair of
 * its members, which tools that derive forms and types from a schema ignore. A large oneof would have too many pairs,
 * so it requires exactly one member or none.
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
