import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { stringValueType } from "../src/runtime/codec/well-known-types.ts";
import {
  AbortedError,
  BadRequestError,
  NodeFailedError,
  TimedOutError,
  UnauthorizedError,
  ValueError,
} from "../src/runtime/errors.ts";
import type { Fetch } from "../src/runtime/fetch.ts";
import { StreamInterruptedError } from "../src/runtime/stream-interrupted-error.ts";
import { uploadToNode } from "../src/runtime/stream-node.ts";
import { connectTo } from "./connecting.ts";
import { endlessInput, withEarlyResponse } from "./endless-input.ts";
import { withServer } from "./scripted-server.ts";
import { streamed } from "./stream-responses.ts";

const node = { path: "/node", input: stringValueType, output: stringValueType };

describe("a streamed input", () => {
  it("is read from an iterable or an async iterable", async () => {
    async function* source(): AsyncGenerator<string> {
      yield "a";
      await new Promise((resolve) => setTimeout(resolve, 1));
      yield "b";
    }
    for (const inputs of [["a", "b"], new Set(["a", "b"]), source()])
      await withServer([streamed('"out"', 2)], async (server) => {
        const stream = uploadToNode(connectTo(server), node, inputs);
        assert.deepEqual((await stream.next()).value, "out");
        assert.equal((await stream.next()).done, true);
        const [request] = server.requests;
        assert.equal(request?.body, '"a"\n"b"\n');
        assert.equal(request.headers["content-type"], "application/x-ndjson");
      });
  });

  it("ends with the response, even while its source is pending", async () => {
    const failed = { is_final: true, success: false, error: "no words" };
    const signals: AbortSignal[] = [];
    const uploads: Promise<unknown>[] = [];
    const fetch: Fetch = (_url, { signal, body }) => {
      signals.push(signal);
      // Deno also reads a body to its end.
      uploads.push(new Response(body).text());
      const headers = { "content-type": "text/event-stream" };
      const frame = `data: ${JSON.stringify(failed)}\n\n`;
      return Promise.resolve(new Response(frame, { headers }));
    };
    const server = { baseUrl: "http://svc.invalid" };
    const connection = connectTo(server, { fetch });
    const stream = uploadToNode(connection, node, endlessInput().inputs);
    await assert.rejects(stream.next(), NodeFailedError);
    await assert.rejects(uploads[0] ?? Promise.resolve(), AbortedError);
    const closed = uploadToNode(connection, node, endlessInput().inputs);
    await closed.response();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
    await closed.close();
    assert.equal(signals[1]?.aborted, true);
    await assert.rejects(uploads[1] ?? Promise.resolve(), AbortedError);
  });

  it("must be iterable", () => {
    const connection = connectTo({ baseUrl: "http://svc.invalid" });
    for (const inputs of [5, null, "text", {}])
      assert.throws(
        () => uploadToNode(connection, node, inputs as never),
        ValueError,
      );
  });

  it("is not read before it is sent, and is closed when rejected", async () => {
    const seen: string[] = [];
    function* source(): Generator<string> {
      try {
        for (;;) {
          seen.push("read");
          yield "a";
        }
      } finally {
        seen.push("closed");
      }
    }
    const refusal = { status: 400, headers: {}, text: async () => "{}" };
    const connection = connectTo(
      { baseUrl: "http://svc.invalid" },
      {
        fetch: async (_, { body }) => {
          assert.ok(body instanceof ReadableStream);
          await body.getReader().read();
          return { ...refusal, headers: new Map() };
        },
      },
    );
    const stream = uploadToNode(connection, node, source());
    assert.deepEqual(seen, []);
    await assert.rejects(stream.next(), BadRequestError);
    assert.deepEqual(seen, ["read", "closed"]);
  });

  it("does not delay an abort or a timeout", async () => {
    const { inputs, isClosed, push } = endlessInput();
    await withServer([{ status: 400 }], async (server) => {
      const controller = new AbortController();
      const { signal } = controller;
      const connection = connectTo(server);
      const aborted = uploadToNode(connection, node, inputs, { signal });
      const waiting = aborted.next();
      setTimeout(() => {
        controller.abort();
      }, 30);
      await assert.rejects(waiting, AbortedError);
      await aborted.close();
      push();
      await isClosed;
      const late = uploadToNode(connection, node, endlessInput().inputs, {
        timeoutMs: 30,
      });
      await assert.rejects(late.next(), TimedOutError);
    });
  });

  it("does not delay an early response", async () => {
    await withEarlyResponse(async (server) => {
      const { inputs } = endlessInput();
      const stream = uploadToNode(connectTo(server), node, inputs);
      await assert.rejects(stream.next(), BadRequestError);
    });
  });

  it("fails with the error of its source", async () => {
    await withServer([streamed('"out"', 1)], async (server) => {
      const own = new Error("disk is gone");
      function* source(): Generator<string> {
        yield "a";
        throw own;
      }
      const stream = uploadToNode(connectTo(server), node, source());
      await assert.rejects(stream.next(), (error) => error === own);
    });
  });

  it("gives the index of an invalid message", async () => {
    await withServer([streamed('"out"', 1)], async (server) => {
      const inputs = ["a", "\ud800"];
      const stream = uploadToNode(connectTo(server), node, inputs);
      await assert.rejects(
        stream.next(),
        (error) =>
          error instanceof ValueError &&
          error.message.startsWith("input message 1: "),
      );
    });
  });

  it("fails if the service received a different number of messages", async () => {
    await withServer([streamed('"out"', 1)], async (server) => {
      const stream = uploadToNode(connectTo(server), node, ["a", "b"]);
      assert.equal((await stream.next()).value, "out");
      await assert.rejects(stream.next(), StreamInterruptedError);
    });
  });

  it("is not sent again with a renewed token", async () => {
    await withServer([{ status: 401 }], async (server) => {
      const token = (): string => "key";
      const connection = connectTo(server, { apiKey: undefined, token });
      const stream = uploadToNode(connection, node, ["a"]);
      await assert.rejects(stream.next(), UnauthorizedError);
      assert.equal(server.requests.length, 1);
    });
  });
});
