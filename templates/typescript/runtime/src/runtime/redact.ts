import { isObject } from "./codec/json.ts";
import type { SvcError } from "./errors.ts";

const mask = "[redacted]";
const secretHeader = /authorization|cookie|secret|token|password|api-?key/i;

/** Redacts the API key in a string. */
export function redactText(text: string, apiKey: string): string {
  return text.replaceAll(apiKey, mask);
}

/** Redacts headers for logging. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  apiKey: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secretHeader.test(name) ? mask : redactText(value, apiKey),
    ]),
  );
}

/** Redacts the messages and the response of an error and of its causes. */
export function redactError(error: unknown, apiKey = ""): void {
  if (!apiKey || !(error instanceof Error)) return;
  for (const name of ["message", "stack", "headers", "body"] as const)
    if (name in error)
      Object.assign(error, {
        [name]: redactValue((error as Partial<SvcError>)[name], apiKey),
      });
  redactError(error.cause, apiKey);
}

/** Redacts the strings of a JSON value. */
function redactValue(value: unknown, apiKey: string): unknown {
  if (typeof value === "string") return redactText(value, apiKey);
  if (Array.isArray(value))
    return value.map((item) => redactValue(item, apiKey));
  if (!isObject(value)) return value;
  const entries = redactValue(Object.entries(value), apiKey);
  return Object.fromEntries(entries as [string, unknown][]);
}

/**
 * Copies the name, message and code of a transport's error. The original can
 * contain the request and thus the API key.
 */
export function redactCause(cause: unknown, apiKey: string, depth = 3): Error {
  const thrown = cause instanceof Error ? cause : new Error(String(cause));
  const { name, message, code, cause: inner } = thrown as Thrown;
  return Object.assign(
    new Error(redactText(message, apiKey)),
    { name: redactText(name, apiKey) },
    typeof code === "string" && { code: redactText(code, apiKey) },
    inner !== undefined &&
      depth > 1 && { cause: redactCause(inner, apiKey, depth - 1) },
  );
}

type Thrown = Error & { readonly code?: unknown };
