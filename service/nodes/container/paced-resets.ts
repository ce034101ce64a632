import { createTokenBucket } from '../token-bucket.ts';

/**
 * Number of HTTP/2 streams that a connection may reset at once, and per second after that. To protect itself
 * from rapid resets, a server on Node.js closes the connection, with every other call on it, after a burst of
 * more than 1,000 and then 33 per second.
 */
const burst = 500;
const perSecond = 25;

/**
 * Maximum number of calls waiting to be reset. With a server that enforces no deadlines, it would otherwise
 * grow without bound.
 */
const mostWaiting = 5_000;

/**
 * Limits the rate at which calls of `Invoke` and `Stream` are reset on one connection, so that the server
 * accepts the resets. Resets that gRPC itself sends, because a message is too large, are not counted.
 */
export interface PacedResets {
  /** Resets a call, at once or when the rate permits. */
  reset(call: { cancel(): void }): void;
  /** Reports that the call has ended. A pending reset is dropped. */
  ended(call: { cancel(): void }): void;
}

/**
 * Creates the resets of a new connection. Pending resets are also sent after the connection begins to close.
 */
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
