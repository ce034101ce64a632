import assert from "node:assert/strict";
import { describe, it } from "node:test";

import {
  advance,
  type BeaconCommand,
  type BeaconEvent,
  type BeaconState,
  newBeacon,
} from "../src/runtime/beacon/beacon-state.ts";

const minute = 60_000;
const shown: BeaconEvent = { type: "page", isShown: true, isOnline: true };
const hidden: BeaconEvent = { type: "page", isShown: false, isOnline: true };
const offline: BeaconEvent = { type: "page", isShown: true, isOnline: false };

/** A beacon whose clock stands still until it is moved. */
class Bench {
  now = 1_000_000;
  state: BeaconState = newBeacon;

  /** Tells what happens; gives what the beacon has to do, in short. */
  tell(...events: (BeaconEvent | Short)[]): string[] {
    return events.flatMap((event) => {
      const full = typeof event === "string" ? { type: event } : event;
      const { state, commands } = advance(this.state, full, this.now);
      this.state = state;
      return commands.map(shortly);
    });
  }

  /** A failed beat; gives how long it waits for the next, in seconds. */
  fail(retryAfterMs?: number): number {
    this.tell("due");
    const [wait] = this.tell({ type: "failed", retryAfterMs });
    return Number(/^wait (\d+)$/.exec(wait ?? "")?.[1]) / 1_000;
  }
}

type Short = Exclude<BeaconEvent["type"], "page" | "failed">;

function shortly(command: BeaconCommand): string {
  return command.do === "wait" ? `wait ${String(command.ms)}` : command.do;
}

/** Started on a page that is shown, with the first beat on its way. */
function beatingBench(): Bench {
  const bench = new Bench();
  bench.tell(shown, "start", "turn", "due");
  return bench;
}

describe("a beacon", () => {
  it("beats at once when it is started on a page that is shown", () => {
    const bench = new Bench();
    assert.deepEqual(bench.tell(shown, "start"), ["askTurn"]);
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

  it("does nothing on a page that is hidden, offline or not its turn", () => {
    for (const events of [
      [hidden, "start", "due"],
      [offline, "start", "due"],
      ["start", "due"],
      [shown, "due"],
    ] as (BeaconEvent | Short)[][])
      assert.deepEqual(new Bench().tell(...events), []);
    assert.deepEqual(new Bench().tell(shown, "start", "due"), ["askTurn"]);
  });

  it("rests and gives up its turn when the page is hidden, goes offline, or it is stopped", () => {
    for (const event of [hidden, offline, "stop"] as const) {
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
    bench.tell(hidden);
    bench.now += minute;
    assert.deepEqual(bench.tell(shown, "turn"), ["askTurn", "wait 120000"]);
  });

  it("beats at once when the page is shown again after its time", () => {
    const bench = beatingBench();
    bench.tell("succeeded", hidden);
    bench.now += 5 * minute;
    assert.deepEqual(bench.tell(shown, "turn"), ["askTurn", "wait 0"]);
  });

  it("goes on after a stop when it is started again", () => {
    const bench = beatingBench();
    bench.tell("succeeded", "stop");
    assert.deepEqual(bench.tell("start", "turn"), ["askTurn", "wait 240000"]);
  });

  it("takes the end of a beat that outlived the page's time", () => {
    const bench = beatingBench();
    assert.deepEqual(bench.tell(hidden, "succeeded"), ["leaveTurn"]);
    assert.deepEqual(bench.tell(shown, "turn"), ["askTurn", "wait 240000"]);
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
    assert.deepEqual(bench.tell(shown, "start", "turn"), [
      "askTurn",
      "wait 240000",
    ]);
  });

  it("does not wait longer when the clock is set back", () => {
    const bench = beatingBench();
    bench.tell("succeeded", hidden);
    bench.now -= 600 * minute;
    assert.deepEqual(bench.tell(shown, "turn"), ["askTurn", "wait 240000"]);
  });

  it("never has two waits or two beats, whatever happens in which order", () => {
    const happenings: (BeaconEvent | Short)[] = [
      shown,
      hidden,
      offline,
      "start",
      "stop",
      "turn",
      "due",
      "beat",
      "succeeded",
      { type: "failed", retryAfterMs: undefined },
    ];
    let seed = 7;
    const bench = new Bench();
    let waits = 0;
    let beats = 0;
    for (let count = 0; count < 20_000; count++) {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      const event = happenings[Math.floor(seed / 65_536) % happenings.length];
      assert.ok(event);
      const type = typeof event === "string" ? event : event.type;
      // Only what can happen: a beat ends when there is one, a turn comes when it was asked for.
      if ((type === "succeeded" || type === "failed") && beats === 0) continue;
      if (type === "succeeded" || type === "failed") beats -= 1;
      const { isOn, isShown, isOnline, hasTurn } = bench.state;
      if (type === "turn" && (hasTurn || !(isOn && isShown && isOnline)))
        continue;
      if (type === "due" && waits === 0) continue;
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
