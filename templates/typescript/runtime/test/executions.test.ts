import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { MessageType } from "../src/runtime/codec/codec.ts";
import * as scalar from "../src/runtime/codec/scalars.ts";
import {
  AbortedError,
  InvalidResponseError,
  NotFoundError,
  SvcError,
  UpstreamUnavailableError,
  ValueError,
} from "../src/runtime/errors.ts";
import {
  Execution,
  FlowFailedError,
  WaitTimedOutError,
} from "../src/runtime/execution.ts";
import type { ExecutionEvent } from "../src/runtime/execution-event.ts";
import type { LogEvent } from "../src/runtime/logger.ts";
import { connectTo } from "./connecting.ts";
import { page, record, runId } from "./flow-responses.ts";
import { type ScriptedServer, withServer } from "./scripted-server.ts";

const countType: MessageType<{ count: bigint }> = {
  name: "test.Count",
  fields: () => [{ name: "count", type: scalar.int64 }],
};

function executionAt(server: ScriptedServer): Execution<{ count: bigint }> {
  return new Execution(connectTo(server), countType, runId);
}

describe("an execution", () => {
  it("reads its record", async () => {
    await withServer([record("QUEUED")], async (server) => {
      const { status, id, fields } = await executionAt(server).get();
      assert.equal(status, "QUEUED");
      assert.equal(id, runId);
      assert.deepEqual(fields, { execution_id: runId, status: "QUEUED" });
      const [request] = server.requests;
      assert.equal(request?.method, "GET");
      assert.equal(request.path, `/invocations/v1/executions/${runId}`);
      assert.equal(request.body, "");
    });
  });

  it("waits for the run to end and reads the output from the final event", async () => {
    const ended = page([{ type: "FLOW_COMPLETED", output: { count: "7" } }]);
    const script = [record("RUNNING"), record("COMPLETED"), ended];
    await withServer(script, async (server) => {
      const output = await executionAt(server).wait();
      assert.equal(output.count, 7n);
      assert.deepEqual(server.requests[2]?.path.split("?"), [
        `/invocations/v1/executions/${runId}/events`,
        "decode=true&event_type=FLOW_COMPLETED&event_type=FLOW_FAILED",
      ]);
    });
  });

  it("fails when the run fails", async () => {
    const ended = page([{ type: "FLOW_FAILED", error: "no words" }]);
    for (const status of ["FAILED", "CANCELLED", "FORKED"])
      await withServer([record(status), ended], async (server) => {
        const execution = executionAt(server);
        await assert.rejects(execution.wait(), (error) => {
          assert.ok(error instanceof FlowFailedError);
          assert.match(error.message, /^no words/);
          assert.equal(error.execution, execution);
          assert.equal(error.executionId, runId);
          return true;
        });
      });
  });

  it("is attached to the error when its wait times out", async (context) => {
    // Polls at 0, 100, 250 and 475 ms: none is in flight at the timeout.
    context.mock.method(Math, "random", () => 1);
    context.mock.timers.enable({ apis: ["setTimeout"] });
    let now = 0;
    context.mock.method(performance, "now", () => now);
    let looks = 0;
    const fetch = (): Promise<Response> => {
      looks += 1;
      const running = { execution_id: runId, status: "RUNNING" };
      const headers = { "x-request-id": "r-1" };
      return Promise.resolve(Response.json(running, { headers }));
    };
    const connection = connectTo({ baseUrl: "http://svc.invalid" }, { fetch });
    const execution = new Execution(connection, countType, runId);
    const rejected = assert.rejects(
      execution.wait({ timeoutMs: 375 }),
      (error) => {
        assert.ok(error instanceof WaitTimedOutError);
        assert.equal(error.execution, execution);
        assert.equal(error.attempts, 1);
        assert.equal(error.requestId, "r-1");
        return true;
      },
    );
    for (const [ms, seen] of [
      [0, 1],
      [100, 2],
      [150, 3],
      [125, 3],
    ] as const) {
      now += ms;
      context.mock.timers.tick(ms);
      for (let i = 0; i < 20; i++)
        await new Promise((resolve) => setImmediate(resolve));
      assert.equal(looks, seen);
    }
    await rejected;
  });

  it("times out polls after 30 seconds or the attempt timeout", async (test) => {
    test.mock.timers.enable({ apis: ["setTimeout"] });
    const step = async (ms: number): Promise<void> => {
      test.mock.timers.tick(ms);
      await new Promise((resolve) => setImmediate(resolve));
    };
    const ended = { type: "FLOW_COMPLETED", output: { count: "7" } };
    for (const [pollMs, client, options] of [
      [30_000, {}, {}],
      [40_000, { attemptTimeoutMs: 40_000 }, {}],
      [20_000, { attemptTimeoutMs: 40_000 }, { attemptTimeoutMs: 20_000 }],
    ] as const) {
      const script = [
        undefined,
        { execution_id: runId, status: "COMPLETED" },
        undefined,
        { execution_id: runId, status: "COMPLETED" },
        { events: [ended] },
      ];
      let requests = 0;
      const fetch = (): Promise<Response> => {
        const body = script[requests++];
        return body
          ? Promise.resolve(Response.json(body))
          : new Promise(() => undefined);
      };
      const server = { baseUrl: "http://svc.invalid" };
      const connection = connectTo(server, { fetch, ...client });
      const execution = new Execution(connection, countType, runId);
      const timeoutMs = 100_000;
      const output = execution.wait({ timeoutMs, ...options }).then();
      for (const asked of [1, 3]) {
        await step(0);
        await step(pollMs - 1);
        await step(0);
        assert.equal(requests, asked);
        await step(1);
        await step(1_000);
      }
      assert.equal((await output).count, 7n);
      assert.equal(requests, 5);
    }
  });

  it("reads the failure reason from the record without a final event", async () => {
    const failed = {
      execution_id: runId,
      status: "FAILED",
      error_message: "boom",
    };
    const script = [failed, { events: [] }].map((body) => ({
      body: JSON.stringify(body),
    }));
    await withServer(script, async (server) => {
      await assert.rejects(executionAt(server).wait(), {
        name: "FlowFailedError",
        message: /^boom \(/,
      });
    });
  });

  it("reports a wait timeout when the last error arrives at the deadline", async () => {
    const fetch = async (): Promise<Response> => {
      const start = performance.now();
      await Promise.resolve();
      while (performance.now() - start < 1_010);
      return new Response('{"error":"busy"}', { status: 503 });
    };
    await withServer([], async (server) => {
      const connection = connectTo(server, { fetch });
      const execution = new Execution(connection, countType, runId);
      await assert.rejects(execution.wait({ timeoutMs: 1_000 }), {
        name: "WaitTimedOutError",
        executionId: runId,
        message: /may still be running: busy \(HTTP 503/,
      });
    });
  });

  it("reads the pages of its result within the timeout", async () => {
    const responses = [{ execution_id: runId, status: "COMPLETED" }];
    let pages = 0;
    const fetch = async (): Promise<Response> => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const more = { events: [], next_cursor: String(pages++) };
      return Response.json(responses.shift() ?? more);
    };
    const server = { baseUrl: "http://svc.invalid" };
    const connection = connectTo(server, { fetch });
    const execution = new Execution(connection, countType, runId);
    const call = execution.wait({ timeoutMs: 100 });
    await assert.rejects(call, { name: "WaitTimedOutError" });
  });

  it("rejects a repeated cursor", async () => {
    const again = page([{ type: "NODE_LOG" }], "c1");
    await withServer([record("COMPLETED"), again], async (server) => {
      const execution = executionAt(server);
      await assert.rejects(execution.wait(), InvalidResponseError);
      const events = execution.events();
      assert.equal((await events.next()).done, false);
      await assert.rejects(events.next(), {
        name: "InvalidResponseError",
        message: /next_cursor is the cursor of this page/,
      });
    });
  });

  it("reports that it may be running if no poll succeeded", async () => {
    const fetch = (): Promise<never> => new Promise(() => undefined);
    const connection = connectTo({ baseUrl: "http://svc.invalid" }, { fetch });
    const run = new Execution(connection, countType, runId);
    await assert.rejects(run.wait({ timeoutMs: 50 }), {
      name: "WaitTimedOutError",
      message: /may still be running: the call did not end within \d+ ms$/,
    });
  });

  it("stops waiting when its caller aborts", async () => {
    await withServer([record("RUNNING")], async (server) => {
      const signal = AbortSignal.timeout(50);
      const call = executionAt(server).wait({ signal });
      await assert.rejects(call, AbortedError);
    });
  });

  it("fails when the final event is missing", async () => {
    await withServer([record("COMPLETED"), page([])], async (server) => {
      await assert.rejects(executionAt(server).wait(), InvalidResponseError);
    });
  });

  it("fails on an invalid record", async () => {
    for (const body of ["<html>", "[]", "{}"])
      await withServer([{ body }], async (server) => {
        await assert.rejects(executionAt(server).get(), InvalidResponseError);
      });
  });

  it("reads its events page by page, including unknown types", async () => {
    const first = { type: "NODE_STARTED", event_ulid: "1", timestamp_ms: 5 };
    const second = { type: "NODE_DREAMT", event_ulid: "2", dream: "sheep" };
    const script = [page([first], "next page"), page([second])];
    await withServer(script, async (server) => {
      const events: ExecutionEvent[] = [];
      const options = { nodeName: "a b", pageSize: 1 };
      for await (const event of executionAt(server).events(options))
        events.push(event);
      assert.deepEqual(
        events.map(({ ulid, timestampMs }) => [ulid, timestampMs]),
        [
          ["1", 5],
          ["2", 0],
        ],
      );
      assert.equal(events[1]?.fields["dream"], "sheep");
      assert.deepEqual(
        server.requests.map(({ path }) => path.split("?")[1]),
        [
          "decode=true&node_name=a+b&limit=1",
          "decode=true&node_name=a+b&limit=1&cursor=next+page",
        ],
      );
    });
  });

  it("reads pages lazily", async () => {
    const first = page([{ type: "NODE_STARTED" }], "more");
    await withServer([first], async (server) => {
      for await (const event of executionAt(server).events()) {
        assert.equal(event.type, "NODE_STARTED");
        break;
      }
      assert.equal(server.requests.length, 1);
    });
  });

  it("yields no more events of a page once aborted", async () => {
    const types = ["NODE_STARTED", "NODE_LOG"];
    const read = page(
      types.map((type, index) => ({ type, event_ulid: String(index) })),
    );
    await withServer([read], async (server) => {
      const execution = executionAt(server);
      for (const method of ["events", "follow"] as const) {
        const stop = new AbortController();
        const events = execution[method]({ signal: stop.signal });
        assert.equal((await events.next()).value?.type, "NODE_STARTED");
        stop.abort("enough");
        await assert.rejects(events.next(), (error) => {
          assert.ok(error instanceof AbortedError);
          assert.equal(error.cause, "enough");
          assert.equal(error.executionId, runId);
          return true;
        });
      }
    });
  });

  it("can be cancelled", async () => {
    await withServer([record("CANCELLED")], async (server) => {
      const { status } = await executionAt(server).cancel();
      assert.equal(status, "CANCELLED");
      const [request] = server.requests;
      assert.equal(request?.method, "POST");
      assert.equal(request.path, `/invocations/v1/executions/${runId}/cancel`);
    });
  });

  it("is cancelled even if the first response was lost", async () => {
    const code =
      '{"error":"EXECUTION_NOT_CANCELLABLE","code":"execution_not_cancellable"}';
    const lost = { cut: "before" as const };
    const refused = { status: 409, body: code };
    const cancelled = [lost, refused, record("CANCELLED")];
    await withServer(cancelled, async (server) => {
      const { status } = await executionAt(server).cancel();
      assert.equal(status, "CANCELLED");
    });
    for (const script of [
      [lost, refused, record("COMPLETED")],
      [refused, record("CANCELLED")],
    ])
      await withServer(script, async (server) => {
        await assert.rejects(executionAt(server).cancel(), {
          status: 409,
          code: "execution_not_cancellable",
        });
      });
  });

  it("adds its id to every response and error", async () => {
    await withServer([record("RUNNING"), { status: 500 }], async (server) => {
      const execution = executionAt(server);
      const { response } = await execution.get().withResponse();
      assert.equal(response.executionId, runId);
      await assert.rejects(execution.get(), { executionId: runId });
    });
  });

  it("rejects invalid options", async () => {
    await withServer([record("RUNNING")], async (server) => {
      const execution = executionAt(server);
      const misspelt: object = { timeoutMS: 5 };
      await assert.rejects(
        execution.wait(misspelt),
        /unknown option "timeoutMS"/,
      );
      await assert.rejects(
        execution.events({ pageSize: 0 }).next(),
        /pageSize/,
      );
      assert.equal(server.requests.length, 0);
    });
  });

  it("reports an unknown execution", async () => {
    const unknown = { status: 404, body: '{"error":"execution not found"}' };
    await withServer([unknown], async (server) => {
      const execution = executionAt(server);
      await assert.rejects(execution.get(), NotFoundError);
      await assert.rejects(execution.wait(), NotFoundError);
    });
  });

  it("rejects a malformed id", () => {
    const connection = connectTo({ baseUrl: "http://svc.invalid" });
    for (const id of ["", "..", `${runId}/`])
      assert.throws(() => new Execution(connection, countType, id), ValueError);
  });
});

// These run concurrently, so none may mock timers or replace globals.
describe("a wait for an execution", { concurrency: true }, () => {
  it("uses one idempotency key, which its errors contain", async () => {
    const failed = page([{ type: "FLOW_FAILED", error: "no words" }]);
    const paused = { execution_id: runId, status: "RUNNING", pause_id: "p" };
    for (const script of [
      [record("RUNNING"), record("FAILED"), failed],
      [record("RUNNING"), { body: JSON.stringify(paused) }],
      [record("COMPLETED"), page([])],
      [record("RUNNING")],
    ])
      await withServer(script, async (server) => {
        // Only the run that does not end times out.
        const timeoutMs = script.length === 1 ? 3_000 : 20_000;
        const call = executionAt(server).wait({ timeoutMs });
        await assert.rejects(call, (error) => {
          assert.ok(error instanceof SvcError);
          const keys = server.requests.map(
            ({ headers }) => headers["idempotency-key"],
          );
          assert.deepEqual([...new Set(keys)], [error.idempotencyKey]);
          return true;
        });
      });
  });

  it("continues after attempt timeouts until its own timeout", async () => {
    await withServer([], async (server) => {
      const fetch = (): Promise<never> => new Promise(() => undefined);
      const connection = connectTo(server, { fetch });
      const execution = new Execution(connection, countType, runId);
      const options = { attemptTimeoutMs: 10, timeoutMs: 500 };
      const late = { name: "WaitTimedOutError", executionId: runId };
      await assert.rejects(execution.wait(options), late);
      const call = execution.wait({ ...options, maxRetries: 0 });
      await assert.rejects(call, { name: "TimedOutError", executionId: runId });
    });
  });

  it("reports the last failed poll when it times out", async () => {
    const down = { error: "upstream_unavailable", message: "no engine" };
    const refused = {
      status: 503,
      headers: { "x-request-id": "r-1" },
      body: JSON.stringify(down),
    };
    const always = withServer([refused], async (server) => {
      const call = executionAt(server).wait({ timeoutMs: 3_000 });
      await assert.rejects(call, (error) => {
        assert.ok(error instanceof WaitTimedOutError);
        assert.match(
          error.message,
          /may still be running: no engine \(HTTP 503/,
        );
        assert.ok(error.cause instanceof UpstreamUnavailableError);
        assert.equal(error.requestId, "r-1");
        return true;
      });
    });
    const once = withServer([refused, record("RUNNING")], async (server) => {
      const call = executionAt(server).wait({
        timeoutMs: 3_000,
        maxRetries: 1,
      });
      await assert.rejects(call, (error) => {
        assert.ok(error instanceof WaitTimedOutError);
        // The timeout may expire while a poll is in flight.
        assert.match(error.message, /still (?:be )?running/);
        assert.ok(!(error.cause instanceof UpstreamUnavailableError));
        return true;
      });
    });
    await Promise.all([always, once]);
  });

  it("logs one failure if it fails, and none if it succeeds or pauses", async () => {
    const logged: LogEvent[] = [];
    const logger = (event: LogEvent): unknown => logged.push(event);
    const failures = (): LogEvent[] =>
      logged.splice(0).filter(({ type }) => type === "failure");
    const ended = page([{ type: "FLOW_COMPLETED", output: {} }]);
    const failed = page([{ type: "FLOW_FAILED", error: "no words" }]);
    const away = { status: 503 };
    const paused = { execution_id: runId, status: "RUNNING", pause_id: "p" };
    for (const [script, message] of [
      [[away, away, record("COMPLETED"), ended], undefined],
      [[{ body: JSON.stringify(paused) }], undefined],
      [[record("FAILED"), failed], /^no words/],
      [[{ body: "{}" }], /invalid response/],
      [[{ status: 404 }], /HTTP 404/],
      [[record("RUNNING")], /still (?:be )?running/],
    ] as const)
      await withServer([...script], async (server) => {
        const connection = connectTo(server, { logger, maxRetries: 1 });
        const run = new Execution(connection, countType, runId);
        // Only the run that does not end times out.
        const goesOn = String(message).includes("still");
        const result: unknown = await run
          .wait({ timeoutMs: goesOn ? 500 : 20_000 })
          .catch((error: unknown) => error);
        const [failure, ...more] = failures();
        assert.deepEqual(more, []);
        if (!message) {
          assert.equal(failure, undefined);
          return;
        }
        assert.ok(failure?.type === "failure");
        assert.equal(failure.error, result);
        assert.match(failure.error.message, message);
      });
  });

  it("logs a failed poll as a retry, with the delay before the next poll", async () => {
    const logged: LogEvent[] = [];
    const logger = (event: LogEvent): unknown => logged.push(event);
    const ended = page([{ type: "FLOW_COMPLETED", output: {} }]);
    const script = [
      { status: 503 },
      record("COMPLETED"),
      { status: 429, headers: { "retry-after": "0.3" } },
      record("COMPLETED"),
      ended,
    ];
    await withServer(script, async (server) => {
      const connection = connectTo(server, { logger });
      await new Execution(connection, countType, runId).wait();
      assert.equal(server.requests.length, 5);
      const retries = logged.filter((event) => event.type === "retry");
      const [first, second, ...more] = retries;
      assert.deepEqual(more, []);
      assert.match(String(first?.error), /HTTP 503/);
      assert.ok(Number(first?.delayMs) >= 50);
      assert.match(String(second?.error), /HTTP 429/);
      // Jitter keeps clients that were rejected together from polling together.
      const { delayMs = 0 } = second ?? {};
      assert.ok(delayMs > 350 && delayMs < 500, String(delayMs));
    });
  });

  it("honours Retry-After between polls", async () => {
    const busy = { status: 503, headers: { "retry-after": "20" } };
    await withServer([busy], async (server) => {
      await assert.rejects(executionAt(server).wait({ timeoutMs: 3_000 }), {
        name: "WaitTimedOutError",
      });
      assert.equal(server.requests.length, 1);
    });
  });
});
