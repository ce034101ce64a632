import { protoCamelCase } from '@bufbuild/protobuf/reflect';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/**
 * Returns the JSON text of an empty decision with the values that the question has under the same JSON or proto names, where
 * their kinds agree. The decision replaces the node's input, so that a field left empty would be lost. A message that the question
 * does not have is `null`, because an object would set it.
 *
 * @param skeleton JSON object text
 * @param question JSON text; empty if there is none
 */
export function prefillDecision(skeleton: string, question: string): string {
  const asked = question === '' ? null : (JSON.parse(question) as Json);
  return JSON.stringify(filled(JSON.parse(skeleton) as Json, isObject(asked) ? asked : {}), null, 2);
}

function filled(empty: Json, asked: Json | undefined): Json {
  if (isObject(empty) && (asked === undefined || !isObject(asked))) return null;
  // ProtoJSON writes 64-bit integers as strings, and accepts strings for all integers.
  if (kindOf(empty) === 'number' && typeof asked === 'string' && /^-?\d{1,20}$/.test(asked)) return asked;
  if (asked === undefined || kindOf(empty) !== kindOf(asked)) return empty;
  if (!isObject(empty) || !isObject(asked)) return asked;
  // A question may have the proto names of the fields.
  const byName = new Map([
    ...Object.entries(asked).map(([name, value]): [string, Json] => [protoCamelCase(name), value]),
    ...Object.entries(asked),
  ]);
  return Object.fromEntries(
    Object.entries(empty).map(([name, value]) => [name, filled(value, byName.get(name))]),
  );
}

/** An integer that JavaScript rounds has its own kind, so it is not copied. */
function kindOf(value: Json): string {
  if (value === null || Array.isArray(value)) return Array.isArray(value) ? 'list' : 'null';
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? 'rounded'
    : typeof value;
}

function isObject(value: Json): value is Record<string, Json> {
  return kindOf(value) === 'object';
}
