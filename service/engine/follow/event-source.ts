import type { RunEvent } from '../events/run-event.ts';

/** The events of a session, read in order. */
export interface EventSource {
  /** What other replicas report new events of. */
  readonly sessions: readonly string[];
  /** Reads on: the latest events the first time, then those since. */
  read(): Promise<NewEvents>;
  close(): void;
}

interface NewEvents {
  /** Messages that are stored as blobs are not loaded. */
  events: RunEvent[];
  /** No event follows these. */
  ended: boolean;
}
