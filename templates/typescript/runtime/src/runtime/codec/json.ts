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

/** Describes the type of a value, for example `null`, `array` or `promise`. */
export function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1).toLowerCase();
}

/**
 * Reports whether a value can be encoded as a JSON object. Other objects, such as
 * a `Map` or a promise, do not keep their content in properties.
 */
export function isObject(value: unknown): value is Record<string, unknown> {
  return kindOf(value) === "object";
}

/**
 * Returns an own property, never an inherited one such as `constructor`.
 * Null and undefined have no properties.
 */
export function getOwn(source: unknown, key: string): unknown {
  return Object.hasOwn(Object(source) as object, key)
    ? (source as Record<string, unknown>)[key]
    : undefined;
}
