import type { Answer } from "./answer.ts";
import { type Connection, settingsOf } from "./connection.ts";
import { Deadline } from "./deadline.ts";
import { SvcError } from "./errors.ts";
import { EventParser } from "./event-parser.ts";
import { checkEnd, messageOf, readFrame } from "./frame.ts";
import { type OpenedStream, openStream } from "./open-stream.ts";
import type { CallOptions } from "./options.ts";
import { copyError } from "./redact.ts";
import { retryDelayMs } from "./retry-policy.ts";
import { StreamInterruptedError } from "./stream-interrupted-error.ts";
import { type StreamRequest, usualTimeoutMs } from "./stream-request.ts";

/** The messages of a stream: what `FrameStream` does, apart from loading. */
export class Frames<Given> {
  readonly #connection: Connection;
  readonly #request: StreamRequest<Given>;
  readonly #options: CallOptions;
  readonly #stop = new AbortController();
  readonly #messages: AsyncGenerator<Given, void, undefined>;
  #opening: Promise<OpenedStream & { deadline: Deadline }> | undefined;
  #release: () => void = () => undefined;
  #executionId: string | undefined;
  #lastEventId: string | undefined;

  constructor(
    connection: Connection,
    request: StreamRequest<Given>,
    options: CallOptions,
  ) {
    this.#connection = connection;
    this.#request = request;
    this.#options = options;
    this.#messages = this.#iterate();
  }

  get executionId(): string | undefined {
    return this.#executionId;
  }

  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  async answer(): Promise<Answer> {
    return (await this.#open()).answer;
  }

  next(): Promise<IteratorResult<Given, undefined>> {
    return this.#messages.next() as Promise<IteratorResult<Given, undefined>>;
  }

  async return(): Promise<IteratorResult<Given, undefined>> {
    this.#stop.abort(this);
    await this.#messages.return();
    return { done: true, value: undefined };
  }

  async *#iterate(): AsyncGenerator<Given, void, undefined> {
    try {
      const opened = await this.#open();
      yield* this.#request.resumes ? this.#resume(opened) : this.#read(opened);
    } catch (error) {
      if (this.#stop.signal.reason !== this) throw error;
    } finally {
      this.#release();
    }
  }

  /** Reads on after connections that were lost, as often as there is news. */
  async *#resume(
    opened: OpenedStream & { deadline: Deadline },
  ): AsyncGenerator<Given> {
    const settings = settingsOf(this.#connection);
    const { maxRetries = settings.maxRetries } = this.#options;
    const { deadline } = opened;
    for (let failures = 0; ;) {
      const before = this.#lastEventId;
      try {
        yield* this.#read(opened);
        return;
      } catch (error) {
        if (!(error instanceof StreamInterruptedError)) throw error;
        failures = this.#lastEventId === before ? failures + 1 : 1;
        if (failures > maxRetries) throw error;
        await deadline.sleep(retryDelayMs(error, failures, settings));
      }
      const timeoutMs = Math.max(1, deadline.remainingMs);
      opened = { ...(await this.#send(timeoutMs)), deadline };
    }
  }

  async *#read({
    answer,
    body,
    deadline,
  }: OpenedStream & { deadline: Deadline }): AsyncGenerator<Given> {
    const { read, Failure, input } = this.#request;
    const connection = this.#connection;
    if (body === undefined) return;
    const reader = body.getReader();
    const cancel = (): void => {
      reader.cancel().catch(() => undefined);
    };
    // Ends the connection also while the caller is busy with a message.
    deadline.signal.addEventListener("abort", cancel);
    const events = new EventParser();
    const decoder = new TextDecoder();
    try {
      for (;;) {
        const chunk = await this.#chunk(answer, deadline.guard(reader.read()));
        const text = decoder.decode(chunk, { stream: true });
        for (const { data, lastEventId } of events.push(text)) {
          this.#lastEventId = lastEventId ?? this.#lastEventId;
          const frame = connection.read(answer, () => readFrame(data, answer));
          this.#executionId ??= frame.executionId;
          const { isFinal, payload } = frame;
          if (!isFinal || payload !== undefined)
            yield connection.read(answer, () => messageOf(read, frame));
          if (!isFinal) continue;
          connection.read(answer, () => {
            checkEnd(frame, Failure, input?.sent);
          });
          return;
        }
      }
    } finally {
      deadline.signal.removeEventListener("abort", cancel);
      cancel();
    }
  }

  /** The next bytes. Throws the error of a stream that ended without its end. */
  async #chunk(
    answer: Answer,
    read: Promise<{ done: boolean; value?: Uint8Array | undefined }>,
  ): Promise<Uint8Array> {
    let reason = "there was no last frame";
    let cause: Error | undefined;
    try {
      const { done, value } = await read;
      if (!done && value) return value;
    } catch (error) {
      if (error instanceof SvcError) {
        const { attempts, idempotencyKey } = answer;
        const executionId = this.#executionId;
        throw Object.assign(error, { attempts, idempotencyKey, executionId });
      }
      // A copy, since errors of some transports cannot be redacted.
      cause = copyError(error, "\0");
      reason = cause.message;
    }
    return this.#connection.read(answer, () => {
      const { status, headers } = answer;
      throw new StreamInterruptedError(`the stream was cut off: ${reason}`, {
        status,
        headers,
        executionId: this.#executionId,
        cause,
      });
    });
  }

  #open(): Promise<OpenedStream & { deadline: Deadline }> {
    return (this.#opening ??= this.#begin());
  }

  #send(timeoutMs: number): Promise<OpenedStream> {
    const { path, body, input } = this.#request;
    const options = {
      ...this.#options,
      ...(input && { maxRetries: 0, attemptTimeoutMs: Infinity }),
      timeoutMs,
      signal: this.#stop.signal,
    };
    const after = this.#lastEventId;
    return openStream(this.#connection, path, body(), options, after);
  }

  async #begin(): Promise<OpenedStream & { deadline: Deadline }> {
    const { input, resumes } = this.#request;
    const options = this.#options;
    this.#lastEventId = resumes?.after;
    const timeoutMs = this.#connection.timeoutMs(options, usualTimeoutMs);
    const given = options.signal;
    const { signal } = this.#stop;
    const stop = (): void => {
      this.#stop.abort(given?.reason);
    };
    given?.addEventListener("abort", stop);
    if (given?.aborted) stop();
    const deadline = new Deadline(timeoutMs, signal, "stream");
    this.#release = () => {
      given?.removeEventListener("abort", stop);
      deadline.dispose();
      input?.close().catch(() => undefined);
    };
    try {
      const opened = await this.#send(timeoutMs);
      this.#executionId = opened.answer.executionId;
      return { ...opened, deadline };
    } catch (error) {
      this.#release();
      input?.check();
      throw error;
    }
  }
}
