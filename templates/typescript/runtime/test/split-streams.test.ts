import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { stringValueType } from "../src/runtime/codec/well-known-types.ts";
import {
  AbortedError,
  BadRequestError,
  ConfigurationError,
  ConnectionError,
  InvalidResponseError,
  NodeFailedError,
  StatusError,
  TimedOutError,
  UpstreamUnavailableError,
  ValueError,
} from "../src/runtime/errors.ts";
import type { LogEvent } from "../src/runtime/logger.ts";
import { createStream, SplitStream } from "../src/runtime/split-stream.ts";
import { StreamInterruptedError } from "../src/runtime/stream-interrupted-error.ts";
import { connectTo } from "./connecting.ts";
import { endlessInput, withEarlyResponse } from "./endless-input.ts";
import { type Step, withServer } from "./scripted-server.ts";

const node = {
  path: "/invocations/v1/nodes/acme/a%20b/1.0.0/Node",
  input: stringValueType,
  output: stringValueType,
};
const id = "00000000000000000000000000c0ffee";
const path = `/invocations/v1/nodes/streams/${id}`;

/** Events of a stream; `undefined` stands for the last frame. */
function output(first: number, ...texts: (string | undefined)[]): Step {
  const events = texts.map((payload, index) => {
    const end = payload === undefined && { is_final: true, success: true };
    const frame = JSON.stringify({ payload, ...end });
    return `id: ${String(first + index)}\ndata: ${frame}\n\n`;
  });
  const headers = { "content-type": "text/event-stream" };
  return { headers, body: events.join("") };
}

async function read(
  script: Step[],
  options: { after?: string; maxRetries?: number } = {},
): Promise<{ texts: string[]; error: unknown; ids: unknown[] }> {
  return withServer(script, async (server) => {
    const stream = new SplitStream(connectTo(server), node, id);
    const texts: string[] = [];
    let error: unknown;
    try {
      for await (const text of stream.output(options)) texts.push(text);
    } catch (thrown) {
      error = thrown;
    }
    const ids = server.requests.map(({ headers }) => headers["last-event-id"]);
    return { texts, error, ids };
  });
}

