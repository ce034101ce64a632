/** What depends on the platform of sockets. */
import type { WebSocketConstructor, WebSocketLike } from "./web-socket.ts";

/** Whether sockets have the headers of the caller. */
export const takesHeaders = true;

/**
 * Opens a socket of the platform. Those of servers take headers in place of the
 * subprotocols alone, which is an error in workers.
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

/** Whether the page is known to be offline. Other platforms do not tell. */
export const isOffline: () => boolean = () => false;

/**
 * Calls back when a page is shown or online again. Returns a function to stop.
 * Other platforms do not tell.
 */
export const onReturn: (returned: () => void) => () => void = () => () =>
  undefined;
