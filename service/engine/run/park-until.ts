import type { RunState } from '../journal/state.ts';

/**
 * Returns when a run continues, if it only waits and may leave memory until then.
 *
 * @param earliest epoch milliseconds; a run that continues earlier stays in memory
 */
export function parkUntil(state: RunState, earliest: number): number | undefined {
  if (state.end || state.active.size === 0) return undefined;
  const wakes = [...state.active.values()].map(({ retryAt, asks }) => {
    if (asks === undefined) return retryAt ?? 0;
    return asks === 'waiting' ? (pauseWakesAt(state) ?? 0) : Infinity;
  });
  const next = Math.min(...wakes);
  return next > earliest ? next : undefined;
}

/** Returns when the waiting pause escalates or expires, whichever is first. */
export function pauseWakesAt({ pause }: RunState): number | undefined {
  return pause && Math.min(pause.escalateAt ?? Infinity, pause.expiresAt);
}
