import type { Answer } from "./answer.ts";
import { callOptions, checkOptions } from "./check-options.ts";
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
import { userAgent } from "./platform.ts";
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

/** A request to send. */
interface Request extends RequestFacts {
  readonly method: string;
  readonly path: string;
  readonly body: RequestBody | null;
}

/** A call: its attempts share these values. */
interface Outgoing extends Request {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly idempotencyKey: string;
  readonly attemptTimeoutMs: number;
  readonly log: ((attempt: number, event: Happening) => void) | undefined;
}

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
  readonly #sdk: string;
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
    this.#settings = resolveSettings(options);
    this.#budget = new RetryBudget(this.#settings.retryBudget);
    this.#sdk = sdk;
  }

  /** Identifies the package and the service. */
  get label(): string {
    return `${this.#sdk} ${this.#settings.baseUrl}`;
  }

  /** Timeout of a call in milliseconds: its own, the client's, or `usual`. */
  timeoutMs(options: CallOptions, usual = 60_000): number {
    checkOptions(options, callOptions);
    return options.timeoutMs ?? this.#settings.timeoutMs ?? usual;
  }

  /**
   * Posts JSON to a path and retries transient failures. Returns the response
   * if its status is 2xx. Throws a `SvcError` otherwise.
   */
  post(
    path: string,
    body: RequestBody,
    options: CallOptions = {},
    facts?: RequestFacts,
  ): Promise<Answer> {
    return this.#exchange({ ...facts, method: "POST", path, body }, options);
  }

  /** Reads a path. Otherwise like `post`. */
  get(
    path: string,
    options: CallOptions = {},
    facts?: RequestFacts,
  ): Promise<Answer> {
    return this.#exchange(
      { ...facts, method: "GET", path, body: null },
      options,
    );
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

  async #exchange(request: Request, options: CallOptions): Promise<Answer> {
    const timeoutMs = this.timeoutMs(options);
    const settings = this.#settings;
    const { credential } = settings;
    const { maxRetries = settings.maxRetries, signal } = options;
    const outgoing = this.#outgoing(request, options);
    const { idempotencyKey, log } = outgoing;
    const deadline = new Deadline(timeoutMs, signal);
    let attempt = 1;
    let attempts = 0;
    /** Attempts that do not count: after a new key, or when turned away. */
    let free = 0;
    let isRenewed = false;
    try {
      for (; ; attempt++) {
        deadline.signal.throwIfAborted();
        const given = credential.key();
        const key =
          typeof given === "string" ? given : await deadline.guard(given);
        try {
          attempts = attempt;
          const answer = await this.#attempt(outgoing, attempt, key, deadline);
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
            const retry = attempt - free;
            delayMs = retryDelayMs(error, retry, settings);
            if (retry > maxRetries || delayMs >= deadline.remainingMs)
              throw error;
            if (!isFree && !this.#budget.take()) {
              log?.(attempt, { type: "budget-empty", error });
              throw error;
            }
          }
          log?.(attempt, { type: "retry", error, delayMs });
          if (delayMs > 0) await deadline.sleep(delayMs);
        }
      }
    } catch (error) {
      if (error instanceof SvcError) {
        Object.assign(error, { attempts, idempotencyKey });
        const { executionId } = error;
        log?.(attempt, { type: "failure", error, executionId });
      }
      throw error;
    } finally {
      deadline.dispose();
    }
  }

  #outgoing(request: Request, options: CallOptions): Outgoing {
    const { baseUrl, logger, ...settings } = this.#settings;
    const {
      attemptTimeoutMs = settings.attemptTimeoutMs,
      idempotencyKey = newIdempotencyKey(),
    } = options;
    checkedText("the idempotency key", idempotencyKey);
    const given = { ...settings.headers, ...checkedHeaders(options.headers) };
    const agent = userAgent(given["user-agent"], this.#sdk);
    const { method, path } = request;
    const url = baseUrl + path;
    return {
      ...request,
      url,
      idempotencyKey,
      attemptTimeoutMs,
      headers: {
        ...given,
        ...(agent && { "user-agent": agent }),
        accept: "application/json",
        ...(request.body && { "content-type": "application/json" }),
        "idempotency-key": idempotencyKey,
        "x-svc-client": this.#sdk,
        ...request.headers,
      },
      log:
        logger &&
        ((attempt, event) => {
          const log = async (): Promise<unknown> =>
            logger({ ...event, method, url, idempotencyKey, attempt });
          // Logger errors must not affect the call.
          log().catch(() => undefined);
        }),
    };
  }

  async #attempt(
    outgoing: Outgoing,
    attempt: number,
    apiKey: string,
    deadline: Deadline,
  ): Promise<Answer> {
    const { method, url, body, idempotencyKey, attemptTimeoutMs, log } =
      outgoing;
    const limit =
      attemptTimeoutMs === Infinity
        ? deadline
        : new Deadline(attemptTimeoutMs, deadline.signal, "attempt");
    const remainingMs = Math.min(limit.remainingMs, deadline.remainingMs);
    const authorization = `Bearer ${apiKey}`;
    const headers = { ...outgoing.headers, authorization };
    log?.(attempt, {
      type: "request",
      headers: redactHeaders(headers, apiKey),
    });
    const startedAt = performance.now();
    let head: FetchAnswer | undefined;
    try {
      const { fetch } = this.#settings;
      const send = outgoing.through?.(fetch) ?? fetch;
      const sent = send(url, {
        method,
        headers,
        body: typeof body === "function" ? body(remainingMs) : body,
        signal: limit.signal,
        redirect: "manual",
        keepalive: outgoing.keepalive ?? false,
      });
      const [{ status, headers: received }, text] = await limit.guard(
        sent.then(async (begun) => {
          head = begun;
          return [begun, await begun.text()] as const;
        }),
      );
      const named = byName(received);
      const answer: Answer = {
        status,
        headers: named,
        body: text,
        attempts: attempt,
        idempotencyKey,
        executionId: named["x-execution-id"] || outgoing.executionId?.(text),
      };
      const { executionId } = answer;
      this.#keys.set(answer, apiKey);
      const durationMs = performance.now() - startedAt;
      log?.(attempt, { type: "answer", status, executionId, durationMs });
      if (status >= 200 && status <= 299) return answer;
      const error = errorFromAnswer(answer);
      redactError(error, apiKey);
      throw error;
    } catch (error) {
      // The deadline's error is more specific than the transport's abort error.
      for (const { signal } of [deadline, limit])
        if (signal.aborted) throw signal.reason as SvcError;
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
