import { fromJson } from '@bufbuild/protobuf';
import type { DescField, DescMessage, JsonValue, Registry } from '@bufbuild/protobuf';
import { hasCustomJsonRepresentation } from '@bufbuild/protobuf/wkt';
import type { UndeclaredOrdinal } from '../../errors/message-errors.ts';
import { thrownMessage } from '../../errors/thrown-message.ts';
import { describeJson } from './describe-json.ts';
import { fieldsByJsonKey } from './fields-by-json-key.ts';
import { freeJsonDepth } from './free-json.ts';
import { mapKeyProblem, scalarProblem } from './scalar-json.ts';
import { timeProblem } from './time-json.ts';

/** Why JSON does not match its type: a sentence that begins with the path, or an undeclared enum ordinal. */
export type JsonProblem =
  { detail: string; ordinal?: never } | { detail?: never; ordinal: UndeclaredOrdinal };

/** The nesting limit of protobuf. */
const maxMessageDepth = 100;

const tooDeep = `messages nest deeper than ${maxMessageDepth} levels`;

/**
 * Finds why a value does not match its type, with the path: `lines[2].sku: expected a string, got 12`. `fromJson` names only the
 * field. Runs only for input that `fromJson` rejects, and for types that contain times.
 *
 * @returns undefined when the value matches the type
 */
export function diagnoseJson(type: DescMessage, json: unknown, registry: Registry): JsonProblem | undefined {
  return diagnoseMessage(type, json, { registry, path: '', depth: 1 });
}

interface Place {
  registry: Registry;
  /** `lines[2].labels["a b"]`. Empty for the message itself. */
  path: string;
  depth: number;
}

function diagnoseMessage(type: DescMessage, json: unknown, place: Place): JsonProblem | undefined {
  if (place.depth > maxMessageDepth) return at(place, tooDeep);
  if (hasCustomJsonRepresentation(type)) return diagnoseWellKnown(type, json, place);
  if (!isObject(json)) return at(place, `expected an object, got ${describeJson(json)}`);
  const fields = fieldsByJsonKey(type);
  const keyOf = new Map<object, string>();
  for (const [key, value] of Object.entries(json)) {
    const field = fields.get(key);
    if (field === undefined) return at(place, `unknown field ${JSON.stringify(key)} (${fieldList(type)})`);
    const clash = claim(field, key, value, keyOf);
    if (clash !== undefined) return at(place, clash);
    const path = place.path === '' ? key : `${place.path}.${key}`;
    const found = diagnoseField(field, value, { ...place, path });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Each field may be set under one of its two names, each oneof by one of its members. */
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

function diagnoseField(field: DescField, json: unknown, place: Place): JsonProblem | undefined {
  if (json === null && (field.fieldKind === 'list' || field.fieldKind === 'map')) return undefined;
  if (field.fieldKind === 'list') return diagnoseList(field, json, place);
  if (field.fieldKind === 'map') return diagnoseMap(field, json, place);
  return json === null && !takesNull(field) ? undefined : diagnoseValue(field, json, place);
}

function diagnoseList(field: DescField, json: unknown, place: Place): JsonProblem | undefined {
  if (!Array.isArray(json)) return at(place, `expected an array, got ${describeJson(json)}`);
  for (const [index, item] of (json as unknown[]).entries()) {
    const inside = { ...place, path: `${place.path}[${index}]` };
    if (item === null && !takesNull(field)) return at(inside, 'an array element must not be null');
    const found = diagnoseValue(field, item, inside);
    if (found !== undefined) return found;
  }
  return undefined;
}

function diagnoseMap(
  field: DescField & { fieldKind: 'map' },
  json: unknown,
  place: Place,
): JsonProblem | undefined {
  if (!isObject(json)) return at(place, `expected an object, got ${describeJson(json)}`);
  const keys = new Set<string>();
  for (const [key, value] of Object.entries(json)) {
    const inside = { ...place, path: `${place.path}[${JSON.stringify(key)}]` };
    const read = mapKeyProblem(field.mapKey, key);
    if (read.problem !== undefined) return at(inside, read.problem);
    if (keys.has(read.key)) return at(inside, `duplicate key ${read.key}`);
    keys.add(read.key);
    if (value === null && !takesNull(field)) return at(inside, 'a map value must not be null');
    const found = diagnoseValue(field, value, inside);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Checks a single value: the field itself, a list element or a map value. */
function diagnoseValue(field: DescField, json: unknown, place: Place): JsonProblem | undefined {
  if (field.message) return diagnoseMessage(field.message, json, { ...place, depth: place.depth + 1 });
  if (field.enum) return diagnoseEnum(field, json, place);
  const problem = scalarProblem(field.scalar, json);
  return problem === undefined ? undefined : at(place, problem);
}

function diagnoseEnum(
  field: DescField & { enum: object },
  json: unknown,
  place: Place,
): JsonProblem | undefined {
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

function diagnoseWellKnown(type: DescMessage, json: unknown, place: Place): JsonProblem | undefined {
  const time = timeProblem(type.typeName, json);
  if (time !== undefined) return at(place, `${describeJson(json)} is not a valid ${type.typeName}: ${time}`);
  if (place.depth - 1 + freeJsonDepth(type, json) > maxMessageDepth) return at(place, tooDeep);
  try {
    fromJson(type, json as JsonValue, { registry: place.registry });
    return undefined;
  } catch (error) {
    const reason = thrownMessage(error);
    return at(place, `${describeJson(json)} is not a valid ${type.typeName}: ${reason}`);
  }
}

function takesNull(field: DescField): boolean {
  const typeName = field.message?.typeName ?? field.enum?.typeName;
  return typeName === 'google.protobuf.Value' || typeName === 'google.protobuf.NullValue';
}

function at({ path }: Place, problem: string): JsonProblem {
  return { detail: path === '' ? problem : `${shorten(path)}: ${problem}` };
}

/** Error texts are truncated at the end. A path of 100 nested messages must leave room for the problem. */
function shorten(path: string): string {
  if (path.length <= maxPathCharacters) return path;
  const half = maxPathCharacters / 2;
  return `${path.slice(0, half)}...${path.slice(-half)}`.toWellFormed();
}

const maxPathCharacters = 400;

function fieldList(type: DescMessage): string {
  if (type.fields.length === 0) return `${type.typeName} has no fields`;
  return `${type.typeName} has ${shortList(type.fields.map((field) => field.jsonName))}`;
}

function shortList(names: readonly string[]): string {
  const shown = names.slice(0, 20);
  return names.length > shown.length
    ? `${shown.join(', ')}, ... (${names.length} in total)`
    : shown.join(', ');
}

function isObject(json: unknown): json is object {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
