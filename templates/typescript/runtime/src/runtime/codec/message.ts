import type { AnyMessageType, Codec, FieldCheck, FieldType } from "./codec.ts";
import {
  getOwn,
  isObject,
  type JsonObject,
  type JsonValue,
  kindOf,
  type ParsedJson,
  type ParsedObject,
} from "./json.ts";
import { beneath, ValueProblem } from "./value-problem.ts";

/** A field descriptor prepared for encoding and decoding. */
interface Plan {
  /** Name in the proto file. */
  readonly name: string;
  /** Name in JSON. */
  readonly json: string;
  /** Property of the field or its oneof. */
  readonly property: string;
  readonly codec: FieldType;
}

/** Built on first use, because message types can be recursive. */
const plans = new WeakMap<AnyMessageType, readonly Plan[]>();

/** Codec of a field that is a message. */
export function messageOf(type: AnyMessageType): Codec {
  return {
    read: (json, check) => readMessage(type, json, check),
    write: (value) => writeMessage(type, value),
  };
}

/** Decodes a message from ProtoJSON. Throws a `ValueProblem`. */
export function readMessage(
  type: AnyMessageType,
  source: ParsedJson,
  check?: FieldCheck,
): object {
  const known = plansOf(type, source);
  check?.(source as ParsedObject, known);
  const message: Record<string, unknown> = {};
  let at = "";
  try {
    for (const { name, json, property, codec } of known) {
      at = json;
      let found = getOwn(source, json);
      const other = name === json ? undefined : getOwn(source, name);
      if (other !== undefined) {
        if (found !== undefined)
          throw new ValueProblem(`also set as "${name}"`);
        found = other;
      }
      if (isAbsent(found, codec)) found = codec.zero;
      if (found === undefined) continue;
      if (Object.hasOwn(message, property))
        throw new ValueProblem(`more than one field of ${property} is set`);
      message[property] = codec.read(found as ParsedJson, check);
    }
  } catch (error) {
    throw beneath(at, error);
  }
  return message;
}

/** Encodes a message as canonical ProtoJSON. Throws a `ValueProblem`. */
export function writeMessage(
  type: AnyMessageType,
  source: unknown,
): JsonObject {
  const known = plansOf(type, source);
  const message: [string, JsonValue | undefined][] = [];
  let at = "";
  try {
    for (at of Object.keys(source as object))
      if (
        getOwn(source, at) !== undefined &&
        !known.some(({ property }) => property === at)
      )
        throw new ValueProblem("unknown property");
    for (const { json, property, codec } of known) {
      at = property;
      const value = propertyOf(source, at);
      if (isAbsent(value, codec)) continue;
      const written = codec.write(value);
      if (written !== codec.zero) message.push([json, written]);
    }
  } catch (error) {
    throw beneath(at, error);
  }
  return Object.fromEntries(message) as JsonObject;
}

/** Returns a property, own or inherited, but not of `Object.prototype`. */
function propertyOf(source: unknown, name: string): unknown {
  return name in {}
    ? getOwn(source, name)
    : (source as Record<string, unknown>)[name];
}

/** Returns the fields of a type after checking that the value is an object. */
function plansOf(type: AnyMessageType, value: unknown): readonly Plan[] {
  if (!isObject(value))
    throw new ValueProblem(
      `expected a plain object for ${type.name}, got ${kindOf(value)}`,
    );
  let known = plans.get(type);
  if (!known) {
    const fields = type.fields();
    known = fields.map((field) => {
      const { name, json = name, oneof } = field;
      return {
        name,
        json,
        property: oneof?.property ?? field.property ?? json,
        codec: oneof?.caseOf(field, fields) ?? field.type,
      };
    });
    plans.set(type, known);
  }
  return known;
}

function isAbsent(value: unknown, { readsNull }: FieldType): boolean {
  return value === undefined || (value === null && !readsNull);
}
