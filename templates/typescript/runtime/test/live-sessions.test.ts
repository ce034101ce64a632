import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { describe, it } from "node:test";

import { stringValueType } from "../src/runtime/codec/well-known-types.ts";
import {
  AbortedError,
  BadRequestError,
  ConfigurationError,
  ConnectionError,
  InvalidResponseError,
  NodeFailedError,
  RateLimitedError,
  TimedOutError,
  ValueError,
} from "../src/runtime/errors.ts";
import {
  type LiveSession,
  openLive,
  patience,
} from "../src/runtime/live-session.ts";
import type { FailureEvent, LogEvent } from "../src/runtime/logger.ts";
import type { CallOptions, ClientOptions } from "../src/runtime/options.ts";
import { StreamInterruptedError } from "../src/runtime/stream-interrupted-error.ts";
import { connectTo, testKey } from "./connecting.ts";
import {
  fakeSockets,
  type SeenSocket,
  type SocketScript,
} from "./fake-sockets.ts";
import { withServer } from "./scripted-server.ts";

const node = { path: "/node", input: stringValueType, output: stringValueType };
const ready = {
  type: "SESSION_READY",
  execution_id: "e-1",
  limits: { session_seconds: 300 },
};
const frame = (payload: string): object => ({ payload, is_final: false });
const text = frame("a");
const end = { is_final: true, success: true };

/** Opens a session that follows a script. */
async function open(
  scripts: SocketScript[],
  options?: CallOptions,
): Promise<{
  session: LiveSession<string, string>;
  sockets: SeenSocket[];
  failures: () => FailureEvent[];
}> {
  const { webSocket, sockets } = fakeSockets(...scripts);
  const server = { baseUrl: "http://svc.invalid" };
  const fetch = (): Promise<Response> =>
    Promise.resolve(new Response("{}", { status: 426 }));
  const logged: LogEvent[] = [];
  const logger = (event: LogEvent): unknown => logged.push(event);
  const connection = connectTo(server, { webSocket, fetch, logger });
  const session = await openLive(connection, node, options);
  const failures = (): FailureEvent[] =>
    logged.filter((event) => event.type === "failure");
  return { session, sockets, failures };
}

