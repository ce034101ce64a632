import type {
  AnyMessageType,
  Codec,
  Field,
  FieldType,
  UnknownFields,
} from "./codec.ts";
import { mapList, mapObject } from "./containers.ts";
import { enumCodec } from "./enums.ts";
import {
  getOwn,
  isObject,
  type JsonObject,
  type JsonValue,
  kindOf,
  type ParsedJson,
  setOwn,
} from "./json.ts";
import { int32, int64, uint32, uint64 } from "./scalars.ts";
import { beneath, ValueProblem } from "./value-problem.ts";

/** A field descriptor prepared for encoding and decoding. */
interface Plan {
  readonly field: Field;
  /** Name in JSON. */
  readonly name: string;
  /** Property of the field or its oneof. */
  readonly property: string;
  readonly codec: Codec;
  /**
   * Null means absent, except for singular fields whose type has a null value.
   */
  readonly readsNull: boolean;
  /** JSON names of all cases of the field's oneof. */
  readonly cases: Set<unknown>;
}

/** Built on first use, because message types can be recursive. */
const plans = new WeakMap<AnyMessageType, readonly Plan[]>();

/** Decodes a message from ProtoJSON. Throws a `ValueProblem`. */
export function readMessage(
  type: AnyMessageType,
  json: ParsedJson,
  unknownFields: UnknownFields | undefined,
): object {
  const source = asObject(type, json);
  if (unknownFields === "reject") rejectUnknown(type, source);
  const message = {};
  let at = "";
  try {
    for (const plan of plansOf(type)) {
      at = plan.name;
      let found = getOwn(source, at);
      const { name } = plan.field;
      if (name !== at && Object.hasOwn(source, name)) {
        if (found !== undefined)
          throw new ValueProblem(`also set as ${JSON.stringify(name)}`);
        found = getOwn(source, name);
      }
      if (found === null && !plan.readsNull) found = undefined;
      readField(message, plan, found, unknownFields);
    }
  } catch (error) {
    throw beneath(at, error);
  }
  return message;
}

function readField(
  message: object,
  { field, name, property, codec }: Plan,
  json: unknown,
  unknownFields: UnknownFields | undefined,
): void {
  const read = (item: unknown): unknown =>
    codec.read(item as ParsedJson, unknownFields);
  if (field.label === "repeated")
    setOwn(message, property, mapList(json ?? [], read));
  else if (field.label === "map")
    setOwn(
      message,
      property,
      mapObject(json ?? {}, read, (key) => canonicalKey(field, key)),
    );
  else if (json === undefined) {
    if (codec.zero === undefined || field.label || field.oneof) return;
    setOwn(message, property, codec.read(codec.zero));
  } else if (field.oneof === undefined) {
    setOwn(message, property, read(json));
  } else {
    if (Object.hasOwn(message, property))
      throw new ValueProblem(`more than one field of ${property} is set`);
    setOwn(message, property, { case: name, value: read(json) });
  }
}

/** Encodes a message as canonical ProtoJSON. Throws a `ValueProblem`. */
export function writeMessage(
  type: AnyMessageType,
  message: unknown,
): JsonObject {
  const source = asObject(type, message);
  const json: JsonObject = {};
  const known = plansOf(type);
  let at = "";
  try {
    for (at of Object.keys(source))
      if (
        getOwn(source, at) !== undefined &&
        !known.some(({ property }) => property === at)
      )
        throw new ValueProblem("unknown property");
    for (const plan of known) {
      at = plan.property;
      const value = getOwn(source, at);
      if (value === undefined || (value === null && !plan.readsNull)) continue;
      const written = writeField(plan, value);
      if (written !== undefined) setOwn(json, plan.name, written);
    }
  } catch (error) {
    throw beneath(at, error);
  }
  return json;
}

function writeField(
  { field, name, cases, codec }: Plan,
  value: unknown,
): JsonValue | undefined {
  if (field.oneof !== undefined)
    return value === null ? undefined : writeCase(name, cases, codec, value);
  if (field.label === "repeated") {
    const items = mapList(value, codec.write);
    return items.length === 0 ? undefined : items;
  }
  if (field.label === "map") {
    const write = (item: unknown): JsonValue => codec.write(item);
    const map = mapObject(value, write, (key) => canonicalKey(field, key));
    return Object.keys(map).length === 0 ? undefined : map;
  }
  const written = codec.write(value);
  return field.label === undefined && written === codec.zero
    ? undefined
    : written;
}

function writeCase(
  name: string,
  cases: Plan["cases"],
  codec: Codec,
  chosen: unknown,
): JsonValue | undefined {
  const set = isObject(chosen) ? chosen : {};
  if (!cases.has(set["case"]))
    throw new ValueProblem(
      `expected {case, value} where case is one of ${[...cases].join(", ")}`,
    );
  if (set["case"] !== name) return undefined;
  try {
    return codec.write(set["value"]);
  } catch (error) {
    throw beneath("value", error);
  }
}

/** By name, so that bundles leave out the other scalars. */
const integerKeys = { int32, int64, uint32, uint64 };

function canonicalKey(field: Field, key: string): string {
  switch (field.key) {
    case undefined:
    case "string":
      return key;
    case "bool":
      if (key === "true" || key === "false") return key;
      throw new ValueProblem("expected true or false as key");
    default: {
      const written = integerKeys[field.key].write(key);
      return typeof written === "string" ? written : JSON.stringify(written);
    }
  }
}

function plansOf(type: AnyMessageType): readonly Plan[] {
  let known = plans.get(type);
  if (known === undefined) {
    const oneofs = new Map<string | undefined, Plan["cases"]>();
    known = type.fields.map((field) => {
      const name = field.json ?? field.name;
      const codec = codecOf(field.type);
      const cases = oneofs.get(field.oneof) ?? new Set();
      oneofs.set(field.oneof, cases.add(name));
      return {
        field,
        name,
        property: field.oneof ?? field.property ?? name,
        codec,
        readsNull:
          codec.readsNull === true &&
          field.label !== "repeated" &&
          field.label !== "map",
        cases,
      };
    });
    plans.set(type, known);
  }
  return known;
}

function codecOf(type: FieldType): Codec {
  if (typeof type === "function")
    return {
      read: (json, unknownFields) => readMessage(type(), json, unknownFields),
      write: (value) => writeMessage(type(), value),
    };
  return "values" in type ? enumCodec(type) : type;
}

function asObject(type: AnyMessageType, value: unknown): object {
  if (isObject(value)) return value;
  throw new ValueProblem(
    `expected an object for ${type.name}, got ${kindOf(value)}`,
  );
}

function rejectUnknown(type: AnyMessageType, json: object): void {
  const known = new Set(
    type.fields.flatMap((field) => [field.name, field.json]),
  );
  const stranger = Object.keys(json).find((key) => !known.has(key));
  if (stranger !== undefined)
    throw beneath(
      stranger,
      new ValueProblem(`unknown field ${JSON.stringify(stranger)}`),
    );
}
