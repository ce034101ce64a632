/**
 * Everything that depends on the platform. Browsers have no environment
 * variables.
 */
import { ConfigurationError } from "./errors.ts";
import type { FetchInit } from "./fetch.ts";

/** Credentials and base URL of a client. */
export interface Credentials {
  /** App key. It is visible to everyone who can open the page. */
  apiKey?: string | undefined;
  /**
   * Provides a key or token instead, for example one of the signed-in user.
   */
  token?: TokenProvider | undefined;
  /** URL of the service. */
  baseUrl?: string | undefined;
}

/**
 * Provides the API key of requests. The key is cached until the service rejects
 * it with 401. The provider is then called once with `refresh`, and the request
 * is sent again immediately.
 */
export type TokenProvider = (request: {
  /** The last token was rejected. Do not return it from a cache. */
  readonly refresh: boolean;
}) => string | Promise<string>;

/** Error messages for missing options. */
export const noKey = "pass the apiKey or token option";
export const noBaseUrl = "pass the baseUrl option";

/** Headers that this package sets. Browsers drop headers that they control. */
export const fixedHeaders: Pick<RegExp, "test"> =
  /^(accept|authorization|idempotency-key|last-event-id|x-svc-client|content-type)$/;

/**
 * Keeps responses out of the browser cache. Polls must reach the service, and
 * one user of the page must not get the response of another.
 */
export const cacheMode: Pick<FetchInit, "cache"> = { cache: "no-store" };

/** Target of a redirect in its error, because pages cannot see it. */
export const unknownTarget = ": check baseUrl";

/** Does not extend the caller's `User-Agent`, which pages should not set. */
export const agentHeader: (
  given: string | undefined,
  sdk: string,
) => Record<string, string> | undefined = () => undefined;

/** Returns the given API key. Throws a `ConfigurationError` for a full key. */
export function keyOf(given = ""): string {
  if (/^[\da-f]{64}$/.test(given))
    throw new ConfigurationError("apiKey is a full key: pass an app key");
  return given;
}

/** Returns the given base URL, or the empty string. */
export const baseUrlOf = (given = ""): string => given;
