import { ReplayBuffers } from './replay-buffers.ts';
import type { RunEvent } from './run-event.ts';

/** Receives the events of a session. */
export interface HubListener {
  /** Called when the journal has new rows. */
  stored: () => void;
  /** Called with an event that no journal stores. */
  transient: (event: RunEvent) => void;
}

/** A subscription to a session. */
interface Subscription {
  /** The transient events kept so far, oldest first. */
  kept: readonly RunEvent[];
  unsubscribe: () => void;
}

/**
 * Notifies subscribers in this process of the events of a session, which is an execution or a topic. Stored events are announced
 * once they are committed, and read from the journal. Transient events, which no journal stores, are delivered directly and kept
 * for a while.
 */
export class EventHub {
  readonly #listeners = new Map<string, Set<HubListener>>();
  readonly #kept = new ReplayBuffers();
  readonly #onStored = new Set<(session: string) => void>();

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

  /** Delivers an event to the current subscribers, and to later ones while it is in the replay buffer. */
  keep(session: string, event: RunEvent): void {
    this.#kept.keep(session, event);
    for (const { transient } of [...(this.#listeners.get(session) ?? [])]) transient(event);
  }

  subscribe(session: string, listener: HubListener): Subscription {
    const listeners = this.#listeners.get(session) ?? new Set();
    this.#listeners.set(session, listeners);
    // A copy, so that a listener can subscribe twice.
    const own = { ...listener };
    listeners.add(own);
    return {
      kept: this.#kept.of(session),
      unsubscribe: () => {
        listeners.delete(own);
        if (listeners.size === 0 && this.#listeners.get(session) === listeners)
          this.#listeners.delete(session);
      },
    };
  }
}
