import { checkedOptions, clientOptions } from "./check-options.ts";
import { checkedText } from "./checked-text.ts";
import { Credential } from "./credential.ts";
import { ConfigurationError } from "./errors.ts";
import type { Fetch } from "./fetch.ts";
import type { Logger } from "./logger.ts";
import type { ClientOptions, RequestHeaders } from "./options.ts";
import {
  givenBaseUrl,
  givenKey,
  noBaseUrl,
  refuseHeader,
  type TokenProvider,
} from "./platform.ts";
import type { Backoff } from "./retry-policy.ts";
import type { WebSocketConstructor } from "./web-socket.ts";

/** Validated options of a client, with defaults applied. */
export interface Settings extends Backoff {
  /** Identifies this package to the service. */
  sdk: string;
  credential: Credential;
  /** Has no trailing slash. */
  baseUrl: string;
  timeoutMs?: number;
  attemptTimeoutMs: number;
  maxRetries: number;
  retryBudget: number;
  fetch: Fetch;
  webSocket?: WebSocketConstructor;
  logger?: Logger;
  headers: Readonly<Record<string, string>>;
}

const defaults = {
  attemptTimeoutMs: Infinity,
  maxRetries: 2,
  retryBudget: 10,
  retryDelayMs: 500,
  maxRetryDelayMs: 8_000,
  // Looked up on each call, so a replaced global takes effect.
  fetch: ((url, init) => globalThis.fetch(url, init)) as Fetch,
};

/** Validates options and applies defaults. Throws a `ConfigurationError`. */
export function resolveSettings(options: ClientOptions, sdk: string): Settings {
  const { apiKey, token, ...given } = checkedOptions(options, clientOptions);
  return {
    ...defaults,
    ...given,
    sdk,
    credential: credentialOf(apiKey, token),
    baseUrl: checkedUrl(given.baseUrl ?? givenBaseUrl()),
    headers: checkedHeaders(given.headers),
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
    checkedText(`the header "${name}"`, `${name}:${value}`, headerForm);
  }
  return Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function credentialOf(
  apiKey: string | undefined,
  token: TokenProvider | undefined,
): Credential {
  if (apiKey !== undefined && token)
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
