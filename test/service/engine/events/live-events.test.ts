import assert from 'node:assert/strict';
import { createLiveEvents } from '../../../../service/engine/events/live-events.ts';
import type { RunEvent } from '../../../../service/engine/events/run-event.ts';

const event = (number: number, output?: Uint8Array): RunEvent => ({
  type: 'MEMORY_READ',
  eventUlid: String(number),
  executionId: 'run',
  timestampMs: number,
  ...(output && { output }),
});
const numbers = (events: readonly RunEvent[]): number[] => events.map(({ timestampMs }) => timestampMs);

describe('live events', () => {
  it('reach whoever listens to their session, until he does no more', () => {
    const live = createLiveEvents();
    const heard: number[] = [];
    const { unsubscribe } = live.subscribe('one', ({ timestampMs }) => void heard.push(timestampMs));
    assert.deepEqual([live.isHeard('one'), live.isHeard('other')], [true, false]);
    live.publish('one', event(1));
    live.publish('other', event(2));
    live.keep('one', event(3));
    unsubscribe();
    live.publish('one', event(4));
    assert.deepEqual(heard, [1, 3]);
    assert.equal(live.isHeard('one'), false);
  });

  it('reach each of several, one of whom may leave while he hears', () => {
    const live = createLiveEvents();
    const heard: string[] = [];
    const first = live.subscribe('s', () => {
      heard.push('first');
      first.unsubscribe();
    });
    live.subscribe('s', () => void heard.push('second'));
    live.publish('s', event(1));
    live.publish('s', event(2));
    assert.deepEqual(heard, ['first', 'second', 'second']);
  });

  it('that are kept are given to whoever comes later: the latest thousand', () => {
    const live = createLiveEvents();
    for (let number = 1; number <= 1_000; number += 1) live.keep('s', event(number));
    assert.equal(live.subscribe('s', () => undefined).kept.length, 1_000);
    live.keep('s', event(1_001));
    live.publish('s', event(1_002));
    const { kept } = live.subscribe('s', () => undefined);
    assert.deepEqual([kept.length, numbers(kept)[0], numbers(kept).at(-1)], [1_000, 2, 1_001]);
    assert.deepEqual(live.subscribe('other', () => undefined).kept, []);
  });

  it('that are kept hold 8 MiB of messages, and not a byte more', () => {
    const live = createLiveEvents();
    live.keep('s', event(1, new Uint8Array(8_388_607)));
    live.keep('s', event(2, new Uint8Array(1)));
    assert.deepEqual(numbers(live.subscribe('s', () => undefined).kept), [1, 2]);
    live.keep('s', event(3, new Uint8Array(1)));
    assert.deepEqual(numbers(live.subscribe('s', () => undefined).kept), [2, 3]);
    live.keep('s', event(4, new Uint8Array(8_388_609)));
    assert.deepEqual(numbers(live.subscribe('s', () => undefined).kept), []);
  });

  it('of the session that has been silent longest are forgotten first', () => {
    const live = createLiveEvents(2);
    live.keep('a', event(1));
    live.keep('b', event(2));
    live.keep('a', event(3));
    live.keep('c', event(4));
    const kept = ['a', 'b', 'c'].map((session) => numbers(live.subscribe(session, () => undefined).kept));
    assert.deepEqual(kept, [[1, 3], [], [4]]);
  });
});
