import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { type BeaconBench, type Happening, withBench } from "./beacon-bench.ts";

const minute = 60_000;

/** Runs a test with a beacon that is started on a page that is shown; its first beat is on its way. */
function withBeat(test: (bench: BeaconBench) => Promise<void>): Promise<void> {
  return withBench(async (bench) => {
    await bench.tell("wake", "start", "turn", "due");
    await test(bench);
  });
}

/** A beat that fails; gives how long the beacon waits for the next, in seconds. */
async function fail(
  bench: BeaconBench,
  retryAfterMs?: number,
): Promise<number> {
  await bench.tell("due");
  const [wait] = await bench.tell({ retryAfterMs });
  return Number(/^wait (\d+)$/.exec(wait ?? "")?.[1]) / 1_000;
}

describe("a beacon", () => {
  it("beats at once when it is started on a page that is shown", () =>
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

  it("does nothing on a page that sleeps, before its start, and before its turn", async () => {
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

  it("rests and gives up its turn when the page sleeps, or it is stopped", async () => {
    for (const end of ["sleep", "stop"] as const)
      await withBeat(async (bench) => {
        await bench.tell("succeeded");
        assert.deepEqual(await bench.tell(end), ["leaveTurn", "stopWaiting"]);
        bench.now += 60 * minute;
        assert.deepEqual(await bench.tell("due", "turn"), []);
      });
  });

  it("waits for the rest of its time when the page is shown again", () =>
    withBeat(async (bench) => {
      await bench.tell("succeeded");
      bench.now += minute;
      await bench.tell("sleep");
      bench.now += minute;
      const does = await bench.tell("wake", "turn");
      assert.deepEqual(does, ["askTurn", "wait 120000"]);
    }));

  it("beats at once when the page is shown again after its time", () =>
    withBeat(async (bench) => {
      await bench.tell("succeeded", "sleep");
      bench.now += 5 * minute;
      assert.deepEqual(await bench.tell("wake", "turn"), ["askTurn", "wait 0"]);
    }));

  it("goes on after a stop when it is started again", () =>
    withBeat(async ({ tell }) => {
      await tell("succeeded", "stop");
      const does = await tell("start", "turn");
      assert.deepEqual(does, ["askTurn", "wait 240000"]);
    }));

  it("learns of what the page did between a stop and a start", () =>
    withBeat(async ({ tell }) => {
      await tell("succeeded", "stop", "sleep");
      assert.deepEqual(await tell("start"), []);
      assert.deepEqual(await tell("wake"), ["askTurn"]);
    }));

  it("is started once, however often", () =>
    withBeat(async ({ tell }) => {
      await tell("succeeded");
      assert.deepEqual(await tell("start", "start"), []);
    }));

  it("keeps its turn when it is given once more", () =>
    withBeat(async ({ tell }) => {
      await tell("succeeded");
      assert.deepEqual(await tell("turn"), []);
    }));

  it("takes the end of a beat that outlived the page's time", () =>
    withBeat(async ({ tell }) => {
      assert.deepEqual(await tell("sleep", "succeeded"), ["leaveTurn"]);
      const does = await tell("wake", "turn");
      assert.deepEqual(does, ["askTurn", "wait 240000"]);
    }));

  it("tries again after 30 seconds, doubling up to 4 minutes", () =>
    withBeat(async (bench) => {
      for (const seconds of [30, 60, 120, 240, 240])
        assert.equal(await fail(bench), seconds);
      await bench.tell("due", "succeeded");
      assert.equal(await fail(bench), 30);
    }));

  it("waits at least as long as the service asks for", () =>
    withBeat(async (bench) => {
      assert.equal(await fail(bench, 90_000), 90);
      assert.equal(await fail(bench, 1_000), 60);
      assert.equal(await fail(bench, 600_000), 600);
    }));

  it("beats by hand wherever it is, and once at a time", async () => {
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

  it("counts a beat by hand as the first one", () =>
    withBench(async ({ tell }) => {
      await tell("beat", "succeeded");
      const does = await tell("wake", "start", "turn");
      assert.deepEqual(does, ["askTurn", "wait 240000"]);
    }));

  it("does not wait longer than a timer can", () =>
    withBeat(async (bench) => {
      assert.equal(await fail(bench, 1e12), 2 ** 31 / 1_000 - 0.001);
    }));

  it("does not wait longer when the clock is set back", () =>
    withBeat(async (bench) => {
      await bench.tell("succeeded", "sleep");
      bench.now -= 600 * minute;
      const does = await bench.tell("wake", "turn");
      assert.deepEqual(does, ["askTurn", "wait 240000"]);
    }));

  it("never has two waits or two beats, whatever happens in which order", () =>
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
        // Only what can happen: a beat ends when there is one, a turn comes when it was asked for.
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
