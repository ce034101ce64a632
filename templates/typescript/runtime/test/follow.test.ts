import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { MessageType } from "../src/runtime/codec/codec.ts";
import {
  AbortedError,
  ConfigurationError,
  ConnectionError,
  InvalidResponseError,
  NotFoundError,
  UpstreamUnavailableError,
} from "../src/runtime/errors.ts";
import { Execution } from "../src/runtime/execution.ts";
import { patience } from "../src/runtime/follow-run.ts";
import type { LogEvent } from "../src/runtime/logger.ts";
import type { ClientOptions } from "../src/runtime/options.ts";
import { patience as socketPatience } from "../src/runtime/socket.ts";
import { StreamInterruptedError } from "../src/runtime/stream-interrupted-error.ts";
import { connectTo, testKey } from "./connecting.ts";
import { fakeSockets, type SocketScript } from "./fake-sockets.ts";
import { page, record, runId } from "./flow-responses.ts";
import { type Step, withServer } from "./scripted-server.ts";

const emptyType: MessageType<object> = { name: "test.Empty", fields: () => [] };

const ready = { type: "SESSION_READY", session_id: runId };
const event = (ulid: string, type = "NODE_LOG"): object => ({
  type,
  event_ulid: ulid,
});
const last = event("Z", "FLOW_COMPLETED");

/** Follows a run with a scripted history and scripted sockets. */
async function follow(
  pages: Step[],
  scripts: SocketScript[],
  {
    takes = Infinity,
    signal,
    ...options
  }: ClientOptions & { takes?: number; signal?: AbortSignal } = {},
): Promise<{
  ulids: string[];
  error: unknown;
  sockets: ReturnType<typeof fakeSockets>["sockets"];
  queries: (string | undefined)[];
}> {
  const { webSocket, sockets } = fakeSockets(...scripts);
  return withServer(pages, async (server) => {
    const connection = connectTo(server, { webSocket, ...options });
    const execution = new Execution(connection, emptyType, runId);
    const ulids: string[] = [];
    let error: unknown;
    try {
      for await (const { ulid } of execution.follow({ signal })) {
        ulids.push(ulid);
        if (ulids.length === takes) break;
      }
    } catch (thrown) {
      error = thrown;
    }
    const queries = server.requests.map(({ path }) => path.split("?")[1]);
    return { ulids, error, sockets, queries };
  });
}

