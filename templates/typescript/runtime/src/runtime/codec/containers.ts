import { isObject, kindOf, setOwn } from "./json.ts";
import { wellFormed } from "./text.ts";
import { beneath, ValueProblem } from "./value-problem.ts";

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
    throw beneath(items.length, error);
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
    throw new ValueProblem(`expected an object, got ${kindOf(object)}`);
  const entries: Record<string, To> = {};
  let at = "";
  try {
    for (const [key, item] of Object.entries(object)) {
      at = wellFormed(key);
      const converted = convert(item);
      if (converted !== undefined) setOwn(entries, convertKey(key), converted);
    }
  } catch (error) {
    throw beneath(at, error);
  }
  return entries;
}