describe("a live session", () => {
  it("sends and receives", async () => {
    const messages = [ready, frame("a"), frame("b"), end];
    const headers = { "X-Team": "words" };
    const { session, sockets } = await open([{ messages }], { headers });
    assert.equal(session.executionId, "e-1");
    assert.deepEqual(session.limits, {
      inputMessageBytes: undefined,
      inputBytes: undefined,
      inputMessages: undefined,
      outputBytes: undefined,
      durationMs: 300_000,
      stallMs: undefined,
    });
    await session.send("x");
    const given: string[] = [];
    for await (const text of session) given.push(text);
    assert.deepEqual(given, ["a", "b"]);
    const [socket] = sockets;
    assert.ok(socket);
    const { headers: seen, ...rest } = socket;
    assert.equal(seen["x-svc-client"], "test/1.0.0");
    assert.equal(seen["x-team"], "words");
    assert.deepEqual(rest, {
      url: "ws://svc.invalid/node/live",
      protocols: [`svc-token.${testKey}`],
      sent: ['"x"'],
      isClosed: true,
      bufferedAmount: 0,
    });
    await assert.rejects(session.send("y"), ConnectionError);
  });

  it("sends headers with the platform's WebSocket", async (test) => {
    if (!("WebSocket" in globalThis)) {
      test.skip("this platform has no WebSocket");
      return;
    }
    const server = createServer();
    const upgrade = once(server, "upgrade") as Promise<
      [IncomingMessage, Duplex]
    >;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const connection = connectTo(
      { baseUrl: `http://127.0.0.1:${String(port)}` },
      { headers: { "X-Team": "words" }, maxRetries: 0 },
    );
    const opening = openLive(connection, node).catch(() => undefined);
    const [request, socket] = await upgrade;
    socket.destroy();
    server.close();
    server.closeAllConnections();
    await opening;
    const { headers } = request;
    assert.equal(headers["x-team"], "words");
    assert.equal(headers["x-svc-client"], "test/1.0.0");
    assert.equal(headers["sec-websocket-protocol"], `svc-token.${testKey}`);
  });

  it("yields to timers while reading a long backlog", async () => {
    const messages = [ready, ...Array.from({ length: 20_000 }, () => text)];
    const { session } = await open([{ messages: [...messages, end] }]);
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    let count = 0;
    for await (const given of session) count += given.length;
    clearInterval(timer);
    assert.equal(count, 20_000);
    assert.ok(turns > 2, `${String(turns)} turns`);
  });

  it("yields to timers while sending many messages", async () => {
    const { session } = await open([{ messages: [ready] }]);
    let isTimeUp = false;
    setTimeout(() => {
      isTimeUp = true;
    });
    for (let sent = 0; sent < 1_000_000 && !isTimeUp; sent++)
      await session.send("a");
    assert.equal(isTimeUp, true);
    await session.close();
  });

  it("rejects an invalid message without sending it", async () => {
    const { session, sockets } = await open([{ messages: [ready] }]);
    const wrong = 7 as unknown as string;
    await assert.rejects(session.send(wrong), ValueError);
    assert.deepEqual(sockets[0]?.sent, []);
    await session.close();
  });

  it("fails when the node fails or the connection is lost", async () => {
    const failed = { is_final: true, error: "no words" };
    const node = await open([{ messages: [ready, failed] }]);
    await assert.rejects(node.session.next(), (error) => {
      assert.ok(error instanceof NodeFailedError);
      assert.equal(error.executionId, "e-1");
      return true;
    });
    const close = { code: 1013, reason: "slow consumer: too slow" };
    const slow = await open([{ messages: [ready], close }]);
    await assert.rejects(slow.session.next(), (error) => {
      assert.ok(error instanceof StreamInterruptedError);
      assert.match(error.message, /1013: slow consumer/);
      assert.equal(slow.failures().length, 1);
      assert.equal(slow.failures()[0]?.error, error);
      return true;
    });
    assert.equal(slow.sockets.length, 1);
  });

  it("applies backpressure while much data is buffered", async () => {
    const { session, sockets } = await open([{ messages: [ready] }]);
    const [socket] = sockets;
    assert.ok(socket);
    socket.bufferedAmount = 2_000_000;
    let isSent = false;
    const sending = session.send("a").then(() => {
      isSent = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(isSent, false);
    socket.bufferedAmount = 0;
    await sending;
    socket.bufferedAmount = 2_000_000;
    const ended = session.send("b");
    await session.close();
    await ended;
  });

  it("gives the reason of its end when a send fails", async () => {
    const close = { code: 1013, reason: "slow consumer" };
    const { session } = await open([{ messages: [ready], close }]);
    await assert.rejects(session.next(), StreamInterruptedError);
    await assert.rejects(session.send("a"), {
      name: "ConnectionError",
      message:
        "the session has ended: the WebSocket was closed with 1013: slow consumer (execution e-1)",
    });
  });

  it("is reopened only until it is ready", async () => {
    const lost = { close: { code: 1006 } };
    const { session, sockets } = await open([lost, { messages: [ready, end] }]);
    assert.deepEqual(await session.next(), { done: true, value: undefined });
    assert.equal(sockets.length, 2);
    await assert.rejects(
      open([lost, lost, lost, { messages: [ready] }]),
      StreamInterruptedError,
    );
    await assert.rejects(
      open([{ messages: [frame("a")] }]),
      InvalidResponseError,
    );
  });

  it("is reopened within the retry budget", async () => {
    const lost = { close: { code: 1006 } };
    const { webSocket, sockets } = fakeSockets(lost, lost);
    const logged: LogEvent[] = [];
    const connection = connectTo(
      { baseUrl: "http://svc.invalid" },
      {
        webSocket,
        maxRetries: 5,
        retryBudget: 1,
        logger: (event) => logged.push(event),
      },
    );
    await assert.rejects(
      openLive(connection, node),
      /not tried again: the retry budget is empty/,
    );
    assert.deepEqual(
      [sockets.length, logged.at(-2)?.type],
      [2, "budget-empty"],
    );
  });

  it("refunds a retry once it is ready", async () => {
    const lost = { close: { code: 1006 } };
    const isReady = { messages: [ready, end] };
    const { webSocket } = fakeSockets(lost, isReady, lost, isReady);
    const connection = connectTo(
      { baseUrl: "http://svc.invalid" },
      { webSocket, retryBudget: 1 },
    );
    for (const session of [1, 2])
      await (await openLive(connection, node, { maxRetries: session })).close();
  });

  it("is reopened immediately with a new token after a 401", async () => {
    const { webSocket, sockets } = fakeSockets(
      { isRefused: true },
      { messages: [ready, end] },
    );
    await withServer([{ status: 401 }, { status: 426 }], async (server) => {
      const options: ClientOptions = {
        webSocket,
        apiKey: undefined,
        token: ({ refresh }) => (refresh ? "new" : "old"),
        maxRetries: 0,
      };
      const session = await openLive(connectTo(server, options), node);
      await session.close();
      assert.deepEqual(
        sockets.map(({ protocols }) => protocols),
        [["svc-token.old"], ["svc-token.new"]],
      );
    });
  });

  it("logs its failure once, and only retries that follow", async () => {
    const refused = { status: 400, body: "{}" };
    await withServer([refused], async (server) => {
      const logged: LogEvent[] = [];
      const { webSocket } = fakeSockets({}, { isRefused: true });
      const connection = connectTo(server, {
        webSocket,
        logger: (event) => logged.push(event),
        // Longer than the time that a slow attempt timer leaves of the call.
        retryDelayMs: 60_000,
        maxRetryDelayMs: 60_000,
      });
      const late = openLive(connection, node, { timeoutMs: 50 });
      await assert.rejects(late, TimedOutError);
      const signal = AbortSignal.abort();
      await assert.rejects(openLive(connection, node, { signal }));
      await assert.rejects(openLive(connection, node), BadRequestError);
      assert.deepEqual(
        logged.map(({ type }) => type),
        [
          ...["request", "failure"],
          "failure",
          ...["request", "request", "response", "failure"],
        ],
      );
    });
  });

  it("abandons a connection that outlives the session limit", async () => {
    const { endMs } = patience;
    patience.endMs = 20;
    try {
      const limits = { session_seconds: 0.02 };
      const messages = [{ ...ready, limits }, text];
      const { session, sockets } = await open([{ messages }]);
      assert.equal((await session.next()).value, "a");
      await assert.rejects(session.next(), {
        name: "StreamInterruptedError",
        executionId: "e-1",
      });
      const [socket] = sockets;
      assert.ok(socket);
      assert.equal(socket.isClosed, true);
      const sender = await open([{ messages: [{ ...ready, limits }] }]);
      Object.assign(sender.sockets[0] ?? {}, { bufferedAmount: 2_000_000 });
      await sender.session.send("a");
      await assert.rejects(sender.session.send("b"), /exceeded its time limit/);
    } finally {
      patience.endMs = endMs;
    }
  });

  it("reports the reason of a rejection", async () => {
    const refused = { status: 400, body: '{"error_message":"a unary node"}' };
    const { webSocket } = fakeSockets({ isRefused: true });
    await withServer([refused], async (server) => {
      const connection = connectTo(server, { webSocket });
      await assert.rejects(openLive(connection, node), BadRequestError);
    });
    await assert.rejects(
      open([{ isRefused: true }], { maxRetries: 0 }),
      ConnectionError,
    );
  });

  it("can be closed by the caller, even while a read is pending", async () => {
    const { session, sockets } = await open([{ messages: [ready] }]);
    const waiting = session.next();
    await session.close();
    assert.deepEqual(await waiting, { done: true, value: undefined });
    assert.equal(sockets[0]?.isClosed, true);
    const used = await open([{ messages: [ready] }]);
    await used.session[Symbol.asyncDispose]();
    assert.equal(used.sockets[0]?.isClosed, true);
    const controller = new AbortController();
    const { signal } = controller;
    const aborted = await open([{ messages: [ready] }], { signal });
    const next = aborted.session.next();
    controller.abort();
    await assert.rejects(next, AbortedError);
    await assert.rejects(aborted.session.send("x"), AbortedError);
    assert.equal(aborted.sockets[0]?.isClosed, true);
  });

  it("needs a WebSocket", async () => {
    const { WebSocket } = globalThis as { WebSocket?: unknown };
    Object.assign(globalThis, { WebSocket: undefined });
    try {
      const connection = connectTo({ baseUrl: "http://svc.invalid" });
      await assert.rejects(openLive(connection, node), ConfigurationError);
    } finally {
      Object.assign(globalThis, { WebSocket });
    }
  });
});

// These run concurrently, so none may mock timers or replace globals.
describe("a slow live session", { concurrency: true }, () => {
  it("is reopened when an attempt times out", async () => {
    const scripts = [{}, { messages: [ready, end] }];
    const { session, sockets } = await open(scripts, {
      attemptTimeoutMs: 3_000,
    });
    assert.equal((await session.next()).done, true);
    assert.deepEqual([sockets.length, sockets[0]?.isClosed], [2, true]);
    const late = open([{}, {}], { attemptTimeoutMs: 20, maxRetries: 1 });
    await assert.rejects(late, {
      name: "TimedOutError",
      message: "the attempt did not end within 20 ms",
      attempts: 2,
    });
    const program = async (): Promise<unknown> =>
      await open([{}], { attemptTimeoutMs: 60_000, timeoutMs: 20 });
    await assert.rejects(program(), {
      name: "TimedOutError",
      message: "the call did not end within 20 ms",
      stack: /program/,
    });
  });

  it("does not count a 429 with a Retry-After", async () => {
    const busy = { status: 429, headers: { "retry-after": "1" } };
    const { webSocket, sockets } = fakeSockets(
      { isRefused: true },
      { isRefused: true },
      { messages: [ready, end] },
    );
    await withServer([busy], async (server) => {
      const options = { webSocket, maxRetries: 1, retryBudget: 0 };
      const session = await openLive(connectTo(server, options), node);
      await session.close();
      assert.equal(sockets.length, 3);
    });
    const later = { status: 429, headers: { "retry-after": "30" } };
    await withServer([later], async (server) => {
      const short = { timeoutMs: 20_000 };
      const { webSocket: refusing } = fakeSockets({ isRefused: true });
      const connection = connectTo(server, { webSocket: refusing });
      await assert.rejects(openLive(connection, node, short), RateLimitedError);
    });
  });
});
