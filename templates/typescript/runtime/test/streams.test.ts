import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";

import { stringValueType } from "../src/runtime/codec/well-known-types.ts";
import { AbortedError } from "../src/runtime/errors.ts";
import { FlowFailedError } from "../src/runtime/execution.ts";
import type { Fetch } from "../src/runtime/fetch.ts";
import type { LogEvent } from "../src/runtime/logger.ts";
import { type CallOptions } from "../src/runtime/options.ts";
import { streamFlow } from "../src/runtime/stream-flow.ts";
import { StreamInterruptedError } from "../src/runtime/stream-interrupted-error.ts";
import { streamOf } from "../src/runtime/stream-of.ts";
import { connectTo } from "./connecting.ts";
import { withServer } from "./scripted-server.ts";
import { eventStream, frame, streamed, streamId } from "./stream-responses.ts";

const flow = {
  graphId: "g-1",
  input: stringValueType,
  output: stringValueType,
};
const text = { payload: "a", is_final: false };
const last = frame(9, { is_final: true, success: true });

describe("a stream", () => {
  it("sends no request until it is iterated", async () => {
    await withServer([streamed('"a"')], async (server) => {
      const stream = streamFlow(connectTo(server), flow, "in");
      assert.equal(server.requests.length, 0);
      assert.equal(stream.executionId, undefined);
      assert.deepEqual(await stream.next(), { done: false, value: "a" });
      assert.equal(stream.executionId, streamId);
      assert.equal((await stream.next()).done, true);
      assert.equal((await stream.next()).done, true);
      assert.equal(server.requests.length, 1);
    });
  });

  it("can be iterated once", async () => {
    const once = { name: "ConfigurationError", message: /can be read once/ };
    const texts = async (stream: AsyncIterable<string>): Promise<string[]> => {
      const all: string[] = [];
      for await (const each of stream) all.push(each);
      return all;
    };
    await withServer([streamed('"a"'), streamed('"b"')], async (server) => {
      const stream = streamFlow(connectTo(server), flow, "in");
      assert.deepEqual(await texts(stream), ["a"]);
      await assert.rejects(texts(stream), once);
      assert.equal((await stream.next()).done, true);
      const left = streamFlow(connectTo(server), flow, "in");
      for await (const output of left) {
        assert.equal(output, "b");
        break;
      }
      await assert.rejects(texts(left), once);
      assert.equal(server.requests.length, 2);
    });
    const fake = streamOf(["a"]);
    assert.deepEqual(await texts(fake), ["a"]);
    await assert.rejects(texts(fake), once);
    const closed = streamOf(["a"]);
    await closed.close();
    await assert.rejects(texts(closed), once);
  });

  it("requests the remaining time for its run, even on a retry", async () => {
    await withServer([{ status: 503 }, streamed('"a"')], async (server) => {
      const options = { timeoutMs: 90_000, attemptTimeoutMs: 30_000 };
      const startedAt = performance.now();
      const stream = streamFlow(connectTo(server), flow, "in", options);
      await stream.next();
      const least = Math.ceil(90 - (performance.now() - startedAt) / 1_000);
      await stream.close();
      for (const { body } of server.requests) {
        const given = JSON.parse(body) as { timeout_seconds: number };
        assert.ok(given.timeout_seconds >= least, body);
        assert.ok(given.timeout_seconds <= 90, body);
      }
      assert.equal(server.requests.length, 2);
    });
  });

  it("exposes the response before its messages", async () => {
    await withServer([streamed('"a"')], async (server) => {
      const stream = streamFlow(connectTo(server), flow, "in");
      const { status, headers, body, attempts } = await stream.response();
      assert.deepEqual([status, body, attempts], [200, "", 1]);
      assert.equal(headers["content-type"], "text/event-stream");
      for await (const output of stream) assert.equal(output, "a");
      assert.equal(server.requests.length, 1);
    });
  });

  it("closes its connection when the loop is left or it is closed", async () => {
    await withOpenStream(async (baseUrl, isClosed) => {
      const stream = streamFlow(connectTo({ baseUrl }), flow, "in");
      for await (const output of stream) {
        assert.equal(output, "first");
        break;
      }
      await isClosed;
      assert.equal((await stream.next()).done, true);
    });
    await withOpenStream(async (baseUrl, isClosed) => {
      const stream = streamFlow(connectTo({ baseUrl }), flow, "in");
      await stream.next();
      const waiting = stream.next();
      await stream.close();
      await isClosed;
      assert.equal((await waiting).done, true);
    });
  });

  it("is closed at the end of an `await using`", async (test) => {
    const { asyncDispose } = Symbol as { asyncDispose?: symbol };
    if (asyncDispose === undefined) {
      test.skip("this platform has no Symbol.asyncDispose");
      return;
    }
    await withServer([streamed('"a"')], async (server) => {
      const stream = streamFlow(connectTo(server), flow, "in");
      assert.deepEqual(await stream.next(), { done: false, value: "a" });
      await stream[Symbol.asyncDispose]();
      assert.equal((await stream.next()).done, true);
    });
  });

  it("can be closed before its response arrives", async () => {
    await withServer([{ delayMs: 60_000 }], async (server) => {
      const stream = streamFlow(connectTo(server), flow, "in");
      const waiting = stream.next();
      await stream.close();
      assert.equal((await waiting).done, true);
    });
  });

  it("closes its connection on an idempotency mismatch", async () => {
    const headers = { "idempotency-mismatch": "input" };
    await withOpenStream(async (baseUrl, isClosed) => {
      const stream = streamFlow(connectTo({ baseUrl }), flow, "in");
      await assert.rejects(stream.next(), { name: "IdempotencyMismatchError" });
      await isClosed;
    }, headers);
  });

  it("closes its connection immediately when aborted", async () => {
    await withOpenStream(async (baseUrl, isClosed) => {
      const controller = new AbortController();
      const { signal } = controller;
      const options: CallOptions = { signal, idempotencyKey: "k-1" };
      const stream = streamFlow(connectTo({ baseUrl }), flow, "in", options);
      await stream.next();
      // The caller has no pending read.
      controller.abort("enough");
      await isClosed;
      await assert.rejects(
        stream.next(),
        (error) =>
          error instanceof AbortedError &&
          error.cause === "enough" &&
          error.executionId === streamId &&
          error.idempotencyKey === "k-1" &&
          error.attempts === 1,
      );
    });
  });

  it("closes its connection when closed or aborted before it is iterated", async () => {
    await withOpenStream(async (baseUrl, isClosed) => {
      const stream = streamFlow(connectTo({ baseUrl }), flow, "in");
      await stream.response();
      await stream.close();
      await isClosed;
      assert.equal((await stream.next()).done, true);
    });
    await withOpenStream(async (baseUrl, isClosed) => {
      const controller = new AbortController();
      const { signal } = controller;
      const stream = streamFlow(connectTo({ baseUrl }), flow, "in", { signal });
      await stream.response();
      controller.abort();
      await isClosed;
      await assert.rejects(stream.next(), AbortedError);
    });
  });

  it("sends no request after it was closed", async () => {
    await withServer([streamed('"a"')], async (server) => {
      const stream = streamFlow(connectTo(server), flow, "in");
      await stream.close();
      await assert.rejects(stream.response(), AbortedError);
      assert.equal((await stream.next()).done, true);
      assert.equal(server.requests.length, 0);
    });
  });

  it("yields no buffered message after it was aborted", async () => {
    const body = frame(0, { payload: "a" }) + frame(1, { payload: "b" }) + last;
    await withServer([eventStream(body)], async (server) => {
      const controller = new AbortController();
      const { signal } = controller;
      const stream = streamFlow(connectTo(server), flow, "in", { signal });
      assert.equal((await stream.next()).value, "a");
      controller.abort();
      await assert.rejects(stream.next(), AbortedError);
    });
  });

  it("reports why it was interrupted", async () => {
    const cut = { ...streamed('"a"'), cut: "middle" } as const;
    await withServer([cut], async (server) => {
      const stream = streamFlow(connectTo(server), flow, "in");
      const reading = async (): Promise<void> => {
        for await (const output of stream) assert.equal(output, "a");
      };
      await assert.rejects(reading, (error) => {
        assert.ok(error instanceof StreamInterruptedError);
        // The message includes the error of the transport.
        const { cause } = error.cause as Error;
        assert.ok(cause instanceof Error);
        assert.ok(error.message.includes(cause.message), error.message);
        return true;
      });
    });
  });

  it("logs an interruption once", async () => {
    await withServer([eventStream(frame(0, text))], async (server) => {
      const logged: LogEvent[] = [];
      const logger = (event: LogEvent): unknown => logged.push(event);
      const stream = streamFlow(connectTo(server, { logger }), flow, "in");
      await stream.next();
      await assert.rejects(stream.next(), StreamInterruptedError);
      const types = logged.map(({ type }) => type);
      assert.deepEqual(types, ["request", "response", "failure"]);
      const [request, , failure] = logged;
      assert.equal(failure?.idempotencyKey, request?.idempotencyKey);
      assert.equal(failure?.method, "POST");
      const closed = streamFlow(connectTo(server, { logger }), flow, "in");
      await closed.next();
      await closed.close();
      assert.equal(logged.length, 5);
    });
    await withServer([{ status: 400 }, {}], async (server) => {
      for (const type of ["response", "failure"] as const) {
        const logged: LogEvent[] = [];
        const logger = (event: LogEvent): unknown => logged.push(event);
        const stream = streamFlow(connectTo(server, { logger }), flow, "in");
        await assert.rejects(stream.next());
        assert.equal(logged.filter((event) => event.type === type).length, 1);
      }
    });
  });

  it("includes the request id in its errors", async () => {
    const failed = frame(0, { is_final: true, error: "too late" });
    const cut = frame(0, { payload: "a" });
    for (const [body, name] of [
      [failed, "FlowFailedError"],
      [cut, "StreamInterruptedError"],
    ] as const) {
      const step = eventStream(body);
      const headers = { ...step.headers, "x-request-id": "7d1f" };
      await withServer([{ ...step, headers }], async (server) => {
        const stream = streamFlow(connectTo(server), flow, "in");
        const readAll = async (): Promise<void> => {
          for await (const output of stream) assert.equal(output, "a");
        };
        await assert.rejects(readAll(), {
          name,
          requestId: "7d1f",
          message: /7d1f/,
        });
      });
    }
  });

  it("fails with the frame as the body of the error", async () => {
    const failed = frame(0, { is_final: true, error: "too late" });
    await withServer([eventStream(failed)], async (server) => {
      await assert.rejects(
        streamFlow(connectTo(server), flow, "in").next(),
        (error) =>
          error instanceof FlowFailedError &&
          error.message === `too late (execution ${streamId})` &&
          error.code === "flow_failed" &&
          JSON.stringify(error.body).includes("too late"),
      );
    });
    const begun = frame(0, { payload: "a" });
    const last = 'data: {"is_final":true,"error":"too late"}\n\n';
    await withServer([eventStream(begun + last)], async (server) => {
      const stream = streamFlow(connectTo(server), flow, "in");
      await stream.next();
      await assert.rejects(stream.next(), {
        message: `too late (execution ${streamId})`,
      });
    });
  });

  it("reads the text of a response without a body stream", async () => {
    const body = frame(0, { payload: "a" }) + last;
    const headers = new Map([["Content-Type", "text/event-stream"]]);
    const fetch: Fetch = () =>
      Promise.resolve({
        status: 200,
        headers,
        text: () => Promise.resolve(body),
      });
    const connection = connectTo({ baseUrl: "http://svc.invalid" }, { fetch });
    const outputs: string[] = [];
    for await (const output of streamFlow(connection, flow, "in"))
      outputs.push(output);
    assert.deepEqual(outputs, ["a"]);
  });

  it("can be faked with messages and response properties", async () => {
    const stream = streamOf(["a", "b"], { executionId: streamId });
    assert.equal(stream.executionId, streamId);
    assert.equal((await stream.response()).status, 200);
    for await (const output of stream) {
      assert.equal(output, "a");
      break;
    }
    assert.deepEqual(await stream.next(), { done: true, value: undefined });
    const closed = streamOf(["a"]);
    await closed.close();
    assert.equal((await closed.next()).done, true);
  });

  it("can be faked with an error", async () => {
    const failing = streamOf(
      (function* () {
        yield "a";
        throw new FlowFailedError("no words");
      })(),
    );
    assert.deepEqual(await failing.next(), { done: false, value: "a" });
    await assert.rejects(failing.next(), FlowFailedError);
  });
});

