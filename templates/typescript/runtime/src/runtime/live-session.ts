import { aboutRun } from "./about-run.ts";
import { checkAborted } from "./check-aborted.ts";
import { type AsyncClosing, closable } from "./closable.ts";
import { getOwn, isObject } from "./codec/json.ts";
import { toJson } from "./codec/to-json.ts";
import type { Input } from "./codec/values.ts";
import type { Connection } from "./connection.ts";
import { Deadline, onAbort } from "./deadline.ts";
import {
  ConnectionError,
  NodeFailedError,
  SvcError,
  ValueError,
} from "./errors.ts";
import type { Fetch } from "./fetch.ts";
import { readerOf } from "./flow-output.ts";
import { checkEnd, messageOf, readFrame } from "./frame.ts";
import { newIdempotencyKey } from "./idempotency-key.ts";
import { invalidResponse } from "./invalid-response.ts";
import type { NodeOperation } from "./invoke-node.ts";
import { logEvent } from "./log-event.ts";
import type { CallOptions } from "./options.ts";
import type { RawResponse } from "./response.ts";
import { numberOf, objectOf, textOf } from "./response-object.ts";
import { interrupted, openSocket, type Socket } from "./socket.ts";

/** Time limits. Tests shorten them. */
export const patience = {
  /** Grace period for the last message after the session's time limit. */
  endMs: 30_000,
};

/**
 * A session with a pipeline node, with concurrent input and output. Iterate over
 * its output with `for await`. Leaving the loop, or the scope of an `await
 * using`, closes the session. It has no execution record, and a lost connection
 * ends it.
 */
export interface LiveSession<Taken, Given>
  extends AsyncIterableIterator<Given>, AsyncClosing {
  /** Id of the session in the logs of the service. */
  readonly executionId: string | undefined;
  /** Limits of the session; undefined where the service did not send one. */
  readonly limits: {
    /** Maximum size of a message, in bytes of JSON. */
    readonly inputMessageBytes: number | undefined;
    /** Maximum total size of the messages, in bytes of JSON. */
    readonly inputBytes: number | undefined;
    /** Maximum number of messages. */
    readonly inputMessages: number | undefined;
    /** Maximum size of the output, in bytes of JSON. */
    readonly outputBytes: number | undefined;
    /** Maximum duration of the session, in milliseconds. */
    readonly durationMs: number | undefined;
    /** Time allowed to receive each message of the service, in milliseconds. */
    readonly stallMs: number | undefined;
  };
  /**
   * Sends a message. Rejects with a `ValueError` if it is invalid or larger
   * than `limits.inputMessageBytes`; the session stays open. Rejects with an
   * `AbortedError` if the session was aborted, and with a `ConnectionError` that
   * gives the reason if it ended otherwise. Await the result before sending the
   * next message: it resolves when at most 1 MiB is buffered, or when the
   * session ends.
   */
  send(input: Input<Taken>): Promise<void>;
  /**
   * Resolves to the next message, or to the end once the node has completed.
   * Rejects with a `NodeFailedError` if it failed, and with a
   * `StreamInterruptedError` if the session ended otherwise.
   */
  next(): Promise<IteratorResult<Given, undefined>>;
  /** Closes the session, even while `next` is pending. */
  return(): Promise<IteratorResult<Given, undefined>>;
  /** The same as `return`. */
  close(): Promise<void>;
}

/** Opens a live session with a node. Retries until it is ready. */
export async function openLive<Taken, Given>(
  connection: Connection,
  node: NodeOperation<Taken, Given>,
  options: CallOptions = {},
): Promise<LiveSession<Taken, Given>> {
  const { signal, idempotencyKey = newIdempotencyKey() } = options;
  const path = `${node.path}/live`;
  const request = { path, options: { ...options, idempotencyKey } };
  const sockets: Socket[] = [];
  /** Opens a socket as an attempt of a call, with a message as response. */
  const transport: Fetch = async (_url, attempt) => {
    const limit = new Deadline(Infinity, attempt.signal);
    try {
      const socket = await openSocket(connection, request, limit);
      sockets.unshift(socket);
      const first = await limit.guard(socket.next());
      if ("end" in first) throw interrupted(first.end);
      const text = (): Promise<string> => Promise.resolve(String(first.data));
      return { status: 101, headers: new Map<string, string>(), text };
    } catch (error) {
      sockets[0]?.close();
      throw error;
    } finally {
      limit.dispose();
    }
  };
  try {
    const sent = await connection.send(path, null, request.options, {
      fetch: transport,
    });
    const response = connection.read(sent, readyOf);
    const [socket] = sockets as [Socket, ...Socket[]];
    const opened = { node, socket, response, signal };
    return closable(new Session(connection, opened));
  } catch (error) {
    sockets[0]?.close();
    throw error;
  }
}

