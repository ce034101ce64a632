import type { RunEvent } from '../events/run-event.ts';

/** The events of a session, read in order. */
export interface EventSource {
  /** The sessions whose new events other replicas report. */
  readonly sessions: readonly string[];
  /** Reads further events: the latest ones the first time, then those since the previous read. */
  read(): Promise<NewEvents>;
  close(): void;
}

interface NewEvents {
  /** Messages that are stored as blobs are not loaded. */
  events: RunEvent[];
  /** Whether the session has ended, so that no event follows these. */
  ended: boolean;
}