// These run concurrently, so none may mock timers or replace globals.
describe("a slow stream", { concurrency: true }, () => {
  it("is not limited by the attempt timeout once it has begun", async () => {
    const body = frame(0, { payload: "a" }) + frame(1, { payload: "b" }) + last;
    await withServer([eventStream(body)], async (server) => {
      const options = { attemptTimeoutMs: 1_000 };
      const stream = streamFlow(connectTo(server), flow, "in", options);
      await stream.next();
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      assert.equal((await stream.next()).value, "b");
      assert.equal((await stream.next()).done, true);
    });
  });

  it("retries an attempt without a response", async () => {
    await withServer([{ delayMs: 60_000 }, streamed('"a"')], async (server) => {
      const options = { attemptTimeoutMs: 3_000 };
      const stream = streamFlow(connectTo(server), flow, "in", options);
      assert.equal((await stream.next()).value, "a");
      const { attempts } = await stream.response();
      assert.equal(attempts, 2);
      await stream.close();
    });
  });
});

/** Runs `work` against a server that sends one frame and keeps the stream open. */
async function withOpenStream(
  work: (baseUrl: string, isClosed: Promise<void>) => Promise<void>,
  headers: Record<string, string> = {},
): Promise<void> {
  let closed: (response: ServerResponse) => void = () => undefined;
  const isClosed = new Promise<void>((resolve) => {
    closed = (response) => response.on("close", resolve);
  });
  const server = createServer((_, response) => {
    closed(response);
    response.writeHead(200, {
      "content-type": "text/event-stream",
      ...headers,
    });
    response.write(frame(0, { payload: "first", is_final: false }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  try {
    await work(`http://127.0.0.1:${String(port)}`, isClosed);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
