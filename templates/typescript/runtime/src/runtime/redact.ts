const mask = "[redacted]";

/**
 * Redacts the API key in the strings of a JSON value. Keys of the service have
 * more than 16 characters. Redacting a shorter one, such as a test key, would
 * corrupt text that contains it by chance.
 */
export function redact<Value>(value: Value, apiKey: string): Value;
export function redact(value: unknown, apiKey: string): unknown {
  if (apiKey.length < 16) return value;
  if (typeof value === "string") return value.replaceAll(apiKey, mask);
  if (Array.isArray(value)) return value.map((item) => redact(item, apiKey));
  if (Object(value) !== value) return value;
  return Object.fromEntries(
    redact(Object.entries(value as object), apiKey) as [string, unknown][],
  );
}

/** Redacts headers for logging. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  apiKey: string,
): Record<string, string> {
  const secret = /authorization|cookie|secret|token|password|api-?key/i;
  const shown = { ...(redact(headers, apiKey) as Record<string, string>) };
  for (const name in shown) if (secret.test(name)) shown[name] = mask;
  return shown;
}

/**
 * Redacts the strings and the response in an error and its causes. Returns the
 * error.
 */
export function redactError<Given>(
  error: Given,
  apiKey: string | undefined,
): Given {
  if (!(apiKey && error instanceof Error)) return error;
  const details = error as Record<string, unknown>;
  for (const name of "message stack headers body name code".split(" ")) {
    let shown: unknown = mask;
    try {
      shown = redact(details[name], apiKey);
    } catch {
      // Cyclic or very deeply nested values overflow the stack.
    }
    // Some platform errors are read-only.
    if (shown !== details[name]) details[name] = shown;
  }
  redactError(error.cause, apiKey);
  return error;
}

/**
 * Copies a transport's error and its causes, so that they can be redacted.
 * Returns the error itself if it does not contain the API key.
 */
export function copyError(thrown: unknown, apiKey: string, depth = 2): Error {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, message, stack, code, cause, errors } = error as Thrown;
  const shownCause = cause && depth && copyError(cause, apiKey, depth - 1);
  const held = [message, stack, errors, ...Object.values(error)];
  return shownCause === cause &&
    held.every((value) => redact(value, apiKey) === value)
    ? error
    : Object.assign(
        new Error(message),
        { name, stack, code },
        shownCause && { cause: shownCause },
      );
}

type Thrown = Error & { readonly code?: unknown; readonly errors?: unknown };
