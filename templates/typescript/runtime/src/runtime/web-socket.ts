/**
 * The part of the `WebSocket` constructor that this package uses. The global
 * `WebSocket` implements it, and tests can implement it in a few lines. Headers
 * are the third argument, as in the package `ws`.
 */
export type WebSocketConstructor = new (
  url: string,
  protocols: string[],
  options: { headers: Record<string, string> },
) => WebSocketLike;

/** The part of a `WebSocket` that this package uses. */
export interface WebSocketLike {
  addEventListener(
    type: "open" | "message" | "close" | "error",
    listener: (event: WebSocketEvent) => void,
  ): void;
  /** Bytes of buffered outgoing messages. */
  readonly bufferedAmount?: number;
  send(data: string): void;
  close(code?: number, reason?: string): void;
  /** Closes the connection without the peer, as in the package `ws`. */
  terminate?(): void;
}

/** An event of a `WebSocket`. */
export interface WebSocketEvent {
  readonly type: string;
  /** Data of a `message` event. */
  readonly data?: unknown;
  /** Of `close`. */
  readonly code?: number;
  /** Of `close`. */
  readonly reason?: string;
}
