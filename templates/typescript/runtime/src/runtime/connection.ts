import type { Answer } from "./answer.ts";
import { callOptions, checkedOptions, type Given } from "./check-options.ts";
import { checkedText } from "./checked-text.ts";
import { Deadline } from "./deadline.ts";
import { errorFromAnswer } from "./error-from-answer.ts";
import {
  ConnectionError,
  InterruptedAnswerError,
  SvcError,
  UnauthorizedError,
} from "./errors.ts";
import type { Fetch, FetchAnswer, UploadBody } from "./fetch.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";
import type { LogEvent } from "./logger.ts";
import type { CallOptions, ClientOptions } from "./options.ts";
import { agentHeader } from "./platform.ts";
import { redactCause, redactError, redactHeaders } from "./redact.ts";
import { RetryBudget } from "./retry-budget.ts";
import { isRetryable, isTurnedAway, retryDelayMs } from "./retry-policy.ts";
import { checkedHeaders, resolveSettings, type Settings } from "./settings.ts";

/** A body, or a function of the time left that is called for each attempt. */
export type RequestBody =
  string | UploadBody | ((remainingMs: number) => string);

/** What the library knows of one request. */
export interface RequestFacts {
  /** Allows the request to outlive its page. */
  readonly keepalive?: boolean;
  /** Headers that replace those of the connection. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns the transport of an attempt, which takes part in the exchange. */
  readonly through?: (fetch: Fetch) => Fetch;
  /** Finds the execution id if the headers of the response do not have it. */
  readonly executionId?: (body: string) => string | undefined;
}

/** A call: its attempts share these values. */
interface Outgoing extends CallSettings, RequestFacts {
  readonly method: string;
  readonly url: string;
  readonly body: RequestBody | null;
  readonly headers: Record<string, string>;
  readonly idempotencyKey: string;
  readonly log: ((event: Happening) => void) | undefined;
  /** Number of attempts so far. */
  attempts: number;
}

/** The settings of a client with the options of one call. */
type CallSettings = Settings & Omit<Given<CallOptions>, "headers">;

/**
 * Returns the settings of a connection, for parts of the package that are
 * loaded on demand. They provide the key, so they are not exported.
 */
export let settingsOf: (connection: Connection) => Settings;

/**
 * A connection to the service: base URL, API key and retry policy. Used by
 * clients and standalone functions. Never shows the key.
 */
export class Connection {
  readonly #settings: Settings;
  readonly #budget: RetryBudget;
  /** Keys to redact in errors that are found after the response. */
  readonly #keys = new WeakMap<Answer, string>();

  static {
    settingsOf = (connection) => connection.#settings;
  }

  /**
   * `sdk` identifies this package to the service. Throws a
   * `ConfigurationError`.
   */
  constructor(options: ClientOptions, sdk: string) {
    this.#settings = resolveSettings(options, sdk);
    this.#budget = new RetryBudget(this.#settings.retryBudget);
  }

  /** Timeout of a call in milliseconds: its own, the client's, or `usual`. */
  timeoutMs(options: CallOptions, usual = 60_000): number {
    const { timeoutMs } = checkedOptions(options, callOptions);
    return timeoutMs ?? this.#settings.timeoutMs ?? usual;
  }

  /**
   * Posts JSON to a path, or reads the path if the body is null, and retries
   * transient failures. Returns the response if its status is 2xx. Throws a
   * `SvcError` otherwise.
   */
  async send(
    path: string,
    body: RequestBody | null,
    options: CallOptions = {},
    facts?: RequestFacts,
  ): Promise<Answer> {
    const call = this.#prepare(path, body, options, facts);
    const { credential, maxRetries, log } = call;
    const deadline = new Deadline(this.timeoutMs(options), call.signal);
    /** Attempts that do not count: after a new key, or when turned away. */
    let free = 0;
    let isRenewed = false;
    try {
      for (;;) {
        deadline.signal.throwIfAborted();
        const given = credential.key();
        const key =
          typeof given === "string" ? given : await deadline.guard(given);
        try {
          call.attempts++;
          const answer = await this.#attempt(call, key, deadline);
          this.#budget.succeeded();
          return answer;
        } catch (error) {
          let delayMs = 0;
          if (
            !isRenewed &&
            error instanceof UnauthorizedError &&
            (await deadline.guard(credential.renew(key)))
          ) {
            isRenewed = true;
            free++;
          } else {
            if (!isRetryable(error) || maxRetries === 0) throw error;
            const isFree = isTurnedAway(error);
            if (isFree) free++;
            const retry = call.attempts - free;
            delayMs = retryDelayMs(error, retry, call);
            if (retry > maxRetries || delayMs >= deadline.remainingMs)
              throw error;
            if (!isFree && !this.#budget.take()) {
              log?.({ type: "budget-empty", error });
              throw error;
            }
          }
          log?.({ type: "retry", error, delayMs });
          if (delayMs > 0) await deadline.sleep(delayMs);
        }
      }
    } catch (error) {
      if (error instanceof SvcError) {
        const { attempts, idempotencyKey } = call;
        Object.assign(error, { attempts, idempotencyKey });
        const { executionId } = error;
        log?.({ type: "failure", error, executionId });
      }
      throw error;
    } finally {
      deadline.dispose();
    }
  }

