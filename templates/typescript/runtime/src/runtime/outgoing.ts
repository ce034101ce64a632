import { callOptions, checkedOptions, type Given } from "./check-options.ts";
import { checkedText } from "./checked-text.ts";
import type { Fetch, UploadBody } from "./fetch.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";
import type { LogEvent } from "./logger.ts";
import type { CallOptions } from "./options.ts";
import { agentHeader } from "./platform.ts";
import { checkedHeaders, type Settings } from "./settings.ts";

/**
 * A body, or a function that is called for each attempt: with the time in which
 * the service may wait, which is none after an attempt that failed, and the time
 * that is left of the call.
 */
export type RequestBody =
  string | UploadBody | ((waitMs: number, remainingMs: number) => string);

/** What the library knows of one request. */
export interface RequestFacts {
  /** Headers that replace those of the connection. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends the requests instead, by the `fetch` of the client. */
  readonly fetch?: Fetch;
  /** Finds the execution id if the headers of the response do not have it. */
  readonly executionIdIn?: (body: string) => string | undefined;
  /**
   * NaN for a request that starts a run. The time for its retries is limited,
   * since the service forgets its key.
   */
  readonly failedAt?: number;
  /** Logs instead, if the request is part of a longer call. */
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
   * When the first attempt was sent that failed other than by a 401 or 429; NaN
   * if none has. The service may have started the run. Infinity if the request
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
