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

/** How a socket ended. 1006 stands for a lost connection. */
export interface SocketEnd {
  readonly code: number;
  readonly reason: string;
}

/** For so long, messages are taken or sent without a turn of other events. */
const longestTurnMs = 10;

/** Bounds of what is waited for. Tests have less patience. */
export const patience = {
  /** Time for the peer to answer the close of a socket. */
  closeMs: 3_000,
};

/** An open WebSocket whose messages are asked for. */
export class Socket {
  /** Whether it was opened, as soon as that is known. */
  readonly opened: Promise<boolean>;
  readonly #socket: WebSocketLike;
  /** Messages in the order in which they came. */
  #arrived: unknown[] = [];
  /**
   * Messages before those, the next one last, since taking the first of a long
   * list moves all others.
   */
  #due: unknown[] = [];
  /** When timers and other events last had their turn, in milliseconds. */
  #turnAt = performance.now();
  #end: SocketEnd | undefined;
  #isClosed = false;
  /** Runs while the close is not answered. */
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
      // Not followed by `close` if the Content Security Policy of a page blocks
      // the socket. Without a listener, some implementations throw it.
      socket.addEventListener("error", () => {
        resolve(false);
      });
    });
  }

  /** The data of the next message, or how the socket ended. */
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
   * Waits for a message or the end. Resolves to false if neither comes within a
   * time, or until `wake`.
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

  /** Ends the waiting of `hasNext`. */
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
   * Resolves when few bytes wait to be sent, or the socket is closed. Polls,
   * since a WebSocket has no event for this.
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

  /** Lets other events have their turn if a loop has taken it for long. */
  async #giveTurns(): Promise<void> {
    if (performance.now() - this.#turnAt <= longestTurnMs) return;
    await otherTurns();
    this.#turnAt = performance.now();
  }

  /** Ends the socket as if its connection was lost. */
  lose(reason: string): void {
    this.#end ??= { code: 1006, reason };
    this.close();
  }

  /** A peer that does not answer is left, where the platform can do that. */
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

/** The part of the constructor `MessageChannel` that is used here. */
type Channel = new () => {
  port1: { onmessage: (() => void) | null; close(): void };
  port2: { postMessage(message: null): void };
};

/**
 * Lets timers and other events have their turn. Without a timer if possible:
 * pages that are hidden have one a minute.
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

/** The address of a socket, and the options of its call. */
export interface SocketRequest {
  readonly path: string;
  readonly options: CallOptions & { readonly idempotencyKey: string };
  /** Logs how it is opened, unless another call does. */
  readonly log?: (event: Happening) => void;
}

/**
 * Opens a socket until a deadline. The key is a subprotocol, because sockets of
 * pages have no headers. Throws the error of the status if the service refuses.
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
  // The service refused the key, and that request has replaced it.
  if (!isAgain && (await credential.key(deadline)) !== key)
    return openSocket(connection, request, deadline, true);
  throw reason;
}

/**
 * Asks again without a socket, since the platform does not tell the status.
 * Throws the error of the status, or returns that of a socket that was blocked.
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

/** Reports whether the platform has sockets, or the client was given some. */
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
    // Some platforms throw what they do not allow, such as mixed content.
    const cause = copyError(thrown, key);
    throw redactError(
      new ConnectionError(`cannot open a WebSocket: ${reasonOf(cause)}`, {
        cause,
      }),
      key,
    );
  }
}

/** The error of a socket that ended too early. */
export function interrupted({
  code,
  reason,
}: SocketEnd): StreamInterruptedError {
  const said = reason === "" ? "" : `: ${reason}`;
  return new StreamInterruptedError(
    `the WebSocket was closed with ${String(code)}${said}`,
  );
}
