import assert from 'node:assert/strict';
import { EventHub } from '../../../../service/engine/events/event-hub.ts';
import type { RunEvent } from '../../../../service/engine/events/run-event.ts';

const event = (number: number, output?: Uint8Array): RunEvent => ({
  type: 'MEMORY_READ',
  eventUlid: String(number),
  executionId: 'run',
  timestampMs: number,
  ...(output && { output }),
});
const numbers = (events: readonly RunEvent[]): number[] => events.map(({ timestampMs }) => timestampMs);

describe('the event hub', () => {
  it('delivers events to the subscribers of their session until they unsubscribe', () => {
    const hub = new EventHub();
    const heard: number[] = [];
    const { unsubscribe } = hub.subscribe('one', ({ timestampMs }) => void heard.push(timestampMs));
    assert.deepEqual([hub.hasSubscribers('one'), hub.hasSubscribers('other')], [true, false]);
    hub.publish('one', event(1));
    hub.publish('other', event(2));
    hub.keep('one', event(3));
    unsubscribe();
    hub.publish('one', event(4));
    assert.deepEqual(heard, [1, 3]);
    assert.equal(hub.hasSubscribers('one'), false);
  });

  it('delivers to every subscriber, even if one unsubscribes during delivery', () => {
    const hub = new EventHub();
    const heard: string[] = [];
    const first = hub.subscribe('s', () => {
      heard.push('first');
      first.unsubscribe();
    });
    hub.subscribe('s', () => void heard.push('second'));
    hub.publish('s', event(1));
    hub.publish('s', event(2));
    assert.deepEqual(heard, ['first', 'second', 'second']);
  });

  it('replays the latest thousand kept events', () => {
    const hub = new EventHub();
    for (let number = 1; number <= 1_000; number += 1) hub.keep('s', event(number));
    assert.equal(hub.subscribe('s', () => undefined).kept.length, 1_000);
    hub.keep('s', event(1_001));
    hub.publish('s', event(1_002));
    const { kept } = hub.subscribe('s', () => undefined);
    assert.deepEqual([kept.length, numbers(kept)[0], numbers(kept).at(-1)], [1_000, 2, 1_001]);
    assert.deepEqual(hub.subscribe('other', () => undefined).kept, []);
  });

  it('keeps up to 8 MiB of messages, and not a byte more', () => {
    const hub = new EventHub();
    hub.keep('s', event(1, new Uint8Array(8_388_607)));
    hub.keep('s', event(2, new Uint8Array(1)));
    assert.deepEqual(numbers(hub.subscribe('s', () => undefined).kept), [1, 2]);
    hub.keep('s', event(3, new Uint8Array(1)));
    assert.deepEqual(numbers(hub.subscribe('s', () => undefined).kept), [2, 3]);
    hub.keep('s', event(4, new Uint8Array(8_388_609)));
    assert.deepEqual(numbers(hub.subscribe('s', () => undefined).kept), []);
  });

  it('drops the replay buffer of the session that has been silent longest', () => {
    const hub = new EventHub(2);
    hub.keep('a', event(1));
    hub.keep('b', event(2));
    hub.keep('a', event(3));
    hub.keep('c', event(4));
    const kept = ['a', 'b', 'c'].map((session) => numbers(hub.subscribe(session, () => undefined).kept));
    assert.deepEqual(kept, [[1, 3], [], [4]]);
  });
});