  /**
   * Converts a response. Errors of the conversion get the details of the call,
   * without the API key.
   */
  read<T>(answer: Answer, convert: (answer: Answer) => T): T {
    try {
      return convert(answer);
    } catch (error) {
      if (error instanceof SvcError) {
        const { attempts, idempotencyKey } = answer;
        const executionId = answer.executionId ?? error.executionId;
        Object.assign(error, { attempts, idempotencyKey, executionId });
        redactError(error, this.#keys.get(answer));
      }
      throw error;
    }
  }

  #prepare(
    path: string,
    body: RequestBody | null,
    options: CallOptions,
    facts: RequestFacts | undefined,
  ): Outgoing {
    const settings = {
      ...this.#settings,
      ...checkedOptions(options, callOptions),
    };
    const { sdk, logger, idempotencyKey = newIdempotencyKey() } = settings;
    checkedText("the idempotency key", idempotencyKey);
    const given = {
      ...this.#settings.headers,
      ...checkedHeaders(options.headers),
    };
    const method = body === null ? "GET" : "POST";
    const url = settings.baseUrl + path;
    const call: Outgoing = {
      ...settings,
      ...facts,
      method,
      url,
      body,
      idempotencyKey,
      attempts: 0,
      headers: {
        ...given,
        ...agentHeader(given["user-agent"], sdk),
        accept: "application/json",
        ...(body && { "content-type": "application/json" }),
        "idempotency-key": idempotencyKey,
        "x-svc-client": sdk,
        ...facts?.headers,
      },
      log:
        logger &&
        ((event) => {
          const attempt = Math.max(1, call.attempts);
          const log = async (): Promise<unknown> =>
            logger({ ...event, method, url, idempotencyKey, attempt });
          // Logger errors must not affect the call.
          log().catch(() => undefined);
        }),
    };
    return call;
  }

  async #attempt(
    call: Outgoing,
    apiKey: string,
    deadline: Deadline,
  ): Promise<Answer> {
    const { body, fetch, attempts, idempotencyKey, attemptTimeoutMs, log } =
      call;
    const limit =
      attemptTimeoutMs === Infinity
        ? deadline
        : new Deadline(attemptTimeoutMs, deadline.signal, "attempt");
    const remainingMs = Math.min(limit.remainingMs, deadline.remainingMs);
    const headers = { ...call.headers, authorization: `Bearer ${apiKey}` };
    log?.({ type: "request", headers: redactHeaders(headers, apiKey) });
    const startedAt = performance.now();
    let head: FetchAnswer | undefined;
    try {
      const send = call.through?.(fetch) ?? fetch;
      const sent = send(call.url, {
        method: call.method,
        headers,
        body: typeof body === "function" ? body(remainingMs) : body,
        signal: limit.signal,
        redirect: "manual",
        keepalive: call.keepalive ?? false,
      });
      const [{ status, headers: received }, text] = await limit.guard(
        sent.then(async (begun) => {
          head = begun;
          return [begun, await begun.text()] as const;
        }),
      );
      const named = byName(received);
      const executionId = named["x-execution-id"] || call.executionId?.(text);
      const answer: Answer = {
        status,
        headers: named,
        body: text,
        attempts,
        idempotencyKey,
        executionId,
      };
      this.#keys.set(answer, apiKey);
      const durationMs = performance.now() - startedAt;
      log?.({ type: "answer", status, executionId, durationMs });
      if (status >= 200 && status <= 299) return answer;
      const error = errorFromAnswer(answer);
      redactError(error, apiKey);
      throw error;
    } catch (error) {
      // The deadline's error is more specific than the transport's abort error.
      deadline.signal.throwIfAborted();
      limit.signal.throwIfAborted();
      if (error instanceof SvcError) throw error;
      throw connectionError(head, redactCause(error, apiKey));
    } finally {
      if (limit !== deadline) limit.dispose();
    }
  }
}

/** The fields of a log event that are specific to its type. */
type Happening = LogEvent extends infer Event
  ? Event extends LogEvent
    ? Omit<Event, "idempotencyKey" | "method" | "url" | "attempt">
    : never
  : never;

function byName(received: FetchAnswer["headers"]): Answer["headers"] {
  const headers: Record<string, string> = {};
  received.forEach((value, name) => {
    headers[name.toLowerCase()] = value;
  });
  return headers;
}

function connectionError(
  head: FetchAnswer | undefined,
  cause: Error,
): ConnectionError {
  const details = { status: head?.status, cause };
  return head === undefined
    ? new ConnectionError(`cannot reach the service: ${reason(cause)}`, details)
    : new InterruptedAnswerError(
        `the response was cut off: ${reason(cause)}`,
        details,
      );
}

/** Returns the innermost message. The outer ones only say "fetch failed". */
function reason(error: Error): string {
  return error.cause instanceof Error ? reason(error.cause) : error.message;
}
