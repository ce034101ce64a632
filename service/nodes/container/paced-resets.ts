import { createTokenBucket } from '../token-bucket.ts';

/**
 * Resets of HTTP/2 streams that a connection sends at once, and per second after that. A server on Node.js ends the connection, with
 * every other call on it, after a burst of more than 1,000 and then 33 a second: that is its protection from rapid resets.
 */
const burst = 500;
const perSecond = 25;

/** Calls that wait for their reset, at most: a server that enforces no deadlines would let them become ever more. */
const mostWaiting = 5_000;

/**
 * Resets of calls of `Invoke` and `Stream` on one connection, of which no more are sent than a server accepts. Those that gRPC
 * itself sends, because a message is too large, are not counted.
 */
export interface PacedResets {
  /** Resets a call, now or later. */
  reset(call: { cancel(): void }): void;
  /** The call has ended, and is reset no more. */
  ended(call: { cancel(): void }): void;
}

/** Creates the resets of a new connection. Those that wait are also sent after it begins to close. */
export function createPacedResets(): PacedResets {
  const waiting = new Set<{ cancel(): void }>();
  const tokens = createTokenBucket({ burst, perSecond }, () => performance.now());
  let timer: NodeJS.Timeout | undefined;

  const resetFirst = (): void => {
    const [call] = waiting;
    if (!call) return;
    waiting.delete(call);
    call.cancel();
  };
  const resetWaiting = (): void => {
    while (waiting.size > 0 && tokens.has(1)) {
      tokens.take(1);
      resetFirst();
    }
    timer = waiting.size > 0 ? setTimeout(resetWaiting, 1_000 / perSecond).unref() : undefined;
  };

  return {
    reset: (call) => {
      if (waiting.size === 0 && tokens.has(1)) {
        tokens.take(1);
        call.cancel();
        return;
      }
      waiting.add(call);
      if (waiting.size > mostWaiting) resetFirst();
      timer ??= setTimeout(resetWaiting, 1_000 / perSecond).unref();
    },
    ended: (call) => void waiting.delete(call),
  };
}
