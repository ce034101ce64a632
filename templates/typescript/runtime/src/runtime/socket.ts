import { reasonOf } from "./attempt.ts";
import { type Connection, settingsOf } from "./connection.ts";
import { Deadline } from "./deadline.ts";
import { ConfigurationError, ConnectionError, StatusError } from "./errors.ts";
import { partLog } from "./log-event.ts";
import type { CallOptions } from "./options.ts";
import { type Happening, outgoing } from "./outgoing.ts";
import { copyError, redactError, redactHeaders } from "./redact.ts";
import { platformSocket, takesHeaders } from "./socket-platform.ts";
import { StreamInterruptedError } from "./stream-interrupted-error.ts";
import type { WebSocketConstructor, WebSocketLike } from "./web-socket.ts";

/** How a socket ended. The code 1006 is a lost connection. */
export interface SocketEnd {
  readonly code: number;
  readonly reason: string;
}

/** Maximum time for messages before yielding to the event loop. */
const longestTurnMs = 10;

/** Time limits. Tests shorten them. */
export const patience = {
  /** Time for the peer to answer the close frame. */
  closeMs: 3_000,
};

/** A WebSocket whose messages are pulled. */
export class Socket {
  /** Resolves to whether the socket was opened. */
  readonly opened: Promise<boolean>;
  readonly #socket: WebSocketLike;
  /** Messages in order of arrival. */
  #arrived: unknown[] = [];
  /**
   * Earlier messages in reverse order, because removing the first item of a long
   * list moves all others.
   */
  #due: unknown[] = [];
  /** Time of the last yield to the event loop, in milliseconds. */
  #turnAt = performance.now();
  #end: SocketEnd | undefined;
  #isClosed = false;
  /** Runs until the close frame is answered. */
  #closing: ReturnType<typeof setTimeout> | undefined;
  #isGone = false;
  #wake: () => void = () => undefined;

  constructor(socket: WebSocketLike) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      this.#arrived.push(data);
      this.#wake();
    });
    this.opened = new Promise((resolve) => {
      socket.addEventListener("open", () => {
        resolve(true);
      });
      socket.addEventListener("close", ({ code = 1006, reason = "" }) => {
        this.#end ??= { code, reason };
        this.#isGone = true;
        clearTimeout(this.#closing);
        this.#wake();
        resolve(false);
      });
      // If the Content Security Policy of a page blocks the socket, no `close`
      // follows. Without a listener, some implementations throw the error.
      socket.addEventListener("error", () => {
        resolve(false);
      });
    });
  }

  /** Resolves to the data of the next message, or to how the socket ended. */
  async next(): Promise<{ data: unknown } | { end: SocketEnd }> {
    while (!(await this.hasNext()));
    await this.#giveTurns();
    if (this.#due.length === 0) {
      this.#due = this.#arrived.reverse();
      this.#arrived = [];
    }
    if (this.#due.length > 0) return { data: this.#due.pop() };
    return { end: this.#end as SocketEnd };
  }

  /**
   * Waits for a message or the end. Resolves to false if neither arrives within
   * `withinMs` or before `wake`.
   */
  async hasNext(withinMs?: number): Promise<boolean> {
    if (this.#isDue) return true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (withinMs !== undefined) timer = setTimeout(resolve, withinMs);
    });
    clearTimeout(timer);
    this.#turnAt = performance.now();
    return this.#isDue;
  }

  /** Resolves a pending `hasNext`. */
  wake(): void {
    this.#wake();
  }

  get #isDue(): boolean {
    const isMessage = this.#due.length + this.#arrived.length > 0;
    return isMessage || this.#end !== undefined;
  }

  /** Sends a text message. Returns false if the socket is closed. */
  send(text: string): boolean {
    if (this.#end !== undefined || this.#isClosed) return false;
    this.#socket.send(text);
    return true;
  }

  /** How the socket ended; undefined while it is open. */
  get end(): SocketEnd | undefined {
    return this.#end;
  }

  /**
   * Resolves when at most 1 MiB is buffered, or the socket is closed. Polls,
   * because a WebSocket has no event for this.
   */
  async drained(): Promise<void> {
    const mostBytes = 1_048_576;
    const pollMs = 10;
    while (
      this.#end === undefined &&
      !this.#isClosed &&
      (this.#socket.bufferedAmount ?? 0) > mostBytes
    )
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    await this.#giveTurns();
  }

  /** Yields to the event loop if it has been blocked for long. */
  async #giveTurns(): Promise<void> {
    if (performance.now() - this.#turnAt <= longestTurnMs) return;
    await otherTurns();
    this.#turnAt = performance.now();
  }

  /** Ends the socket as if its connection had been lost. */
  lose(reason: string): void {
    this.#end ??= { code: 1006, reason };
    this.close();
  }

  /** Closes the socket, and terminates it if the peer does not answer. */
  close(): void {
    const socket = this.#socket;
    if (!this.#isClosed && !this.#isGone && socket.terminate)
      this.#closing = setTimeout(() => {
        socket.terminate?.();
      }, patience.closeMs);
    this.#isClosed = true;
    socket.close(1000);
    this.#wake();
  }
}

