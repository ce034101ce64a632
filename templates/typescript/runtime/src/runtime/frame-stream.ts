import { type AsyncClosing, closable } from "./closable.ts";
import type { Connection } from "./connection.ts";
import { Deadline } from "./deadline.ts";
import { AbortedError, ConnectionError, SvcError } from "./errors.ts";
import type { Frames } from "./frames.ts";
import type { CallOptions } from "./options.ts";
import type { RawResponse } from "./response.ts";
import { type StreamRequest, usualTimeoutMs } from "./stream-request.ts";

/**
 * The messages of a stream, as they arrive. Iterate with `for await`. Leaving
 * the loop, or the scope of an `await using`, closes the connection, which
 * cancels the run. The request is sent when the iteration begins. A stream can
 * be iterated once: a second loop throws a `ConfigurationError`.
 */
export interface FrameStream<Given>
  extends AsyncIterableIterator<Given>, AsyncClosing {
  /** Id of the execution; undefined until the service has sent it. */
  readonly executionId: string | undefined;
  /**
   * Event id of the last message, if the service sent one. Use it to resume the
   * output of a split stream.
   */
  readonly lastEventId: string | undefined;
  /**
   * Sends the request if it was not sent yet, and resolves to the response with
   * an empty `body`. Iterate or close the stream afterwards.
   */
  response(): Promise<RawResponse>;
  /** Resolves to the next message. Rejects with a `SvcError`. */
  next(): Promise<IteratorResult<Given, undefined>>;
  /** Closes the stream, even while `next` is pending. */
  return(): Promise<IteratorResult<Given, undefined>>;
  /** The same as `return`. */
  close(): Promise<void>;
}

/** Returns the stream of a request, without sending it. */
export function frameStream<Given>(
  connection: Connection,
  request: StreamRequest<Given>,
  options: CallOptions = {},
): FrameStream<Given> {
  return closable(new LoadedStream(connection, request, options));
}

/**
 * Loads the stream reader on demand. Not exported, because declarations of
 * single modules repeat methods of classes that are named by a well-known
 * symbol.
 */
class LoadedStream<Given> implements Omit<
  FrameStream<Given>,
  keyof AsyncClosing
> {
  readonly #load: () => Promise<Frames<Given>>;
  #loading: Promise<Frames<Given>> | undefined;
  #frames: Frames<Given> | undefined;
  #isClosed = false;

  constructor(
    connection: Connection,
    request: StreamRequest<Given>,
    options: CallOptions,
  ) {
    this.#load = async () => {
      const timeoutMs = connection.timeoutMs(options, usualTimeoutMs);
      const deadline = new Deadline(timeoutMs, options.signal, "stream");
      try {
        const { Frames } = await deadline.guard(import("./frames.ts"));
        return (this.#frames = new Frames(connection, request, options));
      } catch (error) {
        throw error instanceof SvcError
          ? error
          : new ConnectionError(
              `cannot load the module that reads streams: ${String(error)}`,
              { cause: error },
            );
      } finally {
        deadline.dispose();
      }
    };
  }

  get executionId(): string | undefined {
    return this.#frames?.executionId;
  }

  get lastEventId(): string | undefined {
    return this.#frames?.lastEventId;
  }

  async response(): Promise<RawResponse> {
    if (this.#isClosed && !this.#loading)
      throw new AbortedError("the stream is closed");
    return (await (this.#loading ??= this.#load())).response();
  }

  async next(): Promise<IteratorResult<Given, undefined>> {
    if (this.#isClosed && !this.#loading)
      return { done: true, value: undefined };
    return (await (this.#loading ??= this.#load())).next();
  }

  async return(): Promise<IteratorResult<Given, undefined>> {
    this.#isClosed = true;
    const frames = await this.#loading?.catch(() => undefined);
    await frames?.return();
    return { done: true, value: undefined };
  }

  async close(): Promise<void> {
    await this.return();
  }

  [Symbol.asyncIterator](): this {
    this.#frames?.check();
    return this;
  }
}
