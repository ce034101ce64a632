import type { AnyMessageType, Codec, Field, FieldType } from "./codec.ts";
import { enumZero, readEnum } from "./enums.ts";
import {
  getOwn,
  isObject,
  type JsonObject,
  type JsonValue,
  kindOf,
  type ParsedJson,
  setOwn,
} from "./json.ts";
import * as scalar from "./scalars.ts";
import { beneath, ValueProblem } from "./value-problem.ts";

/** What a reader does with a field that the message does not declare. */
export type UnknownFields = "ignore" | "reject";

/** Reads a message from ProtoJSON; throws a `ValueProblem`. */
export function readMessage(
  type: AnyMessageType,
  json: ParsedJson,
  unknownFields: UnknownFields,
): object {
  if (!isObject(json))
    throw new ValueProblem(
      `expected an object for ${type.name}, got ${kindOf(json)}`,
    );
  if (unknownFields === "reject") rejectUnknown(type, json);
  const message = {};
  for (const field of type.fields) {
    const codec = codecOf(field.type, unknownFields);
    const name = Object.hasOwn(json, jsonName(field))
      ? jsonName(field)
      : field.name;
    const found = getOwn(json, name) as ParsedJson | undefined;
    const isAbsent = found === null && !readsNull(field, codec);
    beneath(jsonName(field), () => {
      readField(message, field, codec, isAbsent ? undefined : found);
    });
  }
  return message;
}

function readField(
  message: object,
  field: Field,
  codec: Codec,
  json: ParsedJson | undefined,
): void {
  const name = property(field);
  if (field.label === "repeated") setOwn(message, name, readList(codec, json));
  else if (field.label === "map") setOwn(message, name, readMap(codec, json));
  else if (json === undefined) {
    if (codec.zero === undefined || field.label || field.oneof) return;
    setOwn(message, name, codec.read(codec.zero));
  } else if (field.oneof === undefined) {
    setOwn(message, name, codec.read(json));
  } else {
    if (Object.hasOwn(message, field.oneof))
      throw new ValueProblem(`${field.oneof} has more than one case`);
    setOwn(message, field.oneof, {
      case: jsonName(field),
      value: codec.read(json),
    });
  }
}

/** Null is absence, except where it is the value of a single field. */
function readsNull(field: Field, codec: Codec): boolean {
  return (
    codec.readsNull === true &&
    field.label !== "repeated" &&
    field.label !== "map"
  );
}

function readList(codec: Codec, json: ParsedJson | undefined): unknown[] {
  if (json === undefined) return [];
  if (!Array.isArray(json))
    throw new ValueProblem(`expected a list, got ${kindOf(json)}`);
  return json.map((item, index) => beneath(index, () => codec.read(item)));
}

function readMap(codec: Codec, json: ParsedJson | undefined): object {
  const map = {};
  if (json === undefined) return map;
  if (!isObject(json))
    throw new ValueProblem(`expected an object, got ${kindOf(json)}`);
  for (const [key, item] of Object.entries<ParsedJson>(json))
    setOwn(
      map,
      key,
      beneath(key, () => codec.read(item)),
    );
  return map;
}

/** Writes a message as canonical ProtoJSON; throws a `ValueProblem`. */
export function writeMessage(
  type: AnyMessageType,
  message: unknown,
): JsonObject {
  if (!isObject(message))
    throw new ValueProblem(
      `expected an object for ${type.name}, got ${kindOf(message)}`,
    );
  const json: JsonObject = {};
  for (const field of type.fields) {
    beneath(field.oneof ?? property(field), () => {
      const codec = codecOf(field.type, "ignore");
      const written = writeField(type, field, codec, message);
      if (written !== undefined) setOwn(json, jsonName(field), written);
    });
  }
  return json;
}

function writeField(
  type: AnyMessageType,
  field: Field,
  codec: Codec,
  message: object,
): JsonValue | undefined {
  if (field.oneof !== undefined)
    return writeCase(type, field, field.oneof, codec, message);
  const value = getOwn(message, property(field));
  if (value === undefined || (value === null && !readsNull(field, codec)))
    return undefined;
  if (field.label === "repeated") return writeList(codec, value);
  if (field.label === "map") return writeMap(field, codec, value);
  const written = codec.write(value);
  return field.label === undefined && written === codec.zero
    ? undefined
    : written;
}

function writeCase(
  type: AnyMessageType,
  field: Field,
  oneof: string,
  codec: Codec,
  message: object,
): JsonValue | undefined {
  const chosen = getOwn(message, oneof);
  if (chosen === undefined || chosen === null) return undefined;
  const name = isObject(chosen) ? chosen["case"] : undefined;
  const cases = type.fields.filter((other) => other.oneof === oneof);
  if (!cases.some((other) => jsonName(other) === name))
    throw new ValueProblem(
      `expected {case, value} with one of the cases ${cases.map(jsonName).join(", ")}`,
    );
  return name === jsonName(field) && isObject(chosen)
    ? beneath("value", () => codec.write(chosen["value"]))
    : undefined;
}

function writeList(codec: Codec, value: unknown): JsonValue | undefined {
  if (!Array.isArray(value))
    throw new ValueProblem(`expected a list, got ${kindOf(value)}`);
  const items = value.map((item, index) =>
    beneath(index, () => codec.write(item)),
  );
  return items.length === 0 ? undefined : items;
}

function writeMap(
  field: Field,
  codec: Codec,
  value: unknown,
): JsonValue | undefined {
  if (!isObject(value))
    throw new ValueProblem(`expected an object, got ${kindOf(value)}`);
  const map: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    beneath(key, () => {
      setOwn(map, writeKey(field, key), codec.write(item));
    });
  }
  return Object.keys(map).length === 0 ? undefined : map;
}

function writeKey(field: Field, key: string): string {
  switch (field.key) {
    case undefined:
    case "string":
      return key;
    case "bool":
      if (key === "true" || key === "false") return key;
      throw new ValueProblem("the key of this map is true or false");
    default: {
      const written = scalar[field.key].write(key);
      return typeof written === "string" ? written : JSON.stringify(written);
    }
  }
}

function codecOf(type: FieldType, unknownFields: UnknownFields): Codec {
  if (typeof type === "function")
    return {
      read: (json) => readMessage(type(), json, unknownFields),
      write: (value) => writeMessage(type(), value),
    };
  if ("values" in type) {
    const convert = (value: unknown): string | number => readEnum(type, value);
    return {
      read: convert,
      write: convert,
      get zero() {
        return enumZero(type);
      },
    };
  }
  return type;
}

function rejectUnknown(type: AnyMessageType, json: object): void {
  const known = new Set(
    type.fields.flatMap((field) => [field.name, jsonName(field)]),
  );
  const stranger = Object.keys(json).find((key) => !known.has(key));
  if (stranger !== undefined)
    throw new ValueProblem(`unknown field ${JSON.stringify(stranger)}`).beneath(
      stranger,
    );
}

/** Name of the property that holds a field. */
function property(field: Field): string {
  return field.property ?? jsonName(field);
}

function jsonName(field: Field): string {
  return field.json ?? field.name;
}
