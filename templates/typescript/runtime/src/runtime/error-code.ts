import { getOwn } from "./codec/json.ts";

/**
 * Returns the error code in a body: `code`, or else the class in `error`, which
 * can be a sentence.
 */
export function errorCode(body: unknown): string | undefined {
  return [getOwn(body, "code"), getOwn(body, "error")].find(
    (said): said is string => typeof said === "string" && /^\S+$/.test(said),
  );
}
