import assert from 'node:assert/strict';
import type { RunEvent } from '../../../../service/engine/events/run-event.ts';
import type { EventSource } from '../../../../service/engine/follow/event-source.ts';
import { Feed, type Follower } from '../../../../service/engine/follow/feed.ts';
import { assertTurn, burn, watchTurns } from '../../../support/turn-watch.ts';
import { until } from '../../../support/until.ts';

const event = (number: number, bytes = 0): RunEvent => ({
  type: 'NODE_LOG',
  eventUlid: String(number),
  executionId: 'run',
  timestampMs: number,
  output: new Uint8Array(bytes),
});

/** A feed over a source that the test fills. */
function openFeed({ pollMs = 1e6, encode = (one: RunEvent) => one.timestampMs } = {}) {
  let waiting: RunEvent[] = [];
  let ended = false;
  let failing = 0;
  let wake = (): void => undefined;
  const errors: unknown[] = [];
  const announced: string[] = [];
  let closed = 0;
  const source: EventSource = {
    sessions: ['one', 'two'],
    read: () => {
      if (failing > 0) {
        failing -= 1;
        return Promise.reject(new Error('no database'));
      }
      const events = waiting;
      waiting = [];
      return Promise.resolve({ events, ended });
    },
    close: () => (closed += 1),
  };
  const feed = (): Feed<number> =>
    new Feed<number>({
      open: (woken) => {
        wake = woken;
        return source;
      },
      encode: (one) => Promise.resolve().then(() => ({ message: encode(one), bytes: 1 })),
      bounds: { replay: { events: 3, bytes: 1e6 }, buffer: { events: 5, bytes: 1e6 } },
      pollMs,
      announce: (session) => announced.push(session),
      onError: (error) => errors.push(error),
    });
  return {
    feed,
    errors,
    announced,
    closed: () => closed,
    fail: (times: number) => (failing = times),
    add: (...numbers: number[]) => {
      waiting.push(...numbers.map((number) => event(number)));
      wake();
    },
    addLarge: (number: number, bytes: number) => waiting.push(event(number, bytes)),
    end: () => {
      ended = true;
      wake();
    },
  };
}

/** Everything until the end, or until the follower is behind. */
async function drain(follower: Follower<number>): Promise<(number | string)[]> {
  const all: (number | string)[] = [];
  for (;;) {
    const step = await follower.next();
    if (step.kind !== 'messages') return [...all, step.kind];
    all.push(...step.messages);
  }
}
const nothing = (): void => undefined;

describe('a feed', () => {
  it('sends each follower the latest events first, and then every new event', async () => {
    const lab = openFeed();
    lab.add(1, 2, 3, 4);
    const feed = lab.feed();
    const first = feed.join(nothing);
    assert.deepEqual(await first.next(), { kind: 'messages', messages: [2, 3, 4] });
    lab.add(5);
    assert.deepEqual(await first.next(), { kind: 'messages', messages: [5] });
    const second = feed.join(nothing);
    assert.deepEqual(await second.next(), { kind: 'messages', messages: [3, 4, 5] });
    lab.add(6);
    lab.end();
    assert.deepEqual(await drain(first), [6, 'ended']);
    assert.deepEqual(await drain(second), [6, 'ended']);
    const late = feed.join(nothing);
    assert.deepEqual(await drain(late), [4, 5, 6, 'ended']);
    feed.close();
  });

  it('drops only a follower that falls behind the buffer', async () => {
    const lab = openFeed();
    const feed = lab.feed();
    const [slow, edge, fast] = [feed.join(nothing), feed.join(nothing), feed.join(nothing)];
    lab.add(1);
    for (const follower of [slow, edge, fast]) await follower.next();
    lab.add(2);
    for (const follower of [edge, fast]) await follower.next();
    for (const number of [3, 4, 5, 6, 7]) {
      lab.add(number);
      assert.deepEqual(await fast.next(), { kind: 'messages', messages: [number] });
    }
    lab.end();
    assert.deepEqual(await drain(fast), ['ended']);
    assert.deepEqual(await drain(edge), [3, 4, 5, 6, 7, 'ended']);
    assert.deepEqual(await drain(slow), ['behind']);
    feed.close();
  });

  it('encodes only the messages that it replays', async () => {
    const encoded: number[] = [];
    const lab = openFeed({
      encode: ({ timestampMs }) => {
        encoded.push(timestampMs);
        return timestampMs;
      },
    });
    lab.addLarge(1, 100);
    lab.addLarge(2, 700_000);
    lab.addLarge(3, 700_000);
    lab.end();
    const feed = lab.feed();
    assert.deepEqual(await drain(feed.join(nothing)), [3, 'ended']);
    assert.deepEqual(encoded, [3]);
    feed.close();
  });

  it('retries a failed read without losing events', async () => {
    const lab = openFeed({ pollMs: 5 });
    lab.fail(2);
    const feed = lab.feed();
    const follower = feed.join(nothing);
    lab.add(1);
    assert.deepEqual(await follower.next(), { kind: 'messages', messages: [1] });
    assert.equal(lab.errors.length, 2);
    feed.close();
  });

  it('fails its followers if an event cannot be encoded', async () => {
    const lab = openFeed({
      encode: ({ timestampMs }) => {
        if (timestampMs === 2) throw new Error('no file');
        return timestampMs;
      },
    });
    const feed = lab.feed();
    const follower = feed.join(nothing);
    lab.add(1, 2, 3);
    assert.deepEqual(await follower.next(), { kind: 'messages', messages: [1] });
    await assert.rejects(follower.next(), /no file/);
    await assert.rejects(drain(feed.join(nothing)), /no file/);
    feed.close();
  });

  it('yields to the event loop while it encodes many events', async () => {
    const lab = openFeed({
      encode: ({ timestampMs }) => {
        burn(5);
        return timestampMs;
      },
    });
    const feed = lab.feed();
    const follower = feed.join(nothing);
    lab.add(1);
    assert.deepEqual(await follower.next(), { kind: 'messages', messages: [1] });
    const watch = watchTurns();
    lab.add(...Array.from({ length: 50 }, (_, index) => index + 2));
    const last: number[] = [];
    while (!last.includes(51)) {
      const next = await follower.next();
      if (next.kind === 'messages') last.push(...next.messages);
    }
    assertTurn(watch.stop(), 50);
    assert.deepEqual(
      last,
      Array.from({ length: 50 }, (_, index) => index + 2),
    );
    feed.close();
  });

  it('announces its sessions at once and then periodically, with a read each time', async () => {
    const lab = openFeed({ pollMs: 5 });
    const feed = lab.feed();
    assert.deepEqual(lab.announced, ['one', 'two']);
    await until(() => lab.announced.length >= 6);
    lab.end();
    assert.deepEqual(await drain(feed.join(nothing)), ['ended']);
    feed.close();
    assert.equal(lab.closed(), 1);
  });

  it('releases a follower that leaves while it waits', async () => {
    const lab = openFeed();
    const feed = lab.feed();
    let left = 0;
    const follower = feed.join(() => (left += 1));
    const next = follower.next();
    follower.leave();
    follower.leave();
    assert.deepEqual(await next, { kind: 'ended' });
    assert.equal(left, 1);
    feed.close();
  });
});
