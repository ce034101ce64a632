import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { Beacon } from "../src/runtime/beacon/beacon.ts";
import type { BeaconSchedule } from "../src/runtime/beacon/beacon-state.ts";
import type { BeaconPage } from "../src/runtime/beacon/page.ts";
import { UpstreamUnavailableError } from "../src/runtime/errors.ts";
import { connectTo, testKey } from "./connecting.ts";
import { withServer } from "./scripted-server.ts";

/**
 * A page that is awake or asleep, in the only tab. `stored` is shared by all
 * pages of the origin.
 */
function pageOf(
  isAwake: boolean,
  stored = new Map<string, BeaconSchedule>(),
): {
  page: BeaconPage & { isAwake: boolean };
  change: () => void;
} {
  const watching = new Set<() => void>();
  const page = {
    isAwake,
    watch: (changed: () => void) => {
      watching.add(changed);
      return () => watching.delete(changed);
    },
    askTurn: (_: string, granted: () => void) => {
      queueMicrotask(granted);
      return () => undefined;
    },
    recall: (name: string) => stored.get(name),
    remember: (name: string, schedule: BeaconSchedule) => {
      const { failures, dueAt, pauseMs } = schedule;
      stored.set(name, { failures, dueAt, pauseMs });
    },
  };
  return { page, change: () => watching.forEach((changed) => changed()) };
}

