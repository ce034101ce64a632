import assert from 'node:assert/strict';
import { EventHub, type HubListener } from '../../../../service/engine/events/event-hub.ts';
import type { RunEvent } from '../../../../service/engine/events/run-event.ts';

const event = (number: number, bytes = 0): RunEvent => ({
  type: 'MEMORY_READ',
  eventUlid: String(number),
  executionId: 'run',
  timestampMs: number,
  memory: { key: '', json: 'x'.repeat(bytes) },
});
const numbers = (events: readonly RunEvent[]): number[] => events.map(({ timestampMs }) => timestampMs);
const deaf: HubListener = { stored: () => undefined, transient: () => undefined };

describe('the event hub', () => {
  it('announces to the subscribers of a session until they unsubscribe', () => {
    const hub = new EventHub();
    const heard: unknown[] = [];
    const { unsubscribe } = hub.subscribe('one', {
      stored: () => heard.push('stored'),
      transient: ({ timestampMs }) => heard.push(timestampMs),
    });
    hub.stored('one');
    hub.stored('other');
    hub.keep('one', event(1));
    hub.keep('other', event(2));
    hub.wake('one');
    unsubscribe();
    hub.stored('one');
    hub.keep('one', event(3));
    assert.deepEqual(heard, ['stored', 1, 'stored']);
  });

  it('announces to every subscriber, even if one unsubscribes meanwhile', () => {
    const hub = new EventHub();
    const heard: string[] = [];
    const first = hub.subscribe('s', {
      ...deaf,
      stored: () => {
        heard.push('first');
        first.unsubscribe();
      },
    });
    hub.subscribe('s', { ...deaf, stored: () => heard.push('second') });
    hub.stored('s');
    hub.stored('s');
    assert.deepEqual(heard, ['first', 'second', 'second']);
  });

  it('reports what this process has stored, and nothing else', () => {
    const hub = new EventHub();
    const heard: string[] = [];
    hub.onStored((session) => heard.push(session));
    hub.stored('a');
    hub.wake('b');
    hub.keep('c', event(1));
    assert.deepEqual(heard, ['a']);
  });

  it('replays the latest thousand kept events', () => {
    const hub = new EventHub();
    for (let number = 1; number <= 1_000; number += 1) hub.keep('s', event(number));
    assert.equal(hub.subscribe('s', deaf).kept.length, 1_000);
    hub.keep('s', event(1_001));
    const { kept } = hub.subscribe('s', deaf);
    assert.deepEqual([kept.length, numbers(kept)[0], numbers(kept).at(-1)], [1_000, 2, 1_001]);
    assert.deepEqual(hub.subscribe('other', deaf).kept, []);
  });

  it('keeps up to 8 MiB of text, and not a byte more', () => {
    const hub = new EventHub();
    hub.keep('s', event(1, 8_388_607));
    hub.keep('s', event(2, 1));
    assert.deepEqual(numbers(hub.subscribe('s', deaf).kept), [1, 2]);
    hub.keep('s', event(3, 1));
    assert.deepEqual(numbers(hub.subscribe('s', deaf).kept), [2, 3]);
    hub.keep('s', event(4, 8_388_609));
    assert.deepEqual(numbers(hub.subscribe('s', deaf).kept), []);
  });

  it('drops the replay buffer of the session that has been silent longest', () => {
    const hub = new EventHub(2);
    hub.keep('a', event(1));
    hub.keep('b', event(2));
    hub.keep('a', event(3));
    hub.keep('c', event(4));
    const kept = ['a', 'b', 'c'].map((session) => numbers(hub.subscribe(session, deaf).kept));
    assert.deepEqual(kept, [[1, 3], [], [4]]);
  });
});
