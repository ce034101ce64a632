import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { describe, it } from "node:test";

import { stringValueType } from "../src/runtime/codec/well-known-types.ts";
import { Connection } from "../src/runtime/connection.ts";
import { Deadline } from "../src/runtime/deadline.ts";
import {
  AbortedError,
  ConfigurationError,
  TimedOutError,
  UpstreamUnavailableError,
} from "../src/runtime/errors.ts";
import { Execution } from "../src/runtime/execution.ts";
import type { CallOptions } from "../src/runtime/options.ts";
import { streamFlow } from "../src/runtime/stream-flow.ts";
import { connectTo } from "./connecting.ts";
import { fakeSockets } from "./fake-sockets.ts";
import { runId } from "./flow-responses.ts";
import { withServer } from "./scripted-server.ts";

describe("a call", () => {
  it("times out after the client's timeout", async () => {
    await withServer([{ delayMs: 5000 }], async (server) => {
      const call = connectTo(server, { timeoutMs: 50 }).send("/node", "{}");
      await assert.rejects(
        call,
        (error) =>
          error instanceof TimedOutError &&
          error.message === "the call did not end within 50 ms",
      );
    });
  });

  it("times out after its own timeout", async () => {
    await withServer([{ delayMs: 5000 }], async (server) => {
      await assert.rejects(
        connectTo(server).send("/node", "{}", { timeoutMs: 50 }),
        TimedOutError,
      );
    });
  });

  it("times out between two attempts", async () => {
    await withServer([{ status: 503 }], async (server) => {
      const connection = connectTo(server, {
        retryDelayMs: 100_000,
        maxRetryDelayMs: 100_000,
      });
      const startedAt = performance.now();
      await assert.rejects(connection.send("/node", "{}", { timeoutMs: 60 }));
      assert.ok(performance.now() - startedAt < 30_000);
    });
  });

  it("times out with the last retried failure as cause", async () => {
    let attempts = 0;
    const away = new Response("{}", { status: 503 });
    const fetch = (): Promise<Response> =>
      attempts++ === 0 ? Promise.resolve(away) : new Promise(() => undefined);
    const connection = connectTo(
      { baseUrl: "http://svc.invalid" },
      { fetch, retryDelayMs: 1 },
    );
    await assert.rejects(
      connection.send("/node", "{}", { timeoutMs: 500 }),
      (error) =>
        error instanceof TimedOutError &&
        error.cause instanceof UpstreamUnavailableError,
    );
  });

  it("times out with a transport that ignores the signal", async () => {
    const connection = connectTo(
      { baseUrl: "http://svc.invalid" },
      { fetch: () => new Promise(() => undefined), timeoutMs: 30 },
    );
    await assert.rejects(connection.send("/node", "{}"), TimedOutError);
  });

  it("rejects with the abort reason as cause when aborted", async () => {
    await withServer([{ delayMs: 5000 }], async (server) => {
      const controller = new AbortController();
      const call = connectTo(server).send("/node", "{}", {
        signal: controller.signal,
      });
      setTimeout(() => {
        controller.abort("changed my mind");
      }, 30);
      await assert.rejects(
        call,
        (error) =>
          error instanceof AbortedError && error.cause === "changed my mind",
      );
    });
  });

  it("shares one abort listener with other calls of the signal", async () => {
    await withServer([{ delayMs: 5000 }], async (server) => {
      const controller = new AbortController();
      const { signal } = controller;
      const connection = connectTo(server);
      const calls: Promise<unknown>[] = Array.from({ length: 11 }, () =>
        connection.send("/node", "{}", { signal }),
      );
      const execution = new Execution(connection, stringValueType, runId);
      const type = stringValueType;
      const flow = { graphId: "", input: type, output: type };
      calls.push(streamFlow(connection, flow, "", { signal }).next());
      calls.push(execution.follow({ signal }).next());
      const aborted = Promise.all(
        calls.map((call) => assert.rejects(call, AbortedError)),
      );
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(getEventListeners(signal, "abort").length, 1);
      controller.abort();
      await aborted;
    });
  });

  it("is not sent when its signal is already aborted", async () => {
    await withServer([{}], async (server) => {
      const signal = AbortSignal.abort();
      await assert.rejects(
        connectTo(server).send("/node", "{}", { signal }),
        AbortedError,
      );
      assert.equal(server.requests.length, 0);
    });
  });

  it("is not sent by a transport that ignores an aborted signal", async () => {
    let sent = 0;
    const connection = connectTo(
      { baseUrl: "http://svc.invalid" },
      {
        fetch: () => {
          sent++;
          return new Promise(() => undefined);
        },
      },
    );
    const signal = AbortSignal.abort();
    await assert.rejects(
      connection.send("/node", "{}", { signal }),
      AbortedError,
    );
    assert.equal(sent, 0);
  });

  it("can be aborted at any step before its first request", async () => {
    for (let steps = 0; steps < 20; steps++) {
      const caller = new AbortController();
      const connection = new Connection(
        {
          baseUrl: "http://svc.invalid",
          token: () => "a-token",
          fetch: () => new Promise(() => undefined),
          timeoutMs: 10_000,
        },
        "test/1.0.0",
      );
      const { signal } = caller;
      const call = connection.send("/node", "{}", { signal });
      const ended = assert.rejects(call, AbortedError);
      for (let step = 0; step < steps; step++) await Promise.resolve();
      caller.abort();
      await ended;
    }
  });

  it("can be aborted without a token request or an unhandled rejection", async () => {
    const asked: boolean[] = [];
    const connection = new Connection(
      {
        baseUrl: "http://svc.invalid",
        token: ({ refresh }) => {
          asked.push(refresh);
          throw new Error("signed out");
        },
      },
      "test/1.0.0",
    );
    const signal = AbortSignal.abort();
    await assert.rejects(
      connection.send("/node", "{}", { signal }),
      AbortedError,
    );
    assert.deepEqual(asked, []);
  });

  it("supports timeouts beyond the range of timers", async () => {
    await withServer([{}], async (server) => {
      const timeoutMs = 0x80000000;
      const connection = connectTo(server, { timeoutMs });
      assert.equal((await connection.send("/node", "{}")).status, 200);
    });
  });

  it("rejects an invalid timeout", async () => {
    for (const timeoutMs of [0, -1, NaN])
      await assert.rejects(
        connectTo({ baseUrl: "http://svc.invalid" }).send("/node", "{}", {
          timeoutMs,
        }),
        ConfigurationError,
      );
  });
});

