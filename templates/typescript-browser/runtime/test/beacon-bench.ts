import { mock } from "node:test";

import { Beacon } from "../src/runtime/beacon/beacon.ts";
import type { FetchAnswer } from "../src/runtime/fetch.ts";
import { connectTo } from "./connecting.ts";

/**
 * What happens to a beacon: it is started and stopped, its page wakes and
 * sleeps, the turn comes that it asked for, its wait is over (`due`), somebody
 * wants a beat now, and a beat ends. One that failed may tell how long the
 * service asks to wait.
 */
export type Happening =
  | "start"
  | "stop"
  | "wake"
  | "sleep"
  | "turn"
  | "due"
  | "beat"
  | "succeeded"
  | { readonly retryAfterMs: number | undefined };

/** A beacon to which only happens what it is told. */
export interface BeaconBench {
  /** What its clock shows, in milliseconds. */
  now: number;
  /** Gives what the beacon does then: asks for its turn, sends a beat, waits. */
  tell(...happenings: Happening[]): Promise<string[]>;
}

/**
 * Runs a test with a beacon whose page, turn, clock, timer and service do
 * nothing by themselves.
 */
export async function withBench(
  test: (bench: BeaconBench) => Promise<void>,
): Promise<void> {
  let did: string[] = [];
  let changed = (): void => undefined;
  let granted = (): void => undefined;
  let due = (): void => undefined;
  let answer: (given: FetchAnswer) => void = () => undefined;
  const page = {
    isAwake: false,
    watch: (callback: () => void) => {
      changed = callback;
      return () => {
        changed = () => undefined;
      };
    },
    askTurn: (_: string, callback: () => void) => {
      did.push("askTurn");
      granted = callback;
      return () => {
        did.push("leaveTurn");
      };
    },
  };
  const fetch = (): Promise<FetchAnswer> => {
    did.push("send");
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  // Without a timeout, so that the one timer is the beacon's.
  const options = { fetch, timeoutMs: Infinity };
  const service = { baseUrl: "http://svc.test" };
  const beacon = new Beacon(connectTo(service, options), page);

  const happen = (happening: Happening): void => {
    switch (happening) {
      case "start":
        beacon.start();
        break;
      case "stop":
        beacon.stop();
        break;
      case "wake":
      case "sleep":
        page.isAwake = happening === "wake";
        changed();
        break;
      case "turn":
        granted();
        break;
      case "due":
        due();
        break;
      case "beat":
        beacon.beat().catch(() => undefined);
        break;
      case "succeeded":
        answer(answerOf(202));
        break;
      default:
        answer(answerOf(503, happening.retryAfterMs));
    }
  };
  const bench: BeaconBench = {
    now: 1_000_000,
    async tell(...happenings) {
      did = [];
      for (const happening of happenings) {
        happen(happening);
        // Sending and answering take some turns of the event loop's queue.
        await new Promise((resolve) => setImmediate(resolve));
      }
      return did;
    },
  };
  mock.method(Date, "now", () => bench.now);
  mock.method(globalThis, "setTimeout", (callback: () => void, ms: number) => {
    did.push(`wait ${String(ms)}`);
    due = callback;
    return did;
  });
  mock.method(globalThis, "clearTimeout", (timer: unknown) => {
    if (timer === undefined) return;
    did.push("stopWaiting");
    due = () => undefined;
  });
  try {
    await test(bench);
  } finally {
    mock.restoreAll();
  }
}

function answerOf(status: number, retryAfterMs?: number): FetchAnswer {
  const headers = new Map<string, string>();
  if (retryAfterMs !== undefined)
    headers.set("retry-after", String(retryAfterMs / 1_000));
  return { status, headers, text: () => Promise.resolve("{}") };
}
