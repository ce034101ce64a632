import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";

import type { MessageType } from "../src/runtime/codec/codec.ts";
import { Execution } from "../src/runtime/execution.ts";
import type { LogEvent } from "../src/runtime/logger.ts";
import { connectTo } from "./connecting.ts";
import { fakeSockets } from "./fake-sockets.ts";
import { runId } from "./flow-responses.ts";

const emptyType: MessageType<object> = { name: "test.Empty", fields: () => [] };
const started = { type: "NODE_STARTED", event_ulid: "A" };
const last = { type: "FLOW_COMPLETED", event_ulid: "Z" };

/** The parts of a page that report whether it is online. */
const page = new EventTarget();
let onLine = true;
const parts = {
  navigator: {
    get onLine() {
      return onLine;
    },
  },
  addEventListener: page.addEventListener.bind(page),
};

describe("following a run in a page that goes offline", () => {
  const before = Object.entries(parts).map(
    ([name]) =>
      [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );

  beforeEach(() => {
    for (const [name, value] of Object.entries(parts))
      Object.defineProperty(globalThis, name, { value, configurable: true });
  });

  afterEach(() => {
    for (const [name, descriptor] of before)
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
  });

  it("resumes as soon as the page is online again", async () => {
    const { webSocket } = fakeSockets({
      messages: [{ type: "SESSION_READY" }],
      close: { code: 1006 },
    });
    const retries: LogEvent[] = [];
    const fetch = (): Promise<Response> =>
      onLine
        ? Promise.resolve(
            Response.json({ events: retries.length ? [last] : [started] }),
          )
        : Promise.reject(new TypeError("Failed to fetch"));
    const connection = connectTo(
      { baseUrl: "http://svc.invalid" },
      {
        webSocket,
        fetch,
        retryDelayMs: 1,
        logger(event) {
          // The retry delay of 30 seconds, not the timeout of a request.
          if (event.type !== "retry" || event.delayMs < 1_000) return;
          retries.push(event);
          setImmediate(() => {
            onLine = retries.length > 20;
            page.dispatchEvent(new Event("online"));
          });
        },
      },
    );
    const ulids: string[] = [];
    for await (const { ulid } of new Execution(
      connection,
      emptyType,
      runId,
    ).follow()) {
      ulids.push(ulid);
      onLine = ulids.length > 1;
    }
    assert.deepEqual(ulids, ["A", "Z"]);
    assert.equal(retries.length, 21);
  });
});
