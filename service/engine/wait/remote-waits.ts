import type { Hints, HintTopic } from '../../store/hints.ts';

/**
 * Coordinates waits between replicas. The end of a run is announced only if another replica has announced a wait for it; a run
 * without such a wait costs an entry in a set for a few seconds.
 */
export interface RemoteWaits {
  /** Announces a wait for another replica's run. Repeat the call periodically, because runs move between replicas. */
  watch(executionId: string): void;
  /** Reports that a run of this replica has ended, and its end is committed. */
  ended(executionId: string): void;
  /** Reports that a run of this replica has paused, and its pause is committed. */
  paused(executionId: string): void;
  /** Reports that a run has left this replica before its end. */
  left(executionId: string): void;
  /** Handles an announcement of another replica. */
  receive(topic: HintTopic, executionId: string): void;
}

interface RemoteWaitsOptions {
  send: Hints['send'];
  /** Reports whether this replica has the run. */
  isActive: (executionId: string) => boolean;
  /** Wakes the local waits for a run, which then check it again. */
  wake: (executionId: string) => void;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
}

/**
 * Minimum time that an ended run is remembered, in milliseconds: the announcement of a wait may be in transit when the run ends.
 */
const rememberMs = 2_000;

/** Creates the waits of a replica. Announcements are kept in memory. Hints may be lost, so waits also poll. */
export function createRemoteWaits({
  send,
  isActive,
  wake,
  now = () => performance.now(),
}: RemoteWaitsOptions): RemoteWaits {
  const watched = new Set<string>();
  let recent = new Set<string>();
  let older = new Set<string>();
  let since = now();

  return {
    watch: (executionId) => send('watched', executionId),
    ended: (executionId) => {
      if (now() - since >= rememberMs) {
        older = recent;
        recent = new Set();
        since = now();
      }
      recent.add(executionId);
      if (watched.delete(executionId)) send('ended', executionId);
    },
    paused: (executionId) => {
      if (watched.delete(executionId)) send('ended', executionId);
    },
    left: (executionId) => void watched.delete(executionId),
    receive: (topic, executionId) => {
      if (topic === 'ended') wake(executionId);
      else if (topic !== 'watched') return;
      else if (isActive(executionId)) watched.add(executionId);
      else if (recent.has(executionId) || older.has(executionId)) send('ended', executionId);
    },
  };
}
