import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { MessageType } from "../src/runtime/codec/codec.ts";
import * as scalar from "../src/runtime/codec/scalars.ts";
import {
  IdempotencyMismatchError,
  InvalidResponseError,
  TimedOutError,
  ValueError,
} from "../src/runtime/errors.ts";
import {
  FlowFailedError,
  FlowPausedError,
  WaitTimedOutError,
} from "../src/runtime/execution.ts";
import type { LogEvent } from "../src/runtime/logger.ts";
import type { TokenProvider } from "../src/runtime/platform.ts";
import { runFlow } from "../src/runtime/run-flow.ts";
import { startFlow } from "../src/runtime/start-flow.ts";
import { warmFlow } from "../src/runtime/warm-flow.ts";
import { connectTo } from "./connecting.ts";
import { endedRun, page, record, runId, startedRun } from "./flow-responses.ts";
import { withServer } from "./scripted-server.ts";

const countType: MessageType<{ count: bigint }> = {
  name: "test.Count",
  fields: () => [{ name: "count", type: scalar.int64 }],
};
const flow = { graphId: "g-1", input: countType, output: countType };

describe("running a flow", () => {
  it("reads the run id from the headers or the body", async () => {
    const failed = startedRun({ result: { success: false } });
    await withServer([endedRun("{}"), failed], async (server) => {
      const connection = connectTo(server);
      const { response } = await runFlow(connection, flow, {}).withResponse();
      assert.equal(response.executionId, runId);
      const options = { idempotencyKey: "order-7" };
      await assert.rejects(runFlow(connection, flow, {}, options), {
        executionId: runId,
        attempts: 1,
        idempotencyKey: "order-7",
      });
    });
  });

  it("waits for the run and returns its output", async () => {
    const response = endedRun('{"count":"9007199254740993"}');
    await withServer([response], async (server) => {
      const output = await runFlow(connectTo(server), flow, { count: 5 });
      assert.equal(output.count, 9007199254740993n);
      const [request] = server.requests;
      assert.equal(request?.method, "POST");
      assert.equal(request.path, "/invocations/v1/flows/invoke");
      assert.ok(request.headers["idempotency-key"]);
      assert.deepEqual(JSON.parse(request.body), {
        graph_id: "g-1",
        input: { count: "5" },
        wait: true,
        timeout_seconds: 50,
      });
    });
  });

  it("reads large integers in the output exactly", async () => {
    const count = '{"count":9007199254740993}';
    const result = `"result":{"success":true,"output":${count}}`;
    const body = `{"execution_id":"${runId}",${result}}`;
    await withServer([{ status: 202, body }], async (server) => {
      const output = await runFlow(connectTo(server), flow, {});
      assert.equal(output.count, 9007199254740993n);
    });
  });

  it("rejects a response with a duplicate name", async () => {
    const result = '"result":{"success":true,"output":{"count":1,"count":2}}';
    const body = `{"execution_id":"${runId}",${result}}`;
    await withServer([{ body }], async (server) => {
      const call = runFlow(connectTo(server), flow, {});
      await assert.rejects(call, InvalidResponseError);
    });
  });

  it("accepts a response with any white space", async () => {
    const result = { success: true, output: { count: "7" } };
    const json = { execution_id: runId, result };
    const body = JSON.stringify(json, undefined, 2);
    await withServer([{ body }], async (server) => {
      const output = await runFlow(connectTo(server), flow, {});
      assert.equal(output.count, 7n);
    });
  });

  it("rejects the response to a different request with the same key", async () => {
    const headers = { "idempotency-mismatch": "graph_id, input" };
    const earlier = { ...endedRun("{}"), headers };
    await withServer([earlier], async (server) => {
      const options = { idempotencyKey: "order-7" };
      const connection = connectTo(server);
      for (const call of [
        runFlow(connection, flow, {}, options),
        startFlow(connection, flow, {}, options),
      ])
        await assert.rejects(call, (error) => {
          assert.ok(error instanceof IdempotencyMismatchError);
          assert.equal(
            error.message,
            `the idempotency key belongs to an earlier request that differs in its flow and input (HTTP 202, execution ${runId})`,
          );
          assert.equal(error.executionId, runId);
          assert.equal(error.idempotencyKey, "order-7");
          return true;
        });
      assert.equal(server.requests.length, 2);
    });
  });

  it("reads large integers in events exactly", async () => {
    const body =
      '{"events":[{"type":"FLOW_COMPLETED","output":{"count":9007199254740993}}]}';
    const script = [startedRun(), record("COMPLETED"), { body }];
    await withServer(script, async (server) => {
      const execution = await startFlow(connectTo(server), flow, {});
      assert.equal((await execution.wait()).count, 9007199254740993n);
    });
  });

  it("asks for a wait within its timeout, but not after a failure", async () => {
    await withServer([{ status: 503 }, endedRun("{}")], async (server) => {
      const startedAt = performance.now();
      await runFlow(connectTo(server), flow, {}, { timeoutMs: 9_900 });
      const leftMs = 9_900 - (performance.now() - startedAt);
      const waits = server.requests.map(
        ({ body }) => JSON.parse(body) as { timeout_seconds: number },
      );
      const [first, second] = waits.map((wait) => wait.timeout_seconds);
      assert.ok(first !== undefined && first <= 8, String(first));
      assert.ok(first >= Math.floor(leftMs / 1_000) - 1, String(first));
      assert.equal(second, undefined);
      const keys = server.requests.map(
        ({ headers }) => headers["idempotency-key"],
      );
      assert.equal(new Set(keys).size, 1);
    });
  });

  it("asks for a wait again after a 401 or 429", async () => {
    const script = [
      { status: 401 },
      { status: 429, headers: { "retry-after": "0" } },
      endedRun("{}"),
    ];
    await withServer(script, async (server) => {
      const token: TokenProvider = ({ refresh }) => (refresh ? "new" : "old");
      const connection = connectTo(server, { apiKey: undefined, token });
      await runFlow(connection, flow, {});
      assert.deepEqual(
        server.requests.map(({ body, headers }) => [
          (JSON.parse(body) as { wait?: boolean }).wait,
          headers.authorization,
        ]),
        [
          [true, "Bearer old"],
          [true, "Bearer new"],
          [true, "Bearer new"],
        ],
      );
    });
  });

  it("fails with the error message of the run", async () => {
    const result = { success: false, error_message: "no words" };
    const failed = startedRun({ result, error_message: "no words" });
    await withServer([failed], async (server) => {
      await assert.rejects(runFlow(connectTo(server), flow, {}), (error) => {
        assert.ok(error instanceof FlowFailedError);
        assert.match(error.message, /^no words/);
        assert.equal(error.executionId, runId);
        assert.equal(error.execution?.id, runId);
        assert.equal(error.status, 202);
        return true;
      });
      assert.equal(server.requests.length, 1);
    });
  });

  it("reports a pause", async () => {
    const paused = startedRun({ execution_status: "PAUSED", pause_id: "p-1" });
    await withServer([paused], async (server) => {
      await assert.rejects(runFlow(connectTo(server), flow, {}), (error) => {
        assert.ok(error instanceof FlowPausedError);
        assert.equal(error.pauseId, "p-1");
        assert.equal(error.execution.id, runId);
        return true;
      });
    });
  });

  it("polls the run when the service stops waiting", async () => {
    const running = startedRun({
      execution_status: "RUNNING",
      error_message: "timeout waiting for flow result (50s)",
    });
    const ended = page([{ type: "FLOW_COMPLETED", output: { count: "2" } }]);
    const script = [running, record("RUNNING"), record("COMPLETED"), ended];
    await withServer(script, async (server) => {
      const output = await runFlow(connectTo(server), flow, {});
      assert.equal(output.count, 2n);
      assert.equal(server.requests.length, 4);
    });
  });

  it("keeps the original idempotency key in errors after polling", async () => {
    const failed = page([{ type: "FLOW_FAILED", error: "no words" }]);
    const script = [startedRun(), record("RUNNING"), record("FAILED"), failed];
    await withServer(script, async (server) => {
      const call = runFlow(connectTo(server), flow, {});
      await assert.rejects(call, (error) => {
        assert.ok(error instanceof FlowFailedError);
        const [started] = server.requests;
        assert.equal(error.idempotencyKey, started?.headers["idempotency-key"]);
        return true;
      });
    });
  });

  it("adds the run to the error when it times out", async () => {
    const running = startedRun({ execution_status: "RUNNING" });
    await withServer([running, record("RUNNING")], async (server) => {
      const options = { timeoutMs: 3_000 };
      const call = runFlow(connectTo(server), flow, {}, options);
      await assert.rejects(call, (error) => {
        assert.ok(error instanceof WaitTimedOutError);
        assert.ok(error instanceof TimedOutError);
        assert.equal(error.execution.id, runId);
        assert.equal(error.executionId, runId);
        return true;
      });
    });
  });

  it("returns the response with the output", async () => {
    await withServer([endedRun("{}")], async (server) => {
      const call = runFlow(connectTo(server), flow, {});
      const { response } = await call.withResponse();
      assert.equal(response.status, 202);
      assert.match(response.body, /"accepted":true/);
    });
  });

  it("logs one failure if it fails after its response", async () => {
    const paused = { execution_status: "PAUSED", pause_id: "p-1" };
    for (const [step, message] of [
      [startedRun({ result: { success: false } }), /no error message/],
      [startedRun(paused), /is paused/],
      [{ body: "{}" }, /execution_id is missing/],
      [{ status: 404 }, /HTTP 404/],
    ] as const)
      await withServer([step], async (server) => {
        const logged: LogEvent[] = [];
        const logger = (event: LogEvent): unknown => logged.push(event);
        const call = runFlow(connectTo(server, { logger }), flow, {});
        const error: unknown = await call.catch((thrown: unknown) => thrown);
        const failures = logged.filter((event) => event.type === "failure");
        assert.deepEqual(
          failures.map((failure) => failure.error),
          [error],
        );
        assert.match(String(error), message);
      });
  });

  it("reports an output that is nested too deeply", async () => {
    const body =
      `{"execution_id":"${runId}","result":{"success":true,"output":{"more":` +
      `${"[".repeat(20_000)}${"]".repeat(20_000)}}}}`;
    await withServer([{ body }], async (server) => {
      await assert.rejects(runFlow(connectTo(server), flow, {}), {
        name: "InvalidResponseError",
        message: /^invalid response: nested too deeply/,
      });
    });
  });

  it("fails on an invalid response", async () => {
    const bodies = [
      "<html>",
      "[]",
      "{}",
      `{"execution_id":"${runId}","result":{"success":true}}`,
      `{"execution_id":"${runId}","result":{"success":true,"output":[]}}`,
    ];
    for (const body of bodies)
      await withServer([{ status: 202, body }], async (server) => {
        const call = runFlow(connectTo(server), flow, {});
        await assert.rejects(call, InvalidResponseError);
      });
  });
});

describe("starting a flow", () => {
  it("returns the execution immediately", async () => {
    await withServer([startedRun()], async (server) => {
      const execution = await startFlow(connectTo(server), flow, { count: 5 });
      assert.equal(execution.id, runId);
      const [request] = server.requests;
      assert.equal(request?.body, '{"graph_id":"g-1","input":{"count":"5"}}');
      assert.ok(request.headers["idempotency-key"]);
    });
  });

  it("sends nothing when the input is invalid", async () => {
    await withServer([startedRun()], async (server) => {
      const call = startFlow(connectTo(server), flow, { count: 2n ** 64n });
      await assert.rejects(call, ValueError);
      assert.equal(server.requests.length, 0);
    });
  });
});

describe("warming a flow", () => {
  it("sends the flow id and returns the response", async () => {
    const response = { status: 202, body: '{"warmed":true}' };
    await withServer([response], async (server) => {
      const warmed = await warmFlow(connectTo(server), flow).withResponse();
      assert.equal(warmed.value, undefined);
      assert.equal(warmed.response.status, 202);
      const [request] = server.requests;
      assert.equal(request?.path, "/invocations/v1/flows/warm");
      assert.deepEqual(JSON.parse(request.body), { graph_id: "g-1" });
    });
  });
});