/** Waits until a condition holds. */
async function until(holds: () => boolean): Promise<void> {
  const endsAt = performance.now() + 30_000;
  while (!holds()) {
    assert.ok(performance.now() < endsAt, "it did not happen in 30 seconds");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const warmed = { status: 202, body: '{"warmed":true,"graph_ids":[]}' };

describe("the beacon of a page", () => {
  it("asks the service to warm all flows of its key", async () => {
    await withServer([warmed], async (server) => {
      const { page } = pageOf(true);
      const beacon = new Beacon(connectTo(server), page);
      beacon.start();
      await until(() => server.requests.length === 1);
      beacon.stop();
      const [request] = server.requests;
      assert.equal(request?.method, "POST");
      assert.equal(request.path, "/invocations/v1/flows/warm");
      assert.equal(request.headers.authorization, `Bearer ${testKey}`);
      assert.equal(request.body, "{}");
    });
  });

  it("waits until the page is visible and removes its listeners when stopped", async () => {
    await withServer([warmed], async (server) => {
      const { page, change } = pageOf(false);
      const beacon = new Beacon(connectTo(server), page);
      beacon.start();
      await new Promise((resolve) => setTimeout(resolve, 30));
      assert.equal(server.requests.length, 0);
      page.isAwake = true;
      change();
      await until(() => server.requests.length === 1);
      beacon.stop();
      change();
    });
  });

  it("skips the beat of a page that loads soon after another", async () => {
    await withServer([warmed], async (server) => {
      const stored = new Map<string, BeaconSchedule>();
      for (let load = 1; load <= 3; load++) {
        const { page } = pageOf(true, stored);
        const beacon = new Beacon(connectTo(server), page);
        beacon.start();
        await until(() => server.requests.length === 1 && stored.size === 1);
        await new Promise((resolve) => setTimeout(resolve, 20));
        beacon.stop();
      }
      assert.equal(server.requests.length, 1);
    });
  });

  it("keeps the delay after a failure across page loads", async () => {
    await withServer([{ status: 503 }], async (server) => {
      const stored = new Map<string, BeaconSchedule>();
      const { page } = pageOf(true, stored);
      const beacon = new Beacon(connectTo(server), page);
      beacon.start();
      await until(() => stored.size === 1);
      beacon.stop();
      const [schedule] = stored.values();
      assert.equal(schedule?.failures, 1);
      assert.ok(schedule.dueAt > Date.now() + 20_000);
      const later = new Beacon(connectTo(server), pageOf(true, stored).page);
      later.start();
      await new Promise((resolve) => setTimeout(resolve, 20));
      later.stop();
      assert.equal(server.requests.length, 1);
    });
  });

  it("stores a schedule per key under a name that hides the key", async () => {
    await withServer([warmed], async (server) => {
      const stored = new Map<string, BeaconSchedule>();
      for (const apiKey of [testKey, `${testKey}4`]) {
        const { page } = pageOf(true, stored);
        const beacon = new Beacon(connectTo(server, { apiKey }), page);
        const before = stored.size;
        beacon.start();
        await until(() => stored.size === before + 1);
        beacon.stop();
      }
      assert.equal(server.requests.length, 2);
      for (const name of stored.keys()) assert.ok(!name.includes(testKey));
    });
  });

  it("is shared by all clients of a page with the same key", async () => {
    await withServer([warmed], async (server) => {
      const { page } = pageOf(true);
      let watching = 0;
      const counted: BeaconPage = {
        ...page,
        watch: () => {
          watching++;
          return () => watching--;
        },
      };
      const beacons = Array.from(
        { length: 3 },
        () => new Beacon(connectTo(server), counted),
      );
      for (const beacon of beacons) beacon.start();
      assert.equal(watching, 1);
      beacons[0]?.stop();
      assert.equal(watching, 1);
      await until(() => server.requests.length === 1);
      for (const beacon of beacons) beacon.stop();
      assert.equal(watching, 0);
    });
  });

  it("sends one rejected request for all clients of a page", async () => {
    await withServer([{ status: 403 }], async (server) => {
      const { page } = pageOf(true);
      const beacons = Array.from(
        { length: 3 },
        () => new Beacon(connectTo(server), page),
      );
      for (const beacon of beacons) beacon.start();
      await until(() => server.requests.length === 1);
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(server.requests.length, 1);
    });
  });

  it("stops when the service rejects the key", async () => {
    for (const status of [401, 403])
      await withServer([{ status }], async (server) => {
        const stored = new Map<string, BeaconSchedule>();
        const { page, change } = pageOf(true, stored);
        const watched: BeaconSchedule = { failures: 0, dueAt: 0, pauseMs: 0 };
        const eager = { ...page, isAwake: true, recall: () => watched };
        const beacon = new Beacon(connectTo(server), eager);
        beacon.start();
        await until(() => stored.size === 1);
        change();
        await new Promise((resolve) => setTimeout(resolve, 50));
        assert.equal(server.requests.length, 1);
      });
  });

  it("sends a beat on request and returns its outcome", async () => {
    await withServer([warmed, { status: 503 }], async (server) => {
      const beacon = new Beacon(connectTo(server), undefined);
      await beacon.beat();
      await assert.rejects(beacon.beat(), UpstreamUnavailableError);
      assert.equal(server.requests.length, 2);
    });
  });

  it("sends one beat for concurrent requests", async () => {
    await withServer([warmed], async (server) => {
      const beacon = new Beacon(connectTo(server), undefined);
      await Promise.all([beacon.beat(), beacon.beat()]);
      assert.equal(server.requests.length, 1);
    });
  });

  it("does nothing outside of a page", async () => {
    await withServer([warmed], async (server) => {
      const beacon = new Beacon(connectTo(server));
      beacon.start();
      await new Promise((resolve) => setTimeout(resolve, 30));
      beacon.stop();
      assert.equal(server.requests.length, 0);
    });
  });

  it("can be garbage-collected outside of a page", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const connection = connectTo({ baseUrl: "http://svc.invalid" });
    const kept = Array.from({ length: 10 }, () => {
      const beacon = new Beacon(connection);
      beacon.start();
      return new WeakRef(beacon);
    });
    // A WeakRef keeps its target during the turn in which it was created or read.
    await new Promise((resolve) => setTimeout(resolve, 10));
    collect();
    assert.ok(kept.every((each) => each.deref() === undefined));
  });
});