describe("following a run", () => {
  it("yields the history and then live events, each once", async () => {
    const { ulids, error, sockets, queries } = await follow(
      [page([event("A")], "c1"), page([event("B")])],
      [{ messages: [ready, event("B"), event("C"), last] }],
    );
    assert.deepEqual([ulids, error], [["A", "B", "C", "Z"], undefined]);
    const [socket] = sockets;
    assert.match(
      String(socket?.url),
      /^ws:.*\/debug-stream\?session_id=\w+&decode=true$/,
    );
    assert.deepEqual(socket?.protocols, [`svc-token.${testKey}`]);
    assert.equal(socket.isClosed, true);
    assert.deepEqual(queries, [
      "decode=true&limit=1000",
      "decode=true&limit=1000&cursor=c1",
    ]);
  });

  it("opens no socket for a finished run", async () => {
    const { ulids, sockets } = await follow([page([event("A"), last])], []);
    assert.deepEqual(ulids, ["A", "Z"]);
    assert.equal(sockets.length, 0);
  });

  it("resumes from the last page after a lost socket", async () => {
    const { ulids, queries } = await follow(
      [page([event("A")], "c1"), page([event("B"), event("C")])],
      [
        { messages: [ready, event("B")], close: { code: 1006 } },
        { messages: [ready, event("C"), last] },
      ],
    );
    assert.deepEqual(ulids, ["A", "B", "C", "Z"]);
    assert.equal(queries.at(-1), "decode=true&limit=1000&cursor=c1");
    assert.equal(queries.length, 3);
  });

  it("rejects a repeated cursor", async () => {
    const { ulids, error } = await follow([page([event("A")], "c1")], []);
    assert.deepEqual(ulids, ["A"]);
    assert.ok(error instanceof InvalidResponseError);
  });

  it("fills a gap between the history and the socket", async () => {
    const { ulids } = await follow(
      [page([event("A")]), page([event("A"), event("B")])],
      [{ messages: [ready, event("C"), last] }],
    );
    assert.deepEqual(ulids, ["A", "B", "C", "Z"]);
  });

  it("reads the record when a socket closes normally", async () => {
    const closed = { messages: [ready], close: { code: 1000 } };
    const branch = await follow(
      [page([event("A")]), record("COMPLETED"), page([event("B")])],
      [closed],
    );
    assert.deepEqual(branch.ulids, ["A", "B"]);
    assert.equal(branch.error, undefined);
    const early = await follow(
      [page([event("A")]), record("RUNNING"), page([event("A")])],
      [closed, { messages: [ready, event("A"), last] }],
    );
    assert.deepEqual(early.ulids, ["A", "Z"]);
    const cut = await follow(
      [page([event("A")]), record("RUNNING")],
      [closed],
      {
        maxRetries: 0,
      },
    );
    assert.ok(cut.error instanceof StreamInterruptedError);
  });

  it("reads the history when a socket is silent", async () => {
    const { silenceMs } = patience;
    patience.silenceMs = 20;
    try {
      const silent = { messages: [ready] };
      const nothing = page([event("A")]);
      const { ulids, error, sockets } = await follow(
        [nothing, nothing, nothing, page([event("B")]), page([last])],
        [silent, silent],
        { maxRetries: 0 },
      );
      assert.equal(error, undefined);
      assert.deepEqual(ulids, ["A", "B", "Z"]);
      assert.deepEqual(
        sockets.map(({ isClosed }) => isClosed),
        [true],
      );
    } finally {
      patience.silenceMs = silenceMs;
    }
  });

  it("fails with the reason after too many reconnects without events", async () => {
    const close = { code: 1011, reason: "internal error" };
    const { ulids, error, sockets } = await follow(
      [page([event("A")])],
      Array.from({ length: 10 }, () => ({ messages: [ready], close })),
      { retryDelayMs: 1, maxRetryDelayMs: 60_000 },
    );
    assert.deepEqual(ulids, ["A"]);
    assert.ok(error instanceof StreamInterruptedError);
    assert.match(error.message, /1011: internal error/);
    assert.equal(error.executionId, runId);
    assert.equal(sockets.length, 9);
  });

  it("sends one request per lost connection, without the retry budget", async () => {
    const { ulids, error, queries } = await follow(
      [page([event("A")]), { status: 503 }],
      [{ messages: [ready], close: { code: 1006 } }],
      { retryBudget: 0 },
    );
    assert.deepEqual(ulids, ["A"]);
    assert.ok(error instanceof UpstreamUnavailableError);
    assert.doesNotMatch(error.message, /budget/);
    // The first page, and one page for each connection after the lost one.
    assert.equal(queries.length, 1 + 8);
  });

  it("times out pages after 30 seconds or the attempt timeout", async (test) => {
    test.mock.timers.enable({ apis: ["setTimeout"] });
    const step = async (ms: number): Promise<void> => {
      test.mock.timers.tick(ms);
      await new Promise((resolve) => setImmediate(resolve));
    };
    for (const [pageMs, options] of [
      [30_000, {}],
      [40_000, { attemptTimeoutMs: 40_000 }],
    ] as const) {
      const script = [
        page([event("A")], "c1"),
        undefined,
        page([event("B"), last]),
      ];
      let requests = 0;
      const fetch = (): Promise<Response> => {
        const response = script[requests++];
        return response
          ? Promise.resolve(new Response(response.body))
          : new Promise(() => undefined);
      };
      const service = { baseUrl: "http://svc.invalid" };
      const { webSocket } = fakeSockets();
      const connection = connectTo(service, { fetch, webSocket, ...options });
      const execution = new Execution(connection, emptyType, runId);
      const ulids: string[] = [];
      const followed = (async () => {
        for await (const { ulid } of execution.follow({ timeoutMs: 100_000 }))
          ulids.push(ulid);
      })();
      await step(0);
      await step(pageMs - 1);
      assert.equal(requests, 2);
      await step(1);
      await step(1_000);
      await followed;
      assert.deepEqual(ulids, ["A", "B", "Z"]);
      assert.equal(requests, 3);
    }
  });

  it("reports why a socket was rejected", async () => {
    const refused = { status: 404, body: '{"code":"execution_not_found"}' };
    const found = await follow([page([]), refused], [{ isRefused: true }]);
    assert.ok(found.error instanceof NotFoundError);
    const passed = { status: 426, body: '{"error":"upgrade_required"}' };
    const { error } = await follow([page([]), passed], [{ isRefused: true }], {
      maxRetries: 0,
    });
    assert.ok(error instanceof ConnectionError);
    assert.match(error.message, /a proxy may block it/);
  });

  it("polls pages if the platform blocks sockets", async () => {
    const passed = { status: 426, body: '{"error":"upgrade_required"}' };
    const first = page([event("A")]);
    const script = [first, passed, first, passed, first, passed, page([last])];
    const isBlocked = true;
    const blocked = await follow(
      script,
      Array.from({ length: 3 }, () => ({ isBlocked })),
    );
    assert.deepEqual(blocked.ulids, ["A", "Z"]);
    const throws = new Error(`not allowed: svc-token.${testKey}`);
    const thrown = await follow(
      [first, first, first, page([last])],
      Array.from({ length: 3 }, () => ({ throws })),
    );
    assert.deepEqual(thrown.ulids, ["A", "Z"]);
    const { error } = await follow([first], [{ throws }], { maxRetries: 0 });
    assert.ok(error instanceof ConnectionError);
    assert.equal(
      error.message,
      `cannot open a WebSocket: not allowed: svc-token.[redacted] (execution ${runId})`,
    );
  });

  it("polls pages if a proxy rejects sockets", async () => {
    const first = page([event("A")]);
    const refused = { isRefused: true };
    const { ulids, error } = await follow(
      [
        ...[first, { status: 403, body: "blocked" }],
        ...[first, { status: 404, body: "" }],
        ...[first, { status: 200, body: "please log in" }],
        page([last]),
      ],
      [refused, refused, refused],
    );
    assert.deepEqual([ulids, error], [["A", "Z"], undefined]);
  });

  it("polls pages if sockets do not become ready", async () => {
    const { readyMs } = patience;
    patience.readyMs = 20;
    try {
      const first = page([event("A")]);
      const { ulids, error } = await follow(
        [first, first, first, page([last])],
        [{}, {}, {}],
      );
      assert.deepEqual([ulids, error], [["A", "Z"], undefined]);
    } finally {
      patience.readyMs = readyMs;
    }
  });

  it("tries a socket again after a period of polling", async () => {
    const { pageMs, pagesMs } = patience;
    Object.assign(patience, { pageMs: 40, pagesMs: 20 });
    try {
      const refused = { isRefused: true };
      const messages = [ready, event("A"), event("B"), last];
      const { webSocket, sockets } = fakeSockets(
        ...[refused, refused, refused, refused],
        { messages },
      );
      /** A proxy rejects three sockets, and the service rejects the next one. */
      const responseOf = (url: string): Step => {
        if (url.includes("/events")) return page([event("A")]);
        if (!url.includes("debug-stream")) return record("RUNNING");
        return sockets.length <= 3
          ? { status: 407, body: "blocked" }
          : { status: 403, body: '{"code":"forbidden"}' };
      };
      const fetch = (url: string): Promise<Response> => {
        const { body, status = 200 } = responseOf(url);
        return Promise.resolve(new Response(body, { status }));
      };
      const service = { baseUrl: "http://svc.invalid" };
      const connection = connectTo(service, { webSocket, fetch });
      const ulids: string[] = [];
      const execution = new Execution(connection, emptyType, runId);
      for await (const { ulid } of execution.follow()) ulids.push(ulid);
      assert.deepEqual(ulids, ["A", "B", "Z"]);
      assert.equal(sockets.length, 5);
    } finally {
      Object.assign(patience, { pageMs, pagesMs });
    }
  });

  it("polls pages if the platform has no sockets", async () => {
    const { WebSocket } = globalThis as { WebSocket?: unknown };
    Object.assign(globalThis, { WebSocket: undefined });
    try {
      const { ulids, error } = await follow(
        [page([event("A")]), page([event("A"), last])],
        [],
        {
          webSocket: undefined,
          maxRetries: 0,
        },
      );
      assert.equal(error, undefined);
      assert.deepEqual(ulids, ["A", "Z"]);
    } finally {
      Object.assign(globalThis, { WebSocket });
    }
  });

  it("logs only the failure that ends it", async () => {
    const logged: LogEvent[] = [];
    const logger = (event: LogEvent): unknown => logged.push(event);
    const failures = (): (string | undefined)[] =>
      logged
        .filter((logged) => logged.type === "failure")
        .map(({ executionId }) => executionId);
    const passed = { status: 426, body: '{"error":"upgrade_required"}' };
    const away = { status: 503, body: "{}" };
    const first = page([event("A")]);
    const refused = { isRefused: true };
    const { ulids } = await follow(
      [first, passed, away, away, away, page([event("A")])],
      [refused, { messages: [ready, event("A"), last] }],
      { logger },
    );
    assert.deepEqual(ulids, ["A", "Z"]);
    assert.deepEqual(failures(), []);
    assert.equal(new Set(logged.map((event) => event.idempotencyKey)).size, 1);
    await follow([first, passed], [refused], { logger, maxRetries: 0 });
    assert.deepEqual(failures(), [runId]);
    const gone = { status: 404, body: '{"code":"execution_not_found"}' };
    await follow([first, gone], [refused], { logger });
    assert.deepEqual(failures(), [runId, runId]);
    await follow([gone], [], { logger });
    assert.deepEqual(failures(), [runId, runId, runId]);
  });

  it("terminates a socket whose peer does not answer the close frame", async () => {
    const { closeMs } = socketPatience;
    socketPatience.closeMs = 10;
    try {
      const messages = [ready, event("A"), last];
      const first = [page([event("A")])];
      const dead = await follow(first, [{ messages, isDead: true }]);
      const alive = await follow(first, [{ messages }]);
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(dead.sockets[0]?.isTerminated, true);
      assert.equal(alive.sockets[0]?.isTerminated, undefined);
    } finally {
      socketPatience.closeMs = closeMs;
    }
  });

  it("can be stopped while an event is pending", async () => {
    const { webSocket, sockets } = fakeSockets({ messages: [ready] });
    await withServer([page([event("A")])], async (server) => {
      const connection = connectTo(server, { webSocket });
      const events = new Execution(connection, emptyType, runId).follow();
      await events.next();
      const waiting = events.next();
      while (sockets.length === 0) await new Promise(setImmediate);
      await events.return();
      assert.deepEqual(await waiting, { done: true, value: undefined });
      assert.equal(sockets[0]?.isClosed, true);
    });
  });

  it("can be stopped between polls", async () => {
    const { pageMs } = patience;
    patience.pageMs = 3_600_000;
    const logged: LogEvent[] = [];
    const refused = { isRefused: true };
    const { webSocket, sockets } = fakeSockets(refused, refused, refused);
    const passed = { status: 426, body: '{"error":"upgrade_required"}' };
    const first = page([event("A")]);
    const script = [first, passed, first, passed, first, passed];
    try {
      await withServer([...script, page([event("B")])], async (server) => {
        const connection = connectTo(server, {
          webSocket,
          logger: (event) => logged.push(event),
        });
        const events = new Execution(connection, emptyType, runId).follow();
        assert.equal((await events.next()).value?.ulid, "A");
        assert.equal((await events.next()).value?.ulid, "B");
        const waiting = events.next();
        await new Promise(setImmediate);
        await events.return();
        assert.deepEqual(await waiting, { done: true, value: undefined });
        assert.equal(sockets.length, 3);
        assert.equal(server.requests.length, 7);
      });
      const retries = logged.filter((logged) => logged.type === "retry");
      assert.match(
        String(retries.at(-1)?.error),
        /; polling the run's events from now on$/,
      );
    } finally {
      patience.pageMs = pageMs;
    }
  });

  it("never logs the key", async () => {
    const logged: LogEvent[] = [];
    const logger = (event: LogEvent): unknown => logged.push(event);
    const closed = { messages: [ready], close: { code: 1006 } };
    await follow(
      [page([event("A")])],
      [closed, { messages: [ready, event("A"), last] }],
      { logger },
    );
    const sockets = logged.filter(({ url }) => url.includes("debug-stream"));
    assert.deepEqual(
      sockets.map(({ type, attempt }) => [type, attempt]),
      [
        ["request", 1],
        ["response", 1],
        ["retry", 1],
        ["request", 2],
        ["response", 2],
      ],
    );
    assert.ok(!JSON.stringify(logged).includes(testKey));
  });

  it("rejects a key that is no valid subprotocol, without showing it", async () => {
    const apiKey = "key/with=slashes";
    const { error, sockets } = await follow([page([])], [], { apiKey });
    assert.ok(error instanceof ConfigurationError);
    assert.ok(!String(error.stack).includes(apiKey));
    assert.equal(sockets.length, 0);
  });
});

// These run concurrently, so none may mock timers or replace globals.
describe("following a run slowly", { concurrency: true }, () => {
  it("opens another socket when an attempt takes too long", async () => {
    const { ulids, sockets } = await follow(
      [page([event("A")])],
      [{}, { messages: [ready, last] }],
      {
        attemptTimeoutMs: 3_000,
      },
    );
    assert.deepEqual(ulids, ["A", "Z"]);
    assert.equal(sockets.length, 2);
  });

  it("closes the socket when its caller leaves or aborts", async () => {
    const open = [{ messages: [ready, event("A"), event("B")] }];
    const left = await follow([page([event("A")])], open, { takes: 2 });
    assert.deepEqual(left.ulids, ["A", "B"]);
    assert.equal(left.sockets[0]?.isClosed, true);
    const signal = AbortSignal.timeout(3_000);
    const aborted = await follow([page([event("A")])], open, { signal });
    assert.ok(aborted.error instanceof AbortedError);
    assert.equal(aborted.sockets[0]?.isClosed, true);
  });
});
