import { checkedOptions, clientOptions } from "./check-options.ts";
import { checkedText } from "./checked-text.ts";
import { type Credential, credentialOf } from "./credential.ts";
import { ConfigurationError } from "./errors.ts";
import type { Fetch } from "./fetch.ts";
import type { Logger } from "./logger.ts";
import type { ClientOptions, RequestHeaders } from "./options.ts";
import { baseUrlOf, fixedHeaders, keyOf, noBaseUrl } from "./platform.ts";
import type { Backoff, RetryBudget } from "./retry-policy.ts";
import type { WebSocketConstructor } from "./web-socket.ts";

/** Validated options of a client, with defaults applied. */
export interface Settings extends Backoff, RetryBudget {
  /** Identifies this package to the service. */
  sdk: string;
  credential: Credential;
  /** Has no trailing slash. */
  baseUrl: string;
  timeoutMs?: number;
  attemptTimeoutMs: number;
  maxRetries: number;
  fetch: Fetch;
  webSocket?: WebSocketConstructor;
  logger?: Logger;
  headers: Readonly<Record<string, string>>;
}

/** Validates options and applies defaults. Throws a `ConfigurationError`. */
export function resolveSettings(options: ClientOptions, sdk: string): Settings {
  const { apiKey, token, ...given } = checkedOptions(options, clientOptions);
  if (apiKey !== undefined && token)
    throw new ConfigurationError("pass apiKey or token, not both");
  const baseUrl = baseUrlOf(given.baseUrl);
  if (
    !/^https?:\/\/[^/@?#]+(\/[^?#]*)?$/i.test(baseUrl) ||
    !URL.canParse(baseUrl)
  )
    throw new ConfigurationError(
      baseUrl
        ? "baseUrl must be an http(s) URL without user or query"
        : noBaseUrl,
    );
  return {
    attemptTimeoutMs: Infinity,
    maxRetries: 2,
    retryBudget: 100,
    retryDelayMs: 500,
    maxRetryDelayMs: 8_000,
    // Looked up on each call, so that a replaced global takes effect.
    fetch: (url, init) => fetch(url, init),
    ...given,
    spent: 0,
    sdk,
    credential: credentialOf(token ?? keyOf(apiKey)),
    baseUrl: new URL(baseUrl).href.replace(/\/+$/, ""),
    headers: checkedHeaders(given.headers),
  };
}

/** Validates headers and lowercases their names. Omits undefined ones. */
export function checkedHeaders(
  headers: RequestHeaders = {},
): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [name, value] of Symbol.iterator in headers
    ? headers
    : Object.entries(headers)) {
    if (value === undefined) continue;
    const what = `the header "${name}"`;
    const header = name.toLowerCase();
    if (fixedHeaders.test(header))
      throw new ConfigurationError(`${what} cannot be set`);
    checkedText(what, name, /^[\w.-]+$/);
    checked[header] = checkedText(what, value, /^[\t -~]*$/);
  }
  return checked;
}
