import { mock } from "node:test";

import { Beacon } from "../src/runtime/beacon/beacon.ts";
import type { FetchResponse } from "../src/runtime/fetch.ts";
import { connectTo } from "./connecting.ts";

/**
 * Inputs of a beacon: it is started and stopped, its page wakes and sleeps, its
 * turn comes, its delay ends (`due`), the program requests a beat, and a beat
 * ends. A failed beat can carry a `Retry-After`.
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

/** A beacon in a scripted environment. */
export interface BeaconBench {
  /** Current time of its clock, in milliseconds. */
  now: number;
  /** Returns the resulting actions: requests a turn, sends a beat, waits. */
  tell(...happenings: Happening[]): Promise<string[]>;
}

/** Timeout for the body of an error response, in milliseconds. */
const refusalMs = 5_000;

/**
 * Runs a test with a beacon whose page, turn, clock, timer and service are
 * controlled by the test.
 */
export async function withBench(
  test: (bench: BeaconBench) => Promise<void>,
): Promise<void> {
  let did: string[] = [];
  let changed = (): void => undefined;
  let granted = (): void => undefined;
  let due = (): void => undefined;
  let response: (given: FetchResponse) => void = () => undefined;
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
    recall: () => undefined,
    remember: () => undefined,
  };
  const fetch = (): Promise<FetchResponse> => {
    did.push("send");
    return new Promise((resolve) => {
      response = resolve;
    });
  };
  // No timeout: apart from that of a failed beat, the beacon owns the only timer.
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
        response(responseOf(202));
        break;
      default:
        response(responseOf(503, happening.retryAfterMs));
    }
  };
  const bench: BeaconBench = {
    now: 1_000_000,
    async tell(...happenings) {
      did = [];
      for (const happening of happenings) {
        happen(happening);
        // Requests and responses take a few turns of the event loop.
        await new Promise((resolve) => setImmediate(resolve));
      }
      return did;
    },
  };
  mock.method(Date, "now", () => bench.now);
  mock.method(globalThis, "setTimeout", (callback: () => void, ms: number) => {
    if (ms === refusalMs) return undefined;
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

function responseOf(status: number, retryAfterMs?: number): FetchResponse {
  const headers = new Map<string, string>();
  if (retryAfterMs !== undefined)
    headers.set("retry-after", String(retryAfterMs / 1_000));
  return { status, headers, text: () => Promise.resolve("{}") };
}
