import { ConfigurationError } from "./errors.ts";

/**
 * Validates a header value: visible ASCII characters, or the pattern `form`.
 * Throws a `ConfigurationError` that mentions `what`, but not the value.
 */
export function checkedText(
  what: string,
  text: unknown,
  form: RegExp | undefined = /^[!-~]+$/,
): string {
  if (typeof text === "string" && form.test(text)) return text;
  throw new ConfigurationError(`${what} must be visible ASCII`);
}
