/** Platform-specific parts of sockets. */
import type { WebSocketConstructor, WebSocketLike } from "./web-socket.ts";

/** Sockets in pages cannot send custom headers. */
export const takesHeaders = false;

/** Opens a socket of the page. */
export const platformSocket: (
  WebSocket: WebSocketConstructor,
  url: string,
  protocols: string[],
  headers: Readonly<Record<string, string>>,
) => WebSocketLike = (WebSocket, url, protocols) =>
  new WebSocket(url, protocols, { headers: {} });

/** Whether the page is known to be offline. */
export function isOffline(): boolean {
  const { navigator } = globalThis as { navigator?: { onLine?: boolean } };
  return navigator?.onLine === false;
}

/**
 * Calls back when the page is shown or online again. Returns a function to
 * stop.
 */
export function onReturn(returned: () => void): () => void {
  if (typeof addEventListener === "undefined") return () => undefined;
  const listening = new AbortController();
  const { signal } = listening;
  addEventListener("online", returned, { signal });
  const shown = (): void => {
    if (!document.hidden) returned();
  };
  // Visibility events bubble up to the window.
  addEventListener("visibilitychange", shown, { signal });
  return () => {
    listening.abort();
  };
}
