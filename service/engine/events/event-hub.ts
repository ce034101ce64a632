import type { RunEvent } from './run-event.ts';

/** Learns what happens to a session. */
export interface HubListener {
  /** The journal has new rows. */
  stored: () => void;
  /** Something happened that no journal stores. */
  transient: (event: RunEvent) => void;
}

/** A subscription to a session. */
interface Subscription {
  /** The transient events kept so far, oldest first. */
  kept: readonly RunEvent[];
  unsubscribe: () => void;
}

/** Replay buffer per session: number of events, and bytes of their texts together. */
const maxKeptEvents = 1_000;
const maxKeptBytes = 8_388_608;
/** Sessions with a replay buffer. Beyond it, the session that has been silent longest loses its buffer. */
const defaultMaxSessions = 1_000;

interface ReplayBuffer {
  events: RunEvent[];
  bytes: number;
}

/**
 * Announces to subscribers of this process what happens to a session: an execution, or a topic. Stored events are announced once they
 * are committed, and read from the journal; events that no journal holds are delivered, and kept for a while.
 */
export class EventHub {
  readonly #listeners = new Map<string, Set<HubListener>>();
  readonly #kept = new Map<string, ReplayBuffer>();
  readonly #maxSessions: number;
  readonly #onStored = new Set<(session: string) => void>();

  constructor(maxSessions = defaultMaxSessions) {
    this.#maxSessions = maxSessions;
  }

  /** Announces new rows of a journal, which this process has committed. */
  stored(session: string): void {
    this.wake(session);
    for (const listener of this.#onStored) listener(session);
  }

  /** Announces new rows that another process may have committed. */
  wake(session: string): void {
    for (const { stored } of [...(this.#listeners.get(session) ?? [])]) stored();
  }

  /** Calls a listener for every session whose new rows this process has committed. */
  onStored(listener: (session: string) => void): void {
    this.#onStored.add(listener);
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
    for (const { transient } of [...(this.#listeners.get(session) ?? [])]) transient(event);
  }

  subscribe(session: string, listener: HubListener): Subscription {
    const listeners = this.#listeners.get(session) ?? new Set();
    this.#listeners.set(session, listeners);
    // Its own object, so that a listener may subscribe twice.
    const own = { ...listener };
    listeners.add(own);
    return {
      kept: [...(this.#kept.get(session)?.events ?? [])],
      unsubscribe: () => {
        listeners.delete(own);
        if (listeners.size === 0 && this.#listeners.get(session) === listeners)
          this.#listeners.delete(session);
      },
    };
  }
}

/** In bytes, at least. */
function sizeOf({ memory }: RunEvent): number {
  return memory ? memory.key.length + (memory.json?.length ?? 0) : 0;
}
