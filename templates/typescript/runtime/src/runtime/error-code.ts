import { getOwn } from "./codec/json.ts";

/**
 * Returns the error code in a body: `code`, or `error` unless it is a
 * sentence.
 */
export function errorCode(body: unknown): string | undefined {
  return [getOwn(body, "code"), getOwn(body, "error")].find(
    (said): said is string => typeof said === "string" && /^\S+$/.test(said),
  );
}
