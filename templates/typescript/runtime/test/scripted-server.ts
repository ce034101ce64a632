import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What the server does with one request. */
export interface Step {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Waits before it responds, in milliseconds. */
  delayMs?: number;
  /** Ends the connection instead of a response, or in the middle of one. */
  cut?: "before" | "middle";
}

/** A request as it arrived. */
export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** A server on this machine that follows a script, one step a request. */
export interface ScriptedServer {
  baseUrl: string;
  requests: SeenRequest[];
  close(): Promise<void>;
}

/** Starts a server. The last step responds to all further requests. */
export async function scriptedServer(
  ...script: Step[]
): Promise<ScriptedServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const answered = text(request).then(async (body) => {
      const step = script[Math.min(requests.length, script.length - 1)] ?? {};
      requests.push({
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body,
      });
      // The delay does not keep the process alive.
      await new Promise((resolve) =>
        setTimeout(resolve, step.delayMs ?? 0).unref(),
      );
      if (step.cut === "before") {
        request.socket.destroy();
        return;
      }
      const bytes = Buffer.from(step.body ?? "{}");
      response.writeHead(step.status ?? 200, {
        "content-type": "application/json",
        "content-length": bytes.length,
        ...step.headers,
      });
      if (step.cut === "middle")
        response.write(bytes.subarray(0, bytes.length / 2), () => {
          request.socket.destroy();
        });
      else response.end(bytes);
    });
    // A client may end its connection while it sends its request.
    answered.catch(() => undefined);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${String(port)}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Runs `work` against a scripted server and stops it. */
export async function withServer<T>(
  script: Step[],
  work: (server: ScriptedServer) => Promise<T>,
): Promise<T> {
  const server = await scriptedServer(...script);
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}
