import type {
  AnyMessageType,
  Codec,
  FieldType,
  UnknownFields,
} from "./codec.ts";
import {
  getOwn,
  isObject,
  type JsonObject,
  kindOf,
  type ParsedJson,
  setOwn,
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
    read: (json, unknownFields) => readMessage(type, json, unknownFields),
    write: (value) => writeMessage(type, value),
  };
}

/** Decodes a message from ProtoJSON. Throws a `ValueProblem`. */
export function readMessage(
  type: AnyMessageType,
  source: ParsedJson,
  unknownFields: UnknownFields | undefined,
): object {
  checkObject(type, source);
  const known = plansOf(type);
  const message = {};
  let at = "";
  try {
    if (unknownFields === "reject")
      for (at of Object.keys(source))
        if (!known.some(({ name, json }) => at === name || at === json))
          throw new ValueProblem(`unknown field ${JSON.stringify(at)}`);
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
      if (Object.hasOwn(message, property))
        throw new ValueProblem(`more than one field of ${property} is set`);
      const value = codec.read(found as ParsedJson, unknownFields);
      setOwn(message, property, value);
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
  checkObject(type, source);
  const message: JsonObject = {};
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
      if (written !== codec.zero) setOwn(message, json, written);
    }
  } catch (error) {
    throw beneath(at, error);
  }
  return message;
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
): asserts value is object {
  if (!isObject(value))
    throw new ValueProblem(
      `expected an object for ${name}, got ${kindOf(value)}`,
    );
}
