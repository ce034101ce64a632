import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";

import { stringValueType } from "../src/runtime/codec/well-known-types.ts";
import type { Connection } from "../src/runtime/connection.ts";
import {
  ConnectionError,
  RateLimitedError,
  ServerError,
  StatusError,
} from "../src/runtime/errors.ts";
import { Execution } from "../src/runtime/execution.ts";
import type { LogEvent } from "../src/runtime/logger.ts";
import type { CallOptions } from "../src/runtime/options.ts";
import { retryDelayMs } from "../src/runtime/retry-policy.ts";
import { runFlow } from "../src/runtime/run-flow.ts";
import { startFlow } from "../src/runtime/start-flow.ts";
import { streamFlow } from "../src/runtime/stream-flow.ts";
import { connectTo } from "./connecting.ts";
import { endedRun, runId } from "./flow-responses.ts";
import { withServer } from "./scripted-server.ts";

const flow = {
  graphId: "g-1",
  input: stringValueType,
  output: stringValueType,
};

type Script = readonly (readonly [minutes: number, status: number])[];

/** Sends a call whose attempts take minutes and fail with a status. */
async function attemptsOf(
  call: (connection: Connection, options: CallOptions) => Promise<unknown>,
  ...script: Script
): Promise<number> {
  let now = 1;
  const clock = mock.method(performance, "now", () => now);
  const steps = [...script];
  const { body } = endedRun('""');
  let sent = 0;
  const fetch = (): Promise<Response> => {
    const [minutes, status] = steps.shift() ?? [0, 200];
    now += minutes * 60_000;
    sent++;
    return Promise.resolve(new Response(body, { status }));
  };
  const server = { baseUrl: "http://svc.invalid" };
  const options = { timeoutMs: Infinity, maxRetries: 5 };
  try {
    await call(connectTo(server, { fetch }), options);
  } catch (error) {
    assert.ok(error instanceof StatusError);
  } finally {
    clock.mock.restore();
  }
  return sent;
}

/** The calls that start a run. */
const starts: Record<string, Parameters<typeof attemptsOf>[0]> = {
  "starts a flow": (connection, options) =>
    startFlow(connection, flow, "", options),
  "runs a flow": (connection, options) =>
    runFlow(connection, flow, "", options),
  "forks a run": (connection, options) =>
    new Execution(connection, stringValueType, runId).fork(options),
};

