import { environmentVariable } from "./environment.ts";
import { ConfigurationError } from "./errors.ts";
import type { Fetch } from "./fetch.ts";
import type { Logger } from "./logger.ts";
import type { ClientOptions } from "./options.ts";
import type { Backoff } from "./retry-policy.ts";

/** Options of a client, checked and completed. */
export interface Settings {
  apiKey: string;
  /** Without a slash at its end. */
  baseUrl: string;
  timeoutMs: number;
  maxRetries: number;
  backoff: Backoff;
  fetch: Fetch;
  logger: Logger | undefined;
  headers: Readonly<Record<string, string>>;
}

/** Checks and completes the options of a client; throws a `ConfigurationError`. */
export function resolveSettings(options: ClientOptions): Settings {
  return {
    apiKey: checkedKey(options.apiKey ?? environmentVariable("SVC_API_KEY")),
    baseUrl: checkedUrl(options.baseUrl ?? environmentVariable("SVC_BASE_URL")),
    timeoutMs: checkedTimeout(options.timeoutMs ?? 60_000),
    maxRetries: checkedRetries(options.maxRetries ?? 2),
    backoff: {
      initialMs: options.retryDelayMs ?? 500,
      maximumMs: options.maxRetryDelayMs ?? 8_000,
    },
    // Looked up when it is called, so that a replaced global is used.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    logger: options.logger,
    headers: checkedHeaders(options.headers ?? {}),
  };
}

/** A timeout in milliseconds: positive, or Infinity. */
export function checkedTimeout(timeoutMs: number): number {
  if (timeoutMs > 0) return timeoutMs;
  throw new ConfigurationError(
    "timeoutMs is a positive number of milliseconds, or Infinity",
  );
}

/** A number of retries: a whole number from 0. */
export function checkedRetries(maxRetries: number): number {
  if (Number.isInteger(maxRetries) && maxRetries >= 0) return maxRetries;
  throw new ConfigurationError("maxRetries is a whole number from 0");
}

/** Headers that HTTP can carry, by lower-case name. */
export function checkedHeaders(
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Object.entries(headers);
  for (const [name, value] of entries) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value))
      throw new ConfigurationError(
        `the header ${JSON.stringify(name)} is a word, and its value visible ASCII and spaces`,
      );
  }
  return Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function checkedKey(apiKey: string | undefined): string {
  if (apiKey === undefined || apiKey === "")
    throw new ConfigurationError(
      "no API key: set SVC_API_KEY or pass the option apiKey",
    );
  // Checked here, since fetch would put the key into its own error.
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new ConfigurationError(
      "the API key holds characters that a header cannot carry; is there a space or line break around it?",
    );
  return apiKey;
}

function checkedUrl(baseUrl: string | undefined): string {
  if (baseUrl === undefined || baseUrl === "")
    throw new ConfigurationError(
      "no address of the service: set SVC_BASE_URL or pass the option baseUrl",
    );
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new ConfigurationError(
      "the address of the service is a URL such as https://svc.example.com",
    );
  if (url.username || url.password || url.search || url.hash)
    throw new ConfigurationError(
      "the address of the service has no user, query or fragment",
    );
  return url.href.replace(/\/+$/, "");
}
