/**
 * Everything that depends on the platform. Node, Deno and Bun provide
 * environment variables.
 */

import type { FetchInit } from "./fetch.ts";

/** Credentials and base URL of a client. */
export interface Credentials {
  /**
   * API key. Without it and `token`, the `SVC_API_KEY` environment variable is
   * used.
   */
  apiKey?: string | undefined;
  /** Provides the key instead, for example a token that expires. */
  token?: TokenProvider | undefined;
  /**
   * URL of the service. Defaults to the `SVC_BASE_URL` environment variable.
   */
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
export const noKey = "no API key: set SVC_API_KEY or pass apiKey";
export const noBaseUrl = "no base URL: set SVC_BASE_URL or pass baseUrl";

/** Headers that this package or the HTTP transport sets. */
export const fixedHeaders: Pick<RegExp, "test"> =
  /^(accept|authorization|idempotency-key|last-event-id|x-svc-client|content-(length|type)|connection|expect|host|transfer-encoding|upgrade)$/;

/** Not set: these platforms do not cache, and some reject the option `cache`. */
export const cacheMode: Pick<FetchInit, "cache"> = {};

/** Target of a redirect in its error, if unknown. */
export const unknownTarget = "";

/** Returns the `User-Agent`: the caller's, followed by the package. */
export function agentHeader(
  given: string | undefined,
  sdk: string,
): Record<string, string> {
  return { "user-agent": given ? `${given} ${sdk}` : sdk };
}

/** Returns the given API key, or the one from the environment. */
export const keyOf = (given: string | undefined): string =>
  given ?? variable("SVC_API_KEY");

/** Returns the given base URL, or the one from the environment. */
export const baseUrlOf = (given: string | undefined): string =>
  given ?? variable("SVC_BASE_URL");

/** Returns an environment variable, or the empty string. */
function variable(name: string): string {
  const platform = globalThis as {
    process?: { env?: Record<string, string | undefined> };
  };
  try {
    return platform.process?.env?.[name] ?? "";
  } catch {
    // Deno throws without --allow-env.
    return "";
  }
}
