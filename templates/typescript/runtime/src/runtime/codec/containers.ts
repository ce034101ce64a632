import type { Codec, MapKey } from "./codec.ts";
import {
  isObject,
  type JsonObject,
  type JsonValue,
  kindOf,
  type ParsedJson,
} from "./json.ts";
import { wellFormed } from "./text.ts";
import { beneath, ValueProblem } from "./value-problem.ts";

/** Codec of a repeated field. An empty list is the default. */
export function listOf(item: Codec): Codec {
  const zero: JsonValue[] = [];
  return {
    read: (json, check) =>
      mapList(json, (each) => item.read(each as ParsedJson, check)),
    write(list) {
      const items = mapList(list, item.write);
      return items.length === 0 ? zero : items;
    },
    zero,
  };
}

/** Codec of a map field. An empty map is the default. */
export function mapOf(key: MapKey, item: Codec): Codec {
  const zero: JsonObject = {};
  return {
    read: (json, check) =>
      mapObject(json, (each) => item.read(each as ParsedJson, check), key),
    write(map) {
      const entries = mapObject(map, item.write, key);
      return Object.keys(entries).length === 0 ? zero : entries;
    },
    zero,
  };
}

/** Converts each item of a list. Problems report the index. */
export function mapList<To>(
  list: unknown,
  convert: (item: unknown) => To,
): To[] {
  if (!Array.isArray(list))
    throw new ValueProblem(`expected a list, got ${kindOf(list)}`);
  const items: To[] = [];
  try {
    for (const item of list) items.push(convert(item));
  } catch (error) {
    throw beneath(`[${items.length}]`, error);
  }
  return items;
}

/**
 * Converts each entry of an object. Problems report the key. Entries that
 * become undefined are omitted.
 */
export function mapObject<To>(
  object: unknown,
  convert: (item: unknown) => To | undefined,
  convertKey = (key: string): string => key,
): Record<string, To> {
  if (!isObject(object))
    throw new ValueProblem(`expected a plain object, got ${kindOf(object)}`);
  const entries: [string, To][] = [];
  let at = "";
  try {
    for (const [key, item] of Object.entries(object)) {
      at = wellFormed(key);
      const converted = convert(item);
      if (converted !== undefined) entries.push([convertKey(key), converted]);
    }
  } catch (error) {
    throw beneath(at, error);
  }
  return Object.fromEntries(entries);
}
