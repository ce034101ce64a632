import type { Fetch, FetchResponse } from "./fetch.ts";
import type { Logger } from "./logger.ts";
import type { Credentials } from "./platform.ts";
import type { WebSocketConstructor } from "./web-socket.ts";

/** Headers: an object, a `Headers` object, or a list of names and values. */
export type RequestHeaders =
  | Readonly<Record<string, string | undefined>>
  | Iterable<readonly [name: string, value: string]>
  | Pick<FetchResponse["headers"], "forEach">;

/** Options of a client. */
export interface ClientOptions extends Credentials {
  /**
   * Timeout of a call in milliseconds, retries included. Defaults to 60,000,
   * and for streams to 300,000; `Infinity` disables it.
   */
  timeoutMs?: number | undefined;
  /**
   * Timeout of each attempt in milliseconds. An attempt that exceeds it is
   * retried. Defaults to `Infinity`: only the call has a timeout. For the polls
   * of a run, defaults to 30,000.
   */
  attemptTimeoutMs?: number | undefined;
  /**
   * Maximum number of retries. Defaults to 2. Retries after 429 with a
   * `Retry-After` of a second or more do not count.
   */
  maxRetries?: number | undefined;
  /**
   * Capacity of the token bucket for retries, shared by all calls of the client.
   * A retry takes one token. A call that succeeds after a retry returns one, and
   * any other success returns a tenth of one. Retries after 429 with a
   * `Retry-After` of a second or more take none. Defaults to 100; `Infinity`
   * disables the limit.
   */
  retryBudget?: number | undefined;
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
   * WebSocket constructor for `follow` and live sessions. Defaults to the global
   * `WebSocket`, which Node.js provides since version 22. Without one, `follow`
   * polls the history about once a second, and live sessions fail.
   */
  webSocket?: WebSocketConstructor | undefined;
  /**
   * Receives requests, responses, retries and failures, without the API key.
   */
  logger?: Logger | undefined;
  /**
   * Additional headers for every request, except those that the package sets.
   * The package appends itself to a `User-Agent`, except in browsers.
   */
  headers?: RequestHeaders | undefined;
}

/** Options of one call. They override those of the client. */
export interface CallOptions {
  /** Signal that aborts the call. */
  signal?: AbortSignal | undefined;
  /** Timeout of this call in milliseconds, retries included. */
  timeoutMs?: number | undefined;
  /** Timeout of each attempt of this call in milliseconds. */
  attemptTimeoutMs?: number | undefined;
  /** Maximum number of retries of this call. */
  maxRetries?: number | undefined;
  /**
   * The service starts at most one run of a flow per key within five minutes.
   * Calls of nodes and streams ignore the key, so each retry calls the node again.
   * Reusing a key for a different request throws an `IdempotencyMismatchError`.
   * Generated if omitted.
   */
  idempotencyKey?: string | undefined;
  /** Additional headers for this call. */
  headers?: RequestHeaders | undefined;
}
