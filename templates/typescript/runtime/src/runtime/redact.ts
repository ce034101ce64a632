import { isObject } from "./codec/json.ts";

const mask = "[redacted]";

/**
 * Redacts the API key in the strings of a JSON value. Keys of the service have
 * more than 16 characters; a shorter one, as of a test, is in texts by chance.
 */
function redact(value: unknown, apiKey: string): unknown {
  if (apiKey.length < 16) return value;
  if (typeof value === "string") return value.replaceAll(apiKey, mask);
  if (Array.isArray(value)) return value.map((item) => redact(item, apiKey));
  if (!isObject(value)) return value;
  const entries = redact(Object.entries(value), apiKey);
  return Object.fromEntries(entries as [string, unknown][]);
}

/** Redacts headers for logging. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  apiKey: string,
): Record<string, string> {
  const secret = /authorization|cookie|secret|token|password|api-?key/i;
  const shown = { ...(redact(headers, apiKey) as Record<string, string>) };
  for (const name of Object.keys(shown))
    if (secret.test(name)) shown[name] = mask;
  return shown;
}

/**
 * Redacts the messages and the response of an error and of its causes. Returns
 * the error.
 */
export function redactError<Given>(
  error: Given,
  apiKey: string | undefined,
): Given {
  if (!apiKey || !(error instanceof Error)) return error;
  const details = error as Record<string, unknown>;
  for (const name of ["message", "stack", "headers", "body"]) {
    const shown = redact(details[name], apiKey);
    // Some errors of platforms are read-only.
    if (shown !== details[name]) details[name] = shown;
  }
  redactError(error.cause, apiKey);
  return error;
}

/**
 * Copies the name, message and code of a transport's error and of its causes.
 * The original can contain the request and thus the API key, and can be
 * read-only. The key is redacted in the name and code of the copy, and in its
 * messages by `redactError`.
 */
export function copyError(thrown: unknown, apiKey: string, depth = 3): Error {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, message, code, cause } = error as Thrown;
  return Object.assign(
    new Error(message),
    redact({ name, ...(typeof code === "string" && { code }) }, apiKey),
    cause !== undefined &&
      depth > 1 && { cause: copyError(cause, apiKey, depth - 1) },
  );
}

type Thrown = Error & { readonly code?: unknown };
