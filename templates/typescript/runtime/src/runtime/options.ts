import type { Fetch } from "./fetch.ts";
import type { Logger } from "./logger.ts";
import type { Credentials } from "./platform.ts";

/** How a client reaches the service. */
export interface ClientOptions extends Credentials {
  /**
   * Time for a whole call with all its retries, in milliseconds; 60,000 when
   * absent, `Infinity` for no limit.
   */
  timeoutMs?: number | undefined;
  /** How often a failed call is tried again; 2 when absent. */
  maxRetries?: number | undefined;
  /** Upper bound of the wait before the first retry, in milliseconds; 500 when absent. It doubles with each retry. */
  retryDelayMs?: number | undefined;
  /** Upper bound of every wait between retries, in milliseconds; 8,000 when absent. */
  maxRetryDelayMs?: number | undefined;
  /** Sends the requests; the global `fetch` when absent. */
  fetch?: Fetch | undefined;
  /** Told of every request, answer, retry and failure. Never sees the API key. */
  logger?: Logger | undefined;
  /** Headers to send with every request. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** What one call does differently from its client. */
export interface CallOptions {
  /** Aborts the call. */
  signal?: AbortSignal | undefined;
  /** Time for this call with all its retries, in milliseconds. */
  timeoutMs?: number | undefined;
  /** How often this call is tried again. */
  maxRetries?: number | undefined;
  /** Sent with every try of this call; made up when absent. */
  idempotencyKey?: string | undefined;
  /** Headers to send with this call, beside those of the client. */
  headers?: Readonly<Record<string, string>> | undefined;
}
