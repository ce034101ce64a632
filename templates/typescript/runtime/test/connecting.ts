import { Connection } from "../src/runtime/connection.ts";
import type { ClientOptions } from "../src/runtime/options.ts";
import type { ScriptedServer } from "./scripted-server.ts";

/** An API key that occurs in no other string of the tests. */
export const testKey =
  "svcapp_5ec2e7c0ffee5ec2e7c0ffee5ec2e7c0ffee5ec2e7c0ffee5ec2e7c0ffee0123";

/** A connection to a scripted server, with short retry delays. */
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
