/** Returns the text for a request to a WebSocket that does not ask for one of version 13. */
export function upgradeRequiredText(path: string): string {
  return `${path} is a WebSocket: send GET with the headers of a WebSocket handshake, version 13`;
}
