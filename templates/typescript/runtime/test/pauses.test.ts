import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inspect } from "node:util";

import { execution } from "../src/runtime/any-execution.ts";
import type { JsonValue } from "../src/runtime/codec/json.ts";
import * as scalar from "../src/runtime/codec/scalars.ts";
import { durationType } from "../src/runtime/codec/well-known-types.ts";
import {
  AbortedError,
  ConfigurationError,
  InvalidResponseError,
  StatusError,
  ValueError,
} from "../src/runtime/errors.ts";
import { Execution, FlowPausedError } from "../src/runtime/execution.ts";
import { listPauses } from "../src/runtime/list-pauses.ts";
import { decisionOf } from "../src/runtime/pause-decision.ts";
import type { Decision } from "../src/runtime/resume-request.ts";
import { connectTo } from "./connecting.ts";
import { page, record, runId } from "./flow-responses.ts";
import { type ScriptedServer, withServer } from "./scripted-server.ts";

interface Count {
  count: bigint;
}

const countType = {
  name: "test.Count",
  fields: () => [{ name: "count", type: scalar.int64 }] as const,
};

const pause = {
  pause_id: "p-1",
  execution_id: runId,
  graph_id: "g-1",
  node_name: "ask",
  status: "WAITING",
  interrupt_payload: { question: "go?" },
  resume_schema: "test.Count",
  expires_at: "2026-02-01T09:30:00.000Z",
  resume_url: "https://svc.example.com/secret",
  resumed_at: null,
};

const resumed = JSON.stringify({
  pause_id: "p-1",
  status: "RESUMED",
  resumed_at: "2026-01-31T09:31:00.000Z",
  resumed_by: "bob",
  resume_value: null,
  already_resumed: true,
});

function executionAt(
  server: Pick<ScriptedServer, "baseUrl">,
): Execution<Count> {
  return new Execution<Count>(connectTo(server), countType, runId);
}

/** An interface, which has no index signature. */
interface Approval {
  approved: boolean;
  comment: string | undefined;
}

