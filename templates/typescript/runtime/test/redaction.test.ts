import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inspect } from "node:util";

import type { MessageType } from "../src/runtime/codec/codec.ts";
import * as scalar from "../src/runtime/codec/scalars.ts";
import { AbortedError, InvalidResponseError } from "../src/runtime/errors.ts";
import type { LogEvent } from "../src/runtime/logger.ts";
import { runFlow } from "../src/runtime/run-flow.ts";
import { connectTo, testKey } from "./connecting.ts";
import { endedRun } from "./flow-responses.ts";
import { withServer } from "./scripted-server.ts";

interface Text {
  text: string;
}

const textType: MessageType<Text> = {
  name: "test.Text",
  fields: () => [{ name: "text", type: scalar.string }],
};

const flow = { graphId: "g-1", input: textType, output: textType };

/** All ways to print a value. */
function printed(value: unknown): string {
  return [
    inspect(value, { depth: Infinity, showHidden: true, getters: true }),
    JSON.stringify(value),
    String(value),
    value instanceof Error ? `${value.message}${value.stack ?? ""}` : "",
  ].join("\n");
}

function isSecretFree(value: unknown): void {
  assert.ok(!printed(value).includes(testKey));
}

describe("the API key", () => {
  it("is hidden when a connection is printed", () => {
    isSecretFree(connectTo({ baseUrl: "http://svc.invalid" }));
  });

  it("is redacted in log events", async () => {
    const events: LogEvent[] = [];
    await withServer(
      [
        { status: 503, body: testKey },
        { status: 422, body: `{"error_message":"${testKey}"}` },
      ],
      async (server) => {
        const connection = connectTo(server, {
          logger: (event) => events.push(event),
          headers: { "x-echo": `key=${testKey}`, cookie: "session=1" },
        });
        await assert.rejects(connection.send("/node", "{}"));
      },
    );
    assert.deepEqual(
      events.map((event) => event.type),
      ["request", "response", "retry", "request", "response", "failure"],
    );
    isSecretFree(events);
    const [first] = events;
    assert.ok(first?.type === "request");
    assert.equal(first.headers["authorization"], "[redacted]");
    assert.equal(first.headers["cookie"], "[redacted]");
    assert.equal(first.headers["x-echo"], "key=[redacted]");
  });

  it("is not redacted in values if it is short", async () => {
    const said = endedRun('{"text":"this is a test of keys"}');
    const step = { ...said, headers: { "x-said": "test" } };
    for (const apiKey of ["test", "e", "t"])
      await withServer([step], async (server) => {
        const connection = connectTo(server, { apiKey });
        const call = runFlow(connection, flow, {});
        const { value, response } = await call.withResponse();
        assert.equal(value.text, "this is a test of keys");
        assert.equal(response.body, said.body);
        assert.equal(response.headers["x-said"], "test");
      });
  });

  it("is redacted in the error of an output that echoes it", async () => {
    const said = endedRun(`{"text":["${testKey}"]}`);
    await withServer([said], async (server) => {
      await assert.rejects(runFlow(connectTo(server), flow, {}), (error) => {
        isSecretFree(error);
        return error instanceof InvalidResponseError;
      });
    });
  });

  it("does not prevent a retry after a deeply nested error body", async () => {
    const body = "[".repeat(20_000) + "]".repeat(20_000);
    await withServer([{ status: 503, body }], async (server) => {
      await assert.rejects(connectTo(server).send("/node", "{}"), {
        name: "UpstreamUnavailableError",
        attempts: 3,
      });
    });
  });

  it("is redacted in the error of a service that echoes it", async () => {
    await withServer(
      [
        {
          status: 401,
          headers: { "x-key": testKey },
          body: `{"error":"${testKey} is unknown"}`,
        },
      ],
      async (server) => {
        await assert.rejects(connectTo(server).send("/node", "{}"), (error) => {
          isSecretFree(error);
          return true;
        });
      },
    );
  });

  it("is redacted in the error of a transport that attaches its request", async () => {
    const connection = connectTo(
      { baseUrl: "http://svc.invalid" },
      {
        maxRetries: 0,
        fetch: (_, init) =>
          Promise.reject(
            Object.assign(
              new TypeError(`bad header ${testKey}`, {
                cause: new Error(testKey),
              }),
              { code: "E_BAD", init },
            ),
          ),
      },
    );
    await assert.rejects(connection.send("/node", "{}"), (error) => {
      isSecretFree(error);
      assert.match(printed(error), /E_BAD/);
      return true;
    });
  });

  it("is redacted even if a cause is read-only", async () => {
    await withServer([{}], async (server) => {
      const connection = connectTo(server);
      const response = await connection.send("/node", "{}");
      const { reason: cause } = AbortSignal.abort() as { reason: unknown };
      assert.throws(
        () =>
          connection.read(response, () => {
            throw new AbortedError(testKey, { cause });
          }),
        (error) => {
          isSecretFree(error);
          return error instanceof AbortedError && error.cause === cause;
        },
      );
    });
  });

  it("is redacted in the name and code of a transport's error", async () => {
    const connection = connectTo(
      { baseUrl: "http://svc.invalid" },
      {
        maxRetries: 0,
        fetch: () =>
          Promise.reject(
            Object.assign(new Error(), { name: testKey, code: testKey }),
          ),
      },
    );
    await assert.rejects(connection.send("/node", "{}"), (error) => {
      isSecretFree(error);
      return true;
    });
  });

  it("is hidden from a logger that throws or rejects, and the call succeeds", async () => {
    const error = new Error("the disk is full");
    const loggers = [
      () => {
        throw error;
      },
      () => Promise.reject(error),
    ];
    for (const logger of loggers)
      await withServer([{}], async (server) => {
        const connection = connectTo(server, { logger });
        assert.equal((await connection.send("/node", "{}")).status, 200);
        // By now, an unhandled rejection would have ended the process.
        await new Promise((resolve) => setImmediate(resolve));
      });
  });
});
