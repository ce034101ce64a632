import {
  getOwn,
  isObject,
  type JsonObject,
  type ParsedObject,
} from "./codec/json.ts";
import { parseJson } from "./codec/parse-json.ts";
import { ValueProblem } from "./codec/value-problem.ts";
import { invalidResponse } from "./invalid-response.ts";
import type { RawResponse } from "./response.ts";

/** Parses the JSON object in a response. Throws an `InvalidResponseError`. */
export function objectOf(response: RawResponse): JsonObject {
  return exactObjectOf(response, JSON.parse) as JsonObject;
}

/**
 * Like `objectOf`, but integers that a `number` cannot represent exactly become
 * `bigint`. Used for responses that contain messages.
 */
export function exactObjectOf(
  response: RawResponse,
  parse: (text: string) => unknown = parseJson,
): ParsedObject {
  try {
    const body = parse(response.body);
    if (isObject(body)) return body as ParsedObject;
  } catch (error) {
    const reason =
      error instanceof ValueProblem
        ? error.message
        : error instanceof RangeError
          ? // For the same reason as in `byCodec`.
            "nested too deeply"
          : "not JSON";
    throw invalidResponse(response, reason, error);
  }
  throw invalidResponse(response, "not a JSON object");
}

/** Returns a required string. Throws an `InvalidResponseError`. */
export function requiredText(
  object: object,
  key: string,
  response: RawResponse,
): string {
  const text = textOf(object, key);
  if (text === undefined) throw invalidResponse(response, `${key} is missing`);
  return text;
}

/** Returns a non-empty string of an object, or undefined. */
export function textOf(object: unknown, key: string): string | undefined {
  const value = getOwn(object, key);
  return typeof value === "string" && value ? value : undefined;
}

/**
 * Returns the cursor of the next page; undefined on the last page. Throws an
 * `InvalidResponseError` if the cursor repeats, which would cause an endless
 * loop.
 */
export function nextCursorOf(
  page: object,
  cursor: string | undefined,
  response: RawResponse,
): string | undefined {
  const next = textOf(page, "next_cursor");
  if (next === undefined || next !== cursor) return next;
  throw invalidResponse(response, "next_cursor is the cursor of this page");
}

/** Returns a number, or 0. */
export function numberOf(object: object, key: string): number {
  const value = getOwn(object, key);
  return typeof value === "number" ? value : 0;
}
