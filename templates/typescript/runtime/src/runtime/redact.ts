const mask = "[redacted]";
const secretHeader = /authorization|cookie|secret|token|password|api-?key/i;

/** A text without the API key. */
export function redactText(text: string, apiKey: string): string {
  return text.replaceAll(apiKey, mask);
}

/** Headers as they may be logged. */
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

/**
 * What a transport threw, as an error of ours with name, message and code only:
 * transports like to attach the request, and with it the key.
 */
export function redactCause(cause: unknown, apiKey: string, depth = 3): Error {
  const thrown = cause instanceof Error ? cause : new Error(String(cause));
  const redacted = new Error(redactText(thrown.message, apiKey));
  redacted.name = redactText(thrown.name, apiKey);
  if ("code" in thrown && typeof thrown.code === "string")
    Object.assign(redacted, { code: redactText(thrown.code, apiKey) });
  if (thrown.cause !== undefined && depth > 1)
    redacted.cause = redactCause(thrown.cause, apiKey, depth - 1);
  return redacted;
}