/** The part of `MessageChannel` that is used here. */
type Channel = new () => {
  port1: { onmessage: (() => void) | null; close(): void };
  port2: { postMessage(message: null): void };
};

/**
 * Yields to the event loop. Avoids timers if possible, because hidden pages run
 * them once a minute.
 */
function otherTurns(): Promise<void> {
  const { MessageChannel } = globalThis as object as {
    MessageChannel?: Channel;
  };
  return new Promise((resolve) => {
    if (MessageChannel === undefined) {
      setTimeout(resolve);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** The path of a socket and the options of its call. */
export interface SocketRequest {
  readonly path: string;
  readonly options: CallOptions & { readonly idempotencyKey: string };
  /** Logs the handshake, unless another call does. */
  readonly log?: (event: Happening) => void;
}

/**
 * Opens a socket before a deadline. The key is sent as a subprotocol, because
 * sockets in browsers cannot send headers. Throws the error of the status if the
 * service rejects the handshake.
 */
export async function openSocket(
  connection: Connection,
  request: SocketRequest,
  deadline: Deadline,
  isAgain = false,
): Promise<Socket> {
  const { path, options, log } = request;
  const settings = settingsOf(connection);
  const { baseUrl, credential, webSocket } = settings;
  const { headers } = outgoing(settings, path, null, options);
  const key = await credential.key(deadline);
  log?.({
    type: "request",
    headers: takesHeaders || webSocket ? redactHeaders(headers, key) : {},
  });
  const startedAt = performance.now();
  const socket = new Socket(construct(webSocket, baseUrl + path, key, headers));
  let isOpen = false;
  try {
    isOpen = await deadline.guard(socket.opened);
    if (isOpen) {
      const durationMs = performance.now() - startedAt;
      const executionId = undefined;
      log?.({ type: "response", status: 101, executionId, durationMs });
      return socket;
    }
  } finally {
    if (!isOpen) socket.close();
  }
  const { signal } = deadline;
  const reason = await deadline.guard(
    refused(connection, path, { ...options, signal }),
  );
  // The service rejected the key, and the diagnostic request replaced it.
  if (!isAgain && (await credential.key(deadline)) !== key)
    return openSocket(connection, request, deadline, true);
  throw reason;
}

/**
 * Diagnoses a rejected handshake with a plain request, because platforms do not
 * expose its status. Throws the error of the status, or returns the error of a
 * blocked socket.
 */
async function refused(
  connection: Connection,
  path: string,
  options: CallOptions & { readonly idempotencyKey: string },
): Promise<ConnectionError> {
  const { idempotencyKey } = options;
  const log = partLog(connection, { path, idempotencyKey });
  try {
    await connection.send(path, null, { ...options, maxRetries: 0 }, { log });
  } catch (error) {
    const passed = error instanceof StatusError && error.status === 426;
    if (!passed) throw error;
  }
  return new ConnectionError(
    "cannot open a WebSocket to the service, which answers other requests: a proxy may block it, or the policy of the page",
  );
}

/** Reports whether the platform or the options provide a `WebSocket`. */
export function hasSockets(connection: Connection): boolean {
  return (settingsOf(connection).webSocket ?? globalSocket()) !== undefined;
}

function globalSocket(): WebSocketConstructor | undefined {
  return (globalThis as { WebSocket?: WebSocketConstructor }).WebSocket;
}

function construct(
  given: WebSocketConstructor | undefined,
  url: string,
  key: string,
  headers: Record<string, string>,
): WebSocketLike {
  const Constructor = given ?? globalSocket();
  if (Constructor === undefined)
    throw new ConfigurationError(
      "this platform has no WebSocket: pass the webSocket option",
    );
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(key))
    throw new ConfigurationError(
      "the API key has characters that a WebSocket cannot send",
    );
  const address = url.replace(/^http/, "ws");
  const protocols = [`svc-token.${key}`];
  try {
    return given
      ? new Constructor(address, protocols, { headers })
      : platformSocket(Constructor, address, protocols, headers);
  } catch (thrown) {
    // Some platforms throw on forbidden URLs, such as mixed content.
    const cause = copyError(thrown, key);
    throw redactError(
      new ConnectionError(`cannot open a WebSocket: ${reasonOf(cause)}`, {
        cause,
      }),
      key,
    );
  }
}

/** Returns the error of a socket that ended early. */
export function interrupted({
  code,
  reason,
}: SocketEnd): StreamInterruptedError {
  const said = reason === "" ? "" : `: ${reason}`;
  return new StreamInterruptedError(
    `the WebSocket was closed with ${String(code)}${said}`,
  );
}
