import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A streamed input that yields one message and then waits. `push` yields another
 * message, and `isClosed` resolves when the input is closed.
 */
export function endlessInput(): {
  inputs: AsyncIterable<string>;
  push: () => void;
  isClosed: Promise<void>;
} {
  let push: () => void = () => undefined;
  let close: () => void = () => undefined;
  const pushed = new Promise<void>((resolve) => (push = resolve));
  const isClosed = new Promise<void>((resolve) => (close = resolve));
  async function* source(): AsyncGenerator<string> {
    try {
      yield "a";
      await pushed;
      yield "b";
    } finally {
      close();
    }
  }
  return { inputs: source(), push, isClosed };
}

/** Runs `work` against a server that responds with 400 before a request ends. */
export async function withEarlyResponse(
  work: (server: { baseUrl: string }) => Promise<void>,
): Promise<void> {
  const server = createServer((request, response) => {
    request.once("data", () => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  try {
    await work({ baseUrl: `http://127.0.0.1:${String(port)}` });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
