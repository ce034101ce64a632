import type { Hints, HintTopic } from '../../store/hints.ts';

/**
 * Who waits for runs of other replicas, and whom to tell of one's own. A run's end is told only when somebody has said that he
 * waits for it elsewhere: runs that nobody watches cost nothing but being remembered for some seconds.
 */
export interface RemoteWaits {
  /** Somebody here waits for a run that is not here; to be said again now and then, since runs change hands. */
  watch(executionId: string): void;
  /** A run of this replica has ended, and that is committed. */
  ended(executionId: string): void;
  /** A run of this replica is another's, or nobody's. */
  left(executionId: string): void;
  hear(topic: HintTopic, executionId: string): void;
}

export interface RemoteWaitsOptions {
  send: Hints['send'];
  /** Whether this replica has the run. */
  isHere: (executionId: string) => boolean;
  /** Whoever waits here is to look again. */
  wake: (executionId: string) => void;
  /** Milliseconds of any clock that goes forward. */
  now?: () => number;
}

/** How long an ended run is remembered at least, milliseconds: a watch may have been on its way when it ended. */
const rememberedMs = 2_000;

export function createRemoteWaits({
  send,
  isHere,
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
      if (now() - since >= rememberedMs) {
        older = recent;
        recent = new Set();
        since = now();
      }
      recent.add(executionId);
      if (watched.delete(executionId)) send('ended', executionId);
    },
    left: (executionId) => void watched.delete(executionId),
    hear: (topic, executionId) => {
      if (topic === 'ended') wake(executionId);
      else if (isHere(executionId)) watched.add(executionId);
      else if (recent.has(executionId) || older.has(executionId)) send('ended', executionId);
    },
  };
}
