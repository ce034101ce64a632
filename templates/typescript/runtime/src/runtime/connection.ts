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
import type { FetchAnswer } from "./fetch.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";
import type { LogEvent } from "./logger.ts";
import type { CallOptions, ClientOptions } from "./options.ts";
import { userAgent } from "./platform.ts";
import { redactCause, redactError, redactHeaders } from "./redact.ts";
import { RetryBudget } from "./retry-budget.ts";
import { isRetryable, isTurnedAway, retryDelayMs } from "./retry-policy.ts";
import { checkedHeaders, resolveSettings, type Settings } from "./settings.ts";

/** JSON, or a function of the time left that is called for each attempt. */
export type RequestBody = string | ((remainingMs: number) => string);

/** What the library knows of one request. */
export interface RequestFacts {
  /** Allows the request to outlive its page. */
  readonly keepalive?: boolean;
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
interface Outgoing {
  /** Common fields of its log events. */
  readonly call: Pick<LogEvent, "method" | "url" | "idempotencyKey">;
  readonly headers: Record<string, string>;
  readonly request: Request;
  readonly attemptTimeoutMs: number;
}

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

  /** Timeout of a call in milliseconds, from its options or the client's. */
  timeoutMs(options: CallOptions): number {
    checkOptions(options, callOptions);
    return options.timeoutMs ?? this.#settings.timeoutMs;
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
        const { attempts, idempotencyKey, executionId } = answer;
        Object.assign(error, { attempts, idempotencyKey });
        if (executionId !== undefined) Object.assign(error, { executionId });
        const apiKey = this.#keys.get(answer);
        if (apiKey !== undefined) redactError(error, apiKey);
      }
      throw error;
    }
  }

  async #exchange(request: Request, options: CallOptions): Promise<Answer> {
    const timeoutMs = this.timeoutMs(options);
    const { credential, maxRetries } = this.#settings;
    const retries = options.maxRetries ?? maxRetries;
    const outgoing = this.#outgoing(request, options);
    const deadline = new Deadline(timeoutMs, options.signal);
    const { idempotencyKey } = outgoing.call;
    let attempt = 1;
    let attempts = 0;
    /** Attempts that do not count: after a new key, or when turned away. */
    let free = 0;
    let renewals = 0;
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
          const isRenewed =
            renewals === 0 &&
            error instanceof UnauthorizedError &&
            (await deadline.guard(credential.renew(key)));
          if (isRenewed) renewals = 1;
          if (isRenewed || (isRetryable(error) && isTurnedAway(error))) free++;
          const delayMs = isRenewed
            ? 0
            : this.#nextDelayMs(error, attempt - free, retries, deadline);
          if (delayMs === undefined) throw error;
          if (delayMs < 0) {
            this.#log(outgoing, attempt, () => ({
              type: "budget-empty",
              error: error as SvcError,
            }));
            throw error;
          }
          this.#log(outgoing, attempt, () => ({
            type: "retry",
            error: error as SvcError,
            delayMs,
          }));
          if (delayMs > 0) await deadline.sleep(delayMs);
        }
      }
    } catch (error) {
      if (error instanceof SvcError) {
        Object.assign(error, { attempts, idempotencyKey });
        const { executionId } = error;
        this.#log(outgoing, attempt, () => ({
          type: "failure",
          error,
          executionId,
        }));
      }
      throw error;
    } finally {
      deadline.dispose();
    }
  }

  #outgoing(request: Request, options: CallOptions): Outgoing {
    const { method, path, body } = request;
    const { headers, idempotencyKey = newIdempotencyKey() } = options;
    checkedText("the idempotency key", idempotencyKey);
    const given = {
      ...this.#settings.headers,
      ...(headers && checkedHeaders(headers)),
    };
    const agent = userAgent(given["user-agent"], this.#sdk);
    return {
      call: {
        method,
        url: `${this.#settings.baseUrl}${path}`,
        idempotencyKey,
      },
      request,
      attemptTimeoutMs:
        options.attemptTimeoutMs ?? this.#settings.attemptTimeoutMs,
      headers: {
        ...given,
        ...(agent && { "user-agent": agent }),
        accept: "application/json",
        ...(body && { "content-type": "application/json" }),
        "idempotency-key": idempotencyKey,
        "x-svc-client": this.#sdk,
      },
    };
  }

  async #attempt(
    outgoing: Outgoing,
    attempt: number,
    apiKey: string,
    deadline: Deadline,
  ): Promise<Answer> {
    const { call, request, attemptTimeoutMs } = outgoing;
    const { method, url, idempotencyKey } = call;
    const { body, keepalive = false } = request;
    const limit =
      attemptTimeoutMs === Infinity
        ? deadline
        : new Deadline(attemptTimeoutMs, deadline.signal, "attempt");
    const { remainingMs } =
      limit.remainingMs < deadline.remainingMs ? limit : deadline;
    const authorization = `Bearer ${apiKey}`;
    const headers = { ...outgoing.headers, authorization };
    this.#log(outgoing, attempt, () => ({
      type: "request",
      headers: redactHeaders(headers, apiKey),
    }));
    const startedAt = performance.now();
    let head: FetchAnswer | undefined;
    try {
      const sent = this.#settings.fetch(url, {
        method,
        headers,
        body: typeof body === "function" ? body(remainingMs) : body,
        signal: limit.signal,
        redirect: "manual",
        keepalive,
      });
      const [begun, text] = await limit.guard(
        sent.then(async (begun) => {
          head = begun;
          return [begun, await begun.text()] as const;
        }),
      );
      const received = headersOf(begun);
      const answer: Answer = {
        status: begun.status,
        headers: received,
        body: text,
        attempts: attempt,
        idempotencyKey,
        executionId: received["x-execution-id"] || request.executionId?.(text),
      };
      this.#keys.set(answer, apiKey);
      this.#log(outgoing, attempt, () => ({
        type: "answer",
        status: answer.status,
        executionId: answer.executionId,
        durationMs: performance.now() - startedAt,
      }));
      if (answer.status >= 200 && answer.status <= 299) return answer;
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

  /**
   * Returns the delay before the next attempt, undefined to stop, or -1 if the
   * retry budget is empty.
   */
  #nextDelayMs(
    error: unknown,
    attempt: number,
    retries: number,
    deadline: Deadline,
  ): number | undefined {
    if (retries === 0 || attempt > retries || !isRetryable(error))
      return undefined;
    const delayMs = retryDelayMs(error, attempt, this.#settings);
    if (delayMs === undefined || delayMs >= deadline.remainingMs)
      return undefined;
    return isTurnedAway(error) || this.#budget.take() ? delayMs : -1;
  }

  #log(outgoing: Outgoing, attempt: number, event: () => Happening): void {
    const { logger } = this.#settings;
    if (logger === undefined) return;
    const log = async (): Promise<unknown> =>
      logger({ ...event(), ...outgoing.call, attempt });
    // Logger errors must not affect the call.
    log().catch(() => undefined);
  }
}

/** The fields of a log event that are specific to its type. */
type Happening = LogEvent extends infer Event
  ? Event extends LogEvent
    ? Omit<Event, "idempotencyKey" | "method" | "url" | "attempt">
    : never
  : never;

function headersOf(head: FetchAnswer): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  head.headers.forEach((value, name) => {
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