/** Returns the response of a session that is ready. */
function readyOf(response: RawResponse): RawResponse {
  const ready = objectOf(response);
  if (textOf(ready, "type") !== "SESSION_READY")
    throw invalidResponse(
      response,
      "the session does not begin with SESSION_READY",
    );
  return { ...response, executionId: textOf(ready, "execution_id") };
}

type Limits = LiveSession<unknown, unknown>["limits"];

function limitsOf(ready: RawResponse): Limits {
  const limits = getOwn(objectOf(ready), "limits");
  const number = (name: string): number | undefined =>
    (isObject(limits) && numberOf(limits, name)) || undefined;
  const ms = (name: string): number | undefined => {
    const seconds = number(name);
    return seconds && seconds * 1_000;
  };
  return {
    inputMessageBytes: number("input_frame_bytes"),
    inputBytes: number("input_bytes"),
    inputMessages: number("input_frames"),
    outputBytes: number("output_bytes"),
    durationMs: ms("session_seconds"),
    stallMs: ms("stall_seconds"),
  };
}

/** Not exported, for the same reason as the stream class. */
class Session<Taken, Given> implements Omit<
  LiveSession<Taken, Given>,
  keyof AsyncClosing
> {
  readonly executionId: string | undefined;
  readonly limits: Limits;
  readonly #connection: Connection;
  readonly #node: NodeOperation<Taken, Given>;
  readonly #socket: Socket;
  readonly #response: RawResponse;
  readonly #stop = new AbortController();
  readonly #deadline: Deadline;
  readonly #messages: AsyncGenerator<Given, void, undefined>;
  readonly #forget: () => void;

  constructor(
    connection: Connection,
    {
      node,
      socket,
      response,
      signal,
    }: {
      node: NodeOperation<Taken, Given>;
      socket: Socket;
      response: RawResponse;
      signal: AbortSignal | undefined;
    },
  ) {
    this.executionId = response.executionId;
    this.limits = limitsOf(response);
    const { durationMs = Infinity } = this.limits;
    const lifetime = new Deadline(durationMs + patience.endMs, undefined);
    lifetime.signal.addEventListener("abort", () => {
      socket.lose("the session has exceeded its time limit");
    });
    this.#connection = connection;
    this.#node = node;
    this.#socket = socket;
    this.#response = response;
    const forget =
      signal &&
      onAbort(signal, () => {
        this.#stop.abort(signal.reason);
        socket.close();
      });
    this.#forget = () => {
      forget?.();
      lifetime.dispose();
      this.#deadline.dispose();
      socket.close();
    };
    this.#deadline = new Deadline(Infinity, this.#stop.signal);
    this.#messages = this.#iterate();
  }

  async send(input: Input<Taken>): Promise<void> {
    const json = toJson(this.#node.input, input);
    const bytes = new TextEncoder().encode(json).length;
    const { inputMessageBytes: limit = Infinity } = this.limits;
    if (bytes > limit)
      throw new ValueError(
        `the message has ${String(bytes)} bytes of JSON; the service takes ${String(limit)}`,
      );
    const socket = this.#socket;
    if (socket.send(json)) return socket.drained();
    const { signal } = this.#stop;
    if (signal.reason !== this) checkAborted(signal, this.executionId);
    const { end } = socket;
    const isKnown = end !== undefined && end.code !== 1000;
    const reason = isKnown ? `: ${interrupted(end).message}` : "";
    const { executionId } = this;
    const error = new ConnectionError(`the session has ended${reason}`);
    throw aboutRun(error, { executionId });
  }

  next(): Promise<IteratorResult<Given, undefined>> {
    return this.#messages.next() as Promise<IteratorResult<Given, undefined>>;
  }

  async return(): Promise<IteratorResult<Given, undefined>> {
    this.#stop.abort(this);
    this.#forget();
    await this.#messages.return();
    return { done: true, value: undefined };
  }

  async close(): Promise<void> {
    await this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async *#iterate(): AsyncGenerator<Given, void, undefined> {
    const { executionId } = this;
    const read = readerOf(this.#node.output);
    const connection = this.#connection;
    try {
      for (;;) {
        const next = await this.#deadline.guard(this.#socket.next());
        if ("end" in next) throw interrupted(next.end);
        const response = { ...this.#response, body: String(next.data) };
        const frame = connection.read(response, () =>
          readFrame(response.body, response),
        );
        const { isFinal, payload } = frame;
        if (!isFinal || payload !== undefined)
          yield connection.read(response, () => messageOf(read, frame));
        if (!isFinal) continue;
        connection.read(response, () => {
          checkEnd({ ...frame, executionId }, NodeFailedError, undefined);
        });
        return;
      }
    } catch (error) {
      if (this.#stop.signal.reason === this) return;
      if (!(error instanceof SvcError)) throw error;
      aboutRun(error, { executionId });
      const { idempotencyKey, attempts } = this.#response;
      const path = `${this.#node.path}/live`;
      const call = { path, idempotencyKey, attempt: attempts };
      logEvent(connection, call, { type: "failure", error, executionId });
      throw error;
    } finally {
      this.#forget();
    }
  }
}
