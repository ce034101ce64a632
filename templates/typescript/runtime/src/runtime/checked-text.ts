import { ConfigurationError } from "./errors.ts";

/**
 * Validates a header value: visible ASCII characters, or the pattern `form`.
 * Throws a `ConfigurationError` that names the value `what` without showing it.
 */
export function checkedText(what: string, text: string, form?: RegExp): string {
  if ((form ?? /^[!-~]+$/).test(text)) return text;
  throw new ConfigurationError(
    `${what} must not contain characters such as line breaks`,
  );
}
