/** Time for which all streams together may work in one turn of the event loop, in milliseconds. */
const budgetMs = 5;

let beganAt: number | undefined;

/**
 * Reports whether the streams of all callers have used up their time in this turn of the event loop. What arrives in tiny pieces, such
 * as lines, frames and logs, would otherwise be processed in one turn for as long as its sender is faster, and everybody else waits.
 * A stream that gets `true` continues after a `setImmediate`.
 */
export function isTurnSpent(): boolean {
  const now = performance.now();
  if (beganAt === undefined) {
    beganAt = now;
    setImmediate(() => {
      beganAt = undefined;
    });
  }
  return now - beganAt >= budgetMs;
}

/** Passes the items of a stream on, and pauses it whenever the turn is spent. Its `end` follows the last item. */
export function takeInTurns<T>(
  stream: { pause(): unknown; resume(): unknown },
  take: (item: T) => void,
): (items: readonly T[]) => void {
  const waiting: (readonly T[])[] = [];
  let next = 0;
  let isPaused = false;
  const drain = (): void => {
    for (let items = waiting[0]; items; items = waiting[0]) {
      for (; next < items.length; next += 1) {
        if (isTurnSpent()) {
          if (!isPaused) stream.pause();
          isPaused = true;
          setImmediate(drain);
          return;
        }
        take(items[next] as T);
      }
      waiting.shift();
      next = 0;
    }
    if (isPaused) {
      isPaused = false;
      stream.resume();
    }
  };
  return (items) => {
    waiting.push(items);
    // Otherwise a turn is waiting to continue.
    if (!isPaused) drain();
  };
}