describe("retries", () => {
  it("repeat a call twice after connection errors, 408, 429 and 5xx", async () => {
    for (const step of [
      { cut: "before" as const },
      { cut: "middle" as const },
      { status: 408 },
      { status: 429 },
      { status: 500 },
      { status: 503 },
    ])
      await withServer([step, step, { body: '{"ok":1}' }], async (server) => {
        const response = await connectTo(server).send("/node", "{}");
        assert.equal(response.attempts, 3);
        assert.equal(response.body, '{"ok":1}');
      });
  });

  it("end with the last error", async () => {
    await withServer([{ status: 500 }], async (server) => {
      await assert.rejects(connectTo(server).send("/node", "{}"), ServerError);
      assert.equal(server.requests.length, 3);
    });
  });

  it("do not happen for other error statuses", async () => {
    for (const status of [400, 401, 403, 404, 409, 413, 422])
      await withServer([{ status }], async (server) => {
        await assert.rejects(connectTo(server).send("/node", "{}"));
        assert.equal(server.requests.length, 1);
      });
  });

  it("send the same idempotency key, unique to the call", async () => {
    await withServer([{ status: 500 }, {}, {}], async (server) => {
      const connection = connectTo(server);
      const first = await connection.send("/node", "{}");
      const second = await connection.send("/node", "{}");
      const sent = server.requests.map(
        (request) => request.headers["idempotency-key"],
      );
      assert.deepEqual(sent, [
        first.idempotencyKey,
        first.idempotencyKey,
        second.idempotencyKey,
      ]);
      assert.notEqual(first.idempotencyKey, second.idempotencyKey);
    });
  });

  it("send the caller's idempotency key", async () => {
    await withServer([{ status: 500 }, {}], async (server) => {
      await connectTo(server).send("/node", "{}", {
        idempotencyKey: "order-7",
      });
      for (const request of server.requests)
        assert.equal(request.headers["idempotency-key"], "order-7");
    });
  });

  it("can be configured per client and per call", async () => {
    await withServer([{ status: 500 }], async (server) => {
      const connection = connectTo(server, { maxRetries: 1 });
      await assert.rejects(connection.send("/node", "{}"));
      assert.equal(server.requests.length, 2);
      await assert.rejects(connection.send("/node", "{}", { maxRetries: 0 }));
      assert.equal(server.requests.length, 3);
    });
  });

  for (const seconds of ["0", "0.05"])
    it(`count when the service is busy and says to return in ${seconds} s`, async () => {
      const busy = { status: 429, headers: { "retry-after": seconds } };
      await withServer([busy, busy, busy, {}], async (server) => {
        await assert.rejects(
          connectTo(server).send("/node", "{}"),
          RateLimitedError,
        );
        assert.equal(server.requests.length, 3);
      });
    });

  it("end when every attempt times out", async () => {
    await withServer([{ delayMs: 5000 }], async (server) => {
      const options = { attemptTimeoutMs: 40, maxRetries: 1 };
      await assert.rejects(connectTo(server).send("/node", "{}", options), {
        name: "TimedOutError",
        message: "the attempt did not end within 40 ms",
        attempts: 2,
      });
    });
  });

  it("do not happen when Retry-After is too long", async () => {
    for (const [seconds, timeoutMs] of [
      ["30", 20_000],
      ["40000", Infinity],
    ] as const)
      await withServer(
        [{ status: 429, headers: { "retry-after": seconds } }],
        async (server) => {
          const call = connectTo(server).send("/node", "{}", { timeoutMs });
          await assert.rejects(call, RateLimitedError);
          assert.equal(server.requests.length, 1);
        },
      );
  });

  for (const [name, call] of Object.entries(starts))
    it(`of a call that ${name} begin at most four minutes after the first lost attempt`, async () => {
      const attempts = (...script: Script): Promise<number> =>
        attemptsOf(call, ...script);
      assert.equal(await attempts([4.1, 503]), 1);
      assert.equal(await attempts([3.9, 503], [0.2, 503]), 2);
      assert.equal(await attempts([3.9, 503]), 2);
      // A rejected attempt has not started a run.
      assert.equal(await attempts([5, 429], [3.9, 503]), 3);
      assert.equal(await attempts([3.9, 503], [0.2, 429]), 2);
    });

  it("are not limited in time for calls that start no run", async () => {
    const execution = (connection: Connection): Execution<string> =>
      new Execution(connection, stringValueType, runId);
    const calls: Parameters<typeof attemptsOf>[0][] = [
      (connection, options) => connection.send("/node", "{}", options),
      (connection, options) => execution(connection).get(options),
      (connection, options) => streamFlow(connection, flow, "", options).next(),
    ];
    for (const call of calls)
      assert.equal(await attemptsOf(call, [5, 503], [5, 503], [0, 404]), 3);
  });

  it("stop when the retry budget is exhausted", async () => {
    await withServer([{ status: 500 }], async (server) => {
      const connection = connectTo(server, {
        retryDelayMs: 0,
        retryBudget: 10,
      });
      for (let call = 0; call < 8; call++)
        await assert.rejects(connection.send("/node", "{}"));
      assert.equal(server.requests.length, 8 + 10);
    });
  });

  it("have a configurable budget, and log when it is empty", async () => {
    for (const [retryBudget, requests] of [
      [1, 2],
      [Infinity, 121],
    ] as const)
      await withServer([{ status: 500 }], async (server) => {
        const events: LogEvent[] = [];
        const connection = connectTo(server, {
          retryBudget,
          retryDelayMs: 0,
          maxRetries: 120,
          logger: (event) => events.push(event),
        });
        await assert.rejects(connection.send("/node", "{}"));
        assert.equal(server.requests.length, requests);
        const isEmpty = events.some(({ type }) => type === "budget-empty");
        assert.equal(isEmpty, retryBudget === 1);
      });
  });

  it("mention an empty retry budget in the error", async () => {
    await withServer([{ status: 500 }], async (server) => {
      const call = connectTo(server, { retryBudget: 0 }).send("/node", "{}");
      await assert.rejects(call, (error) => {
        assert.ok(error instanceof ServerError);
        const said = /; not tried again: the retry budget is empty$/;
        assert.match(error.message, said);
        assert.match(String(error.stack), /the retry budget is empty/);
        return true;
      });
    });
  });

  it("are refunded by a call that succeeds after one", async () => {
    const script = [1, 2, 3].flatMap(() => [{ status: 500 }, {}]);
    await withServer(script, async (server) => {
      const connection = connectTo(server, { retryBudget: 1 });
      for (let call = 0; call < 3; call++)
        assert.equal((await connection.send("/node", "{}")).attempts, 2);
    });
  });

  it("are refunded by successful calls", async () => {
    const failures = Array.from({ length: 15 }, () => ({ status: 500 }));
    const successes = Array.from({ length: 10 }, () => ({}));
    await withServer(
      [...failures, ...successes, { status: 500 }],
      async (server) => {
        const connection = connectTo(server, {
          retryDelayMs: 0,
          retryBudget: 10,
        });
        for (let call = 0; call < 5; call++)
          await assert.rejects(connection.send("/node", "{}"));
        for (let call = 0; call < 10; call++)
          await connection.send("/node", "{}");
        await assert.rejects(connection.send("/node", "{}"));
        assert.equal(server.requests.length, 15 + 10 + 2);
      },
    );
  });
});