describe("a pause", () => {
  it("ends a wait for the run", async () => {
    const body = JSON.stringify({
      execution_id: runId,
      status: "RUNNING",
      pause_id: "p-1",
    });
    await withServer([record("RUNNING"), { body }], async (server) => {
      const execution = executionAt(server);
      await assert.rejects(execution.wait(), (error) => {
        assert.ok(error instanceof FlowPausedError);
        assert.equal(error.pauseId, "p-1");
        assert.equal(error.code, "flow_paused");
        assert.equal(error.executionId, runId);
        assert.equal(error.execution, execution);
        return true;
      });
    });
  });

  it("is listed with its question", async () => {
    const body = JSON.stringify({ pauses: [pause] });
    await withServer([{ body }], async (server) => {
      const [listed, ...others] = await executionAt(server).pauses();
      assert.deepEqual(others, []);
      assert.deepEqual(listed, {
        id: "p-1",
        executionId: runId,
        graphId: "g-1",
        nodeName: "ask",
        status: "WAITING",
        question: { question: "go?" },
        decisionType: "test.Count",
        checkpointId: undefined,
        createdAt: undefined,
        expiresAt: "2026-02-01T09:30:00.000Z",
        resumedAt: undefined,
        escalatedAt: undefined,
        resumedBy: undefined,
        decision: undefined,
      });
      assert.equal(listed?.resumeUrl, pause.resume_url);
      const path = `/invocations/v1/executions/${runId}/pauses`;
      assert.equal(server.requests[0]?.path, path);
    });
  });

  it("is printed without its link, like its response and errors", async () => {
    const printed = (value: unknown): string =>
      inspect(value, { depth: Infinity }) + JSON.stringify(value);
    const body = JSON.stringify({ pauses: [pause] });
    const broken = JSON.stringify({ pauses: [pause, {}] });
    await withServer([{ body }, { body: broken }], async (server) => {
      const execution = executionAt(server);
      const { value, response } = await execution.pauses().withResponse();
      assert.doesNotMatch(printed([value, response]), /secret/);
      assert.equal(response.body, body);
      await assert.rejects(execution.pauses(), (error) => {
        assert.ok(error instanceof InvalidResponseError);
        assert.doesNotMatch(printed(error), /secret/);
        assert.equal(error.body, broken);
        return true;
      });
    });
  });

  it("accepts a message, an object, bytes or nothing as its decision", async () => {
    const message = decisionOf<Count>(countType, { count: 9007199254740993n });
    const approval: Approval = { approved: true, comment: undefined };
    const decisions: [Decision, string][] = [
      [null, ""],
      [message, ',"value":{"count":"9007199254740993"}'],
      [{ go: [1, null] }, ',"value":{"go":[1,null]}'],
      [approval, ',"value":{"approved":true}'],
      [Uint8Array.of(251, 255), ',"value":"+/8="'],
      [new Uint8Array(), ',"value":""'],
    ];
    for (const [decision, value] of decisions)
      await withServer([{ body: resumed }], async (server) => {
        const response = await executionAt(server).resume("p-1", decision, {
          resumedBy: "ann",
        });
        assert.deepEqual(response, {
          pauseId: "p-1",
          status: "RESUMED",
          resumedAt: "2026-01-31T09:31:00.000Z",
          resumedBy: "bob",
          decision: undefined,
          alreadyResumed: true,
        });
        const [request] = server.requests;
        assert.equal(request?.method, "POST");
        assert.equal(request.path, `/invocations/v1/flows/${runId}/resume`);
        const body = `{"pause_id":"p-1"${value},"resumed_by":"ann"}`;
        assert.equal(request.body, body);
      });
  });

  it("rejects other decisions", async () => {
    await withServer([], async (server) => {
      const execution = executionAt(server);
      const big = { go: 1n } as unknown as Decision;
      const lost = [{ go: new Map([["a", 1]]) }, { go: () => 1 }, { go: NaN }];
      for (const decision of [
        undefined,
        "go",
        1,
        true,
        ["go"],
        new Map(),
        big,
        ...lost,
      ])
        await assert.rejects(
          execution.resume("p-1", decision as Decision),
          ValueError,
        );
      await assert.rejects(
        execution.resume("p-1", big),
        /1n .*: pass a string/,
      );
      const time = decisionOf(durationType, "1s");
      await assert.rejects(execution.resume("p-1", time), ValueError);
      await assert.rejects(execution.resume("", {}), ValueError);
      const half = { resumedBy: "\ud800" };
      await assert.rejects(execution.resume("p-1", {}, half), ValueError);
      assert.equal(server.requests.length, 0);
    });
  });

  it("reports why a decision was rejected", async () => {
    const refusal = { error: "PAUSE_NOT_WAITING", message: "it has expired" };
    const step = { status: 409, body: JSON.stringify(refusal) };
    await withServer([step], async (server) => {
      await assert.rejects(executionAt(server).resume("p-1", null), (error) => {
        assert.ok(error instanceof StatusError);
        assert.equal(error.code, "PAUSE_NOT_WAITING");
        assert.equal(error.executionId, runId);
        return true;
      });
    });
  });

  it("is listed with the pauses of all runs, page by page", async () => {
    const pages = [
      { pauses: [{ ...pause, pause_id: "p-2" }], next_cursor: "next page" },
      { pauses: [{ ...pause, status: "DREAMING" }] },
    ];
    const script = pages.map((page) => ({ body: JSON.stringify(page) }));
    await withServer(script, async (server) => {
      const seen: string[] = [];
      const options = { statuses: ["WAITING"], pageSize: 1 };
      for await (const { id, status } of listPauses(connectTo(server), options))
        seen.push(`${id} ${status}`);
      assert.deepEqual(seen, ["p-2 WAITING", "p-1 DREAMING"]);
      assert.deepEqual(
        server.requests.map(({ path }) => path),
        [
          "/invocations/v1/pauses?status=WAITING&limit=1",
          "/invocations/v1/pauses?status=WAITING&limit=1&cursor=next+page",
        ],
      );
    });
  });

  it("can be resumed by its id and run id for any flow", async () => {
    const output = { order: "A-1", lines: [1, null] };
    const script = [
      { body: JSON.stringify({ pauses: [pause] }) },
      { body: resumed },
      record("COMPLETED"),
      page([{ type: "FLOW_COMPLETED", output }]),
    ];
    await withServer(script, async (server) => {
      const connection = connectTo(server);
      for await (const { executionId, id } of listPauses(connection)) {
        const run = execution(connection, executionId);
        await run.resume(id, { approved: true });
        const given: JsonValue = await run.wait();
        assert.deepEqual(given, output);
      }
      assert.equal(
        server.requests[1]?.path,
        `/invocations/v1/flows/${runId}/resume`,
      );
      assert.throws(() => execution(connection, "../secrets"), ValueError);
    });
  });

  it("is not listed again for a repeated cursor", async () => {
    const body = JSON.stringify({ pauses: [], next_cursor: "c1" });
    await withServer([{ body }], async (server) => {
      const pauses = listPauses(connectTo(server));
      await assert.rejects(pauses.next(), InvalidResponseError);
      assert.equal(server.requests.length, 2);
    });
  });

  it("is no longer listed once the iteration is aborted", async () => {
    const body = JSON.stringify({ pauses: [pause, pause] });
    await withServer([{ body }], async (server) => {
      const stop = new AbortController();
      const { signal } = stop;
      const pauses = listPauses(connectTo(server), { signal });
      assert.equal((await pauses.next()).done, false);
      stop.abort();
      await assert.rejects(pauses.next(), AbortedError);
    });
  });

  it("is not resumed with an invalid decision", async () => {
    const execution = executionAt({ baseUrl: "http://svc.invalid" });
    const map = new Map([["a", 1]]) as never;
    for (const call of [
      execution.resume(undefined as never, {}),
      execution.resume("p-1", map),
      execution.resume("p-1", Promise.resolve({}) as never),
      execution.resume("p-1", new ArrayBuffer(1) as never),
      execution.resume("p-1", { share: Number.NaN }),
      execution.resume("p-1", {}, { resumedBy: 5 as never }),
      execution.fork({ checkpointId: 5 as never }),
    ])
      await assert.rejects(call, ValueError);
  });

  it("is not listed with invalid options", async () => {
    const connection = connectTo({ baseUrl: "http://svc.invalid" });
    for (const options of [{ pageSize: 0 }, { statuses: "WAITING" as never }])
      await assert.rejects(
        listPauses(connection, options).next(),
        ConfigurationError,
      );
  });

  it("cannot be read from an invalid response", async () => {
    for (const body of ["[]", "{}", '{"pauses":{}}', '{"pauses":[{}]}'])
      await withServer([{ body }], async (server) => {
        await assert.rejects(
          executionAt(server).pauses(),
          InvalidResponseError,
        );
      });
  });
});
