/** Any JSON value. */
export type JsonValue =
  null | boolean | number | string | JsonValue[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/**
 * Result of `parseJson`: integers that a `number` cannot represent exactly are
 * `bigint`.
 */
export type ParsedJson =
  null | boolean | number | bigint | string | ParsedJson[] | ParsedObject;

/** An object in the result of `parseJson`. */
export interface ParsedObject {
  [key: string]: ParsedJson;
}

/** Reports whether a value is an object other than null or an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns an own property, never an inherited one such as `constructor`.
 * Values other than objects have none.
 */
export function getOwn(source: unknown, key: string): unknown {
  return isObject(source) && Object.hasOwn(source, key)
    ? source[key]
    : undefined;
}

/** Describes the type of a JSON value for an error message. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (value === undefined) return "nothing";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