// These run concurrently, so none may mock timers or replace globals.
describe("slow retries", { concurrency: true }, () => {
  it("honour Retry-After", async () => {
    await withServer(
      [{ status: 429, headers: { "retry-after": "1" } }, {}],
      async (server) => {
        const events: LogEvent[] = [];
        const connection = connectTo(server, {
          logger: (event) => events.push(event),
        });
        const startedAt = performance.now();
        await connection.send("/node", "{}");
        assert.ok(performance.now() - startedAt > 950);
        const retry = events.find((event) => event.type === "retry");
        assert.ok(retry && retry.delayMs >= 1000 && retry.delayMs <= 1004);
      },
    );
  });

  it("continue while the service responds with 429 and Retry-After", async () => {
    const busy = { status: 429, headers: { "retry-after": "1" } };
    await withServer([busy, busy, {}], async (server) => {
      const options = { maxRetries: 1, retryBudget: 0 };
      const response = await connectTo(server, options).send("/node", "{}");
      assert.equal(response.attempts, 3);
    });
    await withServer([busy], async (server) => {
      const call = connectTo(server).send("/node", "{}", { maxRetries: 0 });
      await assert.rejects(call, RateLimitedError);
      assert.equal(server.requests.length, 1);
    });
  });

  it("follow an attempt that times out", async () => {
    await withServer([{ delayMs: 60_000 }, {}], async (server) => {
      const connection = connectTo(server, { attemptTimeoutMs: 3_000 });
      assert.equal((await connection.send("/node", "{}")).attempts, 2);
    });
  });
});

describe("the delay before a retry", () => {
  it("is random with a bound that doubles up to a maximum", () => {
    const backoff = { retryDelayMs: 500, maxRetryDelayMs: 8000 };
    for (const [retry, bound] of [
      [1, 500],
      [2, 1000],
      [4, 4000],
      [5, 8000],
      [50, 8000],
    ] as const) {
      const waits = Array.from({ length: 400 }, () =>
        retryDelayMs(new ConnectionError("lost"), retry, backoff, Infinity),
      );
      assert.ok(waits.every((wait) => wait >= 0 && wait <= bound));
      assert.ok(
        Math.max(...waits) > bound * 0.8 && Math.min(...waits) < bound * 0.2,
      );
    }
  });

  for (const [retryAfterMs, retry, most] of [
    [2000, 1, 4000],
    // Jitter keeps clients that were rejected together from retrying together.
    [0, 1, 500],
    [0, 5, 1000],
    [100, 1, 600],
  ] as const)
    it(`is random on top of a Retry-After of ${retryAfterMs} ms, before retry ${retry}`, () => {
      const backoff = { retryDelayMs: 500, maxRetryDelayMs: 8000 };
      const error = new ConnectionError("lost", { retryAfterMs });
      const waits = Array.from({ length: 400 }, () =>
        retryDelayMs(error, retry, backoff, Infinity),
      );
      const [least, longest] = [Math.min(...waits), Math.max(...waits)];
      assert.ok(least >= retryAfterMs && longest <= most);
      assert.ok(longest - least > (most - retryAfterMs) / 2);
    });

  it("does not exceed the call's deadline because of jitter", () => {
    const backoff = { retryDelayMs: 500, maxRetryDelayMs: 8000 };
    for (const retryAfterMs of [0, 2000]) {
      const error = new ConnectionError("lost", { retryAfterMs });
      const left = retryAfterMs + 10;
      for (let i = 0; i < 400; i++)
        assert.ok(retryDelayMs(error, 1, backoff, left) < left);
    }
    const late = new ConnectionError("lost", { retryAfterMs: 2000 });
    for (let i = 0; i < 400; i++)
      assert.ok(retryDelayMs(late, 1, backoff, 1500) >= 1500);
  });
});
