/**
 * The part of the constructor `WebSocket` that this package uses. The global
 * one implements it, and tests can implement it in a few lines. The headers are
 * the third argument, as the package `ws` takes them.
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
  /** Bytes of messages that wait to be sent. */
  readonly bufferedAmount?: number;
  send(data: string): void;
  close(code?: number, reason?: string): void;
  /** Ends the connection without the peer, as the package `ws` does. */
  terminate?(): void;
}

/** An event of a `WebSocket`. */
export interface WebSocketEvent {
  readonly type: string;
  /** Of `message`. */
  readonly data?: unknown;
  /** Of `close`. */
  readonly code?: number;
  /** Of `close`. */
  readonly reason?: string;
}
