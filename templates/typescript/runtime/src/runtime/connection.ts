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

/** JSON text; one that depends on the time left is written anew for each try. */
export type RequestBody = string | ((remainingMs: number) => string);

/** What one request does differently from its client. */
export interface RequestOptions extends CallOptions {
  /** Lets the request outlive its page. */
  keepalive?: boolean;
}

/** A call as it was asked for. */
interface Request extends RequestOptions {
  readonly method: string;
  readonly path: string;
  readonly body: RequestBody | null;
}

/** One logical call: what every try of it sends. */
interface Outgoing {
  /** What every event of it says. */
  readonly call: Pick<LogEvent, "method" | "url" | "idempotencyKey">;
  readonly headers: Record<string, string>;
  readonly body: RequestBody | null;
  readonly keepalive: boolean;
}

/**
 * The way to the service: address, key and the policy of retries. Clients and
 * standalone functions share it. It never shows the key.
 */
export class Connection {
  readonly #settings: Settings;
  readonly #sdk: string;
  readonly #budget = new RetryBudget();

  /** `sdk` names the package to the service. Throws a `ConfigurationError`. */
  constructor(options: ClientOptions, sdk: string) {
    this.#settings = resolveSettings(options);
    this.#sdk = sdk;
  }

  /** Tells connections of one page apart: names the package and the service. */
  get label(): string {
    return `${this.#sdk} ${this.#settings.baseUrl}`;
  }

  /** Time for a whole call, by its own options or the client's, in milliseconds. */
  timeoutMs(options: CallOptions): number {
    return checkedTimeout(options.timeoutMs ?? this.#settings.timeoutMs);
  }

  /**
   * Sends JSON to a path below the base URL, tries again by policy, and gives
   * the answer when its status is 2xx. Throws a `SvcError` otherwise.
   */
  post(
    path: string,
    body: RequestBody,
    options: RequestOptions = {},
  ): Promise<Answer> {
    return this.#exchange({ ...options, method: "POST", path, body });
  }

  /** Reads a path below the base URL, as `post` sends to one. */
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
            : this.#patience(error, attempt - renewals, retries, deadline);
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
      // The transport's own words for an abort say less than the deadline's.
      if (deadline.signal.aborted) throw deadline.signal.reason as SvcError;
      throw connectionError(head, redactCause(error, apiKey));
    }
  }

  /** How long to wait before the next try; undefined when there is none. */
  #patience(
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
      // A logger must not be able to break a call.
    }
  }
}

/** What an event says beside the call that it belongs to. */
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
        `the answer was cut off: ${reason(cause)}`,
        details,
      );
}

/** The innermost message says why; the outer ones say "fetch failed". */
function reason(error: Error): string {
  return error.cause instanceof Error ? reason(error.cause) : error.message;
}
