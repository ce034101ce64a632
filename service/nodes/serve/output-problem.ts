import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescOneof,
  isMessage,
  ScalarType,
} from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { standsForItself } from './output-message.ts';
import { shorten } from '../../errors/shorten.ts';

/**
 * Checks that a handler's output can be converted to the message. protobuf-es itself silently drops many
 * mistakes: unknown names, a Date for a Timestamp, a number for a string.
 *
 * @param value a message of the type, or a plain object of the same form; null and undefined fields are
 *   absent
 * @returns the first problem, for example `lines[2].sku: expected a string, got 7`; `undefined` for a valid
 *   output
 */
export function outputProblem(type: DescMessage, value: unknown): string | undefined {
  return messageProblem(type, value, '');
}

function messageProblem(type: DescMessage, value: unknown, path: string): string | undefined {
  if (!isObject(value)) {
    const hint = value instanceof Date ? ' (timestampFromDate of @bufbuild/protobuf/wkt makes one)' : '';
    return expected(path, `an object with the fields of ${type.typeName}${hint}`, value);
  }
  const { $typeName } = value;
  if ($typeName !== undefined && $typeName !== type.typeName) {
    return at(path, `expected a ${type.typeName}, got ${describe($typeName)}`);
  }
  const inherited = type.members.find(({ localName }) => isInherited(value, localName));
  if (inherited) {
    return at(join(path, inherited.localName), 'the field is inherited from a class: return a plain object');
  }
  for (const [key, entry] of Object.entries(value)) {
    if (key === '$typeName' || key === '$unknown' || entry == null) continue;
    const member = type.members.find((one) => one.localName === key);
    const problem = member
      ? memberProblem(member, entry, join(path, key))
      : at(path, `${type.typeName} has no field ${JSON.stringify(key)}${hintFor(type, key)}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function hintFor(type: DescMessage, key: string): string {
  const field = type.fields.find((one) => [one.localName, one.name, one.jsonName].includes(key));
  if (field === undefined) return '';
  if (field.oneof === undefined) return `: use ${field.localName}`;
  return `: write ${field.oneof.localName}: {case: '${field.localName}', value: ...}`;
}

function memberProblem(member: DescField | DescOneof, value: unknown, path: string): string | undefined {
  if (member.kind === 'oneof') return oneofProblem(member, value, path);
  switch (member.fieldKind) {
    case 'list':
      if (!Array.isArray(value)) return expected(path, 'an array', value);
      return firstProblem(value, (item, index) => valueProblem(member, item, `${path}[${index}]`));
    case 'map':
      if (!isObject(value)) return expected(path, 'an object', value);
      return firstProblem(Object.entries(value), ([key, item]) => {
        const where = `${path}[${JSON.stringify(key)}]`;
        return mapKeyProblem(member.mapKey, key, where) ?? valueProblem(member, item, where);
      });
    default:
      return valueProblem(member, value, path);
  }
}

function oneofProblem(oneof: DescOneof, value: unknown, path: string): string | undefined {
  if (!isObject(value) || !('case' in value)) return expected(path, "{case: '...', value: ...}", value);
  if (value.case === undefined) return undefined;
  const field = oneof.fields.find((one) => one.localName === value.case);
  if (field !== undefined) return valueProblem(field, value.value, join(path, 'value'));
  const cases = oneof.fields.map((one) => `'${one.localName}'`).join(', ');
  return expected(join(path, 'case'), `one of ${cases}`, value.case);
}

/** Checks one value: a singular field, a list element or a map value. */
function valueProblem(field: DescField, value: unknown, path: string): string | undefined {
  if (field.enum !== undefined) return enumProblem(field.enum, value, path);
  if (field.message === undefined) return scalarProblem(field.scalar, value, path);
  const { message } = field;
  if (!standsForItself(field, message)) return messageProblem(message, value, path);
  if (isWrapperDesc(message)) return scalarProblem(message.fields[0].scalar, value, path);
  return isObject(value) ? undefined : expected(path, 'a JSON object', value);
}

/** Checks an enum value: a number, declared or not, or the name of a value. */
function enumProblem(type: DescEnum, value: unknown, path: string): string | undefined {
  if (typeof value !== 'string') return scalarProblem(ScalarType.INT32, value, path);
  if (type.values.some(({ name }) => name === value)) return undefined;
  const names = type.values.map(({ name }) => name);
  const shown = names.length > 10 ? [...names.slice(0, 10), '...'] : names;
  return expected(path, `a value of ${type.typeName} (${shown.join(', ')})`, value);
}

function mapKeyProblem(kind: ScalarType, key: string, path: string): string | undefined {
  if (kind === ScalarType.STRING) return undefined;
  if (kind === ScalarType.BOOL)
    return /^(true|false)$/.test(key) ? undefined : at(path, 'expected a key true or false');
  if (!/^-?\d+$/.test(key)) return at(path, 'expected an integer key');
  return scalarProblem(kind, BigInt(key), path);
}

const ranges: Partial<Record<ScalarType, { bits: 32 | 64; signed: boolean }>> = {
  [ScalarType.INT32]: { bits: 32, signed: true },
  [ScalarType.SINT32]: { bits: 32, signed: true },
  [ScalarType.SFIXED32]: { bits: 32, signed: true },
  [ScalarType.UINT32]: { bits: 32, signed: false },
  [ScalarType.FIXED32]: { bits: 32, signed: false },
  [ScalarType.INT64]: { bits: 64, signed: true },
  [ScalarType.SINT64]: { bits: 64, signed: true },
  [ScalarType.SFIXED64]: { bits: 64, signed: true },
  [ScalarType.UINT64]: { bits: 64, signed: false },
  [ScalarType.FIXED64]: { bits: 64, signed: false },
};

function scalarProblem(kind: ScalarType, value: unknown, path: string): string | undefined {
  const range = ranges[kind];
  if (range !== undefined) return integerProblem(range, value, path);
  switch (kind) {
    case ScalarType.STRING:
      if (typeof value !== 'string') return expected(path, 'a string', value);
      return value.isWellFormed() ? undefined : at(path, 'the string contains a lone surrogate');
    case ScalarType.BYTES:
      return value instanceof Uint8Array ? undefined : expected(path, 'a Uint8Array', value);
    case ScalarType.BOOL:
      return typeof value === 'boolean' ? undefined : expected(path, 'a boolean', value);
    default:
      return typeof value === 'number' ? undefined : expected(path, 'a number', value);
  }
}

/** Checks an integer. 64-bit integers may be numbers if these are exact. Map keys arrive as bigint. */
function integerProblem(
  { bits, signed }: { bits: 32 | 64; signed: boolean },
  value: unknown,
  path: string,
): string | undefined {
  const what = `${signed ? 'an integer' : 'an unsigned integer'} of ${bits} bits${bits === 64 ? ' (bigint)' : ''}`;
  const isInteger = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
  if (!isInteger) return expected(path, what, value);
  const exact = BigInt(value);
  const kept = signed ? BigInt.asIntN(bits, exact) : BigInt.asUintN(bits, exact);
  return kept === exact ? undefined : expected(path, what, value);
}

function firstProblem<T>(
  items: readonly T[],
  check: (item: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = check(item, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Reports whether a value is a message, a plain object, or an instance of a class that has fields of its own. */
function isObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !ArrayBuffer.isView(value) &&
    (isPlain(value) || isMessage(value) || Object.keys(value).length > 0)
  );
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Reports whether a class defines a field, for example as a getter. The output would omit it. */
function isInherited(value: Record<string, unknown>, name: string): boolean {
  if (isPlain(value) || isMessage(value)) return false;
  return name in value && !Object.hasOwn(value, name) && !(name in Object.prototype);
}

function expected(path: string, what: string, got: unknown): string {
  return at(path, `expected ${what}, got ${describe(got)}`);
}

function at(path: string, problem: string): string {
  return path === '' ? problem : `${path}: ${problem}`;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(shorten(value, 60));
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  if (isObject(value)) return 'an object';
  return isIterator(value) ? 'an iterator' : `a ${value.constructor.name}`;
}

function isIterator(value: object): boolean {
  return 'next' in value && typeof value.next === 'function';
}
