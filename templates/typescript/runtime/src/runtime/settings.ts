import { checkedText } from "./checked-text.ts";
import { Credential } from "./credential.ts";
import { ConfigurationError } from "./errors.ts";
import type { Fetch } from "./fetch.ts";
import type { Logger } from "./logger.ts";
import type { ClientOptions } from "./options.ts";
import { givenCredentials, noBaseUrl, refuseHeader } from "./platform.ts";
import type { Backoff } from "./retry-policy.ts";

/** Options of a client, checked and completed. */
export interface Settings extends Backoff {
  credential: Credential;
  /** Without a slash at its end. */
  baseUrl: string;
  timeoutMs: number;
  maxRetries: number;
  fetch: Fetch;
  logger: Logger | undefined;
  headers: Readonly<Record<string, string>>;
}

/** Checks and completes the options of a client; throws a `ConfigurationError`. */
export function resolveSettings(options: ClientOptions): Settings {
  const given = givenCredentials();
  return {
    credential: credentialOf(options, given.apiKey),
    baseUrl: checkedUrl(options.baseUrl ?? given.baseUrl),
    timeoutMs: checkedTimeout(options.timeoutMs ?? 60_000),
    maxRetries: checkedRetries(options.maxRetries ?? 2),
    retryDelayMs: options.retryDelayMs ?? 500,
    maxRetryDelayMs: options.maxRetryDelayMs ?? 8_000,
    // Looked up when it is called, so that a replaced global is used.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    logger: options.logger,
    headers: checkedHeaders(options.headers ?? {}),
  };
}

/** A timeout in milliseconds: positive, or Infinity. */
export function checkedTimeout(timeoutMs: number): number {
  if (timeoutMs > 0) return timeoutMs;
  throw new ConfigurationError("timeoutMs is a number above 0");
}

/** A number of retries: a whole number from 0. */
export function checkedRetries(maxRetries: number): number {
  if (Number.isInteger(maxRetries) && maxRetries >= 0) return maxRetries;
  throw new ConfigurationError("maxRetries is a whole number from 0");
}

const headerForm = /^[\w.-]+:[\t -~]*$/;

/** Headers that HTTP can carry, by lower-case name. */
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
    throw new ConfigurationError("pass the option apiKey or token, not both");
  return new Credential(token ?? apiKey ?? given ?? "");
}

function checkedUrl(baseUrl: string | undefined): string {
  if (!baseUrl) throw new ConfigurationError(noBaseUrl);
  if (
    !/^https?:\/\/[^/@?#]+(?:\/[^?#]*)?$/i.test(baseUrl) ||
    !URL.canParse(baseUrl)
  )
    throw new ConfigurationError(
      "baseUrl is a URL such as https://svc.example.com, with no user, query or fragment",
    );
  return new URL(baseUrl).href.replace(/\/+$/, "");
}
