import { type Answer, executionIdOf } from "./answer.ts";
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
import { redactCause, redactHeaders, redactText } from "./redact.ts";
import { RetryBudget } from "./retry-budget.ts";
import { isRetryable, retryDelayMs } from "./retry-policy.ts";
import {
  checkedHeaders,
  checkedRetries,
  checkedTimeout,
  resolveSettings,
  type Settings,
} from "./settings.ts";

/** JSON, or a function of the time left that is called for each attempt. */
export type RequestBody = string | ((remainingMs: number) => string);

/** Options of one request. */
export interface RequestOptions extends CallOptions {
  /** Allows the request to outlive its page. */
  keepalive?: boolean;
}

/** A request to send. */
interface Request extends RequestOptions {
  readonly method: string;
  readonly path: string;
  readonly body: RequestBody | null;
}

/** A call: its attempts share these values. */
interface Outgoing {
  /** Common fields of its log events. */
  readonly call: Pick<LogEvent, "method" | "url" | "idempotencyKey">;
  readonly headers: Record<string, string>;
  readonly body: RequestBody | null;
  readonly keepalive: boolean;
}

/**
 * A connection to the service: base URL, API key and retry policy. Used by
 * clients and standalone functions. Never shows the key.
 */
export class Connection {
  readonly #settings: Settings;
  readonly #sdk: string;
  readonly #budget = new RetryBudget();

  /**
   * `sdk` identifies this package to the service. Throws a
   * `ConfigurationError`.
   */
  constructor(options: ClientOptions, sdk: string) {
    this.#settings = resolveSettings(options);
    this.#sdk = sdk;
  }

  /** Identifies the package and the service. */
  get label(): string {
    return `${this.#sdk} ${this.#settings.baseUrl}`;
  }

  /** Timeout of a call in milliseconds, from its options or the client's. */
  timeoutMs(options: CallOptions): number {
    return checkedTimeout(options.timeoutMs ?? this.#settings.timeoutMs);
  }

  /**
   * Posts JSON to a path and retries transient failures. Returns the response
   * if its status is 2xx. Throws a `SvcError` otherwise.
   */
  post(
    path: string,
    body: RequestBody,
    options: RequestOptions = {},
  ): Promise<Answer> {
    return this.#exchange({ ...options, method: "POST", path, body });
  }

  /** Reads a path. Otherwise like `post`. */
  get(path: string, options: CallOptions = {}): Promise<Answer> {
    return this.#exchange({ ...options, method: "GET", path, body: null });
  }

  async #exchange(request: Request): Promise<Answer> {
    const outgoing = this.#outgoing(request);
    const retries = checkedRetries(
      request.maxRetries ?? this.#settings.maxRetries,
    );
    const deadline = new Deadline(this.timeoutMs(request), request.signal);
    const { credential } = this.#settings;
    let attempt = 1;
    let renewals = 0;
    try {
      for (; ; attempt++) {
        deadline.signal.throwIfAborted();
        const given = credential.key();
        const key =
          typeof given === "string" ? given : await deadline.guard(given);
        try {
          const answer = await this.#attempt(outgoing, attempt, key, deadline);
          this.#budget.succeeded();
          return answer;
        } catch (error) {
          const isRenewed =
            renewals === 0 &&
            error instanceof UnauthorizedError &&
            (await deadline.guard(credential.renew(key)));
          if (isRenewed) renewals = 1;
          const delayMs = isRenewed
            ? 0
            : this.#nextDelayMs(error, attempt - renewals, retries, deadline);
          if (delayMs === undefined) throw error;
          this.#log(outgoing, attempt, () => ({
            type: "retry",
            error: error as SvcError,
            delayMs,
          }));
          if (delayMs > 0) await deadline.sleep(delayMs);
        }
      }
    } catch (error) {
      if (error instanceof Error)
        this.#log(outgoing, attempt, () => ({ type: "failure", error }));
      throw error;
    } finally {
      deadline.dispose();
    }
  }

  #outgoing({
    method,
    path,
    body,
    keepalive = false,
    headers,
    idempotencyKey = newIdempotencyKey(),
  }: Request): Outgoing {
    checkedText("the idempotency key", idempotencyKey);
    return {
      call: {
        method,
        url: `${this.#settings.baseUrl}${path}`,
        idempotencyKey,
      },
      body,
      keepalive,
      headers: {
        ...this.#settings.headers,
        ...(headers && checkedHeaders(headers)),
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
    const { call, body, keepalive } = outgoing;
    const { method, url, idempotencyKey } = call;
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
        body: typeof body === "function" ? body(deadline.remainingMs) : body,
        signal: deadline.signal,
        redirect: "manual",
        keepalive,
      });
      const [begun, text] = await deadline.guard(
        sent.then(async (begun) => {
          head = begun;
          return [begun, await begun.text()] as const;
        }),
      );
      const answer: Answer = {
        status: begun.status,
        headers: headersOf(begun, apiKey),
        body: redactText(text, apiKey),
        attempts: attempt,
        idempotencyKey,
      };
      this.#log(outgoing, attempt, () => ({
        type: "answer",
        status: answer.status,
        executionId: executionIdOf(answer),
        durationMs: performance.now() - startedAt,
      }));
      if (answer.status >= 200 && answer.status <= 299) return answer;
      throw errorFromAnswer(answer);
    } catch (error) {
      if (error instanceof SvcError) throw error;
      // The deadline's error is more specific than the transport's abort error.
      if (deadline.signal.aborted) throw deadline.signal.reason as SvcError;
      throw connectionError(head, redactCause(error, apiKey));
    }
  }

  /** Returns the delay before the next attempt, or undefined to stop. */
  #nextDelayMs(
    error: unknown,
    attempt: number,
    retries: number,
    deadline: Deadline,
  ): number | undefined {
    if (attempt > retries || !isRetryable(error)) return undefined;
    const delayMs = retryDelayMs(error, attempt, this.#settings);
    if (delayMs === undefined || delayMs >= deadline.remainingMs)
      return undefined;
    return this.#budget.take() ? delayMs : undefined;
  }

  #log(outgoing: Outgoing, attempt: number, event: () => Happening): void {
    try {
      this.#settings.logger?.({ ...event(), ...outgoing.call, attempt });
    } catch {
      // Logger errors must not affect the call.
    }
  }
}

/** The fields of a log event that are specific to its type. */
type Happening = LogEvent extends infer Event
  ? Event extends LogEvent
    ? Omit<Event, "idempotencyKey" | "method" | "url" | "attempt">
    : never
  : never;

function headersOf(
  head: FetchAnswer,
  apiKey: string,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  head.headers.forEach((value, name) => {
    headers[name.toLowerCase()] = redactText(value, apiKey);
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
