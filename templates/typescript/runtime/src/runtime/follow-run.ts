import { aboutRun } from "./about-run.ts";
import { checkAborted } from "./check-aborted.ts";
import { isObject } from "./codec/json.ts";
import { type Connection, settingsOf } from "./connection.ts";
import { Deadline, onAbort } from "./deadline.ts";
import { errorCode } from "./error-code.ts";
import { InvalidResponseError, StatusError, SvcError } from "./errors.ts";
import {
  eventQuery,
  type ExecutionEvent,
  readEvent,
  readEventPage,
} from "./execution-event.ts";
import { isTerminal, readRecord } from "./execution-record.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";
import { type LoggedCall, logEvent, partLog } from "./log-event.ts";
import type { CallOptions } from "./options.ts";
import type { Happening } from "./outgoing.ts";
import { firstPollDelayMs, pollTimeoutMs, spread } from "./poll-delay.ts";
import type { RawResponse } from "./response.ts";
import { isRetryable, mostReconnects, retryDelayMs } from "./retry-policy.ts";
import {
  hasSockets,
  interrupted,
  openSocket,
  type Socket,
  type SocketEnd,
} from "./socket.ts";
import { isOffline, onReturn } from "./socket-platform.ts";

/** Number of consecutive sockets that fail to open before pages are polled. */
const mostUnready = 3;

/** Time limits. Tests shorten them. */
export const patience = {
  /** Delay between polls of the pages. */
  pageMs: 1_000,
  /** How long pages are polled before a socket is tried again. */
  pagesMs: 60_000,
  /** A socket must be ready within this time. */
  readyMs: 10_000,
  /**
   * A socket that is silent for this long may be dead. Also the retry delay of a
   * page that is offline.
   */
  silenceMs: 30_000,
  /**
   * A socket must be ready for this long to reset the count of failures, even
   * without retry delays.
   */
  lastingMs: 100,
};

type Events = AsyncGenerator<ExecutionEvent, void, undefined>;

/** Follows a run until it ends or `stop` aborts with itself as reason. */
export async function* followRun(
  connection: Connection,
  executionId: string,
  options: CallOptions,
  stop: AbortController,
): Events {
  const given = options.signal;
  const forget =
    given &&
    onAbort(given, () => {
      stop.abort(given.reason);
    });
  const { signal } = stop;
  const follower = new Follower(connection, executionId, {
    ...options,
    signal,
  });
  try {
    yield* follower.events();
  } catch (error) {
    if (signal.reason === stop) return;
    if (!(error instanceof SvcError)) throw error;
    const failed = aboutRun(error, { executionId });
    follower.logFailure(failed);
    throw failed;
  } finally {
    forget?.();
  }
}

/** An open socket and its first message, or its end. */
interface BegunSocket {
  readonly socket: Socket;
  readonly first: Awaited<ReturnType<Socket["next"]>>;
}

/** Yields each event of a run once, from its history and from sockets. */
class Follower {
  readonly #connection: Connection;
  readonly #id: string;
  readonly #options: CallOptions;
  readonly #idempotencyKey: string;
  readonly #given = new Set<string>();
  /** Cursor of the last page. */
  #cursor: string | undefined;
  /** Number of sockets so far. */
  #sockets = 0;
  /** Number of consecutive sockets that did not become ready. */
  #unready = 0;
  /** Time of the next socket, in milliseconds. Until then, pages are polled. */
  #socketsAt: number;
  /** Time at which the current socket became ready, in milliseconds. */
  #readySince = Infinity;
  /** Whether the final event was yielded. */
  #isOver = false;
  /** Whether the run has ended, by its record. It may lack a final event. */
  #hasEnded = false;
  /** Whether a page was read. Until then, failures are those of any call. */
  #isBegun = false;

  constructor(connection: Connection, id: string, options: CallOptions) {
    this.#connection = connection;
    this.#id = id;
    this.#options = options;
    this.#idempotencyKey = options.idempotencyKey ?? newIdempotencyKey();
    this.#socketsAt = hasSockets(connection) ? 0 : Infinity;
  }

