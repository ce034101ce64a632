import { getOwn } from "./codec/json.ts";

/**
 * Returns the error code in a body: `code`, or else the class in `error`, which
 * can be a sentence.
 */
export function errorCode(
  body: unknown,
  names: readonly string[] = ["code", "error"],
): string | undefined {
  return names
    .map((name) => getOwn(body, name))
    .find(
      (said): said is string => typeof said === "string" && /^\S+$/.test(said),
    );
}
