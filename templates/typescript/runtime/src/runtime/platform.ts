/**
 * Everything that depends on the platform. Node, Deno and Bun provide
 * environment variables.
 */
import { ConfigurationError } from "./errors.ts";

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
export const noKey = "no API key: set SVC_API_KEY or pass the apiKey option";
export const noBaseUrl =
  "no base URL: set SVC_BASE_URL or pass the baseUrl option";

/** Rejects headers that the HTTP transport controls. */
export function refuseHeader(name: string): void {
  if (
    /^(connection|content-length|expect|host|transfer-encoding|upgrade)$/i.test(
      name,
    )
  )
    throw new ConfigurationError(
      `the header "${name}" is set by the transport`,
    );
}

/** Returns the `User-Agent`: the caller's, followed by the package. */
export function agentHeader(
  given: string | undefined,
  sdk: string,
): Record<string, string> {
  return { "user-agent": given ? `${given} ${sdk}` : sdk };
}

/** Returns a variable of the environment, if there is one. */
export function variable(name: string): string | undefined {
  const platform = globalThis as {
    process?: { env?: Record<string, string | undefined> };
  };
  try {
    return platform.process?.env?.[name];
  } catch {
    // Deno refuses without --allow-env.
    return undefined;
  }
}
