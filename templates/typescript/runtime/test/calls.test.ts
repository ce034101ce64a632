import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { Call } from "../src/runtime/call.ts";
import { callOf } from "../src/runtime/call-of.ts";
import type { MessageType, WellKnownType } from "../src/runtime/codec/codec.ts";
import * as scalar from "../src/runtime/codec/scalars.ts";
import * as wellKnown from "../src/runtime/codec/well-known.ts";
import { InvalidResponseError, ValueError } from "../src/runtime/errors.ts";
import { invokeNode } from "../src/runtime/invoke-node.ts";
import { connectTo } from "./connecting.ts";
import { withServer } from "./scripted-server.ts";

const countType: MessageType<{ count: bigint }> = {
  name: "test.Count",
  fields: () => [{ name: "count", type: scalar.int64 }],
};
const node = {
  path: "/invocations/v1/nodes/acme/text/1.0.0/Count",
  input: countType,
  output: countType,
};

describe("calling a node", () => {
  it("sends canonical ProtoJSON and decodes the response exactly", async () => {
    await withServer(
      [{ body: '{"count": 9007199254740993}' }],
      async (server) => {
        const output = await invokeNode(
          connectTo(server),
          node,
          { count: 5 },
          undefined,
        );
        assert.equal(output.count, 9007199254740993n);
        const [request] = server.requests;
        assert.equal(request?.method, "POST");
        assert.equal(request.path, node.path);
        assert.equal(request.body, '{"count":"5"}');
        assert.equal(request.headers["content-type"], "application/json");
      },
    );
  });

  it("accepts and returns well-known types", async () => {
    const at: WellKnownType<string> = {
      name: "google.protobuf.Timestamp",
      codec: wellKnown.timestamp,
    };
    await withServer([{ body: '"2026-01-31T12:00:00Z"' }], async (server) => {
      const call = invokeNode(
        connectTo(server),
        { path: "/x", input: at, output: at },
        "1970-01-01T00:00:00.000Z",
        undefined,
      );
      assert.equal(await call, "2026-01-31T12:00:00Z");
      assert.equal(server.requests[0]?.body, '"1970-01-01T00:00:00Z"');
    });
  });

  it("returns the response with the value on request", async () => {
    await withServer(
      [{ headers: { "x-execution-id": "ab12" }, body: '{"count":"2"}' }],
      async (server) => {
        const { value, response } = await invokeNode(
          connectTo(server),
          node,
          {},
          undefined,
        ).withResponse();
        assert.equal(value.count, 2n);
        assert.equal(response.status, 200);
        assert.equal(response.headers["x-execution-id"], "ab12");
        assert.equal(response.body, '{"count":"2"}');
      },
    );
  });

  it("can be faked with a value and response properties", async () => {
    const call = callOf({ count: 2n }, { attempts: 3 });
    assert.deepEqual(await call, { count: 2n });
    const { value, response } = await call.withResponse();
    assert.deepEqual(value, { count: 2n });
    assert.deepEqual([response.status, response.attempts], [200, 3]);
  });

  it("behaves like a promise", async () => {
    await withServer(
      [{ body: '{"count":"2"}' }, { status: 422 }],
      async (server) => {
        const connection = connectTo(server);
        let ended = false;
        const count = await invokeNode(connection, node, {}, undefined)
          .then((output) => output.count)
          .finally(() => {
            ended = true;
          });
        assert.equal(count, 2n);
        assert.ok(ended);
        assert.equal(
          await invokeNode(connection, node, {}, undefined).catch(
            () => "failed",
          ),
          "failed",
        );
      },
    );
  });

  it("is an instance of Promise without unhandled rejections", async () => {
    const call = callOf({ count: 2n });
    // Linters detect floating promises by this class.
    assert.ok(call instanceof Promise);
    const [output] = await Promise.all([call]);
    assert.equal(output.count, 2n);
    const failing = new Call(Promise.reject(new RangeError("late")));
    await assert.rejects(failing, RangeError);
    await assert.rejects(failing.withResponse(), RangeError);
    for (const derived of [call.then(), call.catch(), call.finally()])
      assert.deepEqual(await derived, { count: 2n });
  });

  it("sends nothing when the input is invalid", async () => {
    await withServer([{}], async (server) => {
      const call = invokeNode(
        connectTo(server),
        node,
        { count: 2n ** 64n },
        undefined,
      );
      await assert.rejects(
        call,
        (error) =>
          error instanceof ValueError &&
          error.message.includes("test.Count: count: out of range"),
      );
      assert.equal(server.requests.length, 0);
    });
  });

  it("fails on responses that are truncated, not JSON or of another type", async () => {
    for (const body of ['{"count": "12', "<html>", "[]", '{"count": {}}'])
      await withServer(
        [{ body, headers: { "x-execution-id": "ab12" } }],
        async (server) => {
          await assert.rejects(
            invokeNode(connectTo(server), node, {}, undefined),
            (error) => {
              assert.ok(error instanceof InvalidResponseError);
              assert.equal(error.status, 200);
              assert.equal(error.body, body);
              assert.equal(error.executionId, "ab12");
              return true;
            },
          );
          assert.equal(server.requests.length, 1);
        },
      );
  });
});
