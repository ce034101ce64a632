import { Connection } from "../src/runtime/connection.ts";
import type { ClientOptions } from "../src/runtime/options.ts";
import type { ScriptedServer } from "./scripted-server.ts";

/** A key that no text of a test holds by chance. */
export const testKey =
  "5ec2e7c0ffee5ec2e7c0ffee5ec2e7c0ffee5ec2e7c0ffee5ec2e7c0ffee0123";

/** A connection to a scripted server, with retries that hardly wait. */
export function connectTo(
  server: Pick<ScriptedServer, "baseUrl">,
  options: ClientOptions = {},
): Connection {
  return new Connection(
    {
      apiKey: testKey,
      baseUrl: server.baseUrl,
      retryDelayMs: 2,
      maxRetryDelayMs: 4,
      ...options,
    },
    "test/1.0.0",
  );
}
