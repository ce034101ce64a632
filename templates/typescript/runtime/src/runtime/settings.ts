import { checkOptions, clientOptions } from "./check-options.ts";
import { checkedText } from "./checked-text.ts";
import { Credential } from "./credential.ts";
import { ConfigurationError } from "./errors.ts";
import type { Fetch } from "./fetch.ts";
import type { Logger } from "./logger.ts";
import type { ClientOptions, RequestHeaders } from "./options.ts";
import { givenBaseUrl, givenKey, noBaseUrl, refuseHeader } from "./platform.ts";
import type { Backoff } from "./retry-policy.ts";
import type { WebSocketConstructor } from "./web-socket.ts";

/** Validated options of a client, with defaults applied. */
export interface Settings extends Backoff {
  credential: Credential;
  /** Has no trailing slash. */
  baseUrl: string;
  timeoutMs: number | undefined;
  attemptTimeoutMs: number;
  maxRetries: number;
  retryBudget: number;
  fetch: Fetch;
  webSocket: WebSocketConstructor | undefined;
  logger: Logger | undefined;
  headers: Readonly<Record<string, string>>;
}

/** Validates options and applies defaults. Throws a `ConfigurationError`. */
export function resolveSettings(options: ClientOptions): Settings {
  checkOptions(options, clientOptions);
  return {
    credential: credentialOf(options),
    baseUrl: checkedUrl(options.baseUrl ?? givenBaseUrl()),
    timeoutMs: options.timeoutMs,
    attemptTimeoutMs: options.attemptTimeoutMs ?? Infinity,
    maxRetries: options.maxRetries ?? 2,
    retryBudget: options.retryBudget ?? 10,
    retryDelayMs: options.retryDelayMs ?? 500,
    maxRetryDelayMs: options.maxRetryDelayMs ?? 8_000,
    // Looked up on each call, so a replaced global takes effect.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    webSocket: options.webSocket,
    logger: options.logger,
    headers: checkedHeaders(options.headers),
  };
}

const headerForm = /^[\w.-]+:[\t -~]*$/;

/** Validates headers and lower-cases their names. */
export function checkedHeaders(
  headers: RequestHeaders = {},
): Record<string, string> {
  const entries =
    Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  for (const [name, value] of entries) {
    refuseHeader(name);
    const header = `${name}:${value}`;
    checkedText(`the header "${name}"`, header, headerForm);
  }
  return Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function credentialOf({ apiKey, token }: ClientOptions): Credential {
  if (apiKey !== undefined && token !== undefined)
    throw new ConfigurationError(
      "pass either the apiKey or the token option, not both",
    );
  return new Credential(token ?? apiKey ?? givenKey() ?? "");
}

function checkedUrl(baseUrl: string | undefined): string {
  if (!baseUrl) throw new ConfigurationError(noBaseUrl);
  if (
    !/^https?:\/\/[^/@?#]+(?:\/[^?#]*)?$/i.test(baseUrl) ||
    !URL.canParse(baseUrl)
  )
    throw new ConfigurationError(
      "baseUrl must be a URL such as https://svc.example.com, without user, query or fragment",
    );
  return new URL(baseUrl).href.replace(/\/+$/, "");
}
