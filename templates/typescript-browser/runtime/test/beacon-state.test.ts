import assert from "node:assert/strict";
import { describe, it } from "node:test";

import {
  advance,
  type BeaconEvent,
  type BeaconState,
  newBeacon,
  waitMs,
} from "../src/runtime/beacon/beacon-state.ts";

const minute = 60_000;
/** A beacon whose clock stands still until it is moved. */
class Bench {
  now = 1_000_000;
  state: BeaconState = newBeacon;

  /** Tells what happens; gives what the beacon has to do. */
  tell(...events: BeaconEvent[]): string[] {
    return events.flatMap((event) => {
      const { state, commands } = advance(this.state, event, this.now);
      this.state = state;
      return commands.map((command) =>
        command === "wait"
          ? `wait ${String(waitMs(state, this.now))}`
          : command,
      );
    });
  }

  /** A failed beat; gives how long it waits for the next, in seconds. */
  fail(retryAfterMs?: number): number {
    this.tell("due");
    const [wait] = this.tell({ retryAfterMs });
    return Number(/^wait (\d+)$/.exec(wait ?? "")?.[1]) / 1_000;
  }
}

/** Started on a page that is "wake", with the first beat on its way. */
function beatingBench(): Bench {
  const bench = new Bench();
  bench.tell("wake", "start", "turn", "due");
  return bench;
}

describe("a beacon", () => {
  it("beats at once when it is started on a page that is shown", () => {
    const bench = new Bench();
    assert.deepEqual(bench.tell("wake", "start"), ["askTurn"]);
    assert.deepEqual(bench.tell("turn"), ["wait 0"]);
    assert.deepEqual(bench.tell("due"), ["stopWaiting", "send"]);
  });

  it("beats every 4 minutes", () => {
    const bench = beatingBench();
    for (let beats = 0; beats < 3; beats++) {
      assert.deepEqual(bench.tell("succeeded"), ["wait 240000"]);
      bench.now += 4 * minute;
      assert.deepEqual(bench.tell("due"), ["stopWaiting", "send"]);
    }
  });

  it("does nothing on a page that sleeps, before its start, and before its turn", () => {
    assert.deepEqual(new Bench().tell("sleep", "start", "due"), []);
    assert.deepEqual(new Bench().tell("start", "due"), []);
    assert.deepEqual(new Bench().tell("wake", "due"), []);
    assert.deepEqual(new Bench().tell("wake", "start", "due"), ["askTurn"]);
  });

  it("rests and gives up its turn when the page sleeps, or it is stopped", () => {
    for (const event of ["sleep", "stop"] as const) {
      const bench = beatingBench();
      bench.tell("succeeded");
      assert.deepEqual(bench.tell(event), ["leaveTurn", "stopWaiting"]);
      bench.now += 60 * minute;
      assert.deepEqual(bench.tell("due"), []);
    }
  });

  it("waits for the rest of its time when the page is shown again", () => {
    const bench = beatingBench();
    bench.tell("succeeded");
    bench.now += minute;
    bench.tell("sleep");
    bench.now += minute;
    assert.deepEqual(bench.tell("wake", "turn"), ["askTurn", "wait 120000"]);
  });

  it("beats at once when the page is shown again after its time", () => {
    const bench = beatingBench();
    bench.tell("succeeded", "sleep");
    bench.now += 5 * minute;
    assert.deepEqual(bench.tell("wake", "turn"), ["askTurn", "wait 0"]);
  });

  it("goes on after a stop when it is started again", () => {
    const bench = beatingBench();
    bench.tell("succeeded", "stop");
    assert.deepEqual(bench.tell("start", "turn"), ["askTurn", "wait 240000"]);
  });

  it("takes the end of a beat that outlived the page's time", () => {
    const bench = beatingBench();
    assert.deepEqual(bench.tell("sleep", "succeeded"), ["leaveTurn"]);
    assert.deepEqual(bench.tell("wake", "turn"), ["askTurn", "wait 240000"]);
  });

  it("tries again after 30 seconds, doubling up to 4 minutes", () => {
    const bench = beatingBench();
    const waits = [bench.fail(), bench.fail(), bench.fail(), bench.fail()];
    assert.deepEqual(waits, [30, 60, 120, 240]);
    assert.equal(bench.fail(), 240);
    bench.tell("due", "succeeded");
    assert.equal(bench.fail(), 30);
  });

  it("waits at least as long as the service asks for", () => {
    const bench = beatingBench();
    assert.equal(bench.fail(90_000), 90);
    assert.equal(bench.fail(1_000), 60);
    assert.equal(bench.fail(600_000), 600);
  });

  it("beats by hand wherever it is, and once at a time", () => {
    assert.deepEqual(new Bench().tell("beat"), ["send"]);
    const bench = beatingBench();
    assert.deepEqual(bench.tell("beat"), []);
    bench.tell("succeeded");
    bench.now += minute;
    assert.deepEqual(bench.tell("beat"), ["stopWaiting", "send"]);
    assert.deepEqual(bench.tell("succeeded"), ["wait 240000"]);
  });

  it("counts a beat by hand as the first one", () => {
    const bench = new Bench();
    bench.tell("beat", "succeeded");
    assert.deepEqual(bench.tell("wake", "start", "turn"), [
      "askTurn",
      "wait 240000",
    ]);
  });

  it("does not wait longer than a timer can", () => {
    assert.equal(beatingBench().fail(1e12), 2 ** 31 / 1_000 - 0.001);
  });

  it("does not wait longer when the clock is set back", () => {
    const bench = beatingBench();
    bench.tell("succeeded", "sleep");
    bench.now -= 600 * minute;
    assert.deepEqual(bench.tell("wake", "turn"), ["askTurn", "wait 240000"]);
  });

  it("never has two waits or two beats, whatever happens in which order", () => {
    const happenings: BeaconEvent[] = [
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
    const bench = new Bench();
    let waits = 0;
    let beats = 0;
    for (let count = 0; count < 20_000; count++) {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      const event = happenings[Math.floor(seed / 65_536) % happenings.length];
      assert.ok(event);
      // Only what can happen: a beat ends when there is one, a turn comes when it was asked for.
      const isEnd = event === "succeeded" || typeof event === "object";
      if (isEnd && beats === 0) continue;
      if (isEnd) beats -= 1;
      const { isOn, isAwake, hasTurn } = bench.state;
      if (event === "turn" && (hasTurn || !isOn || !isAwake)) continue;
      if (event === "due" && waits === 0) continue;
      bench.now += 1_000;
      for (const command of bench.tell(event)) {
        if (command.startsWith("wait")) waits += 1;
        if (command === "stopWaiting") waits -= 1;
        if (command === "send") beats += 1;
        assert.ok(waits >= 0 && waits <= 1 && beats <= 1, command);
      }
    }
  });
});
