import { getOwn } from "./codec/json.ts";

/**
 * Returns the error code in a body: the class in `error`, or else `code`, because
 * `error` can be a sentence.
 */
export function errorCode(body: unknown): string | undefined {
  return [getOwn(body, "error"), getOwn(body, "code")].find(
    (said): said is string => typeof said === "string" && /^\S+$/.test(said),
  );
}
