import { clone, fromJson, toBinary } from '@bufbuild/protobuf';
import type { DescEnum, DescField, DescMessage, JsonValue, Registry } from '@bufbuild/protobuf';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import { reflect, reflectList, reflectMap } from '@bufbuild/protobuf/reflect';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { base64Encode } from '@bufbuild/protobuf/wire';
import { scalarName } from '../../../specs/messages/describe-field-type.ts';
import { thrownMessage } from '../../errors/thrown-message.ts';
import { toProtoJson } from '../../messages/json/to-proto-json.ts';
import { shortFloat } from '../../messages/json/short-float.ts';
import { decodeMessage } from '../../messages/wire/decode-message.ts';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { floatOf, numberOf } from '../transforms/numbers.ts';
import { renderText } from '../transforms/render-text.ts';
import { valueWork } from '../transforms/value-work.ts';
import { isInt64, isUint64 } from '../transforms/value.ts';
import type { ScalarKind, Value } from '../transforms/value.ts';
import { valueCost } from '../work/value-cost.ts';
import type { WorkMeter } from '../work/work-meter.ts';
import { shorten } from '../../errors/shorten.ts';

/** How to store a value in a field. */
interface StoreOptions {
  /** Field path, for error texts. */
  target: string;
  /** Copies messages, because later expressions set fields inside them. */
  copied: boolean;
  /** Pays for storing and serializing the value. */
  meter: WorkMeter;
  /** Resolves the content of an `Any`. */
  registry: Registry;
}

/** Units of work to store and serialize an element, and an entry of a map. */
const unitsOfElement = 0.5;
const unitsOfEntry = 3;
/** Bytes to serialize per unit. */
const bytesPerUnit = 128;
/** Units per part of a message: to serialize it, to copy it, and to convert it to JSON and back. */
const unitsOfPart = 2;
const unitsOfCopiedPart = 4;
const unitsOfJsonPart = 8;

/** Sets a field to a value that is not `absent`. Fails for a value that the field cannot represent exactly. */
export function storeValue(
  message: ReflectMessage,
  field: DescField,
  value: Value,
  options: StoreOptions,
): Outcome<undefined> {
  const made = fieldValue(field, value, options);
  if (!made.ok) return made;
  message.set(field, made.value);
  return done(undefined);
}

function fieldValue(field: DescField, value: Value, options: StoreOptions): Outcome<unknown> {
  if (field.fieldKind === 'list') {
    if (value.kind !== 'list') return cannotStore(value, `repeated field "${options.target}"`);
    const list = reflectList(field, undefined, false);
    options.meter.spend(value.values.length * unitsOfElement);
    for (const one of value.values) {
      const made = elementValue(field, one, options);
      if (!made.ok) return made;
      list.add(made.value);
    }
    return done(list);
  }
  if (field.fieldKind === 'map') {
    if (value.kind !== 'map') return cannotStore(value, `map field "${options.target}"`);
    const map = reflectMap(field, undefined, false);
    options.meter.spend(value.entries.length * unitsOfEntry);
    for (const [key, one] of value.entries) {
      const name = scalarOf(scalarName(field.mapKey), key, options);
      const made = elementValue(field, one, options);
      if (!name.ok) return name;
      if (!made.ok) return made;
      map.set(name.value, made.value);
    }
    return done(map);
  }
  return elementValue(field, value, options);
}

function elementValue(field: DescField, value: Value, options: StoreOptions): Outcome<unknown> {
  if (field.message !== undefined) return messageOf(field.message, value, options);
  if (field.enum !== undefined) return enumOf(field.enum, value, options);
  return scalarOf(scalarName(field.scalar), value, options);
}

function messageOf(type: DescMessage, value: Value, options: StoreOptions): Outcome<ReflectMessage> {
  if (isWrapperDesc(type)) {
    const [field] = type.fields;
    const held = scalarOf(scalarName(field.scalar), value, options);
    if (!held.ok) return held;
    const wrapper = reflect(type as DescMessage, undefined, false);
    wrapper.set(field, held.value);
    return done(wrapper);
  }
  if (value.kind === 'message' && value.value.desc.typeName === type.typeName) {
    return adopt(type, value.value, options);
  }
  if (!jsonTypes.has(type.typeName))
    return cannotStore(value, `field "${options.target}" (${type.typeName})`);
  options.meter.spend(unitsOfJsonPart * valueWork(value, options.meter.left, options.registry));
  return jsonMessage(type, value, options);
}

