import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** Scripted response to one request. */
export interface Step {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Delay of the response, in milliseconds. */
  delayMs?: number;
  /** Closes the connection before the response, or in the middle of its body. */
  cut?: "before" | "middle";
}

/** A received request. */
export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** A local server that follows a script, one step per request. */
export interface ScriptedServer {
  baseUrl: string;
  requests: SeenRequest[];
  close(): Promise<void>;
}

/** Starts a server. The last step applies to all further requests. */
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
      // The delay must not keep the process alive.
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
    // A client may close its connection while it sends its request.
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
