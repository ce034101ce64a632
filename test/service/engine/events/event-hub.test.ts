import assert from 'node:assert/strict';
import { EventHub, type HubListener } from '../../../../service/engine/events/event-hub.ts';
import type { RunEvent } from '../../../../service/engine/events/run-event.ts';

const event = (number: number): RunEvent => ({
  type: 'MEMORY_READ',
  eventUlid: String(number),
  executionId: 'run',
  timestampMs: number,
});
const numbers = (events: readonly RunEvent[]): number[] => events.map(({ timestampMs }) => timestampMs);
const deaf: HubListener = { stored: () => undefined, transient: () => undefined };

describe('the event hub', () => {
  it('notifies the subscribers of a session until they unsubscribe', () => {
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

  it('notifies every subscriber even if one unsubscribes during the notification', () => {
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

  it('reports only events that this process has stored', () => {
    const hub = new EventHub();
    const heard: string[] = [];
    hub.onStored((session) => heard.push(session));
    hub.stored('a');
    hub.wake('b');
    hub.keep('c', event(1));
    assert.deepEqual(heard, ['a']);
  });

  it('replays the kept events of the session only', () => {
    const hub = new EventHub();
    hub.keep('s', event(1));
    hub.keep('s', event(2));
    assert.deepEqual(numbers(hub.subscribe('s', deaf).kept), [1, 2]);
    assert.deepEqual(hub.subscribe('other', deaf).kept, []);
  });
});
