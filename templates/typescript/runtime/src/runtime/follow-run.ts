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

/** After so many sockets in a row that did not get ready, pages are read. */
const mostUnready = 3;

/** Bounds of what is waited for. Tests have less patience. */
export const patience = {
  /** Delay between pages. */
  pageMs: 1_000,
  /** How long pages are read before one socket is tried again. */
  pagesMs: 60_000,
  /** A socket must be ready within this time. */
  readyMs: 10_000,
  /**
   * A socket that says nothing for so long may be dead. Longest delay before a
   * page that is offline tries again.
   */
  silenceMs: 30_000,
};

type Events = AsyncGenerator<ExecutionEvent, void, undefined>;

/** Follows a run until its end, or until `stop`, whose reason is then itself. */
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

/** An open socket, and the first of its messages or its end. */
interface BegunSocket {
  readonly socket: Socket;
  readonly first: Awaited<ReturnType<Socket["next"]>>;
}

/** What has been given of a run, and how to get the rest. */
class Follower {
  readonly #connection: Connection;
  readonly #id: string;
  readonly #options: CallOptions;
  readonly #idempotencyKey: string;
  readonly #given = new Set<string>();
  /** By which the last page was read. */
  #cursor: string | undefined;
  /** Number of sockets so far. */
  #sockets = 0;
  /** Number of sockets in a row that did not get ready. */
  #unready = 0;
  /** When sockets are due, in milliseconds. Until then, pages are read. */
  #socketsAt: number;
  /** The current socket has been ready since, in milliseconds. */
  #readySince = Infinity;
  /** The last event was given. */
  #isOver = false;
  /** The record says that the run has ended, perhaps without a last event. */
  #hasEnded = false;
  /** A page has been read. Until then, failures are those of any call. */
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
          this.#given.size > before || lastedMs > settings.maxRetryDelayMs;
        failures = isFruitful || isOffline() ? 1 : failures + 1;
        await this.#retry(error, failures, isSocket);
      }
    }
  }

  /**
   * Logs why following has failed. A failure before the first page has been read
   * is logged already, as that of its request.
   */
  logFailure(error: SvcError): void {
    if (!this.#isBegun) return;
    const executionId = this.#id;
    const event = { type: "failure", error, executionId } as const;
    logEvent(this.#connection, this.#call, event);
  }

  /**
   * Reports whether a proxy refused the socket: the service's refusals have a
   * code. Once pages are read, any failure of a socket means that pages go on.
   */
  #isBlocked(error: unknown): error is SvcError {
    const { status, body } = error as SvcError;
    if (this.#unready === 0 || this.#options.signal?.aborted) return false;
    if (this.#unready > mostUnready) return error instanceof SvcError;
    return error instanceof StatusError && status !== 401 && !errorCode(body);
  }

  /**
   * Waits before it goes on after a failure, but not after the page has
   * returned. Throws the last failure.
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
      error.message += "; the run is followed by pages from now on";
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
   * Waits until the next page is due: at once if the run has ended, since it is
   * the last one.
   */
  async #nextPage(isFruitful: boolean): Promise<void> {
    if (!isFruitful && (await this.#isEnded())) return;
    const deadline = new Deadline(Infinity, this.#options.signal);
    await deadline.sleep(spread(patience.pageMs)).finally(() => {
      deadline.dispose();
    });
  }

  /** The events of the history that have not been given. */
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
   * Reads what the service has of the run. Once a page has been read, by one
   * request with the timeout of a poll: the next connection is its retry.
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
   * What happens from now on, and what happened since the last page. Ends when
   * nothing is left but what the history may have.
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
          // More happened since the last page than the socket replays.
          if (!isBegun && this.#isNew(event)) yield* this.#history();
          isBegun = true;
          if (!this.#isOver && this.#isNew(event)) yield* this.#give(event);
          if (this.#isOver) return;
        }
        const before = this.#given.size;
        while (!(await deadline.guard(socket.hasNext(patience.silenceMs)))) {
          // A connection that was lost on its way may stay open.
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
   * Finds out whether the run has ended with its socket. Throws otherwise: the
   * connection was lost, also if a proxy closed it regularly.
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

  /** A socket with its first message, within the timeout of an attempt. */
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

  /** The latest socket. */
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
