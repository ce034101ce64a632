import type {
  WebSocketConstructor,
  WebSocketEvent,
  WebSocketLike,
} from "../src/runtime/web-socket.ts";

/** Script of a socket: sends messages once it is open, and then may close. */
export interface SocketScript {
  messages?: unknown[];
  close?: { code: number; reason?: string };
  /** The service rejects the handshake. */
  isRefused?: boolean;
  /** The platform blocks the socket, as a Content Security Policy does. */
  isBlocked?: boolean;
  /** The peer does not answer the close frame of the client. */
  isDead?: boolean;
  /** The constructor throws this error. */
  throws?: Error;
}

/** A socket that was opened. */
export interface SeenSocket {
  url: string;
  protocols: string[];
  headers: Record<string, string>;
  sent: string[];
  /** Whether the client closed the socket. */
  isClosed: boolean;
  isTerminated?: boolean;
  /** The socket as seen by the client. */
  bufferedAmount: number;
}

/** Sockets without a network. Each follows a script, in order. */
export function fakeSockets(...scripts: SocketScript[]): {
  webSocket: WebSocketConstructor;
  sockets: SeenSocket[];
} {
  const sockets: SeenSocket[] = [];

  class FakeSocket implements WebSocketLike {
    readonly #listeners = new Map<string, (event: WebSocketEvent) => void>();
    readonly #seen: SeenSocket;
    readonly #script: SocketScript;

    constructor(
      url: string,
      protocols: string[],
      { headers }: { headers: Record<string, string> },
    ) {
      this.#seen = {
        url,
        protocols,
        headers,
        sent: [],
        isClosed: false,
        bufferedAmount: 0,
      };
      const script = scripts[sockets.length] ?? {};
      sockets.push(this.#seen);
      this.#script = script;
      if (script.throws) throw script.throws;
      setImmediate(() => {
        this.#play(script);
      });
    }

    addEventListener(
      type: string,
      listener: (event: WebSocketEvent) => void,
    ): void {
      this.#listeners.set(type, listener);
    }

    get bufferedAmount(): number {
      return this.#seen.bufferedAmount;
    }

    send(data: string): void {
      this.#seen.sent.push(data);
    }

    close(code = 1005): void {
      if (this.#seen.isClosed) return;
      this.#seen.isClosed = true;
      if (this.#script.isDead) return;
      this.#emit({ type: "close", code, reason: "" });
    }

    terminate(): void {
      this.#seen.isTerminated = true;
      this.#emit({ type: "close", code: 1006, reason: "" });
    }

    #play({ messages = [], close, isRefused, isBlocked }: SocketScript): void {
      if (isRefused === true || isBlocked === true) {
        this.#emit({ type: "error" });
        if (isRefused) this.#emit({ type: "close", code: 1006, reason: "" });
        return;
      }
      this.#emit({ type: "open" });
      for (const message of messages)
        this.#emit({ type: "message", data: JSON.stringify(message) });
      if (close) this.#emit({ type: "close", ...close });
    }

    #emit(event: WebSocketEvent): void {
      this.#listeners.get(event.type)?.(event);
    }
  }

  return { webSocket: FakeSocket, sockets };
}
