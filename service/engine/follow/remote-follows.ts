import type { HintTopic, Hints } from '../../store/hints.ts';

/**
 * Announces new events of followed sessions between replicas. A replica announces the sessions that its clients
 * follow, and the replica that stores new events of such a session responds with a hint. A run without followers
 * costs nothing.
 */
export interface RemoteFollows {
  /** Announces that a client of this replica follows a session. Repeat the call within `rememberMs`. */
  follow(session: string): void;
  /** Reports that this replica has committed new events of a session. */
  stored(session: string): void;
  /** Handles an announcement of another replica. */
  receive(topic: HintTopic, session: string): void;
}

interface RemoteFollowsOptions {
  send: Hints['send'];
  /** Wakes the local followers of a session. */
  wake: (session: string) => void;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
}

/** Minimum time that an announcement is remembered, in milliseconds. */
const rememberMs = 5_000;

/** Creates the follows of a replica. Announcements are kept in memory. Hints may be lost, so followers also poll. */
export function createRemoteFollows({
  send,
  wake,
  now = () => performance.now(),
}: RemoteFollowsOptions): RemoteFollows {
  let recent = new Set<string>();
  let older = new Set<string>();
  let since = now();

  const forgetOld = (): void => {
    const age = now() - since;
    if (age < rememberMs) return;
    older = age < 2 * rememberMs ? recent : new Set();
    recent = new Set();
    since = now();
  };

  return {
    follow: (session) => send('followed', session),
    stored: (session) => {
      if (recent.size + older.size === 0) return;
      forgetOld();
      if (recent.has(session) || older.has(session)) send('stored', session);
    },
    receive: (topic, session) => {
      if (topic === 'stored') wake(session);
      if (topic !== 'followed') return;
      forgetOld();
      recent.add(session);
    },
  };
}
