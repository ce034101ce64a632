import { callOptions, checkedOptions, type Given } from "./check-options.ts";
import { checkedText } from "./checked-text.ts";
import type { Fetch, UploadBody } from "./fetch.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";
import type { LogEvent } from "./logger.ts";
import type { CallOptions } from "./options.ts";
import { agentHeader } from "./platform.ts";
import { checkedHeaders, type Settings } from "./settings.ts";

/**
 * A body, or a function that returns it for each attempt. The function takes the
 * time for which the service may wait, 0 after a failed attempt, and the time
 * left of the call, both in milliseconds.
 */
export type RequestBody =
  string | UploadBody | ((waitMs: number, remainingMs: number) => string);

/** Internal properties of a request. */
export interface RequestFacts {
  /** Headers that replace those of the connection. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the `fetch` of the client, which it may use. */
  readonly fetch?: Fetch;
  /** Extracts the execution id if the response headers lack it. */
  readonly executionIdIn?: (body: string) => string | undefined;
  /**
   * NaN for a request that starts a run. Its retries are limited in time,
   * because idempotency keys expire.
   */
  readonly failedAt?: number;
  /** Replaces the log if the request is part of a longer call. */
  readonly log?: ((event: Happening) => void) | undefined;
}

/** A call: its attempts share these values. */
export interface Outgoing extends CallSettings, Omit<RequestFacts, "fetch"> {
  readonly method: string;
  readonly url: string;
  readonly body: RequestBody | null;
  readonly headers: Record<string, string>;
  readonly idempotencyKey: string;
  /** Number of attempts so far. */
  attempts: number;
  /**
   * Start of the first attempt that failed with anything but a 401 or 429, and
   * may have started the run; NaN if there is none. Infinity if the request
   * starts no run.
   */
  failedAt: number;
}

/** The settings of a client with the options of one call. */
type CallSettings = Settings & Omit<Given<CallOptions>, "headers">;

/** The fields of a log event that are specific to its type. */
export type Happening = LogEvent extends infer Event
  ? Event extends LogEvent
    ? Omit<Event, "idempotencyKey" | "method" | "url" | "attempt">
    : never
  : never;

/** Prepares a call. Throws a `ConfigurationError`. */
export function outgoing(
  settings: Settings,
  path: string,
  body: RequestBody | null,
  options: CallOptions,
  facts?: RequestFacts,
): Outgoing {
  const given = checkedOptions(options, callOptions);
  const idempotencyKey = checkedText(
    "the idempotency key",
    given.idempotencyKey ?? newIdempotencyKey(),
  );
  const { sdk, logger } = settings;
  const headers = { ...settings.headers, ...checkedHeaders(options.headers) };
  const method = body === null ? "GET" : "POST";
  const url = settings.baseUrl + path;
  const call: Outgoing = {
    ...settings,
    ...given,
    log:
      logger &&
      ((event) => {
        const log = async (): Promise<unknown> =>
          logger({
            ...event,
            method,
            url,
            idempotencyKey,
            attempt: call.attempts || 1,
          });
        // Logger errors must not affect the call.
        log().catch(() => undefined);
      }),
    failedAt: Infinity,
    ...facts,
    method,
    url,
    body,
    idempotencyKey,
    attempts: 0,
    headers: {
      ...headers,
      ...agentHeader(headers["user-agent"], sdk),
      accept: "application/json",
      ...(body && { "content-type": "application/json" }),
      "idempotency-key": idempotencyKey,
      "x-svc-client": sdk,
      ...facts?.headers,
    },
  };
  return call;
}
