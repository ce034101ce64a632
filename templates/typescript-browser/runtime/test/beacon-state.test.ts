import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { type BeaconBench, type Happening, withBench } from "./beacon-bench.ts";

const minute = 60_000;

/**
 * Runs a test with a beacon that is started on a visible page and has sent its
 * first beat.
 */
function withBeat(test: (bench: BeaconBench) => Promise<void>): Promise<void> {
  return withBench(async (bench) => {
    await bench.tell("wake", "start", "turn", "due");
    await test(bench);
  });
}

/** Fails a beat. Returns the delay before the next one, in seconds. */
async function fail(
  bench: BeaconBench,
  retryAfterMs?: number,
): Promise<number> {
  await bench.tell("due");
  const [wait] = await bench.tell({ retryAfterMs });
  return Number(/^wait (\d+)$/.exec(wait ?? "")?.[1]) / 1_000;
}

describe("a beacon", () => {
  it("beats immediately when started on a visible page", () =>
    withBench(async ({ tell }) => {
      assert.deepEqual(await tell("wake", "start"), ["askTurn"]);
      assert.deepEqual(await tell("turn"), ["wait 0"]);
      assert.deepEqual(await tell("due"), ["stopWaiting", "send"]);
    }));

  it("beats every 4 minutes", () =>
    withBeat(async (bench) => {
      for (let beats = 0; beats < 3; beats++) {
        assert.deepEqual(await bench.tell("succeeded"), ["wait 240000"]);
        bench.now += 4 * minute;
        assert.deepEqual(await bench.tell("due"), ["stopWaiting", "send"]);
      }
    }));

  it("is idle on a sleeping page, before its start and before its turn", async () => {
    const idle: [Happening[], string[]][] = [
      [["sleep", "start", "due"], []],
      [["start", "turn", "due"], []],
      [["wake", "due"], []],
      [["wake", "start", "due"], ["askTurn"]],
    ];
    for (const [happenings, does] of idle)
      await withBench(async ({ tell }) => {
        assert.deepEqual(await tell(...happenings), does);
      });
  });

  it("pauses and gives up its turn when the page sleeps or it is stopped", async () => {
    for (const end of ["sleep", "stop"] as const)
      await withBeat(async (bench) => {
        await bench.tell("succeeded");
        assert.deepEqual(await bench.tell(end), ["leaveTurn", "stopWaiting"]);
        bench.now += 60 * minute;
        assert.deepEqual(await bench.tell("due", "turn"), []);
      });
  });

  it("waits for the remaining time when the page becomes visible", () =>
    withBeat(async (bench) => {
      await bench.tell("succeeded");
      bench.now += minute;
      await bench.tell("sleep");
      bench.now += minute;
      const does = await bench.tell("wake", "turn");
      assert.deepEqual(does, ["askTurn", "wait 120000"]);
    }));

  it("beats immediately when the page becomes visible after the due time", () =>
    withBeat(async (bench) => {
      await bench.tell("succeeded", "sleep");
      bench.now += 5 * minute;
      assert.deepEqual(await bench.tell("wake", "turn"), ["askTurn", "wait 0"]);
    }));

  it("continues when it is restarted", () =>
    withBeat(async ({ tell }) => {
      await tell("succeeded", "stop");
      const does = await tell("start", "turn");
      assert.deepEqual(does, ["askTurn", "wait 240000"]);
    }));

  it("notices page changes between a stop and a start", () =>
    withBeat(async ({ tell }) => {
      await tell("succeeded", "stop", "sleep");
      assert.deepEqual(await tell("start"), []);
      assert.deepEqual(await tell("wake"), ["askTurn"]);
    }));

  it("ignores repeated starts", () =>
    withBeat(async ({ tell }) => {
      await tell("succeeded");
      assert.deepEqual(await tell("start", "start"), []);
    }));

  it("keeps its turn when it is granted again", () =>
    withBeat(async ({ tell }) => {
      await tell("succeeded");
      assert.deepEqual(await tell("turn"), []);
    }));

  it("handles the end of a beat after the page went to sleep", () =>
    withBeat(async ({ tell }) => {
      assert.deepEqual(await tell("sleep", "succeeded"), ["leaveTurn"]);
      const does = await tell("wake", "turn");
      assert.deepEqual(does, ["askTurn", "wait 240000"]);
    }));

  it("retries after 30 seconds, doubling up to 4 minutes", () =>
    withBeat(async (bench) => {
      for (const seconds of [30, 60, 120, 240, 240])
        assert.equal(await fail(bench), seconds);
      await bench.tell("due", "succeeded");
      assert.equal(await fail(bench), 30);
    }));

  it("honours Retry-After", () =>
    withBeat(async (bench) => {
      assert.equal(await fail(bench, 90_000), 90);
      assert.equal(await fail(bench, 1_000), 60);
      assert.equal(await fail(bench, 600_000), 600);
    }));

  it("beats on request in every state, once at a time", async () => {
    await withBench(async ({ tell }) => {
      assert.deepEqual(await tell("beat"), ["send"]);
    });
    await withBeat(async (bench) => {
      assert.deepEqual(await bench.tell("beat"), []);
      await bench.tell("succeeded");
      bench.now += minute;
      assert.deepEqual(await bench.tell("beat"), ["stopWaiting", "send"]);
      assert.deepEqual(await bench.tell("succeeded"), ["wait 240000"]);
    });
  });

  it("counts a requested beat as the first one", () =>
    withBench(async ({ tell }) => {
      await tell("beat", "succeeded");
      const does = await tell("wake", "start", "turn");
      assert.deepEqual(does, ["askTurn", "wait 240000"]);
    }));

  it("does not wait longer than a timer can", () =>
    withBeat(async (bench) => {
      assert.equal(await fail(bench, 1e12), 2e9 / 1_000);
    }));

  it("does not wait longer when the clock is set back", () =>
    withBeat(async (bench) => {
      await bench.tell("succeeded", "sleep");
      bench.now -= 600 * minute;
      const does = await bench.tell("wake", "turn");
      assert.deepEqual(does, ["askTurn", "wait 240000"]);
    }));

  it("never has two timers or two beats in any sequence of inputs", () =>
    withBench(async (bench) => {
      const happenings: Happening[] = [
        "wake",
        "sleep",
        "start",
        "stop",
        "turn",
        "due",
        "beat",
        "succeeded",
        { retryAfterMs: undefined },
      ];
      let seed = 7;
      const now = { askTurn: 0, wait: 0, send: 0 };
      for (let count = 0; count < 5_000; count++) {
        seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
        const next = happenings[Math.floor(seed / 65_536) % happenings.length];
        assert.ok(next);
        // Generates valid inputs only: a beat ends if one is pending, a turn
        // comes if it was requested.
        const isEnd = next === "succeeded" || typeof next === "object";
        if (isEnd && now.send === 0) continue;
        if (isEnd) now.send -= 1;
        if (next === "turn" && now.askTurn === 0) continue;
        bench.now += 1_000;
        for (const command of await bench.tell(next)) {
          if (command === "askTurn") now.askTurn += 1;
          if (command === "leaveTurn") now.askTurn -= 1;
          if (command.startsWith("wait")) now.wait += 1;
          if (command === "stopWaiting") now.wait -= 1;
          if (command === "send") now.send += 1;
          for (const held of Object.values(now))
            assert.ok(held === 0 || held === 1, command);
        }
      }
    }));
});
