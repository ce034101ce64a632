import type { Payload } from '../journal/entry.ts';
import { isBlob } from '../journal/payload.ts';
import type { RunEvent } from './run-event.ts';

type EventListener = (event: RunEvent) => void;

/** A subscription to a session. */
interface Subscription {
  /** The events kept so far, oldest first. */
  kept: readonly RunEvent[];
  unsubscribe: () => void;
}

/** Replay buffer per session: number of events, and bytes of their messages together. */
const maxKeptEvents = 1_000;
const maxKeptBytes = 8_388_608;
/** Sessions with a replay buffer. Beyond it, the session that has been silent longest loses its buffer. */
const defaultMaxSessions = 1_000;

interface ReplayBuffer {
  events: RunEvent[];
  bytes: number;
}

/**
 * Delivers events to subscribers of this process as they happen. A session is an execution, or a debug session that invocations
 * name. Stored events are published once they are committed, so a subscriber that missed one finds it in the history; events that
 * no history holds are kept here.
 */
export class EventHub {
  readonly #listeners = new Map<string, Set<EventListener>>();
  readonly #kept = new Map<string, ReplayBuffer>();
  readonly #maxSessions: number;

  constructor(maxSessions = defaultMaxSessions) {
    this.#maxSessions = maxSessions;
  }

  hasSubscribers(session: string): boolean {
    return this.#listeners.has(session);
  }

  /** Delivers an event to the present subscribers. */
  publish(session: string, event: RunEvent): void {
    for (const listener of [...(this.#listeners.get(session) ?? [])]) listener(event);
  }

  /** Delivers an event to the present subscribers, and to later ones while it is in the replay buffer. */
  keep(session: string, event: RunEvent): void {
    const buffer = this.#kept.get(session) ?? { events: [], bytes: 0 };
    buffer.events.push(event);
    buffer.bytes += sizeOf(event);
    while (buffer.events.length > maxKeptEvents || buffer.bytes > maxKeptBytes) {
      const oldest = buffer.events.shift();
      if (!oldest) break;
      buffer.bytes -= sizeOf(oldest);
    }
    this.#kept.delete(session);
    this.#kept.set(session, buffer);
    for (const silent of this.#kept.keys()) {
      if (this.#kept.size <= this.#maxSessions) break;
      this.#kept.delete(silent);
    }
    this.publish(session, event);
  }

  /** A listener that subscribes twice receives each event twice. */
  subscribe(session: string, listener: EventListener): Subscription {
    const listeners = this.#listeners.get(session) ?? new Set();
    this.#listeners.set(session, listeners);
    const deliver: EventListener = (event) => listener(event);
    listeners.add(deliver);
    return {
      kept: [...(this.#kept.get(session)?.events ?? [])],
      unsubscribe: () => {
        listeners.delete(deliver);
        if (listeners.size === 0 && this.#listeners.get(session) === listeners)
          this.#listeners.delete(session);
      },
    };
  }
}

function sizeOf({ input, output, frame }: RunEvent): number {
  return bytesOf(input) + bytesOf(output) + bytesOf(frame);
}

function bytesOf(payload: Payload | undefined): number {
  return payload === undefined || isBlob(payload) ? 0 : payload.length;
}
