import type { Fetch } from "./fetch.ts";
import type { Logger } from "./logger.ts";
import type { Credentials } from "./platform.ts";

/** Options of a client. */
export interface ClientOptions extends Credentials {
  /**
   * Timeout of a call in milliseconds, retries included. Defaults to 60,000;
   * `Infinity` disables it.
   */
  timeoutMs?: number | undefined;
  /** Maximum number of retries. Defaults to 2. */
  maxRetries?: number | undefined;
  /**
   * Maximum delay before the first retry in milliseconds. Doubles with each
   * retry. Defaults to 500.
   */
  retryDelayMs?: number | undefined;
  /** Maximum delay before any retry in milliseconds. Defaults to 8,000. */
  maxRetryDelayMs?: number | undefined;
  /** Function that sends requests. Defaults to the global `fetch`. */
  fetch?: Fetch | undefined;
  /**
   * Receives requests, responses, retries and failures, without the API key.
   */
  logger?: Logger | undefined;
  /** Additional headers for every request. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of one call. They override those of the client. */
export interface CallOptions {
  /** Signal that aborts the call. */
  signal?: AbortSignal | undefined;
  /** Timeout of this call in milliseconds, retries included. */
  timeoutMs?: number | undefined;
  /** Maximum number of retries of this call. */
  maxRetries?: number | undefined;
  /** Key sent with every attempt of this call. Generated if omitted. */
  idempotencyKey?: string | undefined;
  /** Additional headers for this call. */
  headers?: Readonly<Record<string, string>> | undefined;
}
