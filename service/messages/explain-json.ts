import { fromJson } from '@bufbuild/protobuf';
import type { DescField, DescMessage, JsonValue, Registry } from '@bufbuild/protobuf';
import { hasCustomJsonRepresentation } from '@bufbuild/protobuf/wkt';
import type { UndeclaredOrdinal } from '../errors/message-errors.ts';
import { describeJson } from './describe-json.ts';
import { fieldsByKey } from './fields-by-key.ts';
import { mapKeyProblem, scalarProblem } from './scalar-json.ts';
import { timeProblem } from './time-json.ts';

/** Why JSON does not fit its type: a sentence that begins with the place, or an enum number without a name. */
export type Explanation =
  { detail: string; ordinal?: never } | { detail?: never; ordinal: UndeclaredOrdinal };

/** As many messages as protobuf lets nest. */
const maxMessageDepth = 100;

/**
 * Finds what `fromJson` refused. It says only which field is wrong, not in which of a thousand lines; so this second walk,
 * which costs only refused input and types with times, names the place: `lines[2].sku: expected a string, got 12`.
 *
 * @returns undefined when it finds nothing: the library's own words must do then.
 */
export function explainJson(type: DescMessage, json: unknown, registry: Registry): Explanation | undefined {
  return explainMessage(type, json, { registry, path: '', depth: 1 });
}

interface Place {
  registry: Registry;
  /** `lines[2].labels["a b"]`; empty at the root. */
  path: string;
  depth: number;
}

function explainMessage(type: DescMessage, json: unknown, place: Place): Explanation | undefined {
  if (place.depth > maxMessageDepth) return at(place, `messages nest deeper than ${maxMessageDepth} levels`);
  if (hasCustomJsonRepresentation(type)) return explainWellKnown(type, json, place);
  if (!isObject(json)) return at(place, `expected an object, got ${describeJson(json)}`);
  const fields = fieldsByKey(type);
  const keyOf = new Map<object, string>();
  for (const [key, value] of Object.entries(json)) {
    const field = fields.get(key);
    if (field === undefined) return at(place, `unknown field ${JSON.stringify(key)} (${fieldList(type)})`);
    const clash = claim(field, key, value, keyOf);
    if (clash !== undefined) return at(place, clash);
    const path = place.path === '' ? key : `${place.path}.${key}`;
    const found = explainField(field, value, { ...place, path });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A field may be set by one of its two names, a oneof by one of its members. */
function claim(
  field: DescField,
  key: string,
  value: unknown,
  keyOf: Map<object, string>,
): string | undefined {
  const other = keyOf.get(field);
  if (other !== undefined) return `"${other}" and "${key}" are the same field`;
  keyOf.set(field, key);
  const isNullMember = value === null && field.fieldKind === 'scalar';
  if (field.oneof === undefined || isNullMember) return undefined;
  const sibling = keyOf.get(field.oneof);
  if (sibling !== undefined) {
    return `"${sibling}" and "${key}" are members of the oneof ${field.oneof.name}: set one of them`;
  }
  keyOf.set(field.oneof, key);
  return undefined;
}

function explainField(field: DescField, json: unknown, place: Place): Explanation | undefined {
  if (json === null && (field.fieldKind === 'list' || field.fieldKind === 'map')) return undefined;
  if (field.fieldKind === 'list') return explainList(field, json, place);
  if (field.fieldKind === 'map') return explainMap(field, json, place);
  return json === null && !takesNull(field) ? undefined : explainValue(field, json, place);
}

function explainList(field: DescField, json: unknown, place: Place): Explanation | undefined {
  if (!Array.isArray(json)) return at(place, `expected an array, got ${describeJson(json)}`);
  for (const [index, item] of (json as unknown[]).entries()) {
    const inside = { ...place, path: `${place.path}[${index}]` };
    if (item === null && !takesNull(field)) return at(inside, 'an array element must not be null');
    const found = explainValue(field, item, inside);
    if (found !== undefined) return found;
  }
  return undefined;
}

function explainMap(
  field: DescField & { fieldKind: 'map' },
  json: unknown,
  place: Place,
): Explanation | undefined {
  if (!isObject(json)) return at(place, `expected an object, got ${describeJson(json)}`);
  const keys = new Set<string>();
  for (const [key, value] of Object.entries(json)) {
    const inside = { ...place, path: `${place.path}[${JSON.stringify(key)}]` };
    const read = mapKeyProblem(field.mapKey, key);
    if (read.problem !== undefined) return at(inside, read.problem);
    if (keys.has(read.key)) return at(inside, `the key ${read.key} is given twice`);
    keys.add(read.key);
    if (value === null && !takesNull(field)) return at(inside, 'a map value must not be null');
    const found = explainValue(field, value, inside);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** One value: the field itself, an element of a list, or a value of a map. */
function explainValue(field: DescField, json: unknown, place: Place): Explanation | undefined {
  if (field.message) return explainMessage(field.message, json, { ...place, depth: place.depth + 1 });
  if (field.enum) return explainEnum(field, json, place);
  const problem = scalarProblem(field.scalar, json);
  return problem === undefined ? undefined : at(place, problem);
}

function explainEnum(
  field: DescField & { enum: object },
  json: unknown,
  place: Place,
): Explanation | undefined {
  const { typeName, values, value: byNumber } = field.enum;
  if (json === null) return undefined;
  if (typeof json === 'number' && Number.isInteger(json)) {
    if (byNumber[json] !== undefined) return undefined;
    return { ordinal: { message: field.parent.typeName, field: field.name, ordinal: json, enum: typeName } };
  }
  if (typeof json === 'string' && values.some((value) => value.name === json || value.jsonName === json)) {
    return undefined;
  }
  const names = shortList(values.map((value) => value.name));
  return at(place, `expected a value of enum ${typeName} (${names}), got ${describeJson(json)}`);
}

function explainWellKnown(type: DescMessage, json: unknown, place: Place): Explanation | undefined {
  const time = timeProblem(type.typeName, json);
  if (time !== undefined) return at(place, `${describeJson(json)} is no ${type.typeName}: ${time}`);
  try {
    fromJson(type, json as JsonValue, { registry: place.registry });
    return undefined;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return at(place, `${describeJson(json)} is no ${type.typeName}: ${words}`);
  }
}

function takesNull(field: DescField): boolean {
  const typeName = field.message?.typeName ?? field.enum?.typeName;
  return typeName === 'google.protobuf.Value' || typeName === 'google.protobuf.NullValue';
}

function at({ path }: Place, problem: string): Explanation {
  return { detail: path === '' ? problem : `${path}: ${problem}` };
}

function fieldList(type: DescMessage): string {
  if (type.fields.length === 0) return `${type.typeName} has no fields`;
  return `${type.typeName} has ${shortList(type.fields.map((field) => field.jsonName))}`;
}

function shortList(names: readonly string[]): string {
  const shown = names.slice(0, 20);
  return names.length > shown.length ? `${shown.join(', ')}, ... ${names.length} in all` : shown.join(', ');
}

function isObject(json: unknown): json is object {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