/** Types that represent JSON. */
const jsonTypes: ReadonlySet<string> = new Set([
  'google.protobuf.ListValue',
  'google.protobuf.Struct',
  'google.protobuf.Value',
]);

function jsonMessage(
  type: DescMessage,
  value: Value,
  { target, registry }: StoreOptions,
): Outcome<ReflectMessage> {
  const refused = cannotStore(value, `field "${target}" (${type.typeName})`);
  let json: JsonValue;
  try {
    json = jsonOf(value, registry);
  } catch (error) {
    // A message without a JSON form.
    return failed(`${refused.detail}: ${thrownMessage(error)}`);
  }
  try {
    return done(reflect(type, fromJson(type, json)));
  } catch {
    return refused;
  }
}

/** Adopts a message with the same name. A message of another package version is converted through its bytes. */
function adopt(
  type: DescMessage,
  message: ReflectMessage,
  { copied, target, meter }: StoreOptions,
): Outcome<ReflectMessage> {
  const perPart = message.desc === type && !copied ? unitsOfPart : unitsOfCopiedPart;
  meter.spend(perPart * valueCost(message, meter.left));
  if (message.desc === type) return done(copied ? reflect(type, clone(type, message.message)) : message);
  try {
    return done(reflect(type, decodeMessage(type, toBinary(message.desc, message.message))));
  } catch (error) {
    const reason = thrownMessage(error);
    return failed(
      `the message for field "${target}" does not match ${type.typeName} of the target's package version: ${reason}`,
    );
  }
}

/**
 * Converts to JSON as CEL does: integers beyond 2^53 are strings, bytes are base64.
 *
 * @throws Error for a message without a JSON form, such as an `Any` of an unknown type
 */
function jsonOf(value: Value, registry: Registry): JsonValue {
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
      return value.values.map((one) => jsonOf(one, registry));
    case 'map':
      return Object.fromEntries(value.entries.map(([key, one]) => [renderText(key), jsonOf(one, registry)]));
    case 'message':
      return toProtoJson(value.value.desc, value.value.message, registry);
    default:
      return Number.isFinite(value.value) ? value.value : String(value.value);
  }
}

function enumOf(type: DescEnum, value: Value, { target }: StoreOptions): Outcome<number> {
  const number = value.kind === 'enum' ? value.value : numberOf(value);
  const declared =
    value.kind === 'string'
      ? type.values.find(({ name }) => name === value.value)
      : type.values.find((one) => number !== undefined && one.number === Number(number));
  if (declared !== undefined) return done(declared.number);
  const names = type.values.slice(0, 8).map(({ name }) => name);
  const shown = shorten(renderText(value), 60);
  return failed(
    `"${shown}" is not a value of enum ${type.typeName} in field "${target}": use one of ${names.join(', ')}`,
  );
}

function scalarOf(kind: ScalarKind, value: Value, options: StoreOptions): Outcome<unknown> {
  if (value.kind === 'string') options.meter.spend(Buffer.byteLength(value.value) / bytesPerUnit);
  if (value.kind === 'bytes') options.meter.spend(value.value.length / bytesPerUnit);
  if (kind === 'bool' || kind === 'bytes' || kind === 'string') {
    return value.kind === kind
      ? done(value.value)
      : cannotStore(value, `field "${options.target}" (${kind})`);
  }
  const number = value.kind === 'enum' ? BigInt(value.value) : numberOf(value);
  if (number === undefined) return cannotStore(value, `field "${options.target}" (${kind})`);
  const outOfRange = (): string => `${number} is out of the range of field "${options.target}" (${kind})`;
  if (kind === 'double') return done(Number(number));
  if (kind === 'float') {
    const rounded = floatOf(number);
    return rounded === undefined ? failed(outOfRange()) : done(rounded);
  }
  if (typeof number === 'number' && !Number.isInteger(number)) {
    return failed(
      `${number} is not an integer, which field "${options.target}" (${kind}) requires: drop the fraction with | cast("${kind}")`,
    );
  }
  const integer = BigInt(number);
  if (!inRange(kind, integer)) return failed(outOfRange());
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
