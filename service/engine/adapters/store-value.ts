import { clone, fromBinary, fromJson, toBinary } from '@bufbuild/protobuf';
import type { DescEnum, DescField, DescMessage, JsonValue } from '@bufbuild/protobuf';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import { reflect, reflectList, reflectMap } from '@bufbuild/protobuf/reflect';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { base64Encode } from '@bufbuild/protobuf/wire';
import { scalarName } from '../../../specs/messages/describe-field-type.ts';
import { protoJson } from '../../messages/proto-json.ts';
import { shortFloat } from '../../messages/short-float.ts';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { numberOf } from '../transforms/numbers.ts';
import { renderText } from '../transforms/render-text.ts';
import { isInt64, isUint64 } from '../transforms/value.ts';
import type { ScalarKind, Value } from '../transforms/value.ts';

/** How a value goes into a field. */
export interface Storing {
  /** Path of the field, for errors. */
  target: string;
  /** Messages are copied, since further expressions will set fields inside of them. */
  copied: boolean;
}

/** Sets a field to a value that is not absent; refuses what the field cannot hold exactly. */
export function storeValue(
  message: ReflectMessage,
  field: DescField,
  value: Value,
  storing: Storing,
): Outcome<undefined> {
  const made = fieldValue(field, value, storing);
  if (!made.ok) return made;
  message.set(field, made.value);
  return done(undefined);
}

function fieldValue(field: DescField, value: Value, storing: Storing): Outcome<unknown> {
  if (field.fieldKind === 'list') {
    if (value.kind !== 'list') return cannotStore(value, `repeated field "${storing.target}"`);
    const list = reflectList(field, undefined, false);
    for (const one of value.values) {
      const made = elementValue(field, one, storing);
      if (!made.ok) return made;
      list.add(made.value);
    }
    return done(list);
  }
  if (field.fieldKind === 'map') {
    if (value.kind !== 'map') return cannotStore(value, `map field "${storing.target}"`);
    const map = reflectMap(field, undefined, false);
    for (const [key, one] of value.entries) {
      const name = scalarOf(scalarName(field.mapKey), key, storing);
      const made = elementValue(field, one, storing);
      if (!name.ok) return name;
      if (!made.ok) return made;
      map.set(name.value, made.value);
    }
    return done(map);
  }
  return elementValue(field, value, storing);
}

function elementValue(field: DescField, value: Value, storing: Storing): Outcome<unknown> {
  if (field.message !== undefined) return messageOf(field.message, value, storing);
  if (field.enum !== undefined) return enumOf(field.enum, value, storing);
  return scalarOf(scalarName(field.scalar), value, storing);
}

function messageOf(type: DescMessage, value: Value, storing: Storing): Outcome<ReflectMessage> {
  if (isWrapperDesc(type)) {
    const [field] = type.fields;
    const held = scalarOf(scalarName(field.scalar), value, storing);
    if (!held.ok) return held;
    const wrapper = reflect(type as DescMessage, undefined, false);
    wrapper.set(field, held.value);
    return done(wrapper);
  }
  if (value.kind === 'message' && value.value.desc.typeName === type.typeName) {
    return adopt(type, value.value, storing);
  }
  if (!jsonTypes.has(type.typeName))
    return cannotStore(value, `field "${storing.target}" (${type.typeName})`);
  try {
    return done(reflect(type, fromJson(type, jsonOf(value))));
  } catch {
    return cannotStore(value, `field "${storing.target}" (${type.typeName})`);
  }
}

/** Types that hold JSON. */
const jsonTypes: ReadonlySet<string> = new Set([
  'google.protobuf.ListValue',
  'google.protobuf.Struct',
  'google.protobuf.Value',
]);

/** A message of the same name: as it is, or through its bytes when another version of its package made it. */
function adopt(
  type: DescMessage,
  message: ReflectMessage,
  { copied, target }: Storing,
): Outcome<ReflectMessage> {
  if (message.desc === type) return done(copied ? reflect(type, clone(type, message.message)) : message);
  try {
    return done(reflect(type, fromBinary(type, toBinary(message.desc, message.message))));
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return failed(
      `the message in field "${target}" is no ${type.typeName} of the version that is wanted: ${words}`,
    );
  }
}

/** As CEL converts to JSON: integers beyond 2^53 as texts, bytes in base64. */
function jsonOf(value: Value): JsonValue {
  switch (value.kind) {
    case 'absent':
      return null;
    case 'bool':
    case 'string':
      return value.value;
    case 'bytes':
      return base64Encode(value.value);
    case 'int64':
    case 'uint64': {
      const number = Number(value.value);
      return Number.isSafeInteger(number) ? number : String(value.value);
    }
    case 'enum':
      return renderText(value);
    case 'float':
      return Number.isFinite(value.value) ? shortFloat(value.value) : String(value.value);
    case 'list':
      return value.values.map(jsonOf);
    case 'map':
      return Object.fromEntries(value.entries.map(([key, one]) => [renderText(key), jsonOf(one)]));
    case 'message':
      return protoJson(value.value.desc, value.value.message);
    default:
      return Number.isFinite(value.value) ? value.value : String(value.value);
  }
}

function enumOf(type: DescEnum, value: Value, { target }: Storing): Outcome<number> {
  const number = value.kind === 'enum' ? value.value : numberOf(value);
  const declared =
    value.kind === 'string'
      ? type.values.find(({ name }) => name === value.value)
      : type.values.find((one) => number !== undefined && BigInt(one.number) === BigInt(number));
  if (declared !== undefined) return done(declared.number);
  const names = type.values.slice(0, 8).map(({ name }) => name);
  const shown = shorten(renderText(value));
  return failed(
    `"${shown}" is no value of enum ${type.typeName} in field "${target}"; it has ${names.join(', ')}`,
  );
}

function scalarOf(kind: ScalarKind, value: Value, storing: Storing): Outcome<unknown> {
  if (kind === 'bool' || kind === 'bytes' || kind === 'string') {
    return value.kind === kind
      ? done(value.value)
      : cannotStore(value, `field "${storing.target}" (${kind})`);
  }
  const number = value.kind === 'enum' ? BigInt(value.value) : numberOf(value);
  if (number === undefined) return cannotStore(value, `field "${storing.target}" (${kind})`);
  if (kind === 'double') return done(Number(number));
  if (kind === 'float') return done(Math.fround(Number(number)));
  if (typeof number === 'number' && !Number.isInteger(number)) {
    return failed(
      `${number} is no integer, as field "${storing.target}" (${kind}) needs: drop the fraction by | cast("${kind}")`,
    );
  }
  const integer = BigInt(number);
  if (!inRange(kind, integer)) {
    return failed(`${number} is out of the range of field "${storing.target}" (${kind})`);
  }
  return done(kind === 'int64' || kind === 'uint64' ? integer : Number(integer));
}

function inRange(kind: 'int32' | 'int64' | 'uint32' | 'uint64', integer: bigint): boolean {
  switch (kind) {
    case 'int32':
      return BigInt.asIntN(32, integer) === integer;
    case 'uint32':
      return BigInt.asUintN(32, integer) === integer;
    case 'int64':
      return isInt64(integer);
    case 'uint64':
      return isUint64(integer);
  }
}

function cannotStore(value: Value, where: string): { ok: false; detail: string } {
  const given =
    value.kind === 'message' ? value.value.desc.typeName : value.kind === 'absent' ? 'null' : value.kind;
  return failed(`cannot store ${given} in ${where}`);
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}...`.toWellFormed() : text;
}
