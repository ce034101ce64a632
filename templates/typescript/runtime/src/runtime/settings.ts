import { checkedText } from "./checked-text.ts";
import { Credential } from "./credential.ts";
import { ConfigurationError } from "./errors.ts";
import type { Fetch } from "./fetch.ts";
import type { Logger } from "./logger.ts";
import type { ClientOptions } from "./options.ts";
import { givenCredentials, noBaseUrl, refuseHeader } from "./platform.ts";
import type { Backoff } from "./retry-policy.ts";

/** Validated options of a client, with defaults applied. */
export interface Settings extends Backoff {
  credential: Credential;
  /** Has no trailing slash. */
  baseUrl: string;
  timeoutMs: number;
  maxRetries: number;
  fetch: Fetch;
  logger: Logger | undefined;
  headers: Readonly<Record<string, string>>;
}

/** Validates options and applies defaults. Throws a `ConfigurationError`. */
export function resolveSettings(options: ClientOptions): Settings {
  const given = givenCredentials();
  return {
    credential: credentialOf(options, given.apiKey),
    baseUrl: checkedUrl(options.baseUrl ?? given.baseUrl),
    timeoutMs: checkedTimeout(options.timeoutMs ?? 60_000),
    maxRetries: checkedRetries(options.maxRetries ?? 2),
    retryDelayMs: options.retryDelayMs ?? 500,
    maxRetryDelayMs: options.maxRetryDelayMs ?? 8_000,
    // Looked up on each call, so a replaced global takes effect.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    logger: options.logger,
    headers: checkedHeaders(options.headers ?? {}),
  };
}

/** Validates a timeout in milliseconds: positive or Infinity. */
export function checkedTimeout(timeoutMs: number): number {
  if (timeoutMs > 0) return timeoutMs;
  throw new ConfigurationError("timeoutMs must be positive");
}

/** Validates a number of retries: an integer of at least 0. */
export function checkedRetries(maxRetries: number): number {
  if (Number.isInteger(maxRetries) && maxRetries >= 0) return maxRetries;
  throw new ConfigurationError("maxRetries must be a non-negative integer");
}

const headerForm = /^[\w.-]+:[\t -~]*$/;

/** Validates headers and lower-cases their names. */
export function checkedHeaders(
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Object.entries(headers);
  for (const [name, value] of entries) {
    refuseHeader(name);
    const header = `${name}:${value}`;
    checkedText(`the header "${name}"`, header, headerForm);
  }
  return Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function credentialOf(
  { apiKey, token }: ClientOptions,
  given: string | undefined,
): Credential {
  if (apiKey !== undefined && token !== undefined)
    throw new ConfigurationError(
      "pass either the apiKey or the token option, not both",
    );
  return new Credential(token ?? apiKey ?? given ?? "");
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
