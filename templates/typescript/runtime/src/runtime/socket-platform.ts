/** Platform-specific parts of sockets. */
import type { WebSocketConstructor, WebSocketLike } from "./web-socket.ts";

/** Whether sockets can send custom headers. */
export const takesHeaders = true;

/**
 * Opens a socket of the platform. On servers, the constructor accepts an object
 * with headers and subprotocols. Workers reject it, and get the subprotocols.
 */
export function platformSocket(
  WebSocket: WebSocketConstructor,
  url: string,
  protocols: string[],
  headers: Readonly<Record<string, string>>,
): WebSocketLike {
  const WithHeaders = WebSocket as unknown as new (
    url: string,
    options: object,
  ) => WebSocketLike;
  try {
    return new WithHeaders(url, { protocols, headers });
  } catch {
    return new WebSocket(url, protocols, { headers });
  }
}

/** Whether the page is known to be offline. Unknown on these platforms. */
export const isOffline: () => boolean = () => false;

/**
 * Calls back when a page is shown or online again. Returns a function to stop.
 * Never called back on these platforms.
 */
export const onReturn: (returned: () => void) => () => void = () => () =>
  undefined;
