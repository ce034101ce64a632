/**
 * What differs from platform to platform, in one file: here a process may have
 * an environment (Node, Deno, Bun).
 */
import { ConfigurationError } from "./errors.ts";

/** Whom a client calls, and by which key. */
export interface Credentials {
  /** API key; `SVC_API_KEY` of the environment when neither it nor `token` is given. */
  apiKey?: string | undefined;
  /** Gives the key instead, such as a token that is renewed from time to time. */
  token?: TokenProvider | undefined;
  /** Address of the service; `SVC_BASE_URL` of the environment when absent. */
  baseUrl?: string | undefined;
}

/**
 * Gives the key that requests carry. Its answer is kept until the service
 * refuses it with 401; it is then asked once more, with `refresh`, and the call
 * is tried again at once.
 */
export type TokenProvider = (request: {
  /** The last token was refused: one from a cache will not do. */
  readonly refresh: boolean;
}) => string | Promise<string>;

/** What is missing, in the words of the platform. */
export const noKey = "no API key: set SVC_API_KEY or pass the option apiKey";
export const noBaseUrl =
  "no address of the service: set SVC_BASE_URL or pass the option baseUrl";

/** Refuses headers that say how a request travels: they are the transport's own. */
export function refuseHeader(name: string): void {
  if (
    /^(?:connection|content-length|expect|host|transfer-encoding|upgrade)$/i.test(
      name,
    )
  )
    throw new ConfigurationError(
      `the header ${name} is the transport's own: leave it out`,
    );
}

/** What the platform knows without being told. */
export function givenCredentials(): { apiKey?: string; baseUrl?: string } {
  const { process } = globalThis as {
    process?: { env?: Record<string, string | undefined> };
  };
  const { SVC_API_KEY: apiKey, SVC_BASE_URL: baseUrl } = process?.env ?? {};
  return {
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
}