  async *events(): Events {
    for (let failures = 0; ;) {
      const before = this.#given.size;
      this.#readySince = Infinity;
      let isSocket = false;
      try {
        yield* this.#history();
        if (this.#isOver || this.#hasEnded) return;
        isSocket = performance.now() >= this.#socketsAt;
        if (isSocket) yield* this.#happening();
        else await this.#nextPage(this.#given.size > before);
        if (this.#isOver) return;
        failures = 0;
      } catch (error) {
        const isBlocked = isSocket && this.#isBlocked(error);
        if (!isBlocked && !(this.#isBegun && isRetryable(error))) throw error;
        const settings = settingsOf(this.#connection);
        const lastedMs = performance.now() - this.#readySince;
        const isFruitful =
          this.#given.size > before ||
          lastedMs > Math.max(settings.maxRetryDelayMs, patience.lastingMs);
        failures = isFruitful || isOffline() ? 1 : failures + 1;
        await this.#retry(error, failures, isSocket);
      }
    }
  }

  /**
   * Logs the error that ended the iteration. A failure to read the first page is
   * already logged by its request.
   */
  logFailure(error: SvcError): void {
    if (!this.#isBegun) return;
    const executionId = this.#id;
    const event = { type: "failure", error, executionId } as const;
    logEvent(this.#connection, this.#call, event);
  }

  /**
   * Reports whether a proxy rejected the socket. Errors of the service have a
   * code. While pages are polled, any failure of a socket counts as blocked.
   */
  #isBlocked(error: unknown): error is SvcError {
    const { status, body } = error as SvcError;
    if (this.#unready === 0 || this.#options.signal?.aborted) return false;
    if (this.#unready > mostUnready) return error instanceof SvcError;
    return error instanceof StatusError && status !== 401 && !errorCode(body);
  }

  /**
   * Waits before the next attempt, or until the page is shown or online again.
   * Throws `error` if there were too many consecutive failures.
   */
  async #retry(
    error: SvcError,
    retry: number,
    isSocket: boolean,
  ): Promise<void> {
    const settings = settingsOf(this.#connection);
    const { maxRetries = settings.maxRetries } = this.#options;
    let delayMs = isOffline()
      ? patience.silenceMs
      : retryDelayMs(
          isRetryable(error) ? error : {},
          retry,
          settings,
          Infinity,
        );
    if (isSocket && this.#unready >= mostUnready) {
      error.message += "; polling the run's events from now on";
      delayMs = spread(firstPollDelayMs);
      this.#socketsAt = performance.now() + delayMs + patience.pagesMs;
    }
    if (retry > mostReconnects(maxRetries)) throw error;
    logEvent(this.#connection, this.#call, { type: "retry", error, delayMs });
    const deadline = new Deadline(Infinity, this.#options.signal);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopWatching: (() => void) | undefined;
    const due = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, delayMs);
      stopWatching = onReturn(resolve);
    });
    await deadline.guard(due).finally(() => {
      clearTimeout(timer);
      stopWatching?.();
      deadline.dispose();
    });
  }

  /**
   * Waits for the next poll of the pages. If the run has ended, it returns
   * immediately, so that the remaining pages are read.
   */
  async #nextPage(isFruitful: boolean): Promise<void> {
    if (!isFruitful && (await this.#isEnded())) return;
    const deadline = new Deadline(Infinity, this.#options.signal);
    await deadline.sleep(spread(patience.pageMs)).finally(() => {
      deadline.dispose();
    });
  }

  /** Yields the new events of the history. */
  async *#history(): Events {
    for (;;) {
      const page = await this.#page();
      this.#isBegun = true;
      for (const event of page.events) {
        const isFirst = event.ulid === "" && this.#sockets === 0;
        if (!isFirst && !this.#isNew(event)) continue;
        yield* this.#give(event);
        if (this.#isOver) return;
      }
      if (page.nextCursor === undefined) return;
      this.#cursor = page.nextCursor;
    }
  }

  #page(): Promise<ReturnType<typeof readEventPage>> {
    const query = eventQuery({ pageSize: 1_000 }, this.#cursor);
    return this.#read(`/events?${query}`, (response) =>
      readEventPage(response, this.#cursor),
    );
  }

  /**
   * Reads stored data of the run. After the first page, requests use the timeout
   * of a poll and are not retried, because the next connection acts as the retry.
   */
  async #read<T>(
    rest: string,
    convert: (response: RawResponse) => T,
  ): Promise<T> {
    const connection = this.#connection;
    const path = `/invocations/v1/executions/${this.#id}${rest}`;
    const idempotencyKey = this.#idempotencyKey;
    const options = {
      ...this.#options,
      idempotencyKey,
      ...(this.#isBegun && {
        maxRetries: 0,
        attemptTimeoutMs: pollTimeoutMs(this.#options, settingsOf(connection)),
      }),
    };
    const log = partLog(connection, { path, idempotencyKey });
    const facts = {
      executionIdIn: () => this.#id,
      ...(this.#isBegun && { log }),
    };
    const response = await connection.send(path, null, options, facts);
    return connection.read(response, convert);
  }

  /**
   * Yields live events from a socket, including those since the last page. Ends
   * when all remaining events are in the history.
   */
  async *#happening(): Events {
    const { socket, first } = await this.#open();
    const deadline = new Deadline(Infinity, this.#options.signal);
    const stopWatching = onReturn(() => {
      socket.wake();
    });
    let isBegun = false;
    try {
      for (let next = first; ;) {
        if ("end" in next) {
          await this.#checkEnd(next.end);
          return;
        }
        const event = readMessage(next.data);
        if (event.type !== "SESSION_READY" && event.ulid !== "") {
          // Events may be missing between the last page and the socket's replay.
          if (!isBegun && this.#isNew(event)) yield* this.#history();
          isBegun = true;
          if (!this.#isOver && this.#isNew(event)) yield* this.#give(event);
          if (this.#isOver) return;
        }
        const before = this.#given.size;
        while (!(await deadline.guard(socket.hasNext(patience.silenceMs)))) {
          // A broken connection may look open, so check the history.
          yield* this.#history();
          if (this.#given.size > before) return;
        }
        next = await deadline.guard(socket.next());
      }
    } finally {
      stopWatching();
      deadline.dispose();
      socket.close();
    }
  }

  /**
   * Throws unless the socket closed because the run has ended. A proxy may also
   * close the socket normally.
   */
  async #checkEnd(end: SocketEnd): Promise<void> {
    if (end.code === 1000 && (await this.#isEnded())) return;
    throw interrupted(end);
  }

  /** Reads whether the run has ended. */
  async #isEnded(): Promise<boolean> {
    const { status } = await this.#read("", readRecord);
    this.#hasEnded = isTerminal(status);
    return this.#hasEnded;
  }

  /** Opens a socket and reads its first message, as one attempt. */
  async #open(): Promise<BegunSocket> {
    const connection = this.#connection;
    const idempotencyKey = this.#idempotencyKey;
    const options = { ...this.#options, idempotencyKey };
    this.#sockets++;
    this.#unready++;
    const call = this.#call;
    const { attemptTimeoutMs = settingsOf(connection).attemptTimeoutMs } =
      options;
    const timeoutMs = Math.min(
      connection.timeoutMs(options),
      attemptTimeoutMs,
      patience.readyMs,
    );
    const deadline = new Deadline(timeoutMs, options.signal, "attempt");
    let socket: Socket | undefined;
    try {
      deadline.signal.throwIfAborted();
      const log = (event: Happening): void => {
        logEvent(connection, call, event);
      };
      const { path } = call;
      socket = await openSocket(connection, { path, options, log }, deadline);
      const first = await deadline.guard(socket.next());
      this.#readySince = performance.now();
      if ("data" in first) this.#unready = 0;
      return { socket, first };
    } catch (error) {
      socket?.close();
      throw error;
    } finally {
      deadline.dispose();
    }
  }

  /** Log details of the current socket. */
  get #call(): LoggedCall {
    return {
      path: `/invocations/v1/debug-stream?session_id=${this.#id}&decode=true`,
      idempotencyKey: this.#idempotencyKey,
      attempt: this.#sockets,
    };
  }

  #isNew({ ulid }: ExecutionEvent): boolean {
    return ulid !== "" && !this.#given.has(ulid);
  }

  *#give(event: ExecutionEvent): Generator<ExecutionEvent, void, undefined> {
    checkAborted(this.#options.signal);
    const { ulid, type } = event;
    if (ulid !== "") this.#given.add(ulid);
    this.#isOver = type === "FLOW_COMPLETED" || type === "FLOW_FAILED";
    yield event;
  }
}

/** Reads a message of the socket. Throws an `InvalidResponseError`. */
function readMessage(data: unknown): ExecutionEvent {
  let body = data;
  try {
    body = JSON.parse(String(data)) as unknown;
    if (isObject(body)) return readEvent(body);
  } catch {
    // Not JSON.
  }
  throw new InvalidResponseError("invalid message: not a JSON object", {
    body,
  });
}
