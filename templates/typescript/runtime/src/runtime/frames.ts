import { aboutRun } from "./about-run.ts";
import { exchanges, reasonOf } from "./attempt.ts";
import { checkUnread } from "./check-unread.ts";
import { type Connection, settingsOf } from "./connection.ts";
import { Deadline, onAbort } from "./deadline.ts";
import { SvcError } from "./errors.ts";
import { EventParser } from "./event-parser.ts";
import type { ResponseBody } from "./fetch.ts";
import { checkEnd, messageOf, readFrame } from "./frame.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";
import { logEvent } from "./log-event.ts";
import { type OpenedStream, openStream } from "./open-stream.ts";
import type { CallOptions } from "./options.ts";
import type { Happening } from "./outgoing.ts";
import { copyError } from "./redact.ts";
import { idsOf, type RawResponse } from "./response.ts";
import { isRetryable, mostReconnects, retryDelayMs } from "./retry-policy.ts";
import { StreamInterruptedError } from "./stream-interrupted-error.ts";
import { type StreamRequest, usualTimeoutMs } from "./stream-request.ts";

/** An open stream with its overall deadline. */
type Opened = OpenedStream & { readonly deadline: Deadline };

/** Reads the messages of a stream. Implements `FrameStream`. */
export class Frames<Given> {
  readonly #connection: Connection;
  readonly #request: StreamRequest<Given>;
  readonly #options: CallOptions & { readonly idempotencyKey: string };
  readonly #stop = new AbortController();
  readonly #messages: AsyncGenerator<Given, void, undefined>;
  #opening: Promise<Opened> | undefined;
  /** Number of requests so far. */
  #attempts = 0;
  /** Closes the connection and releases the timer and the caller's signal. */
  #release: () => void = () => undefined;
  /** Reader of the current response. */
  #reader: ReturnType<ResponseBody["getReader"]> | undefined;
  #abort: () => void = () => undefined;
  /** Whether the last message has no id, so the stream cannot be resumed. */
  #isUnmarked = false;
  #executionId: string | undefined;
  #lastEventId: string | undefined;
  /** Whether the messages have ended or the stream is closed. */
  #isOver = false;

  constructor(
    connection: Connection,
    request: StreamRequest<Given>,
    options: CallOptions,
  ) {
    this.#connection = connection;
    this.#request = request;
    const { idempotencyKey = newIdempotencyKey() } = options;
    this.#options = { ...options, idempotencyKey };
    this.#messages = this.#iterate();
  }

  get executionId(): string | undefined {
    return this.#executionId;
  }

  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  async response(): Promise<RawResponse> {
    return (await this.#open()).response;
  }

  next(): Promise<IteratorResult<Given, undefined>> {
    return this.#messages.next() as Promise<IteratorResult<Given, undefined>>;
  }

  /** Throws if a loop would end immediately. */
  check(): void {
    checkUnread(this.#isOver);
  }

  async return(): Promise<IteratorResult<Given, undefined>> {
    this.#isOver = true;
    this.#stop.abort(this);
    await this.#messages.return();
    // Returning a generator that has not started does not run its `finally`.
    this.#release();
    return { done: true, value: undefined };
  }

  async *#iterate(): AsyncGenerator<Given, void, undefined> {
    try {
      const opened = await this.#open();
      try {
        yield* this.#request.resumes
          ? this.#resume(opened)
          : this.#read(opened);
      } catch (error) {
        this.#logFailure(error);
        throw error;
      }
    } catch (error) {
      if (this.#stop.signal.reason !== this) throw error;
    } finally {
      this.#isOver = true;
      this.#release();
    }
  }

  #log(event: Happening): void {
    if (event.type === "request") this.#attempts++;
    const { path, resumes } = this.#request;
    const { idempotencyKey } = this.#options;
    const method = resumes ? "GET" : "POST";
    const attempt = this.#attempts || 1;
    const call = { method, path, idempotencyKey, attempt };
    logEvent(this.#connection, call, event);
  }

  /** Logs the failure of the stream, unless the caller closed it. */
  #logFailure(error: unknown): void {
    if (this.#stop.signal.reason === this) return;
    if (!(error instanceof SvcError)) return;
    const executionId = error.executionId ?? this.#executionId;
    this.#log({ type: "failure", error, executionId });
  }

  /**
   * Reconnects after lost connections. Throws the last failure if too many
   * consecutive connections bring no message.
   */
  async *#resume({ ...opened }: Opened): AsyncGenerator<Given> {
    const settings = settingsOf(this.#connection);
    const { maxRetries = settings.maxRetries } = this.#options;
    const { deadline } = opened;
    let isOpen = true;
    for (let failures = 0; ;) {
      const before = this.#lastEventId;
      try {
        if (!isOpen) {
          const timeoutMs = Math.max(1, deadline.remainingMs);
          Object.assign(opened, await this.#send(timeoutMs, true));
          this.#hold(opened);
          isOpen = true;
        }
        yield* this.#read(opened);
        return;
      } catch (error) {
        const isLost = isOpen
          ? error instanceof StreamInterruptedError
          : isRetryable(error);
        // After a message without an id, resuming would repeat messages.
        if (!isLost || this.#isUnmarked) throw error;
        const lost = error as SvcError;
        failures = this.#lastEventId === before ? failures + 1 : 1;
        if (failures > mostReconnects(maxRetries)) throw lost;
        isOpen = false;
        const delayMs = retryDelayMs(lost, failures, settings, Infinity);
        this.#log({ type: "retry", error: lost, delayMs });
        deadline.details = { cause: lost };
        await deadline.sleep(delayMs).catch((stopped: unknown) => {
          throw this.#detailed(opened.response, stopped as SvcError);
        });
      }
    }
  }

  async *#read({ response, deadline }: Opened): AsyncGenerator<Given> {
    const { read, Failure, input } = this.#request;
    const connection = this.#connection;
    const reader = this.#reader;
    if (reader === undefined) return;
    const events = new EventParser();
    const decoder = new TextDecoder();
    try {
      for (;;) {
        const chunk = await this.#chunk(
          response,
          deadline.guard(reader.read()),
        );
        const text = decoder.decode(chunk, { stream: true });
        for (const { data, lastEventId } of events.push(text)) {
          this.#check(response, deadline);
          this.#isUnmarked =
            lastEventId === undefined || lastEventId === this.#lastEventId;
          this.#lastEventId = lastEventId ?? this.#lastEventId;
          const frame = connection.read(response, () =>
            readFrame(data, response),
          );
          this.#executionId ??= frame.executionId;
          const { isFinal, payload } = frame;
          if (!isFinal || payload !== undefined)
            yield connection.read(response, () => messageOf(read, frame));
          if (!isFinal) continue;
          connection.read(response, () => {
            const executionId = this.#executionId;
            checkEnd({ ...frame, executionId }, Failure, input?.sent);
          });
          return;
        }
      }
    } finally {
      reader.cancel().catch(() => undefined);
    }
  }

  /** Throws if the stream was aborted or timed out, even between messages. */
  #check(response: RawResponse, { signal }: Deadline): void {
    if (signal.aborted)
      throw this.#detailed(response, signal.reason as SvcError);
  }

  /** Adds the details of the call to an error of the deadline. */
  #detailed(response: RawResponse, error: SvcError): SvcError {
    const { attempts, idempotencyKey, requestId } = response;
    const executionId = this.#executionId;
    const details = { attempts, idempotencyKey, requestId, executionId };
    return aboutRun(error, details);
  }

