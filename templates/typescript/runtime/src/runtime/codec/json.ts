/** Any JSON value. */
export type JsonValue =
  null | boolean | number | string | JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/**
 * JSON as `parseJson` reads it: an integer that a `number` cannot hold exactly
 * is a `bigint`.
 */
export type ParsedJson =
  null | boolean | number | bigint | string | ParsedJson[] | ParsedObject;

/** A JSON object as `parseJson` reads it. */
export interface ParsedObject {
  [key: string]: ParsedJson;
}

/** Whether a value is an object that is neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Sets an own property whatever its name is. A plain assignment to `__proto__`
 * would change the prototype instead.
 */
export function setOwn(target: object, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  } else {
    (target as Record<string, unknown>)[key] = value;
  }
}

/** An own property, or undefined. Inherited names such as `constructor` are absent. */
export function getOwn(source: object, key: string): unknown {
  return Object.hasOwn(source, key)
    ? (source as Record<string, unknown>)[key]
    : undefined;
}

/** Names the kind of a JSON value for a message. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  switch (typeof value) {
    case "object":
      return "an object";
    case "undefined":
      return "nothing";
    default:
      return `a ${typeof value}`;
  }
}