describe("a split stream", () => {
  it("is created for a node by name", async () => {
    const created = { status: 201, body: JSON.stringify({ stream_id: id }) };
    await withServer([created], async (server) => {
      const stream = await createStream(connectTo(server), node);
      assert.equal(stream.id, id);
      const [request] = server.requests;
      assert.equal(request?.path, "/invocations/v1/nodes/streams");
      assert.equal(request.body, '{"node_ref":"acme/a b/1.0.0/Node"}');
    });
    await withServer([{ status: 201 }], async (server) => {
      const call = createStream(connectTo(server), node);
      await assert.rejects(call, InvalidResponseError);
    });
  });

  it("accepts an upload, and checks that all messages arrived", async () => {
    const uploaded = { execution_id: id, input_frames: 2 };
    const responses = [{ body: JSON.stringify(uploaded) }];
    await withServer(responses, async (server) => {
      const stream = new SplitStream(connectTo(server), node, id);
      const given = await stream.upload(["a", "b"]);
      assert.deepEqual(given, { executionId: id, inputFrames: 2 });
      const [request] = server.requests;
      assert.equal(request?.path, `${path}/input`);
      assert.equal(request.body, '"a"\n"b"\n');
      assert.equal(request.headers["content-type"], "application/x-ndjson");
      const short = stream.upload(["a", "b", "c"]);
      await assert.rejects(short, StreamInterruptedError);
      await assert.rejects(short, /received 2 of 3 .*messages/);
    });
  });

  it("accepts one upload", async () => {
    const taken = { status: 409, body: '{"error_message":"has an upload"}' };
    for (const refusal of [taken, { status: 503 }, { status: 401 }])
      await withServer([refusal], async (server) => {
        const stream = new SplitStream(connectTo(server), node, id);
        await assert.rejects(stream.upload(["a"]), (error) => {
          assert.ok(error instanceof StatusError);
          assert.equal(error.status, refusal.status);
          return true;
        });
        assert.equal(server.requests.length, 1);
      });
  });

  it("closes the source of a rejected upload", async () => {
    let isClosed = false;
    function* source(): Generator<string> {
      try {
        for (;;) yield "a";
      } finally {
        isClosed = true;
      }
    }
    const connection = connectTo(
      { baseUrl: "http://svc.invalid" },
      {
        fetch: async (_, { body }) => {
          assert.ok(body instanceof ReadableStream);
          await body.getReader().read();
          return new Response("{}", { status: 400 });
        },
      },
    );
    const call = new SplitStream(connection, node, id).upload(source());
    await assert.rejects(call, StatusError);
    assert.equal(isClosed, true);
  });

  it("does not wait for the source of a failed upload", async () => {
    await withServer([{}], async (server) => {
      const stream = new SplitStream(connectTo(server), node, id);
      const late = stream.upload(endlessInput().inputs, { timeoutMs: 30 });
      await assert.rejects(late, TimedOutError);
      const { inputs, push, isClosed } = endlessInput();
      const controller = new AbortController();
      const { signal } = controller;
      const aborted = stream.upload(inputs, { signal });
      setTimeout(() => {
        controller.abort();
      }, 30);
      await assert.rejects(aborted, AbortedError);
      push();
      await isClosed;
    });
    await withEarlyResponse(async (server) => {
      const stream = new SplitStream(connectTo(server), node, id);
      const call = stream.upload(endlessInput().inputs);
      await assert.rejects(call, BadRequestError);
    });
  });

  it("rethrows the error of a failing source", async () => {
    await withServer([{}], async (server) => {
      const stream = new SplitStream(connectTo(server), node, id);
      function* source(): Generator<string> {
        yield "a";
        throw new RangeError("no more");
      }
      await assert.rejects(stream.upload(source()), /no more/);
    });
  });

  it("is read from its beginning, and resumed after lost connections", async () => {
    const lost = await read([
      output(0, "a", "b"),
      output(2, "c"),
      output(3, undefined),
    ]);
    assert.deepEqual(lost, {
      texts: ["a", "b", "c"],
      error: undefined,
      ids: [undefined, "1", "2"],
    });
  });

  it("can be read after an event", async () => {
    const rest = await read([output(5), output(5, "f", undefined)], {
      after: "4",
    });
    assert.deepEqual([rest.texts, rest.ids], [["f"], ["4", "4"]]);
    const none = await read([{ status: 204, headers: {} }], { after: "9" });
    assert.deepEqual([none.texts, none.error], [[], undefined]);
  });

  it("exposes the event id of each message", async () => {
    await withServer([output(0, "a", "b", undefined)], async (server) => {
      const stream = new SplitStream(connectTo(server), node, id).output();
      const ids: unknown[] = [stream.lastEventId];
      while ((await stream.next()).done !== true) ids.push(stream.lastEventId);
      assert.deepEqual(ids, [undefined, "0", "1"]);
    });
  });

  it("fails after too many reconnects without messages", async () => {
    const { texts, error, ids } = await read([output(0, "a"), output(1)]);
    assert.deepEqual(texts, ["a"]);
    assert.ok(error instanceof StreamInterruptedError);
    assert.deepEqual(ids, [undefined, ...Array<string>(8).fill("0")]);
    const once = await read([output(0, "a")], { maxRetries: 0 });
    assert.equal(once.ids.length, 1);
  });

  it("survives an outage of the service", async () => {
    for (const away of [{ status: 503 }, { cut: "before" as const }]) {
      const outage = Array.from({ length: 8 }, () => away);
      const rest = output(1, "b", undefined);
      const { texts, error, ids } = await read([
        output(0, "a"),
        ...outage.slice(1),
        rest,
      ]);
      assert.deepEqual([texts, error], [["a", "b"], undefined]);
      assert.equal(ids.at(-1), "0");
      const long = await read([output(0, "a"), ...outage, rest]);
      assert.equal(long.ids.length, 9);
      assert.ok(
        away.status === 503
          ? long.error instanceof UpstreamUnavailableError
          : long.error instanceof ConnectionError,
      );
    }
  });

  it("logs each reconnect and one failure", async () => {
    const script = [output(0, "a"), { status: 400, body: "{}" }];
    await withServer(script, async (server) => {
      const logged: LogEvent[] = [];
      const logger = (event: LogEvent): unknown => logged.push(event);
      const stream = new SplitStream(connectTo(server, { logger }), node, id);
      const texts = stream.output();
      await texts.next();
      await assert.rejects(texts.next(), BadRequestError);
      assert.deepEqual(
        logged.map(({ type, attempt }) => [type, attempt]),
        [
          ...[
            ["request", 1],
            ["response", 1],
            ["retry", 1],
          ],
          ...[
            ["request", 2],
            ["response", 2],
            ["failure", 2],
          ],
        ],
      );
      const keys = logged.map(({ idempotencyKey }) => idempotencyKey);
      assert.equal(new Set(keys).size, 1);
    });
  });

  it("is not resumed if events have no id", async () => {
    const { body = "", headers = {} } = output(0, "a", "b");
    const unmarked = { headers, body: body.replaceAll(/^id: .*\n/gm, "") };
    const { texts, error, ids } = await read([unmarked]);
    assert.deepEqual(texts, ["a", "b"]);
    assert.ok(error instanceof StreamInterruptedError);
    assert.equal(ids.length, 1);
  });

  it("rejects an event id that is no valid header value", () => {
    const connection = connectTo({ baseUrl: "http://svc.invalid" });
    const stream = new SplitStream(connection, node, id);
    assert.throws(() => stream.output({ after: "1\n2" }), ConfigurationError);
  });

  it("reports a failed node to its readers", async () => {
    const failed = JSON.stringify({ is_final: true, error: "no words" });
    const headers = { "content-type": "text/event-stream" };
    const { error } = await read([{ headers, body: `data: ${failed}\n\n` }]);
    assert.ok(error instanceof NodeFailedError);
    assert.match(error.message, /no words/);
  });

  it("rejects a malformed id", () => {
    const connection = connectTo({ baseUrl: "http://svc.invalid" });
    for (const malformed of ["", "..", `${id}/`])
      assert.throws(
        () => new SplitStream(connection, node, malformed),
        ValueError,
      );
  });
});
