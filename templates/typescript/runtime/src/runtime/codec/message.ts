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
  checkObject(type, source);
  const known = plansOf(type);
  check?.(source, (key) =>
    known.some(({ name, json }) => key === name || key === json),
  );
  const message = new Map<string, unknown>();
  let at = "";
  try {
    for (const { name, json, property, codec } of known) {
      at = json;
      let found = getOwn(source, json);
      if (name !== json && Object.hasOwn(source, name)) {
        if (found !== undefined)
          throw new ValueProblem(`also set as ${JSON.stringify(name)}`);
        found = getOwn(source, name);
      }
      if (found === undefined || (found === null && !codec.readsNull))
        found = codec.zero;
      if (found === undefined) continue;
      if (message.has(property))
        throw new ValueProblem(`more than one field of ${property} is set`);
      message.set(property, codec.read(found as ParsedJson, check));
    }
  } catch (error) {
    throw beneath(at, error);
  }
  return Object.fromEntries(message);
}

/** Encodes a message as canonical ProtoJSON. Throws a `ValueProblem`. */
export function writeMessage(
  type: AnyMessageType,
  source: unknown,
): JsonObject {
  checkObject(type, source);
  const message: [string, JsonValue | undefined][] = [];
  const known = plansOf(type);
  let at = "";
  try {
    for (at of Object.keys(source))
      if (
        getOwn(source, at) !== undefined &&
        !known.some(({ property }) => property === at)
      )
        throw new ValueProblem("unknown property");
    for (const { json, property, codec } of known) {
      at = property;
      const value = getOwn(source, at);
      if (value === undefined || (value === null && !codec.readsNull)) continue;
      const written = codec.write(value);
      if (written !== codec.zero) message.push([json, written]);
    }
  } catch (error) {
    throw beneath(at, error);
  }
  return Object.fromEntries(message) as JsonObject;
}

function plansOf(type: AnyMessageType): readonly Plan[] {
  let known = plans.get(type);
  if (known === undefined) {
    const fields = type.fields();
    known = fields.map((field) => {
      const { name, json = name, property = json, oneof } = field;
      return {
        name,
        json,
        property: oneof?.property ?? property,
        codec: oneof?.caseOf(field, fields) ?? field.type,
      };
    });
    plans.set(type, known);
  }
  return known;
}

function checkObject(
  { name }: AnyMessageType,
  value: unknown,
): asserts value is ParsedObject {
  if (!isObject(value))
    throw new ValueProblem(
      `expected an object for ${name}, got ${kindOf(value)}`,
    );
}