  /** Returns the next bytes. Throws if the stream ended before its last frame. */
  async #chunk(
    response: RawResponse,
    read: Promise<{ done: boolean; value?: Uint8Array | undefined }>,
  ): Promise<Uint8Array> {
    let reason = "there was no last frame";
    let cause: Error | undefined;
    try {
      const { done, value } = await read;
      if (!done && value) return value;
    } catch (error) {
      if (error instanceof SvcError) throw this.#detailed(response, error);
      // A copy, because errors of some transports cannot be redacted.
      cause = copyError(error, exchanges.get(response)?.[0] ?? "");
      reason = reasonOf(cause);
    }
    return this.#connection.read(response, () => {
      const executionId = this.#executionId;
      const ids = idsOf({ executionId, requestId: response.requestId });
      throw new StreamInterruptedError(
        `the stream was cut off: ${reason} (HTTP ${String(response.status)}${ids})`,
        { ...response, executionId, cause },
      );
    });
  }

  #open(): Promise<Opened> {
    return (this.#opening ??= this.#begin());
  }

  #send(
    timeoutMs: number,
    isOnce = this.#request.input !== undefined,
  ): Promise<OpenedStream> {
    const { path, body, input } = this.#request;
    const options = {
      ...this.#options,
      ...(isOnce && { maxRetries: 0 }),
      ...(input && { attemptTimeoutMs: Infinity }),
      timeoutMs,
      signal: this.#stop.signal,
    };
    return openStream(this.#connection, path, body(), options, {
      lastEventId: this.#lastEventId,
      log: (event) => {
        if (event.type !== "failure") this.#log(event);
      },
    });
  }

  #hold({ body, abort }: OpenedStream): void {
    this.#reader = body?.getReader();
    this.#abort = () => {
      abort();
      this.#request.input?.breakOff();
    };
    // The stream was closed before its response arrived.
    if (this.#stop.signal.aborted) this.#release();
  }

  async #begin(): Promise<Opened> {
    const { input, resumes } = this.#request;
    const options = this.#options;
    this.#lastEventId = resumes?.after;
    const timeoutMs = this.#connection.timeoutMs(options, usualTimeoutMs);
    const given = options.signal;
    const { signal } = this.#stop;
    const forget =
      given &&
      onAbort(given, () => {
        this.#stop.abort(given.reason);
      });
    const deadline = new Deadline(timeoutMs, signal, "stream");
    const release = (): void => {
      forget?.();
      deadline.dispose();
      this.#reader?.cancel().catch(() => undefined);
      this.#abort();
      input?.close().catch(() => undefined);
    };
    this.#release = release;
    // Applies even while the caller processes a message or before it reads.
    deadline.signal.addEventListener("abort", release);
    try {
      const opened = await this.#send(timeoutMs);
      this.#executionId = opened.response.executionId;
      this.#hold(opened);
      return { ...opened, deadline };
    } catch (error) {
      // Other errors were thrown before there was a call.
      if ((error as SvcError).attempts !== undefined) this.#logFailure(error);
      this.#release();
      input?.check();
      throw error;
    }
  }
}