/** A run and a flow with scripted response bodies. */
const run = "0".repeat(32);
const flow = {
  graphId: "g",
  input: stringValueType,
  output: stringValueType,
};

describe("the stack of an error", () => {
  const connection = connectTo(
    { baseUrl: "http://svc.invalid" },
    {
      fetch: () => new Promise(() => undefined),
      webSocket: fakeSockets().webSocket,
    },
  );
  const execution = new Execution(connection, stringValueType, run);
  const calls: Record<string, (options: CallOptions) => PromiseLike<unknown>> =
    {
      "a call": (options) => connection.send("/node", "{}", options),
      "the wait for a run": (options) => execution.wait(options),
      "a run that is followed": (options) => execution.follow(options).next(),
      "a stream": (options) =>
        streamFlow(connection, flow, "a", options).next(),
    };
  for (const [name, call] of Object.entries(calls))
    it(`names the function that waits for ${name}`, async () => {
      const program = async (options: CallOptions): Promise<unknown> => {
        return await call(options);
      };
      const late = { timeoutMs: 20, maxRetries: 0 };
      await assert.rejects(program(late), { stack: /^\w+Error: .*program/s });
      const aborted = { signal: AbortSignal.timeout(20) };
      await assert.rejects(program(aborted), {
        stack: /^AbortedError: .*program/s,
      });
    });
});

describe("a deadline", () => {
  it("handles rejections of work that starts after it has passed", async () => {
    const deadline = new Deadline(1_000, AbortSignal.abort());
    const work = Promise.reject(new Error("aborted by the transport"));
    await assert.rejects(deadline.guard(work), AbortedError);
    await assert.rejects(deadline.sleep(60_000), AbortedError);
    deadline.dispose();
    // By now, an unhandled rejection would have ended the process.
    await new Promise((resolve) => setImmediate(resolve));
  });

  it("interrupts a sleep, and clears its timer", async () => {
    const startedAt = performance.now();
    const deadline = new Deadline(20, undefined);
    await assert.rejects(deadline.sleep(60_000), TimedOutError);
    deadline.dispose();
    assert.ok(performance.now() - startedAt < 30_000);
  });
});
