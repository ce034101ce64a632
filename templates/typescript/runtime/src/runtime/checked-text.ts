import { ConfigurationError } from "./errors.ts";

/**
 * Validates a header value: visible ASCII characters, or the pattern `form`.
 * Throws a `ConfigurationError` that names the value `what` without showing it.
 */
export function checkedText(
  what: string,
  text: unknown,
  form: RegExp | undefined = /^[!-~]+$/,
): string {
  if (typeof text === "string" && form.test(text)) return text;
  throw new ConfigurationError(`${what} must be visible ASCII`);
}
